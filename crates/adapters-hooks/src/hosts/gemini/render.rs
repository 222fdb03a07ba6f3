//! Gemini CLI's answers: a flat `decision`. `allow` skips nothing of its own, so a call that may run gets silence. Its own
//! `ask` is not in its reference and ends a run where nobody sees it, so it is not used.

use bailiwick_domain::{ToolError, json};

use crate::answer::{
    EventNames, added_context, around, around_error, is_whole, line, no_form, nobody_asks, short, too_long,
    unread,
};
use crate::reply::{Output, Reply};

const PRE: &str = "BeforeTool";
const PROMPT: &str = "BeforeAgent";

/// What the process leaves behind for the event of that name.
pub fn render(event: &str, reply: &Reply) -> Output {
    Output::said(match (event, reply) {
        (PRE, reply) => before_tool(reply),
        (PROMPT, Reply::BlockPrompt { reason }) => around(reason, denied_with),
        (PROMPT | "AfterTool", Reply::Deny(error)) => denied(error),
        ("AfterAgent", Reply::KeepGoing { reason }) => around(reason, denied_with),
        (PROMPT | "AfterTool" | "SessionStart", Reply::Context(text)) => added_context(event, text),
        _ => String::new(),
    })
}

fn before_tool(reply: &Reply) -> String {
    match reply {
        Reply::NoOpinion | Reply::Allow { .. } => String::new(),
        Reply::Context(text) => around(text, |text| line(&json!({"systemMessage": text}))),
        Reply::AllowRewritten { params, .. } => {
            let answer = line(&json!({"hookSpecificOutput": {"hookEventName": PRE, "tool_input": params}}));
            if is_whole(&answer) { answer } else { denied(&too_long()) }
        }
        Reply::Ask { reason } => denied(&nobody_asks(reason)),
        Reply::Deny(error) => denied(error),
        Reply::KeepGoing { .. } | Reply::BlockPrompt { .. } => denied(&no_form()),
    }
}

fn denied(error: &ToolError) -> String {
    around_error(error, denied_with)
}

fn denied_with(reason: &str) -> String {
    line(&json!({"decision": "deny", "reason": reason}))
}

/// What the process leaves behind when an event could not be judged. The refusal is always in the host's own form: of an
/// error as JSON on standard error it would take the lack of a decision for a yes.
pub fn render_failure(raw: &[u8], error: &ToolError) -> Output {
    let names = EventNames { key: "hook_event_name", before: &[PRE], prompt: PROMPT };
    let unread = unread(raw, error, names, |error| Output::said(denied(error)));
    match unread.exit_code {
        2 => Output::said(denied(error)),
        1 => Output::status(1, short(error.message())),
        _ => unread,
    }
}
