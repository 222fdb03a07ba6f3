//! Messages out, and the questions that wait for an answer of the other side.
//!
//! Writing happens on a thread of its own: an editor that does not read must not stop whoever writes. One that has not
//! read for long is as good as gone.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde::Serialize;
use serde_json::{Value, json};

use crate::Refusal;

/// So many messages may wait to be read.
const WAITING: usize = 1024;

/// The other side's answer, or what it says went wrong.
type Reply = Result<Value, String>;

/// The way to the editor.
#[derive(Clone, Debug)]
pub struct Outbox {
    out: SyncSender<Vec<u8>>,
    open: Arc<Mutex<Open>>,
}

#[derive(Debug, Default)]
struct Open {
    last: i32,
    asked: BTreeMap<i32, mpsc::Sender<Reply>>,
    closed: bool,
}

/// A question on its way.
#[derive(Debug)]
pub struct Asked(Receiver<Reply>);

impl Asked {
    /// The answer, waited for that long: `None` when none came in time, an error when none can come any more.
    ///
    /// # Errors
    /// The other side is gone, or says that it cannot answer.
    pub fn wait(&self, timeout: Duration) -> Result<Option<Value>, String> {
        match self.0.recv_timeout(timeout) {
            Ok(reply) => reply.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err("the editor was closed".to_owned()),
        }
    }
}

impl Outbox {
    /// Writes to `output` until it fails or this and all its clones are gone.
    pub fn new(mut output: impl Write + Send + 'static) -> Self {
        let (out, messages) = mpsc::sync_channel::<Vec<u8>>(WAITING);
        std::thread::spawn(move || {
            for message in messages {
                if output.write_all(&message).and_then(|()| output.flush()).is_err() {
                    return;
                }
            }
        });
        Self { out, open: Arc::default() }
    }

    /// Tells the other side something; whether it can still hear.
    pub fn tell(&self, method: &str, params: &impl Serialize) -> bool {
        self.send(&Message::Notification(Notification { method: method.to_owned(), params: json!(params) }))
    }

    /// Answers a request.
    pub fn answer(&self, id: RequestId, result: Result<Value, Refusal>) -> bool {
        self.send(&Message::Response(match result {
            Ok(value) => Response { id, response_result: Ok(value) },
            Err(refusal) => Response::new_err(id, refusal.code, refusal.message),
        }))
    }

    /// Says that a message is not understood whose id nobody knows.
    pub fn complain(&self, refusal: &Refusal) -> bool {
        let error = json!({"code": refusal.code, "message": refusal.message});
        self.send_text(&json!({"jsonrpc": "2.0", "id": null, "error": error}).to_string())
    }

    /// Asks the other side.
    pub fn ask(&self, method: &str, params: &impl Serialize) -> Asked {
        let (answered, answers) = mpsc::channel();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if !open.closed {
            open.last = open.last.wrapping_add(1);
            let id = open.last;
            open.asked.insert(id, answered);
            let request = Request { id: id.into(), method: method.to_owned(), params: json!(params) };
            if !self.send(&Message::Request(request)) {
                open.asked.remove(&id);
            }
        }
        Asked(answers)
    }

    /// Hands an answer to whoever asked; one to a question that nobody asked is none.
    pub(crate) fn answered(&self, response: Response) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let found = open.asked.keys().copied().find(|id| response.id == (*id).into());
        if let Some(answered) = found.and_then(|id| open.asked.remove(&id)) {
            let _ = answered.send(response.response_result.map_err(|error| error.message));
        }
    }

    /// Nobody answers any more.
    pub(crate) fn close(&self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.closed = true;
        open.asked.clear();
    }

    fn send(&self, message: &Message) -> bool {
        let mut bytes = Vec::new();
        message.write(&mut bytes).is_ok() && self.out.try_send(bytes).is_ok()
    }

    fn send_text(&self, text: &str) -> bool {
        let frame = format!("Content-Length: {}\r\n\r\n{text}", text.len());
        self.out.try_send(frame.into_bytes()).is_ok()
    }
}
