//! Codex's side of the talk, for `doctor`: an event as it would send it, and what it does with an answer.

use bailiwick_domain::{Value, json};

use crate::host::Probe;
use crate::reply::Output;

/// The event of a patch.
pub(super) fn probe(probe: &Probe<'_>) -> Vec<u8> {
    let lines: String = probe.content.lines().map(|line| format!("+{line}\n")).collect();
    let patch = format!("*** Begin Patch\n*** Add File: {}\n{lines}*** End Patch\n", probe.file);
    let call = json!({
        "session_id": probe.session,
        "turn_id": probe.call,
        "transcript_path": null,
        "cwd": probe.root,
        "hook_event_name": "PreToolUse",
        "model": "doctor",
        "permission_mode": "default",
        "tool_name": "apply_patch",
        "tool_input": { "command": patch },
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
    if !only(&answer, &["hookSpecificOutput"]) {
        return None;
    }
    let said = answer.get("hookSpecificOutput")?;
    const KNOWN: [&str; 4] =
        ["hookEventName", "permissionDecision", "permissionDecisionReason", "additionalContext"];
    let text = |key: &str| said.get(key).and_then(Value::as_str);
    let denied = only(said, &KNOWN)
        && text("hookEventName") == Some("PreToolUse")
        && text("permissionDecision") == Some("deny");
    text("permissionDecisionReason").filter(|reason| denied && !reason.trim().is_empty()).map(str::to_owned)
}

/// Whether an object has no other members: one more, and Codex forgets the whole answer.
fn only(value: &Value, keys: &[&str]) -> bool {
    value.as_object().is_some_and(|members| members.keys().all(|key| keys.contains(&key.as_str())))
}
