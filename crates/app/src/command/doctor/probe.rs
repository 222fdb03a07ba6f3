//! What the probes say to a hook, and what a denial looks like (agent-hooks reference: only these forms stop a call).

use std::path::Path;

use bailiwick_adapters_fs::Layout;
use bailiwick_domain::{ErrorCode, Value, json};

use super::process::Ended;
use crate::probe::SESSION;

/// A call that nothing may ever let through: an agent overwrites the intents.
pub(super) fn must_deny(root: &Path) -> Vec<u8> {
    let call = json!({
        "session_id": SESSION,
        "hook_event_name": "PreToolUse",
        "cwd": root.display().to_string(),
        "permission_mode": "default",
        "tool_name": "Write",
        "tool_input": { "file_path": root.join(Layout::INTENTS).display().to_string(), "content": "active_intents: []\n" },
        "tool_use_id": format!("{SESSION}-{}", std::process::id()),
    });
    call.to_string().into_bytes()
}

/// The code of a denial in the host's own JSON form; else why it is none.
pub(super) fn denial(ended: &Ended) -> Result<String, String> {
    if ended.status != Some(0) {
        return Err(format!("it ended with {}", status(ended)));
    }
    let answer: Value = serde_json::from_str(&ended.stdout).map_err(|_| "it answered no JSON".to_owned())?;
    let said = |key: &str| answer.pointer(&format!("/hookSpecificOutput/{key}")).and_then(Value::as_str);
    if said("hookEventName") != Some("PreToolUse") || said("permissionDecision") != Some("deny") {
        return Err(format!("it did not deny: {}", ended.stdout.chars().take(200).collect::<String>()));
    }
    let reason = said("permissionDecisionReason")
        .filter(|reason| !reason.is_empty())
        .ok_or("it denied without a reason")?;
    Ok(code(reason).unwrap_or_else(|| "no code".to_owned()))
}

/// Whether the ending stops a call, in either form that the host knows.
pub(super) fn stops(ended: &Ended) -> Result<String, String> {
    if ended.status == Some(2) { Ok("exit status 2".to_owned()) } else { denial(ended) }
}

fn code(reason: &str) -> Option<String> {
    let error: Value = serde_json::from_str(reason).ok()?;
    error.get("code")?.as_str().map(str::to_owned)
}

/// Whether a denial comes from a gate that cannot judge, not from its rules.
pub(super) fn is_breakdown(code: &str) -> bool {
    [
        ErrorCode::InternalError,
        ErrorCode::OrchestrationMissing,
        ErrorCode::OrchestrationInvalid,
        ErrorCode::MissingWorkspaceRoot,
    ]
    .iter()
    .any(|breakdown| breakdown.as_str() == code)
}

fn status(ended: &Ended) -> String {
    let line = ended.stderr.lines().next().unwrap_or_default();
    match ended.status {
        Some(status) if line.is_empty() => format!("exit status {status}"),
        Some(status) => format!("exit status {status}: {line}"),
        None => "a signal".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn ended(status: i32, stdout: &str) -> Ended {
        Ended { status: Some(status), stdout: stdout.to_owned(), stderr: String::new(), took: Duration::ZERO }
    }

    #[test]
    fn only_what_really_stops_a_call_counts_as_a_denial() {
        let deny = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"{\"code\":\"PROTECTED_PATH\"}"}}"#;
        assert_eq!(denial(&ended(0, deny)), Ok("PROTECTED_PATH".to_owned()));
        assert_eq!(stops(&ended(2, "")), Ok("exit status 2".to_owned()));
        for (status, text) in [
            (0, ""),
            (0, "denied"),
            (1, deny),
            (0, r#"{"permissionDecision":"deny"}"#),
            (0, r#"{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"x"}}"#),
            (
                0,
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":""}}"#,
            ),
            (
                0,
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"x"}}"#,
            ),
        ] {
            assert!(stops(&ended(status, text)).is_err(), "{status} {text}");
        }
    }
}
