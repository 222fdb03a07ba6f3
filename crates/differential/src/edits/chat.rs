//! The words of chat completions, which several clients speak.

use bailiwick_domain::{Value, json};

use super::words::{Call, Protocol};
use crate::chat::completion;
use crate::server::Answer;

pub(super) const CHAT: Protocol = Protocol {
    base: "/v1",
    is_turn: |head| head.starts_with("POST "),
    calls,
    end: || completion(MODEL, &json!({"role": "assistant", "content": "done"}), "stop"),
};

const MODEL: &str = "m1";

fn calls(turn: usize, calls: &[Call]) -> Answer {
    let calls: Vec<Value> = calls.iter().enumerate().map(|(index, call)| used(turn, index, call)).collect();
    completion(MODEL, &json!({"role": "assistant", "content": null, "tool_calls": calls}), "tool_calls")
}

fn used(turn: usize, index: usize, (tool, input): &Call) -> Value {
    json!({
        "index": index, "id": format!("call_{turn}_{index}"), "type": "function",
        "function": {"name": tool, "arguments": input.to_string()},
    })
}
