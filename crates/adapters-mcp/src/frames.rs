//! The client's frames, one in each line of its output. A line that is no frame is answered with the protocol's error, and
//! the next one is read.
//!
//! Deliberately absent: what a frame asks for.

use std::io;
use std::pin::Pin;

use bailiwick_domain::{Map, Value};
use rmcp::model::{ErrorData, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader, Empty, empty};
use tokio_util::sync::CancellationToken;

/// The longest line that is a frame, in bytes.
pub(crate) const LONGEST: usize = 4 * 1024 * 1024;

/// So much of the beginning and of the end of a longer line is kept, to find the id of the request.
const KEPT: usize = 1024;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

pub(crate) type Message = RxJsonRpcMessage<RoleServer>;
type Sending = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

/// One client's frames, in both directions.
pub(crate) struct Frames<R, W: AsyncWrite> {
    input: BufReader<R>,
    /// What came of a line; of one that is too long its beginning.
    line: Vec<u8>,
    /// The end of a line that is too long.
    end: Option<Vec<u8>>,
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
            input: BufReader::new(input),
            line: Vec::new(),
            end: None,
            over,
            output: AsyncRwTransport::new_server(empty(), output),
            answer: None,
        }
    }

    /// The next line; `None` at the end. Nothing of it is lost where this is dropped half-way.
    async fn next(&mut self) -> Option<Result<Option<Message>, Refused>> {
        loop {
            let available = self.input.fill_buf().await.ok().filter(|available| !available.is_empty())?;
            let end = available.iter().position(|byte| *byte == b'\n');
            let piece = available.get(..end.unwrap_or(available.len())).unwrap_or_default();
            let taken = piece.len().saturating_add(usize::from(end.is_some()));
            keep(&mut self.line, &mut self.end, piece);
            self.input.consume(taken);
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                return Some(match self.end.take() {
                    Some(end) => Err(too_large(&line, &end)),
                    None => understood(&line),
                });
            }
        }
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
                Some(Ok(Some(message))) => return Some(message),
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

/// Keeps a piece of a line, as much of it as is of use.
fn keep(line: &mut Vec<u8>, end: &mut Option<Vec<u8>>, piece: &[u8]) {
    match end {
        None if line.len().saturating_add(piece.len()) <= LONGEST => line.extend_from_slice(piece),
        None => {
            line.extend_from_slice(piece.get(..KEPT).unwrap_or(piece));
            line.truncate(KEPT);
            line.shrink_to_fit();
            *end = Some(last(piece));
        }
        Some(end) => {
            end.extend_from_slice(&last(piece));
            *end = last(end);
        }
    }
}

fn last(bytes: &[u8]) -> Vec<u8> {
    bytes.get(bytes.len().saturating_sub(KEPT)..).unwrap_or_default().to_vec()
}

/// What a line says; `None` for one that asks for nothing.
pub(crate) fn understood(line: &[u8]) -> Result<Option<Message>, Refused> {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    if let Ok(message) = serde_json::from_slice(line) {
        return Ok(Some(message));
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

fn too_large(beginning: &[u8], end: &[u8]) -> Refused {
    let why = format!("Too large: a message has at most {} MiB", LONGEST >> 20);
    let id = id_at_the_beginning(beginning).or_else(|| id_at_the_end(end));
    Refused(ErrorData::invalid_request(why, None), id)
}

/// The id where no member before it is long: what stands before its value, closed behind `null`, is an object.
fn id_at_the_beginning(beginning: &[u8]) -> Option<RequestId> {
    const KEY: &str = "\"id\":";
    let text = beginning.utf8_chunks().next()?.valid();
    let (before, after) = text.split_once(KEY)?;
    serde_json::from_str::<Map<String, Value>>(&format!("{before}{KEY}null}}")).ok()?;
    let id = serde_json::Deserializer::from_str(after).into_iter::<Value>().next()?.ok()?;
    // A number that is cut would be another one.
    let is_whole = id.is_string() || after.trim_start().contains([',', '}']);
    request_id(&id).filter(|_| is_whole)
}

/// The id where it is the last member: from its key to the end it is an object by itself.
fn id_at_the_end(end: &[u8]) -> Option<RequestId> {
    let text = end.utf8_chunks().last()?.valid();
    let (before, rest) = text.rsplit_once("\"id\"")?;
    let object = serde_json::from_str::<Map<String, Value>>(&format!("{{\"id\"{rest}")).ok()?;
    let is_a_member = before.trim_end().ends_with([',', '{']) && object.len() == 1;
    object.get("id").filter(|_| is_a_member).and_then(request_id)
}

fn request_id(id: &Value) -> Option<RequestId> {
    match id {
        Value::String(text) => Some(RequestId::String(text.as_str().into())),
        other => other.as_i64().map(RequestId::Number),
    }
}
