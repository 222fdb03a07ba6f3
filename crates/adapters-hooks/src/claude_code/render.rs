//! Claude Code's answers. Structured answers go to standard output with exit status 0; a safe call gets silence, since
//! `allow` would skip the user's own permission rules.

use bailiwick_domain::{ErrorCode, ToolError, Value, json};

use crate::reply::{MAX_ANSWER_BYTES, MAX_ERROR_BYTES, Output, Reply, cut, fit_error};

const PRE: &str = "PreToolUse";
const PROMPT: &str = "UserPromptSubmit";

/// The exact standard output for the event of that name; empty when there is nothing to say.
///
/// A reply that has no form in the event is a refusal before a tool and silence elsewhere.
pub fn render(event: &str, reply: &Reply) -> String {
    match event {
        PRE => before_tool(reply),
        PROMPT => match reply {
            Reply::BlockPrompt { reason } => blocked(reason),
            Reply::Deny(error) => blocked_by(error),
            _ => context(event, reply),
        },
        "Stop" | "SubagentStop" => match reply {
            Reply::KeepGoing { reason } => blocked(reason),
            _ => String::new(),
        },
        "ConfigChange" => match reply {
            Reply::Deny(error) => blocked_by(error),
            _ => String::new(),
        },
        "PostToolUse" => match reply {
            Reply::Deny(error) => blocked_by(error),
            _ => context(event, reply),
        },
        "PostToolUseFailure" | "PostToolBatch" | "SessionStart" | "SubagentStart" => context(event, reply),
        _ => String::new(),
    }
}

fn before_tool(reply: &Reply) -> String {
    match reply {
        Reply::NoOpinion => String::new(),
        Reply::Context(_) => context(PRE, reply),
        Reply::Allow { reason } => decided("allow", reason),
        Reply::Ask { reason } => decided("ask", reason),
        Reply::AllowRewritten { params, reason } => {
            let answer = json!({"hookSpecificOutput": {
                "hookEventName": PRE,
                "permissionDecision": "allow",
                "permissionDecisionReason": cut(reason, 1_000),
                "updatedInput": params,
            }})
            .to_string();
            if answer.len() <= MAX_ANSWER_BYTES { answer } else { denied(&too_long()) }
        }
        Reply::Deny(error) => denied(error),
        Reply::KeepGoing { .. } | Reply::BlockPrompt { .. } => {
            denied(&ToolError::new(ErrorCode::InternalError, "Internal error: no answer fits this event"))
        }
    }
}

fn too_long() -> ToolError {
    ToolError::new(ErrorCode::InternalError, "Internal error: the rewritten call is too long for the host")
        .with_suggestion("Put the long part into a file and make the call shorter.")
}

fn decision(word: &str, reason: &str) -> String {
    written(&json!({"hookSpecificOutput": {
        "hookEventName": PRE,
        "permissionDecision": word,
        "permissionDecisionReason": reason,
    }}))
}

/// One line of JSON, through the serializer: `Display` costs three times as much.
fn written(value: &Value) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn decided(word: &str, reason: &str) -> String {
    fit_text(reason, |reason| decision(word, reason))
}

fn denied(error: &ToolError) -> String {
    let whole = error.to_json();
    let answer = decision("deny", &whole);
    if fits(&whole, &answer) {
        return answer;
    }
    decision("deny", &fit_error(error, |text| fits(text, &decision("deny", text))))
}

fn top_level_block(reason: &str) -> String {
    written(&json!({"decision": "block", "reason": reason}))
}

fn blocked(reason: &str) -> String {
    fit_text(reason, top_level_block)
}

fn blocked_by(error: &ToolError) -> String {
    top_level_block(&fit_error(error, |text| fits(text, &top_level_block(text))))
}

fn context(event: &str, reply: &Reply) -> String {
    let Reply::Context(text) = reply else {
        return String::new();
    };
    fit_text(text, |text| {
        written(&json!({"hookSpecificOutput": {"additionalContext": text, "hookEventName": event}}))
    })
}

/// The answer around the longest beginning of the text that keeps within the limit.
fn fit_text(text: &str, answer: impl Fn(&str) -> String) -> String {
    let mut limit = MAX_ERROR_BYTES;
    loop {
        let whole = answer(&cut(text, limit));
        if whole.len() <= MAX_ANSWER_BYTES || limit < 16 {
            return whole;
        }
        limit = limit * 3 / 4;
    }
}

fn fits(text: &str, answer: &str) -> bool {
    text.len() <= MAX_ERROR_BYTES && answer.len() <= MAX_ANSWER_BYTES
}

/// What the process leaves behind when an event could not be judged: refused whenever it may be a tool call.
///
/// The bytes are searched for event names, however broken they are. If any says that it is a tool call, the answer is
/// an ordinary deny. If none is found, it is exit status 2, which denies a tool call and stops a prompt. If only
/// other events are named, it is exit status 1, which the host reports and goes on; where the event was installed
/// to fail closed, the installed command turns that into a refusal, so a false name cannot open it.
pub fn render_failure(raw: &[u8], error: &ToolError) -> Output {
    let names = event_names(raw);
    if names.contains(&PRE.as_bytes()) {
        return Output { stdout: denied(error), stderr: String::new(), exit_code: 0 };
    }
    let closed = names.is_empty() || names.contains(&PROMPT.as_bytes());
    let stderr = fit_error(error, |text| text.len() <= MAX_ERROR_BYTES);
    Output { stdout: String::new(), stderr, exit_code: if closed { 2 } else { 1 } }
}

/// Every text that follows a `"hook_event_name":` somewhere in the bytes.
fn event_names(raw: &[u8]) -> Vec<&[u8]> {
    const KEY: &[u8] = b"\"hook_event_name\"";
    let mut names = Vec::new();
    let mut rest = raw;
    while let Some(at) = rest.windows(KEY.len()).position(|window| window == KEY) {
        rest = rest.get(at + KEY.len()..).unwrap_or_default();
        let value = rest.trim_ascii_start().strip_prefix(b":").map(<[u8]>::trim_ascii_start);
        if let Some(text) = value.and_then(|value| value.strip_prefix(b"\"")) {
            // A name that is cut off is no name: nothing was told, so nothing may run.
            let closed = text.iter().position(|byte| *byte == b'"').and_then(|end| text.get(..end));
            names.extend(closed);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::Value;

    use super::*;

    #[test]
    fn event_names_are_found_in_broken_text() {
        let raw =
            br#"{"hook_event_name" : "PreToolUse", "x": \"hook_event_name\": "Stop" "hook_event_name":7 "#;
        assert_eq!(event_names(raw), vec![b"PreToolUse".as_slice()]);
        assert!(event_names(br#"{"hook_event_name":"PreToo"#).is_empty());
        let answer: Value = serde_json::from_str(&render_failure(raw, &too_long()).stdout).unwrap();
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny");
    }
}
