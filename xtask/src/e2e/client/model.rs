//! A model that reads from a script: for each request of the client it takes the next step, and it keeps every request,
//! because the next one carries the tool result and so shows what the model was told.
//!
//! It decides nothing about the gate; expectations live in the scenarios.

pub(crate) mod http;

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// What the model says in one turn.
#[derive(Clone, Debug)]
pub(crate) enum Turn {
    /// One tool call.
    Call {
        /// The tool's name as the client knows it.
        tool: String,
        /// Its input.
        input: Value,
    },
    /// A text that ends the turn.
    Text(String),
}

/// Gives the turn for a step of the conversation, or `None` when the script is over.
pub(crate) type NextTurn = Box<dyn FnMut(Conversation, usize) -> Result<Option<Turn>> + Send>;

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conversation {
    /// The agent that the person started.
    Main,
    /// A sub-agent, known by [`SUB_AGENT_MARK`] in its first message.
    SubAgent,
}

/// The words by which a sub-agent's conversation is told from the main one.
pub(crate) const SUB_AGENT_MARK: &str = "you are the errand runner";

/// The running server.
pub(crate) struct Model {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    script: Mutex<Script>,
    requests: Mutex<Vec<Value>>,
    faults: Mutex<Vec<String>>,
    stopping: AtomicBool,
}

struct Script {
    tag: &'static str,
    next: NextTurn,
    main: usize,
    sub_agent: usize,
}

impl Model {
    /// Starts the server on a free port of loopback.
    pub(crate) fn start(next: NextTurn) -> Result<Self> {
        Self::start_tagged("", next)
    }

    /// The same with call ids that carry a tag: where several runs share a gate, no two calls have the same id.
    pub(crate) fn start_tagged(tag: &'static str, next: NextTurn) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").context("listen on loopback")?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            script: Mutex::new(Script { tag, next, main: 0, sub_agent: 0 }),
            requests: Mutex::default(),
            faults: Mutex::default(),
            stopping: AtomicBool::new(false),
        });
        let worker = Arc::clone(&shared);
        std::thread::spawn(move || serve(&listener, &worker));
        Ok(Self { address, shared })
    }

    /// The address for the client's settings.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request body so far, in order.
    pub(crate) fn requests(&self) -> Vec<Value> {
        lock(&self.shared.requests).clone()
    }

    /// What went wrong while a step was prepared.
    pub(crate) fn faults(&self) -> Vec<String> {
        lock(&self.shared.faults).clone()
    }
}

impl Drop for Model {
    /// Lets go of the script too, and with it of the world that it speaks of, whatever connection is still open.
    fn drop(&mut self) {
        lock(&self.shared.script).next = Box::new(|_, _| Ok(None));
        self.shared.stopping.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(self.address));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.stopping.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        let shared = Arc::clone(shared);
        std::thread::spawn(move || {
            if let Err(error) = answer(&stream, &shared) {
                lock(&shared.faults).push(format!("{error:#}"));
            }
        });
    }
}

fn answer(stream: &TcpStream, shared: &Shared) -> Result<()> {
    let Ok(request) = http::read(stream) else { return Ok(()) };
    if request.method != "POST" || !request.path.starts_with("/v1/messages") {
        return http::answer_json(stream, "404 Not Found", "{}");
    }
    if request.path.contains("count_tokens") {
        return http::answer_json(stream, "200 OK", r#"{"input_tokens":1}"#);
    }
    let body: Value = serde_json::from_slice(&request.body).context("the client's request")?;
    let offers_tools = body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    let message = if offers_tools { next_message(&body, shared)? } else { text_message("ok") };
    if body["stream"] == json!(true) {
        http::answer_events(stream, &events(&message))
    } else {
        http::answer_json(stream, "200 OK", &message.to_string())
    }
}

fn next_message(body: &Value, shared: &Shared) -> Result<Value> {
    lock(&shared.requests).push(body.clone());
    let mut script = lock(&shared.script);
    let conversation = conversation_of(body);
    let index = match conversation {
        Conversation::Main => script.main,
        Conversation::SubAgent => script.sub_agent,
    };
    let tag = script.tag;
    let turn = (script.next)(conversation, index)?;
    match conversation {
        Conversation::Main => script.main += 1,
        Conversation::SubAgent => script.sub_agent += 1,
    }
    Ok(match turn {
        None => text_message("done"),
        Some(Turn::Text(text)) => text_message(&text),
        Some(Turn::Call { tool, input }) => {
            let block = json!({"type": "tool_use", "id": call_id(tag, conversation, index), "name": tool, "input": input});
            message(&block, "tool_use")
        }
    })
}

/// The id that a step's tool call carries.
pub(crate) fn call_id(tag: &str, conversation: Conversation, index: usize) -> String {
    let tag = if tag.is_empty() { String::new() } else { format!("{}_", tag.replace([' ', '-'], "_")) };
    match conversation {
        Conversation::Main => format!("toolu_{tag}main_{index:02}"),
        Conversation::SubAgent => format!("toolu_{tag}sub_{index:02}"),
    }
}

fn conversation_of(body: &Value) -> Conversation {
    let first = body["messages"].as_array().and_then(|messages| messages.first());
    match first {
        Some(message) if message.to_string().contains(SUB_AGENT_MARK) => Conversation::SubAgent,
        _ => Conversation::Main,
    }
}

fn text_message(text: &str) -> Value {
    message(&json!({"type": "text", "text": text}), "end_turn")
}

fn message(block: &Value, stop_reason: &str) -> Value {
    json!({
        "id": "msg_script", "type": "message", "role": "assistant", "model": "script", "content": [block],
        "stop_reason": stop_reason, "stop_sequence": null, "usage": {"input_tokens": 1, "output_tokens": 1},
    })
}

/// The same message as a stream of events.
fn events(message: &Value) -> Vec<(String, String)> {
    let mut start = message.clone();
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    let mut block = message["content"][0].clone();
    let delta = if block["type"] == "text" {
        let text = block["text"].take();
        block["text"] = json!("");
        json!({"type": "text_delta", "text": text})
    } else {
        let input = block["input"].take().to_string();
        block["input"] = json!({});
        json!({"type": "input_json_delta", "partial_json": input})
    };
    let ending = json!({"stop_reason": message["stop_reason"], "stop_sequence": null});
    [
        json!({"type": "message_start", "message": start}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": ending, "usage": {"output_tokens": 1}}),
        json!({"type": "message_stop"}),
    ]
    .iter()
    .map(|event| (event["type"].as_str().unwrap_or_default().to_owned(), event.to_string()))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_streamed_with_its_whole_input() {
        let block = json!({"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "a"}});
        let events = events(&message(&block, "tool_use"));
        let names: Vec<_> = events.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names[0], "message_start");
        assert_eq!(names.last(), Some(&"message_stop"));
        let delta: Value = serde_json::from_str(&events[2].1).unwrap();
        assert_eq!(delta["delta"]["partial_json"], r#"{"file_path":"a"}"#);
    }

    #[test]
    fn a_sub_agent_is_known_by_its_first_message() {
        let body = |first: &str| json!({"messages": [{"role": "user", "content": first}]});
        assert_eq!(conversation_of(&body("go")), Conversation::Main);
        assert_eq!(conversation_of(&body(SUB_AGENT_MARK)), Conversation::SubAgent);
    }
}
