//! Cursor's side of the talk, for `doctor`: an event as it would send it, and what it does with an answer.

use bailiwick_domain::{Value, json};

use crate::host::Probe;
use crate::reply::Output;

/// The event of a write.
pub(super) fn probe(probe: &Probe<'_>) -> Vec<u8> {
    let call = json!({
        "conversation_id": probe.session,
        "generation_id": probe.call,
        "model": "doctor",
        "hook_event_name": "preToolUse",
        "cursor_version": "0.0.0",
        "workspace_roots": [probe.root],
        "user_email": null,
        "transcript_path": null,
        "tool_name": "Write",
        "tool_input": { "path": probe.file, "contents": probe.content },
        "tool_use_id": probe.call,
        "cwd": probe.root,
    });
    call.to_string().into_bytes()
}

/// What the model is told when this ending stops a call. With `failClosed` whatever is no clear answer stops it.
pub(super) fn refusal(ended: &Output) -> Option<String> {
    let answer = serde_json::from_str::<Value>(&ended.stdout).unwrap_or_default();
    let text = |key: &str| answer.get(key).and_then(Value::as_str);
    match text("permission") {
        Some("allow" | "ask") if ended.exit_code == 0 => None,
        Some("deny") => Some(text("agent_message").unwrap_or_default().to_owned()),
        _ => Some(ended.stderr.clone()),
    }
}
