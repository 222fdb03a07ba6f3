//! A model that reads from a script: each request of the client gets the next turn of tool calls, then a text.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use bailiwick_domain::{Value, json};

use super::words::Turns;
use crate::server::{Answer, Server};

/// The running model.
pub(super) struct Model {
    server: Server,
    asked: Arc<AtomicUsize>,
}

impl Model {
    pub(super) fn start(turns: Turns) -> Result<Self> {
        let asked = Arc::new(AtomicUsize::new(0));
        let counts = Arc::clone(&asked);
        let server = Server::start(move |head, body| answer(head, body, &turns, &counts))?;
        Ok(Self { server, asked })
    }

    pub(super) fn url(&self) -> String {
        self.server.url()
    }

    /// How many turns the client asked for.
    pub(super) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn answer(head: &str, body: &Value, turns: &Turns, asked: &AtomicUsize) -> Answer {
    if !head.starts_with("POST /v1/messages") || head.contains("count_tokens") {
        return Answer::nothing();
    }
    let has_tools = body.get("tools").and_then(Value::as_array).is_some_and(|tools| !tools.is_empty());
    let turn = has_tools.then(|| asked.fetch_add(1, Ordering::SeqCst));
    let calls = turn.and_then(|turn| Some((turn, turns.get(turn)?)));
    let blocks: Vec<Value> = match calls {
        Some((turn, calls)) => {
            calls.iter().enumerate().map(|(index, call)| used(turn, index, call)).collect()
        }
        None => vec![json!({"type": "text", "text": "done"})],
    };
    let stop = if calls.is_some() { "tool_use" } else { "end_turn" };
    Answer::events(events(&blocks, stop))
}

fn used(turn: usize, index: usize, (tool, input): &(&str, Value)) -> Value {
    json!({"type": "tool_use", "id": format!("toolu_{turn}_{index}"), "name": tool, "input": input})
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
