//! The client's frames, one in each line of its output. A line that is no frame is answered with the protocol's error, and
//! the next one is read.
//!
//! Deliberately absent: what a frame asks for.

use std::io;
use std::pin::Pin;
use std::sync::Arc;

use bailiwick_frames::{Frame, INVALID, Id, Line, Lines, Meant, Odd, Says, error, read};
use rmcp::model::{ClientNotification, ClientRequest, GetMeta, JsonRpcMessage, ProtocolVersion, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use crate::called_off::Taken;

/// What is said of a line that is longer than a frame may be ([`bailiwick_frames::LONGEST`]).
pub(crate) const TOO_LARGE: &str = "Too large: a message has at most 4 MiB";

/// So many requests of one side are open at once.
pub(crate) const MOST_OPEN: usize = 256;

/// What is said of a further one.
pub(crate) const TOO_MANY: &str = "too many requests are open";

/// The parameters are none of the method.
const OTHER_PARAMETERS: i64 = -32602;

pub(crate) type Message = RxJsonRpcMessage<RoleServer>;
type Sending = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

/// One client's frames, in both directions.
pub(crate) struct Frames<R, W> {
    lines: Lines<R>,
    /// Whether the client has begun: before, the protocol has nothing but requests.
    begun: bool,
    /// Set at the end of the input: whoever sent it is gone.
    over: CancellationToken,
    output: Arc<Mutex<W>>,
    /// An error that is on its way out.
    answer: Option<Sending>,
    taken: Taken,
    /// Each answer that is not written yet holds one more of it.
    unwritten: Arc<()>,
}

/// A message, and its bytes as they were read.
pub(crate) struct Understood {
    pub(crate) message: Message,
    pub(crate) line: Vec<u8>,
}

impl<R, W> Frames<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(crate) fn new(input: R, output: W, over: CancellationToken) -> Self {
        let (lines, output) = (Lines::new(input), Arc::new(Mutex::new(output)));
        Self {
            lines,
            begun: false,
            over,
            output,
            answer: None,
            taken: Taken::default(),
            unwritten: Arc::new(()),
        }
    }

    /// The next line; `None` at the end. Nothing of it is lost where this is dropped half-way.
    async fn next(&mut self) -> Option<Result<Option<Message>, Odd>> {
        Some(match self.lines.next().await? {
            Line::Whole(line) => understood(&line).map(|read| read.map(|read| read.message)),
            Line::TooLong(line, end) => {
                let id = Id::of_torn(&line, &end);
                Err(Odd { code: INVALID, why: TOO_LARGE.to_owned(), id })
            }
        })
    }

    /// Whether a message goes on, or why its request does not.
    fn goes_on(&mut self, message: &Message) -> Result<bool, Odd> {
        self.begun |= begins(message);
        if let Some(id) = request_id(message) {
            if let Some(why) = self.taken.why_not(&id).or_else(|| self.is_full().then_some(TOO_MANY)) {
                return Err(Odd { code: INVALID, why: why.to_owned(), id: Some(id) });
            }
            self.taken.begin(id);
            return Ok(true);
        }
        if let Some(id) = called_off(message) {
            self.taken.called_off(&id);
        }
        Ok(self.begun)
    }

    /// Whether no further request is taken. What is answered and not read takes a place as what is open does, since a client
    /// may ask faster than it reads.
    fn is_full(&self) -> bool {
        self.taken.count().saturating_add(Arc::strong_count(&self.unwritten)) > MOST_OPEN
    }
}

async fn written<W: AsyncWrite + Unpin>(output: Arc<Mutex<W>>, mut line: Vec<u8>) -> io::Result<()> {
    line.push(b'\n');
    let mut output = output.lock().await;
    output.write_all(&line).await?;
    output.flush().await
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
        if let Some(id) = answered_id(&item) {
            self.taken.answered(&id);
        }
        let (output, line) = (Arc::clone(&self.output), serde_json::to_vec(&item));
        let place = Arc::clone(&self.unwritten);
        async move {
            let sent = written(output, line?).await;
            drop(place);
            sent
        }
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
            let Some(read) = self.next().await else {
                self.over.cancel();
                return None;
            };
            let odd = match read {
                Ok(None) => continue,
                Ok(Some(message)) => match self.goes_on(&message) {
                    Ok(true) => return Some(message),
                    Ok(false) => continue,
                    Err(odd) => odd,
                },
                Err(odd) => odd,
            };
            let line = error(odd.id.as_ref(), odd.code, &odd.why);
            self.answer = Some(Box::pin(written(Arc::clone(&self.output), line)));
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.output.lock().await.shutdown().await
    }
}

/// What a line says; `None` for one that asks for nothing.
pub(crate) fn understood(line: &[u8]) -> Result<Option<Understood>, Odd> {
    let Frame { line, says } = match read(line) {
        Ok(None) => return Ok(None),
        Ok(Some(frame)) => frame,
        // What is told and an answer never have an answer.
        Err(odd) => match Meant::of(&Line::Whole(line.to_vec())) {
            Meant::Told(_) | Meant::Answer(_) => return Ok(None),
            Meant::Asked(..) | Meant::Names(_) | Meant::Nothing | Meant::Unknown => return Err(odd),
        },
    };
    let asked = match says {
        Says::Request { id, .. } => Some(id),
        Says::Notification { .. } | Says::Result { .. } | Says::Failure { .. } => None,
    };
    match (serde_json::from_slice(&line), asked) {
        (Ok(message), id) => fitting(&message, id).map(|()| Some(Understood { message, line })),
        (Err(_), None) => Ok(None),
        (Err(_), id) => {
            let why = "the line is not a message of the protocol".to_owned();
            Err(Odd { code: INVALID, why, id })
        }
    }
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

fn fitting(message: &Message, id: Option<Id>) -> Result<(), Odd> {
    let JsonRpcMessage::Request(asked) = message else { return Ok(()) };
    match &asked.request {
        ClientRequest::CustomRequest(odd) if METHODS.contains(&odd.method.as_str()) => {
            let why = format!("the parameters are none of `{}`", odd.method);
            Err(Odd { code: OTHER_PARAMETERS, why, id })
        }
        _ => Ok(()),
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

/// The id of what is asked.
pub(crate) fn request_id(message: &Message) -> Option<Id> {
    match message {
        JsonRpcMessage::Request(asked) => Some(of_sdk(&asked.id)),
        _ => None,
    }
}

/// The id of the request that is called off.
pub(crate) fn called_off(message: &Message) -> Option<Id> {
    let JsonRpcMessage::Notification(told) = message else { return None };
    match &told.notification {
        ClientNotification::CancelledNotification(off) => off.params.request_id.as_ref().map(of_sdk),
        _ => None,
    }
}

/// The id of the request that is answered.
pub(crate) fn answered_id(message: &TxJsonRpcMessage<RoleServer>) -> Option<Id> {
    match message {
        JsonRpcMessage::Response(answer) => Some(of_sdk(&answer.id)),
        JsonRpcMessage::Error(error) => error.id.as_ref().map(of_sdk),
        _ => None,
    }
}

fn of_sdk(id: &RequestId) -> Id {
    match id {
        RequestId::Number(number) => Id::Number(*number),
        RequestId::String(text) => Id::Text(text.to_string()),
    }
}
