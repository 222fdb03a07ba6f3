//! Qwen Code's answers: Claude Code's form. `allow` would skip its own question, so a call that may run gets silence; its
//! `ask` was not seen with a person there, so it is not used.

use bailiwick_domain::{ToolError, json};

use super::parse::PROMPT;
use crate::answer::{EventNames, around, around_error, before_tool, block, context, line, unread};
use crate::reply::{Output, Reply};

const PRE: &str = "PreToolUse";

/// What the process leaves behind for the event of that name.
pub fn render(event: &str, reply: &Reply) -> Output {
    Output::said(match event {
        PRE => before_tool(PRE, reply, denied, None),
        PROMPT => match reply {
            Reply::BlockPrompt { reason } => around(reason, block),
            Reply::Deny(error) => around_error(error, block),
            _ => context(event, reply),
        },
        "Stop" | "SubagentStop" => match reply {
            Reply::KeepGoing { reason } => around(reason, block),
            _ => String::new(),
        },
        "PostToolUse" | "PostToolUseFailure" | "SessionStart" | "SubagentStart" => context(event, reply),
        _ => String::new(),
    })
}

/// Qwen Code takes the last decision of all hooks; what stops stays, whatever a later hook says.
fn denied(error: &ToolError) -> String {
    around_error(error, |text| {
        line(&json!({
            "continue": false,
            "stopReason": text,
            "hookSpecificOutput": {
                "hookEventName": PRE,
                "permissionDecision": "deny",
                "permissionDecisionReason": text,
            },
        }))
    })
}

/// What the process leaves behind when an event could not be judged.
pub fn render_failure(raw: &[u8], error: &ToolError) -> Output {
    let names = EventNames { key: "hook_event_name", before: &[PRE], prompt: PROMPT };
    unread(raw, error, names, |error| Output::said(denied(error)))
}
