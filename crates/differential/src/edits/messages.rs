//! The words of messages, which Claude Code speaks: a turn as a stream of content blocks.

use bailiwick_domain::{Value, json};

use super::words::{Call, Protocol};
use crate::server::Answer;

pub(super) const MESSAGES: Protocol = Protocol {
    base: "",
    is_turn: |head| head.starts_with("POST /v1/messages") && !head.contains("count_tokens"),
    calls,
    end: || Answer::events(events(&[json!({"type": "text", "text": "done"})], "end_turn")),
};

fn calls(turn: usize, calls: &[Call]) -> Answer {
    let blocks: Vec<Value> = calls.iter().enumerate().map(|(index, call)| used(turn, index, call)).collect();
    Answer::events(events(&blocks, "tool_use"))
}

fn used(turn: usize, index: usize, (tool, input): &Call) -> Value {
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
