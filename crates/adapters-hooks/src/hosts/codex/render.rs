//! Codex's answers. It refuses keys and decisions that it does not know, and then runs the call: so nothing is said that
//! is not in its contract, and a call that may run gets silence. `ask` and a bare `allow` are never sent.

use bailiwick_domain::{Params, ToolError, json};

use crate::answer::{EventNames, around, around_error, before_tool, block, context, decision, line, unread};
use crate::reply::{Output, Reply};

const PRE: &str = "PreToolUse";
const PROMPT: &str = "UserPromptSubmit";

/// What the process leaves behind for the event of that name.
pub fn render(event: &str, reply: &Reply) -> Output {
    Output::said(match event {
        PRE => before_tool(PRE, reply, denied, Some(rewritten)),
        PROMPT | "PostToolUse" => match reply {
            Reply::BlockPrompt { reason } => around(reason, block),
            Reply::Deny(error) => around_error(error, block),
            _ => context(event, reply),
        },
        "Stop" | "SubagentStop" => match reply {
            Reply::KeepGoing { reason } => around(reason, block),
            _ => String::new(),
        },
        "SessionStart" | "SubagentStart" => context(event, reply),
        _ => String::new(),
    })
}

fn rewritten(params: &Params) -> String {
    line(&json!({"hookSpecificOutput": {
        "hookEventName": PRE,
        "permissionDecision": "allow",
        "updatedInput": params,
    }}))
}

fn denied(error: &ToolError) -> String {
    around_error(error, |text| decision(PRE, "deny", text))
}

/// What the process leaves behind when an event could not be judged.
pub fn render_failure(raw: &[u8], error: &ToolError) -> Output {
    let names = EventNames { key: "hook_event_name", before: &[PRE], prompt: PROMPT };
    unread(raw, error, names, |error| Output::said(denied(error)))
}
