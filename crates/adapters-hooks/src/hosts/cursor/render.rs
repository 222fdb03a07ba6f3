//! Cursor's answers: one object before a tool, always, since there silence is a failure and refuses. A person is told in
//! `user_message`, the model in `agent_message`. A prompt can be stopped and cannot be given context.

use bailiwick_domain::{ToolError, json};

use super::parse::BEFORE;
use crate::answer::{EventNames, around, around_error, line, no_form, nobody_asks, short, unread};
use crate::reply::{Output, Reply};

const PROMPT: &str = "beforeSubmitPrompt";

/// What the process leaves behind for the event of that name.
pub fn render(event: &str, reply: &Reply) -> Output {
    Output::said(match (event, reply) {
        (event, reply) if BEFORE.contains(&event) => before_tool(reply),
        (PROMPT, Reply::BlockPrompt { reason }) => stopped(reason),
        (PROMPT, Reply::Deny(error)) => stopped(error.message()),
        (PROMPT, _) => line(&json!({"continue": true})),
        ("postToolUse" | "sessionStart", Reply::Context(text)) => {
            around(text, |text| line(&json!({"additional_context": text})))
        }
        ("stop", Reply::KeepGoing { reason }) => {
            around(reason, |reason| line(&json!({"followup_message": reason})))
        }
        _ => String::new(),
    })
}

fn before_tool(reply: &Reply) -> String {
    match reply {
        Reply::NoOpinion | Reply::Allow { .. } | Reply::Context(_) => line(&json!({"permission": "allow"})),
        // A rewritten call may be run as it was.
        Reply::AllowRewritten { .. } | Reply::KeepGoing { .. } | Reply::BlockPrompt { .. } => {
            denied(&no_form())
        }
        Reply::Ask { reason } => denied(&nobody_asks(reason)),
        Reply::Deny(error) => denied(error),
    }
}

fn stopped(reason: &str) -> String {
    line(&json!({"continue": false, "user_message": short(reason)}))
}

fn denied(error: &ToolError) -> String {
    let told = short(error.message());
    around_error(error, |text| {
        line(&json!({"permission": "deny", "user_message": told, "agent_message": text}))
    })
}

/// What the process leaves behind when an event could not be judged.
pub fn render_failure(raw: &[u8], error: &ToolError) -> Output {
    let names = EventNames { key: "hook_event_name", before: &BEFORE, prompt: PROMPT };
    unread(raw, error, names, |error| Output::said(denied(error)))
}
