//! Copilot CLI's side of the talk, for `doctor`: an event as it would send it, and what it does with an answer.

use bailiwick_domain::{Value, json};

use crate::host::Probe;
use crate::reply::Output;

/// The event of a write.
pub(super) fn probe(probe: &Probe<'_>) -> Vec<u8> {
    let call = json!({
        "sessionId": probe.session,
        "timestamp": 1_795_296_254_311_u64,
        "cwd": probe.root,
        "toolName": "create",
        "toolArgs": { "path": probe.file, "file_text": probe.content },
    });
    call.to_string().into_bytes()
}

/// What the model is told when this ending stops a call: every status but 0 does.
pub(super) fn refusal(ended: &Output) -> Option<String> {
    let answer = serde_json::from_str::<Value>(&ended.stdout).unwrap_or_default();
    let text = |key: &str| answer.get(key).and_then(Value::as_str);
    let reason = text("permissionDecisionReason").filter(|reason| !reason.is_empty());
    if ended.exit_code != 0 {
        return Some(reason.unwrap_or(&ended.stderr).to_owned());
    }
    reason.filter(|_| text("permissionDecision") == Some("deny")).map(str::to_owned)
}
