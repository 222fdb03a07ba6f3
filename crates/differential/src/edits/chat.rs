//! A model that reads from a script, for clients that speak in chat completions.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use bailiwick_domain::{Value, json};

use super::words::Turns;
use crate::chat::completion;
use crate::server::{Answer, Server};

const MODEL: &str = "m1";

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

    /// Where a client finds it.
    pub(super) fn url(&self) -> String {
        format!("{}/v1", self.server.url())
    }

    /// How many turns the client asked for.
    pub(super) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn answer(head: &str, body: &Value, turns: &Turns, asked: &AtomicUsize) -> Answer {
    if !head.starts_with("POST ") {
        return Answer::nothing();
    }
    let has_tools = body.get("tools").and_then(Value::as_array).is_some_and(|tools| !tools.is_empty());
    let turn = has_tools.then(|| asked.fetch_add(1, Ordering::SeqCst));
    let Some((turn, calls)) = turn.and_then(|turn| Some((turn, turns.get(turn)?))) else {
        return completion(MODEL, &json!({"role": "assistant", "content": "done"}), "stop");
    };
    let calls: Vec<Value> = calls.iter().enumerate().map(|(index, call)| used(turn, index, call)).collect();
    completion(MODEL, &json!({"role": "assistant", "content": null, "tool_calls": calls}), "tool_calls")
}

fn used(turn: usize, index: usize, (tool, input): &(&str, Value)) -> Value {
    json!({
        "index": index, "id": format!("call_{turn}_{index}"), "type": "function",
        "function": {"name": tool, "arguments": input.to_string()},
    })
}
