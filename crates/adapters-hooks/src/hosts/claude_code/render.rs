//! Claude Code's answers. Structured answers go to standard output with exit status 0; a safe call gets silence, since
//! `allow` would skip the user's own permission rules.

use bailiwick_domain::{ToolError, json};

use crate::answer::{
    EventNames, around, around_error, block, context, decision, is_whole, line, no_form, short, too_long,
    unread,
};
use crate::reply::{Output, Reply};

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
            let answer = line(&json!({"hookSpecificOutput": {
                "hookEventName": PRE,
                "permissionDecision": "allow",
                "permissionDecisionReason": short(reason),
                "updatedInput": params,
            }}));
            if is_whole(&answer) { answer } else { denied(&too_long()) }
        }
        Reply::Deny(error) => denied(error),
        Reply::KeepGoing { .. } | Reply::BlockPrompt { .. } => denied(&no_form()),
    }
}

fn decided(word: &str, reason: &str) -> String {
    around(reason, |reason| decision(PRE, word, reason))
}

fn denied(error: &ToolError) -> String {
    around_error(error, |text| decision(PRE, "deny", text))
}

fn blocked(reason: &str) -> String {
    around(reason, block)
}

fn blocked_by(error: &ToolError) -> String {
    around_error(error, block)
}

/// What the process leaves behind when an event could not be judged.
pub fn render_failure(raw: &[u8], error: &ToolError) -> Output {
    let names = EventNames { key: "hook_event_name", before: &[PRE], prompt: PROMPT };
    unread(raw, error, names, |error| Output::said(denied(error)))
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::Value;

    use super::*;
    use crate::fields::names_in;

    #[test]
    fn event_names_are_found_in_broken_text() {
        let raw =
            br#"{"hook_event_name" : "PreToolUse", "x": \"hook_event_name\": "Stop" "hook_event_name":7 "#;
        assert_eq!(names_in(raw, "hook_event_name"), vec![b"PreToolUse".as_slice()]);
        assert!(names_in(br#"{"hook_event_name":"PreToo"#, "hook_event_name").is_empty());
        let answer: Value = serde_json::from_str(&render_failure(raw, &too_long()).stdout).unwrap();
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny");
    }
}
