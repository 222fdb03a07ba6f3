//! What the probes say to a hook, and what a denial looks like (agent-hooks reference: only these forms stop a call).

use std::path::Path;

use bailiwick_adapters_fs::Layout;
use bailiwick_adapters_hooks::{Host, Output, Probe};
use bailiwick_domain::{ErrorCode, Value};

use super::process::Ended;
use crate::probe::SESSION;

/// A call that nothing may ever let through: an agent overwrites the intents.
pub(super) fn must_deny(host: &Host, root: &Path) -> Vec<u8> {
    let file = root.join(Layout::INTENTS);
    (host.probe)(&Probe {
        session: SESSION,
        call: &format!("{SESSION}-{}", std::process::id()),
        root: &root.display().to_string(),
        file: &file.display().to_string(),
        content: "active_intents: []\n",
    })
}

/// The code of a denial in the host's own form; else why it is none. A refusal without a code is not the gate's.
pub(super) fn denial(host: &Host, ended: &Ended) -> Result<String, String> {
    told(host, ended).and_then(|reason| code(&reason)).ok_or_else(|| why_not(ended))
}

/// Whether the ending stops a call, in any form that the host knows.
pub(super) fn stops(host: &Host, ended: &Ended) -> Result<String, String> {
    let reason = told(host, ended).ok_or_else(|| why_not(ended))?;
    Ok(match ended.status {
        Some(0) | None => code(&reason).unwrap_or_else(|| "no code".to_owned()),
        Some(status) => format!("exit status {status}"),
    })
}

/// What the model would be told, when the host stops the call.
fn told(host: &Host, ended: &Ended) -> Option<String> {
    let exit_code = u8::try_from(ended.status?).ok()?;
    let output = Output { stdout: ended.stdout.clone(), stderr: ended.stderr.clone(), exit_code };
    (host.refusal)(&output)
}

fn why_not(ended: &Ended) -> String {
    if ended.status != Some(0) {
        return format!("it ended with {}", status(ended));
    }
    format!("it did not deny: {}", ended.stdout.chars().take(200).collect::<String>())
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
        let host = bailiwick_adapters_hooks::host("claude-code").unwrap();
        assert_eq!(denial(host, &ended(0, deny)), Ok("PROTECTED_PATH".to_owned()));
        assert_eq!(stops(host, &ended(2, "")), Ok("exit status 2".to_owned()));
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
            assert!(stops(host, &ended(status, text)).is_err(), "{status} {text}");
        }
    }
}
