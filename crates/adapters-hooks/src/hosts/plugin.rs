//! What hosts share that run no program before a tool but call plugins: the words between a plugin of ours and the gate,
//! and how the plugin asks (`plugin/ask.js`). It takes whatever is no clear yes in time for a refusal. How a plugin is
//! hung into its host is that host's own.

use bailiwick_domain::{ToolError, Value, json};

use crate::answer::{EventNames, around, around_error, line, no_form, nobody_asks, unread};
use crate::dialect::{Dialect, Means, as_told, printed};
use crate::fields::required;
use crate::host::Probe;
use crate::reply::{Output, Reply};
use crate::settings::{HookSettings, Registered, Shape};

/// The event before a tool.
pub(super) const PRE: &str = "tool.execute.before";
/// The event of a prompt.
pub(super) const PROMPT: &str = "chat.message";
/// The question of a second file whether the plugin is loaded.
pub(super) const LOADED: &str = "plugin.loaded";
/// What the model is told when the gate gives no reason.
const SILENT: &str = "Bailiwick did not answer: refused";

/// The events of the plugin of that host.
pub(super) const fn dialect(host: &'static str) -> Dialect {
    Dialect {
        host,
        name: |fields| required(fields, "event"),
        events: &[
            (PRE, Means::Before),
            ("tool.execute.after", Means::After),
            ("tool.execute.failed", Means::Failed),
            (PROMPT, Means::Prompt),
            ("session.start", Means::SessionStart),
            ("subagent.start", Means::SubagentStart),
            ("session.deleted", Means::SessionEnd),
            (LOADED, Means::LoadCheck),
        ],
        session: "session",
        agent: Some("agent"),
        tool: "tool",
        params: "args",
        call: Some("call"),
        response: "output",
        roots: None,
        showed: |output| printed(output.get("text").and_then(Value::as_str)),
        really: as_told,
        shells: &[],
        empty_folder_is_none: false,
    }
}

/// How a plugin is written down: a script, which is ours alone and fills its own data in.
pub(super) const fn settings(
    host: &'static str,
    script: &'static str,
    events: &'static [Registered],
) -> HookSettings {
    HookSettings {
        host,
        shape: Shape::Script(script),
        events,
        fixed: &[],
        command: "program",
        arguments: Some("arguments"),
        limit: "seconds",
        reads_trailing_commas: true,
        ..HookSettings::USUAL
    }
}

/// What the process leaves behind for the event of that name: always one object with a verdict.
pub fn render(event: &str, reply: &Reply) -> Output {
    Output::said(match (event, reply) {
        ("", _) => String::new(),
        (_, Reply::NoOpinion | Reply::Allow { .. }) => allowed(),
        (_, Reply::Context(text)) => around(text, told_with),
        (PRE, Reply::AllowRewritten { .. } | Reply::KeepGoing { .. } | Reply::BlockPrompt { .. }) => {
            denied(&no_form())
        }
        (PRE, Reply::Ask { reason }) => denied(&nobody_asks(reason)),
        (PRE | PROMPT | LOADED, Reply::Deny(error)) => denied(error),
        (PROMPT, Reply::BlockPrompt { reason }) => around(reason, denied_with),
        (_, Reply::Deny(error)) => around_error(error, told_with),
        _ => allowed(),
    })
}

fn allowed() -> String {
    line(&json!({"verdict": "allow"}))
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

/// The event of a call, as the plugin would send it.
pub(super) fn probe(probe: &Probe<'_>, tool: &str, args: Value) -> Vec<u8> {
    let call = json!({
        "event": PRE, "session": probe.session, "cwd": probe.root, "call": probe.call, "tool": tool, "args": args,
    });
    call.to_string().into_bytes()
}

/// What the model is told when this ending stops a call: everything but exit status 0 with a yes does.
pub(super) fn refusal(ended: &Output) -> Option<String> {
    let answer = serde_json::from_str::<Value>(&ended.stdout).unwrap_or_default();
    let text = |key: &str| answer.get(key).and_then(Value::as_str);
    let told = match (ended.exit_code, text("verdict")) {
        (0, Some("allow")) => return None,
        (0, Some("deny")) => text("reason").unwrap_or_default(),
        (0, _) => "",
        _ => &ended.stderr,
    };
    Some(if told.trim().is_empty() { SILENT } else { told }.to_owned())
}
