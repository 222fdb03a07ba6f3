//! Kimi Code: its hooks stand in the person's `config.toml` alone, for all projects.
//!
//! Contract: the hooks page and the source of the client, and what was measured on 2.1.0. Only events before a tool, of a
//! prompt and of a stop are answered; the same refusal serves all three.

use bailiwick_domain::{Value, json};

use super::{Likeness, PROMPT, host};
use crate::answer::{around, decision, line};
use crate::dialect::{Called, Dialect, Means, Shell, named, printed};
use crate::event::ParseError;
use crate::fields::Fields;
use crate::host::{Client, Host, HostProfile};
use crate::reply::Reply;
use crate::settings::{HookSettings, Registered, Shape};

/// The host's name.
pub const NAME: &str = "kimi";

/// The time limit of the hook before a tool, in seconds.
const TIMEOUT_S: u32 = 120;

struct Kimi;

impl Likeness for Kimi {
    const DIALECT: Dialect = Dialect {
        host: NAME,
        name,
        events: &[
            ("PreToolUse", Means::Before),
            ("PostToolUse", Means::After),
            ("PostToolUseFailure", Means::Failed),
            ("UserPromptSubmit", Means::Prompt),
            ("SessionStart", Means::SessionStart),
            ("SessionEnd", Means::SessionEnd),
            ("Stop", Means::Stop),
        ],
        call: Some("tool_call_id"),
        response: "tool_output",
        showed: |output: &Value| printed(output.as_str().map(unnumbered).as_deref()),
        really,
        shells: &[Shell { tool: "Bash", folder: Some("cwd") }],
        ..Dialect::USUAL
    };
    const NAMED: &'static str = "hook_event_name";
    const WRITES: (&'static str, &'static str, &'static str) = ("Write", "path", "content");

    fn stops(event: &str, reason: &str) -> String {
        decision(event, "deny", reason)
    }

    fn tells(event: &str, reply: &Reply) -> String {
        match reply {
            Reply::Context(text) if event == PROMPT => around(text, |text| line(&json!({"message": text}))),
            _ => String::new(),
        }
    }
}

/// The event's name. A prompt comes as a list of parts, what went wrong as an object; a call that was refused counts as
/// one that failed, and did not run.
fn name(fields: &mut Fields) -> Result<String, ParseError> {
    let name = named(fields)?;
    if let Some(Value::Array(parts)) = fields.get("prompt") {
        let texts: Vec<&str> = parts.iter().filter_map(|part| part.get("text")?.as_str()).collect();
        let prompt = texts.join("\n");
        fields.insert("prompt".to_owned(), prompt.into());
    }
    let Some(message) = fields.get("error").and_then(|error| error.get("message")).cloned() else {
        return Ok(name);
    };
    let is_refusal =
        message.as_str().is_some_and(|text| text.starts_with("{\"schema_version\":") || text == SILENT);
    fields.insert("error".to_owned(), message);
    Ok(if is_refusal { format!("{name}, refused") } else { name })
}

/// What the registered command says in the place of a gate that is gone.
const SILENT: &str = "Bailiwick did not answer: refused";

/// A file without the numbers before its lines.
fn unnumbered(text: &str) -> String {
    let line = |line: &str| {
        let (number, rest) = line.split_once('\t')?;
        number.trim().parse::<u32>().ok().map(|_| rest.to_owned())
    };
    text.lines()
        .map(line)
        .collect::<Option<Vec<_>>>()
        .map_or_else(|| text.to_owned(), |lines| lines.join("\n"))
}

/// Its tools under names that the table of tools has otherwise.
#[rustfmt::skip]
const TOOLS: &[(&str, &str)] = &[
    ("FetchURL", "web_fetch"), ("ReadMediaFile", "read_file"), ("AgentSwarm", "new_task"), ("TodoList", "update_todo_list"),
    ("CreateGoal", "update_todo_list"), ("GetGoal", "update_todo_list"), ("UpdateGoal", "update_todo_list"),
    ("SetGoalBudget", "update_todo_list"), ("WaitFor", "update_todo_list"),
];

fn really(called: Called) -> Called {
    called.renamed(TOOLS)
}

/// The host's row.
pub const HOST: Host = Host { settings: Some(&SETTINGS), ..host::<Kimi>(PROFILE) };

const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &[
        "a hook that exceeds its time limit does not stop the call; there is no switch for that",
        "a hook that ends with another status than 2, or exits 0 with text that is not JSON, does not stop the call",
        "a `config.toml` that Kimi Code cannot read, or one in another `KIMI_CODE_HOME`, runs no hook",
        "its events name no sub-agent, so all of a session's agents count as one",
    ],
    client: Client {
        programs: &["kimi"],
        own_folder: ".kimi-code",
        own_folder_variable: Some("KIMI_CODE_HOME"),
        user: "config.toml",
        trust: Some(
            "Kimi Code reads its hooks when it starts: start it again. They stand in your settings for all projects, and say nothing where a project is not governed",
        ),
        ..Client::UNKNOWN
    },
    hides_output: true,
    sends_prompt_events: true,
    timeout_s: TIMEOUT_S,
    ..HostProfile::UNKNOWN
};

/// Another member than these in a table, and Kimi Code drops the whole file.
const SETTINGS: HookSettings = HookSettings {
    host: NAME,
    shape: Shape::Toml,
    events: &[
        Registered::plain("PreToolUse", TIMEOUT_S, true),
        Registered::plain("UserPromptSubmit", TIMEOUT_S, true),
        Registered::plain("PostToolUse", 30, false),
        Registered::plain("PostToolUseFailure", 30, false),
        Registered::plain("SessionStart", 30, false),
        Registered::plain("SessionEnd", 5, false),
        Registered::plain("Stop", TIMEOUT_S, false),
    ],
    fixed: &[],
    is_for_all_projects: true,
    ..HookSettings::USUAL
};
