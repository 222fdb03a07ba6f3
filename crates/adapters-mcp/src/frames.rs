//! The client's frames, one in each line of its output. A line that is no frame is answered with the protocol's error, and
//! the next one is read.
//!
//! Deliberately absent: what a frame asks for.

use std::io;
use std::pin::Pin;

use bailiwick_domain::Value;
use bailiwick_frames::{BYTE_ORDER_MARK, Id, Line, Lines, without_space};
use rmcp::model::{ClientRequest, ErrorData, GetMeta, JsonRpcMessage, ProtocolVersion, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite, Empty, empty};
use tokio_util::sync::CancellationToken;

/// What is said of a line that is longer than a frame may be ([`bailiwick_frames::LONGEST`]).
pub(crate) const TOO_LARGE: &str = "Too large: a message has at most 4 MiB";

pub(crate) type Message = RxJsonRpcMessage<RoleServer>;
type Sending = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

/// One client's frames, in both directions.
pub(crate) struct Frames<R, W: AsyncWrite> {
    lines: Lines<R>,
    /// Whether the client has begun: before, the protocol has nothing but requests.
    begun: bool,
    /// Set at the end of the input: whoever sent it is gone.
    over: CancellationToken,
    output: AsyncRwTransport<RoleServer, Empty, W>,
    /// An error that is on its way out.
    answer: Option<Sending>,
}

/// Why a line is no frame, and the request that it was meant to be, as far as that can be told.
pub(crate) struct Refused(pub(crate) ErrorData, pub(crate) Option<RequestId>);

impl<R, W> Frames<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(crate) fn new(input: R, output: W, over: CancellationToken) -> Self {
        Self {
            lines: Lines::new(input),
            begun: false,
            over,
            output: AsyncRwTransport::new_server(empty(), output),
            answer: None,
        }
    }

    /// The next line; `None` at the end. Nothing of it is lost where this is dropped half-way.
    async fn next(&mut self) -> Option<Result<Option<Message>, Refused>> {
        Some(match self.lines.next().await? {
            Line::Whole(line) => understood(&line),
            Line::TooLong(line, end) => Err(too_large(&line, &end)),
        })
    }
}

impl<R, W> Transport<RoleServer> for Frames<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.output.send(item)
    }

    async fn receive(&mut self) -> Option<Message> {
        loop {
            if let Some(answer) = &mut self.answer {
                let sent = answer.await;
                self.answer = None;
                if sent.is_err() {
                    self.over.cancel();
                    return None;
                }
            }
            match self.next().await {
                None => {
                    self.over.cancel();
                    return None;
                }
                Some(Ok(None)) => {}
                Some(Ok(Some(message))) => {
                    self.begun |= begins(&message);
                    if self.begun || matches!(message, JsonRpcMessage::Request(_)) {
                        return Some(message);
                    }
                }
                Some(Err(Refused(error, id))) => {
                    let error = TxJsonRpcMessage::<RoleServer>::error(error, id);
                    self.answer = Some(Box::pin(self.output.send(error)));
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.output.close().await
    }
}

/// What a line says; `None` for one that asks for nothing.
pub(crate) fn understood(line: &[u8]) -> Result<Option<Message>, Refused> {
    let line = without_space(line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line));
    if line.is_empty() {
        return Ok(None);
    }
    if let Ok(message) = serde_json::from_slice(line) {
        return fitting(message).map(Some);
    }
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        return Err(Refused(ErrorData::parse_error("the line is not JSON", None), None));
    };
    let id = value.get("id");
    // A notification never has an answer.
    if value.get("method").is_some_and(Value::is_string) && id.is_none() {
        return Ok(None);
    }
    let why = ErrorData::invalid_request("the line is not a message of the protocol", None);
    Err(Refused(why, id.and_then(request_id)))
}

/// Methods of the server. A request of one that is none by its parameters would be taken for one that nobody knows.
const METHODS: [&str; 9] = [
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
];

fn fitting(message: Message) -> Result<Message, Refused> {
    match &message {
        JsonRpcMessage::Request(asked) => match &asked.request {
            ClientRequest::CustomRequest(odd) if METHODS.contains(&odd.method.as_str()) => {
                let why = format!("the parameters are none of `{}`", odd.method);
                Err(Refused(ErrorData::invalid_params(why, None), Some(asked.id.clone())))
            }
            _ => Ok(message),
        },
        _ => Ok(message),
    }
}

/// Whether a client begins with this message: the protocol has a first request, or each says for itself what it speaks.
fn begins(message: &Message) -> bool {
    let JsonRpcMessage::Request(asked) = message else { return false };
    match &asked.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        request => request.get_meta().missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty(),
    }
}

pub(crate) fn too_large(beginning: &[u8], end: &[u8]) -> Refused {
    let id = Id::of_torn(beginning, end).and_then(|id| request_id(&id.value()));
    Refused(ErrorData::invalid_request(TOO_LARGE, None), id)
}

fn request_id(id: &Value) -> Option<RequestId> {
    match id {
        Value::String(text) => Some(RequestId::String(text.as_str().into())),
        other => other.as_i64().map(RequestId::Number),
    }
}
