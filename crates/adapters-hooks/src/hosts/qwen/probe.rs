//! Qwen Code's side of the talk, for `doctor`: an event as it would send it, and what it does with an answer.

use bailiwick_domain::{Value, json};

use crate::host::Probe;
use crate::reply::Output;

/// The event of a write.
pub(super) fn probe(probe: &Probe<'_>) -> Vec<u8> {
    let call = json!({
        "session_id": probe.session,
        "cwd": probe.root,
        "hook_event_name": "PreToolUse",
        "timestamp": "2026-11-23T19:55:30.470Z",
        "permission_mode": "default",
        "tool_name": "write_file",
        "tool_input": { "file_path": probe.file, "content": probe.content },
        "tool_use_id": probe.call,
    });
    call.to_string().into_bytes()
}

/// What the model is told when this ending stops a call.
pub(super) fn refusal(ended: &Output) -> Option<String> {
    if ended.exit_code == 2 {
        return Some(ended.stderr.clone()).filter(|text| !text.trim().is_empty());
    }
    let answer: Value = serde_json::from_str(&ended.stdout).ok().filter(|_| ended.exit_code == 0)?;
    let said = answer.get("hookSpecificOutput")?;
    let text = |key: &str| said.get(key).and_then(Value::as_str);
    let denied = text("hookEventName") == Some("PreToolUse") && text("permissionDecision") == Some("deny");
    text("permissionDecisionReason").filter(|reason| denied && !reason.trim().is_empty()).map(str::to_owned)
}
