//! Factory Droid, by contract only: it was not run.
//!
//! Contract: its public hooks reference, whose two generations differ in where the hooks lie; the older place is read by
//! both. Field names come in two spellings, of which two that differ are an error; no call has an id.

use bailiwick_domain::{Params, Value};

use super::{Likeness, host, name_in_either};
use crate::answer::block;
use crate::dialect::{Called, Dialect, Means, Names, Shell};
use crate::host::{Client, Host, HostProfile};
use crate::settings::{HookSettings, Registered};

/// The host's name.
pub const NAME: &str = "droid";

/// The time limit of the hook before a tool, in seconds.
const TIMEOUT_S: u32 = 120;

struct Droid;

impl Likeness for Droid {
    const DIALECT: Dialect = Dialect {
        host: NAME,
        name: name_in_either::<Self>,
        events: &[
            ("PreToolUse", Means::Before),
            ("PostToolUse", Means::After),
            ("UserPromptSubmit", Means::Prompt),
            ("SessionStart", Means::SessionStart),
            ("SessionEnd", Means::SessionEnd),
            ("Stop", Means::Stop),
            ("SubagentStop", Means::SubagentStop),
        ],
        session: "sessionId",
        really,
        shells: &[Shell { tool: "Execute", folder: None }],
        ..Dialect::USUAL
    };
    const NAMED: &'static str = "hookEventName";
    const WRITES: (&'static str, &'static str, &'static str) = ("Create", "file_path", "content");

    fn stops(_event: &str, reason: &str) -> String {
        block(reason)
    }
}

/// Its parameters under names that the table of parameters has otherwise, by the tool.
const PARAMETERS: &[(&str, Names)] = &[
    ("Grep", &[("glob_pattern", "glob")]),
    ("Glob", &[("folder", "path")]),
    ("LS", &[("directory_path", "path")]),
];

/// Its tools under names that the table of tools has otherwise; tools of servers have the server's name before.
const TOOLS: Names = &[
    // docs.factory.ai, "Custom droids", and a request of it (qwen-api-node, `factory-ai/glm-request.md`)
    ("FetchUrl", "web_fetch"),
    // As public clients of its protocol name them, beside `Read` and `Execute`
    ("AskUser", "ask_followup_question"),
    ("ExitSpecMode", "switch_mode"),
];

fn really(called: Called) -> Called {
    let names = PARAMETERS.iter().find(|(tool, _)| *tool == called.tool).map_or(&[][..], |(_, names)| names);
    let called = called.respelled(names);
    match called.tool.as_str() {
        "Glob" => Called { params: one_pattern(called.params), ..called },
        _ => called.renamed(TOOLS),
    }
}

/// So many patterns are put into one.
const MOST_PATTERNS: usize = 8;

/// Several patterns as the one that stands for them all. Where signs of their own could make it another one they stay,
/// under a name that nobody knows.
fn one_pattern(mut params: Params) -> Params {
    let told = match params.get("patterns") {
        Some(Value::String(pattern)) => Some(vec![pattern.trim()]),
        Some(Value::Array(patterns)) => {
            patterns.iter().map(|pattern| pattern.as_str().map(str::trim)).collect()
        }
        _ => None,
    };
    let is_alone = |pattern: &&str| !pattern.is_empty() && !pattern.contains(['{', '}', ',', '\\']);
    let pattern = match told.as_deref() {
        Some([pattern]) => (*pattern).to_owned(),
        Some(all) if (1..=MOST_PATTERNS).contains(&all.len()) && all.iter().all(is_alone) => {
            format!("{{{}}}", all.join(","))
        }
        _ => return params,
    };
    if !params.contains_key("pattern") {
        params.remove("patterns");
        params.insert("pattern".to_owned(), pattern.into());
    }
    params
}

/// The host's row.
pub const HOST: Host = Host {
    settings: Some(&SETTINGS),
    noise: &[("Execute", &["riskLevel", "riskLevelReason"])],
    ..host::<Droid>(PROFILE)
};

const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &[
        "it was not run with this gate: what is said here is its contract",
        "a hook that exceeds its time limit does not stop the call; there is no switch for that",
        "a hook that exits 0 with text that is not JSON does not stop the call",
        "another hook may rewrite the call after the gate saw it",
        "with a settings file of your team Droid may leave the hooks of yours unread",
        "its events name neither the call nor a sub-agent, so all of a session's agents count as one",
    ],
    client: Client {
        programs: &["droid"],
        own_folder: ".factory",
        local: ".factory/settings.local.json",
        shared: Some(".factory/settings.json"),
        user: "settings.json",
        trust: Some("Droid takes a changed hook only after you look at it: type `/hooks` in it"),
        ..Client::UNKNOWN
    },
    hides_output: true,
    sends_prompt_events: true,
    project_dir_variable: Some("FACTORY_PROJECT_DIR"),
    timeout_s: TIMEOUT_S,
    ..HostProfile::UNKNOWN
};

const SETTINGS: HookSettings = HookSettings {
    host: NAME,
    events: &[
        Registered::tool("PreToolUse", "*", TIMEOUT_S, true),
        Registered::tool("PostToolUse", "*", 30, false),
        Registered::plain("UserPromptSubmit", TIMEOUT_S, true),
        Registered::plain("SessionStart", 30, false),
        Registered::plain("SessionEnd", 5, false),
        Registered::plain("Stop", TIMEOUT_S, false),
        Registered::plain("SubagentStop", TIMEOUT_S, false),
    ],
    ..HookSettings::USUAL
};
