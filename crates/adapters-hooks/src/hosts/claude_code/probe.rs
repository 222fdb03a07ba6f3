//! Claude Code's side of the talk, for `doctor`: an event as it would send it, and what it does with an answer.

use bailiwick_domain::{Value, json};

use crate::host::Probe;
use crate::reply::Output;

/// The event of a write.
pub(super) fn probe(probe: &Probe<'_>) -> Vec<u8> {
    let call = json!({
        "session_id": probe.session,
        "hook_event_name": "PreToolUse",
        "cwd": probe.root,
        "permission_mode": "default",
        "tool_name": "Write",
        "tool_input": { "file_path": probe.file, "content": probe.content },
        "tool_use_id": probe.call,
    });
    call.to_string().into_bytes()
}

/// What the model is told when this ending stops a call.
pub(super) fn refusal(ended: &Output) -> Option<String> {
    if ended.exit_code == 2 {
        return Some(ended.stderr.clone());
    }
    let answer: Value = serde_json::from_str(&ended.stdout).ok().filter(|_| ended.exit_code == 0)?;
    let said = |key: &str| answer.get("hookSpecificOutput")?.get(key)?.as_str();
    let denied = said("hookEventName") == Some("PreToolUse") && said("permissionDecision") == Some("deny");
    let reason = said("permissionDecisionReason").filter(|reason| !reason.is_empty())?;
    denied.then(|| reason.to_owned())
}
