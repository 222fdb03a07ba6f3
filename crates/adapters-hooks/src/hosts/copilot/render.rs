//! Copilot CLI's answers: one flat object. A call that may run gets silence. Its own `ask` refuses where nobody sees it and
//! was seen to be ignored in some versions, so it is not used. Context reaches the model at the start of a session only.

use bailiwick_domain::{ToolError, json};

use super::parse::PRE;
use crate::answer::{around, around_error, error_line, line, no_form, nobody_asks};
use crate::reply::{Output, Reply};

/// What the process leaves behind for the event of that name.
pub fn render(event: &str, reply: &Reply) -> Output {
    Output::said(match (event, reply) {
        (PRE, reply) => before_tool(reply),
        ("sessionStart" | "postToolUse", Reply::Context(text)) => {
            around(text, |text| line(&json!({"additionalContext": text})))
        }
        _ => String::new(),
    })
}

fn before_tool(reply: &Reply) -> String {
    match reply {
        Reply::NoOpinion | Reply::Allow { .. } => String::new(),
        Reply::Context(text) => around(text, |text| line(&json!({"additionalContext": text}))),
        Reply::AllowRewritten { params, .. } => {
            line(&json!({"permissionDecision": "allow", "modifiedArgs": params}))
        }
        Reply::Ask { reason } => denied(&nobody_asks(reason)),
        Reply::Deny(error) => denied(error),
        Reply::KeepGoing { .. } | Reply::BlockPrompt { .. } => denied(&no_form()),
    }
}

fn denied(error: &ToolError) -> String {
    around_error(error, |text| line(&json!({"permissionDecision": "deny", "permissionDecisionReason": text})))
}

/// What the process leaves behind when an event could not be judged: a refusal in the host's own form, and a status that
/// refuses as well. No event says its name, so each may be a tool call; after a tool a status stops nothing.
pub fn render_failure(_raw: &[u8], error: &ToolError) -> Output {
    Output { stdout: denied(error), stderr: error_line(error), exit_code: 2 }
}
