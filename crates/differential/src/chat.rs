//! What a scripted model answers in the words of chat completions, which several clients speak.

use bailiwick_domain::{Value, json};

use crate::server::Answer;

/// A message of that model as a stream, and why it ends.
pub(crate) fn completion(model: &str, delta: &Value, reason: &str) -> Answer {
    let chunk = |delta: &Value, reason: Value| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
        let chunk = json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": [choice]});
        format!("data: {chunk}\n\n")
    };
    let last = chunk(&json!({}), reason.into());
    Answer::events(format!("{}{last}data: [DONE]\n\n", chunk(delta, Value::Null)))
}
