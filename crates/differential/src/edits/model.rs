//! A model on loopback that reads from a script: each request of the client gets the next turn of tool calls, then a text.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context, Result};
use bailiwick_domain::{Value, json};

type Turns = Vec<Vec<(&'static str, Value)>>;

/// The running server.
pub(super) struct Model {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    turns: Turns,
    asked: AtomicUsize,
    over: AtomicBool,
}

impl Model {
    pub(super) fn start(turns: Turns) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").context("listen on loopback")?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { turns, asked: AtomicUsize::new(0), over: AtomicBool::new(false) });
        let worker = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if worker.over.load(Ordering::SeqCst) {
                    return;
                }
                let worker = Arc::clone(&worker);
                std::thread::spawn(move || drop(answer(&stream, &worker)));
            }
        });
        Ok(Self { address, shared })
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// How many turns the client asked for.
    pub(super) fn asked(&self) -> usize {
        self.shared.asked.load(Ordering::SeqCst)
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(self.address));
    }
}

fn answer(stream: &TcpStream, shared: &Shared) -> Result<()> {
    let (head, body) = request(stream)?;
    if !head.starts_with("POST /v1/messages") || head.contains("count_tokens") {
        return reply(stream, "404 Not Found", "application/json", "{}");
    }
    let body: Value = body.parse().unwrap_or_default();
    let has_tools = body.get("tools").and_then(Value::as_array).is_some_and(|tools| !tools.is_empty());
    let turn = has_tools.then(|| shared.asked.fetch_add(1, Ordering::SeqCst));
    let calls = turn.and_then(|turn| Some((turn, shared.turns.get(turn)?)));
    let blocks: Vec<Value> = match calls {
        Some((turn, calls)) => {
            calls.iter().enumerate().map(|(index, call)| used(turn, index, call)).collect()
        }
        None => vec![json!({"type": "text", "text": "done"})],
    };
    let stop = if calls.is_some() { "tool_use" } else { "end_turn" };
    reply(stream, "200 OK", "text/event-stream", &events(&blocks, stop))
}

fn used(turn: usize, index: usize, (tool, input): &(&str, Value)) -> Value {
    json!({"type": "tool_use", "id": format!("toolu_{turn}_{index}"), "name": tool, "input": input})
}

/// The first line of a request and its body.
fn request(stream: &TcpStream) -> Result<(String, String)> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    reader.read_line(&mut head)?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse()?;
        }
    }
    let mut body = String::new();
    reader.take(length).read_to_string(&mut body)?;
    Ok((head, body))
}

fn reply(mut stream: &TcpStream, status: &str, kind: &str, body: &str) -> Result<()> {
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n", body.len());
    stream.write_all(format!("{head}connection: close\r\n\r\n{body}").as_bytes())?;
    Ok(())
}

/// A message as a stream of events.
fn events(blocks: &[Value], stop: &str) -> String {
    let message = json!({
        "id": "msg_script", "type": "message", "role": "assistant", "model": "script", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 1, "output_tokens": 1},
    });
    let mut events = vec![json!({"type": "message_start", "message": message})];
    for (index, block) in blocks.iter().enumerate() {
        let (start, delta) = if let Some(text) = block.get("text") {
            (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text}))
        } else {
            let input = block.get("input").map(Value::to_string);
            let begun =
                json!({"type": "tool_use", "id": block.get("id"), "name": block.get("name"), "input": {}});
            (begun, json!({"type": "input_json_delta", "partial_json": input}))
        };
        events.push(json!({"type": "content_block_start", "index": index, "content_block": start}));
        events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    let ending = json!({"stop_reason": stop, "stop_sequence": null});
    events.push(json!({"type": "message_delta", "delta": ending, "usage": {"output_tokens": 1}}));
    events.push(json!({"type": "message_stop"}));
    let named = |event: &Value| {
        format!("event: {}\ndata: {event}\n\n", event.get("type").and_then(Value::as_str).unwrap_or_default())
    };
    events.iter().map(named).collect()
}
