//! Gemini CLI's side of the talk, for `doctor`: an event as it would send it, and what it does with an answer.

use bailiwick_domain::{Value, json};

use crate::host::Probe;
use crate::reply::Output;

/// The event of a write.
pub(super) fn probe(probe: &Probe<'_>) -> Vec<u8> {
    let call = json!({
        "session_id": probe.session,
        "cwd": probe.root,
        "hook_event_name": "BeforeTool",
        "timestamp": "2026-11-21T20:31:16.986Z",
        "tool_name": "write_file",
        "tool_input": { "file_path": probe.file, "content": probe.content },
    });
    call.to_string().into_bytes()
}

/// What the model is told when this ending stops a call: JSON counts at any exit status, text refuses from 2 on.
pub(super) fn refusal(ended: &Output) -> Option<String> {
    let said = if ended.stdout.trim().is_empty() { &ended.stderr } else { &ended.stdout };
    let Ok(Value::Object(answer)) = serde_json::from_str::<Value>(said) else {
        return (ended.exit_code >= 2 && !said.trim().is_empty()).then(|| said.clone());
    };
    // An object without a decision lets the call run, whatever the exit status is.
    let text = |key: &str| answer.get(key).and_then(Value::as_str);
    matches!(text("decision"), Some("deny" | "block")).then(|| text("reason").unwrap_or_default().to_owned())
}
