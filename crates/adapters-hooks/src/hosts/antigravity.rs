//! Antigravity's command line, by contract only: it was not run.
//!
//! Contract: the vendor's hooks page and what others measured on 1.1.2 and 1.2.3. A hook has a name of its own under which
//! its events stand; whatever is no object with a decision is a refusal, so every answer is one. A call has a place in the
//! conversation and no id.

use bailiwick_domain::{Map, ToolError, Value, json};

use crate::answer::{EventNames, around, around_error, line, no_form, nobody_asks, unread};
use crate::dialect::{Called, Dialect, Means, Shell, read};
use crate::event::ParseError;
use crate::fields::{Fields, has_answer, respell};
use crate::host::{Client, Host, HostProfile, Spoken};
use crate::reply::{Output, Reply};
use crate::settings::{HookSettings, Registered};
use crate::version::Version;

/// The host's name.
pub const NAME: &str = "antigravity";

/// The time limit of the hook before a tool, in seconds.
const TIMEOUT_S: u32 = 120;

const DIALECT: Dialect = Dialect {
    host: NAME,
    name,
    events: &[("PreToolUse", Means::Before), ("PostToolUse", Means::After)],
    session: "conversationId",
    tool: "name",
    params: "args",
    response: "toolResult",
    roots: Some("workspacePaths"),
    really,
    shells: &[Shell { tool: "run_command", folder: Some("Cwd") }],
    ..Dialect::USUAL
};

/// Its tools under names that the table of tools has otherwise.
#[rustfmt::skip]
const TOOLS: &[(&str, &str)] = &[
    ("view_file", "read_file"), ("list_dir", "list_dir"), ("grep_search", "grep_search"), ("find_by_name", "glob"),
    ("codebase_search", "codebase_search"), ("read_url_content", "web_fetch"), ("search_web", "web_search"),
    ("write_to_file", "write_to_file"), ("run_command", "run_command"),
    // As published texts of its system prompt name them (awesome-gemini-prompts, `Google_Antigravity/planning_mode.md`).
    ("notify_user", "ask_followup_question"), ("task_boundary", "update_todo_list"),
    // As published lists of its tools name them (fidelity-project, `ANTIGRAVITY_TOOLBOX.md`).
    ("command_status", "read_command_output"), ("view_content_chunk", "read_command_output"),
    ("view_file_outline", "lsp"), ("view_code_item", "lsp"),
];

/// Its parameters under the names that the gate's own commands and files are known by.
const PARAMETERS: &[(&str, &str)] = &[
    ("CommandLine", "command"),
    ("Cwd", "cwd"),
    ("TargetFile", "path"),
    ("AbsolutePath", "path"),
    ("CodeContent", "content"),
    ("SearchDirectory", "path"),
    ("TargetDirectories", "target_directories"),
    ("Pattern", "pattern"),
    ("Query", "query"),
    ("Includes", "glob"),
    ("Url", "url"),
    ("File", "path"),
];

/// Events may say no name, and a name may be one of tomorrow: a call without an answer is one that is about to run.
fn name(fields: &mut Fields) -> Result<String, ParseError> {
    let told = match fields.remove("hookEventName").or_else(|| fields.remove("hook_event_name")) {
        Some(Value::String(told)) => Some(told),
        Some(_) => return Err(ParseError::WrongType("hookEventName")),
        None => None,
    };
    let has_result = ["toolResult", "toolOutput"].iter().any(|key| has_answer(fields, key));
    respell(fields, "toolCall", "tool_call")?;
    let is_call = match fields.remove("toolCall") {
        Some(Value::Object(call)) => {
            fields.extend(call);
            true
        }
        Some(_) => return Err(ParseError::WrongType("toolCall")),
        None => fields.contains_key("args") || (told.is_none() && fields.contains_key("name")),
    };
    match told.as_deref() {
        None if !is_call => Err(ParseError::Missing("toolCall")),
        Some(told) if !is_call => Ok(told.to_owned()),
        Some("PostToolUse") => Ok("PostToolUse".to_owned()),
        Some("PreToolUse") => Ok("PreToolUse".to_owned()),
        _ => Ok(if has_result { "PostToolUse" } else { "PreToolUse" }.to_owned()),
    }
}

