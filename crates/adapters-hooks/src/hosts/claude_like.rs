//! Hosts whose hooks are those of Claude Code but for some words: what differs is a [`Likeness`], the rest is the same. None
//! of them was seen to hold a call back with its own question, so none is asked through its host.

pub mod droid;
pub mod kimi;
pub mod vscode;

use bailiwick_domain::{Map, ToolError, Value, json};

use crate::answer::{EventNames, around, around_error, before_tool, context, decision, unread};
use crate::dialect::{Dialect, known_or_before, read};
use crate::event::{HostEvent, ParseError};
use crate::fields::{Fields, required, respell};
use crate::host::{Host, HostProfile, Probe, Spoken};
use crate::reply::{Output, Reply};
use crate::version::Version;

/// The event before a tool.
const PRE: &str = "PreToolUse";
/// The event of a prompt.
const PROMPT: &str = "UserPromptSubmit";

/// What one host says otherwise.
pub(super) trait Likeness {
    /// Its events.
    const DIALECT: Dialect;
    /// The field with an event's name.
    const NAMED: &'static str;
    /// Its tool that writes a file, and its parameters for the path and the text.
    const WRITES: (&'static str, &'static str, &'static str);

    /// A prompt that shall not reach the model, or a turn that shall go on.
    fn stops(event: &str, reason: &str) -> String;

    /// What the model shall know.
    fn tells(event: &str, reply: &Reply) -> String {
        context(event, reply)
    }
}

/// The fields in both of the spellings that some hosts mix.
const SPELLINGS: [(&str, &str); 5] = [
    ("hook_event_name", "hookEventName"),
    ("session_id", "sessionId"),
    ("tool_name", "toolName"),
    ("tool_input", "toolInput"),
    ("tool_response", "toolResponse"),
];

/// The event's name on a host that mixes spellings: each field gets the one that its dialect knows.
fn name_in_either<L: Likeness>(fields: &mut Fields) -> Result<String, ParseError> {
    for (one, other) in SPELLINGS {
        let is_usual = [L::NAMED, L::DIALECT.session].contains(&other);
        let (usual, other) = if is_usual { (other, one) } else { (one, other) };
        respell(fields, usual, other)?;
    }
    let told = required(fields, L::NAMED)?;
    Ok(known_or_before(&L::DIALECT, told, fields))
}

/// The host's row.
pub(super) const fn host<L: Likeness>(profile: HostProfile) -> Host {
    Host::speaking(
        profile,
        Spoken {
            parse: parse::<L>,
            render: render::<L>,
            render_failure: render_failure::<L>,
            version: |printed| printed.split_whitespace().find_map(Version::read),
            probe: probe::<L>,
            refusal,
        },
    )
}

fn parse<L: Likeness>(bytes: &[u8]) -> Result<HostEvent, ParseError> {
    read(&L::DIALECT, bytes)
}

fn render<L: Likeness>(event: &str, reply: &Reply) -> Output {
    Output::said(match (event, reply) {
        (PRE, reply) => before_tool(PRE, reply, denied, None),
        (PROMPT, Reply::BlockPrompt { reason }) => around(reason, |reason| L::stops(event, reason)),
        (PROMPT, Reply::Deny(error)) => around_error(error, |text| L::stops(event, text)),
        ("Stop" | "SubagentStop", Reply::KeepGoing { reason }) => {
            around(reason, |reason| L::stops(event, reason))
        }
        (PROMPT | "PostToolUse" | "SessionStart" | "SubagentStart", reply) => L::tells(event, reply),
        _ => String::new(),
    })
}

fn denied(error: &ToolError) -> String {
    around_error(error, |text| decision(PRE, "deny", text))
}

fn render_failure<L: Likeness>(raw: &[u8], error: &ToolError) -> Output {
    let names = EventNames { key: L::NAMED, before: &[PRE], prompt: PROMPT };
    unread(raw, error, names, |error| Output::said(denied(error)))
}

/// The event of a write.
fn probe<L: Likeness>(probe: &Probe<'_>) -> Vec<u8> {
    let (tool, path, text) = L::WRITES;
    let input = json!({ path: probe.file, text: probe.content });
    let mut call = Map::new();
    let fields = [
        (L::DIALECT.session, Value::from(probe.session)),
        ("cwd", probe.root.into()),
        (L::NAMED, PRE.into()),
        (L::DIALECT.tool, tool.into()),
        (L::DIALECT.params, input),
    ];
    call.extend(fields.map(|(key, value)| (key.to_owned(), value)));
    call.extend(L::DIALECT.call.map(|key| (key.to_owned(), probe.call.into())));
    Value::Object(call).to_string().into_bytes()
}

/// What the model is told when this ending stops a call.
fn refusal(ended: &Output) -> Option<String> {
    if ended.exit_code == 2 {
        return Some(ended.stderr.clone()).filter(|text| !text.trim().is_empty());
    }
    let answer: Value = serde_json::from_str(&ended.stdout).ok().filter(|_| ended.exit_code == 0)?;
    let said = answer.get("hookSpecificOutput")?;
    let text = |key: &str| said.get(key).and_then(Value::as_str);
    let denied = text("hookEventName") == Some(PRE) && text("permissionDecision") == Some("deny");
    text("permissionDecisionReason").filter(|reason| denied && !reason.trim().is_empty()).map(str::to_owned)
}
