//! The answers to OpenCode's plugin: always one object with a verdict, since the plugin takes silence for a refusal.

use bailiwick_domain::{ToolError, json};

use super::parse::{PRE, PROMPT};
use crate::answer::{EventNames, around, around_error, line, no_form, nobody_asks, unread};
use crate::reply::{Output, Reply};

/// What the process leaves behind for the event of that name.
pub fn render(event: &str, reply: &Reply) -> Output {
    Output::said(match (event, reply) {
        ("", _) => String::new(),
        (_, Reply::NoOpinion | Reply::Allow { .. }) => allowed(),
        (_, Reply::Context(text)) => told(text),
        (PRE, Reply::AllowRewritten { .. } | Reply::KeepGoing { .. } | Reply::BlockPrompt { .. }) => {
            denied(&no_form())
        }
        (PRE, Reply::Ask { reason }) => denied(&nobody_asks(reason)),
        (PRE | PROMPT, Reply::Deny(error)) => denied(error),
        (PROMPT, Reply::BlockPrompt { reason }) => around(reason, denied_with),
        (_, Reply::Deny(error)) => around_error(error, told_with),
        _ => allowed(),
    })
}

fn allowed() -> String {
    line(&json!({"verdict": "allow"}))
}

fn told(text: &str) -> String {
    around(text, told_with)
}

fn told_with(text: &str) -> String {
    line(&json!({"verdict": "allow", "tell": text}))
}

fn denied(error: &ToolError) -> String {
    around_error(error, denied_with)
}

fn denied_with(reason: &str) -> String {
    line(&json!({"verdict": "deny", "reason": reason}))
}

/// What the process leaves behind when an event could not be judged.
pub fn render_failure(raw: &[u8], error: &ToolError) -> Output {
    let names = EventNames { key: "event", before: &[PRE], prompt: PROMPT };
    unread(raw, error, names, |error| Output::said(denied(error)))
}