/// The call under the names of the table; its folder stands among its parameters.
fn really(called: Called) -> Called {
    called.respelled(PARAMETERS).renamed_only(NAME, TOOLS)
}

/// The host's row.
pub const HOST: Host = Host {
    settings: Some(&SETTINGS),
    // Whether it asks itself, and how long it waits.
    noise: &[("run_command", &["SafeToAutoRun", "WaitMsBeforeAsync"])],
    ..Host::speaking(
        PROFILE,
        Spoken {
            parse: |bytes| read(&DIALECT, bytes),
            render,
            render_failure,
            version: |printed| printed.split_whitespace().find_map(Version::read),
            probe: |probe| {
                let args = json!({ "TargetFile": probe.file, "CodeContent": probe.content });
                let call = json!({
                    "toolCall": { "name": "write_to_file", "args": args }, "stepIdx": 1,
                    "conversationId": probe.session, "workspacePaths": [probe.root],
                });
                call.to_string().into_bytes()
            },
            refusal,
        },
    )
};

fn render(event: &str, reply: &Reply) -> Output {
    Output::said(match (event, reply) {
        ("", _) => String::new(),
        ("PreToolUse", Reply::Deny(error)) => denied(error),
        ("PreToolUse", Reply::Ask { reason }) => denied(&nobody_asks(reason)),
        ("PreToolUse", Reply::NoOpinion | Reply::Allow { .. }) => allowed(None),
        ("PreToolUse", Reply::Context(text)) => around(text, |text| allowed(Some(text))),
        ("PreToolUse", _) => denied(&no_form()),
        _ => allowed(None),
    })
}

fn allowed(reason: Option<&str>) -> String {
    let mut answer = Map::from_iter([("decision".to_owned(), "allow".into())]);
    answer.extend(reason.map(|reason| ("reason".to_owned(), reason.into())));
    line(&Value::Object(answer))
}

fn denied(error: &ToolError) -> String {
    around_error(error, |text| line(&json!({"decision": "deny", "reason": text})))
}

/// No event says its name, so each may be a tool call: a refusal in the host's form.
fn render_failure(raw: &[u8], error: &ToolError) -> Output {
    let names = EventNames { key: "hookEventName", before: &["PreToolUse"], prompt: "" };
    match unread(raw, error, names, |error| Output::said(denied(error))) {
        unread if unread.exit_code == 1 => unread,
        _ => Output::said(denied(error)),
    }
}

/// What the model is told when this ending stops a call: whatever is no clear yes does, but for silence.
fn refusal(ended: &Output) -> Option<String> {
    if ended.exit_code != 0 {
        return Some(ended.stderr.clone());
    }
    let answer = serde_json::from_str::<Value>(&ended.stdout).unwrap_or_default();
    let text = |key: &str| answer.get(key).and_then(Value::as_str);
    match text("decision") {
        Some("allow" | "ask" | "force_ask") => None,
        _ if ended.stdout.trim().is_empty() => None,
        _ => Some(text("reason").unwrap_or_default().to_owned()),
    }
}

const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &[
        "it was not run with this gate: what is said here is its contract and what others measured",
        "versions differ in which hooks file they load, and some ran no hook at all: see that `doctor` saw it call",
        "what becomes of a hook that is too slow was not measured",
        "a hook that says nothing and exits 0 does not stop the call",
        "a call that may run is not asked about again by Antigravity 1.2.3 itself",
        "it tells no prompt, no session's start and no sub-agent: all of a conversation's agents count as one",
    ],
    client: Client {
        programs: &["agy", "antigravity"],
        own_folder: ".gemini/config",
        local: ".agents/hooks.json",
        user: "hooks.json",
        ..Client::UNKNOWN
    },
    hides_output: true,
    timeout_s: TIMEOUT_S,
    ..HostProfile::UNKNOWN
};

const SETTINGS: HookSettings = HookSettings {
    host: NAME,
    under: "bailiwick",
    events: &[
        Registered::tool("PreToolUse", "*", TIMEOUT_S, true),
        Registered::tool("PostToolUse", "*", 30, false),
    ],
    switches: &[(&["bailiwick", "enabled"], false)],
    ..HookSettings::USUAL
};
