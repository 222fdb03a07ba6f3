//! Kiro, by contract only: it was not run. The hooks stand in a file of our own.
//!
//! Contract: its hook pages of the command line (2 and 3) and the editor. Version 2 of the command line does not read that
//! file: a person registers the hook in each agent's own. Its events are spelled with a small letter and hold no session; then
//! all that runs in one folder counts as one.

use bailiwick_domain::{Params, Value, json};

use super::{Reads, host};
use crate::dialect::{self, Called, Dialect, Means, known_or_before, named, read};
use crate::event::ParseError;
use crate::fields::Fields;
use crate::host::{Client, Host, HostProfile};
use crate::settings::{HookSettings, Registered, Shape, Shell};
use crate::version::Version;

/// The host's name.
pub const NAME: &str = "kiro";

/// The time limit of the hook before a tool, in seconds.
const TIMEOUT_S: u32 = 60;

const DIALECT: Dialect = Dialect {
    host: NAME,
    name,
    events: &[
        ("PreToolUse", Means::Before),
        ("PostToolUse", Means::After),
        ("UserPromptSubmit", Means::Prompt),
        ("SessionStart", Means::SessionStart),
        ("Stop", Means::Stop),
    ],
    really,
    shells: &[
        dialect::Shell { tool: "execute_bash", folder: None },
        dialect::Shell { tool: "shell", folder: None },
    ],
    ..Dialect::USUAL
};

/// What the events are called in either version.
const NAMES: [(&str, &str); 5] = [
    ("preToolUse", "PreToolUse"),
    ("postToolUse", "PostToolUse"),
    ("userPromptSubmit", "UserPromptSubmit"),
    ("agentSpawn", "SessionStart"),
    ("stop", "Stop"),
];

fn name(fields: &mut Fields) -> Result<String, ParseError> {
    let told = named(fields)?;
    if !fields.contains_key("session_id") {
        fields.insert("session_id".to_owned(), "all".into());
    }
    let told = NAMES.iter().find(|(small, _)| *small == told).map_or(told, |(_, usual)| (*usual).to_owned());
    Ok(known_or_before(&DIALECT, told, fields))
}

/// Its tools under names that the table of tools has otherwise; a server's is `@SERVER/TOOL` and known to nobody.
#[rustfmt::skip]
const TOOLS: &[(&str, &str)] = &[
    ("write", "fs_write"), ("shell", "execute_bash"),
    ("thinking", "update_todo_list"), ("todo_list", "update_todo_list"), ("introspect", "search_tools"),
    ("use_subagent", "new_task"), ("delegate", "new_task"),
];

fn really(called: Called) -> Called {
    if matches!(called.tool.as_str(), "fs_read" | "read") {
        return reading(called);
    }
    match called.tool.as_str() {
        "todo_list" => Called { params: of_tasks(called.params), ..called },
        _ => called,
    }
    .renamed(TOOLS)
}

/// What its list of tasks is told to do. Anything else under that name stays, and is known to nobody.
const TASK_VERBS: [&str; 6] = ["create", "complete", "load", "add", "remove", "lookup"];

/// The parameters of its list of tasks, whose `command` is a verb of the list and no command.
fn of_tasks(mut params: Params) -> Params {
    let verb = params.get("command").and_then(Value::as_str).filter(|verb| TASK_VERBS.contains(verb));
    if let Some(verb) = verb.map(str::to_owned).filter(|_| !params.contains_key("operation")) {
        params.remove("command");
        params.insert("operation".to_owned(), verb.into());
    }
    params
}

/// What one reading does, by its `mode`.
fn mode(read: &Value) -> Option<&'static str> {
    match read.get("mode") {
        None | Some(Value::Null) => Some("read_file"),
        Some(mode) => match mode.as_str()? {
            "Line" => Some("read_file"),
            "Search" => Some("search_files"),
            "Directory" => Some("list_files"),
            _ => None,
        },
    }
}

/// A reading of files, by one path or by a list of what is read, or a search or a listing; anything else, and several kinds
/// at once, is known to nobody.
fn reading(called: Called) -> Called {
    let unknown = format!("{NAME}:fs_read");
    let Some(operations) = called.params.get("operations") else {
        let tool = mode(&Value::Object(called.params.clone())).map_or(unknown, str::to_owned);
        return Called { tool, ..called };
    };
    let all = operations.as_array().map(Vec::as_slice).unwrap_or_default();
    let first = all.first().and_then(mode).filter(|first| all.iter().all(|read| mode(read) == Some(*first)));
    let paths: Option<Vec<Value>> = all.iter().map(path_of).collect();
    let (Some(tool), Some(paths), false) = (first, paths, called.params.contains_key("paths")) else {
        return Called { tool: unknown, ..called };
    };
    let mut params = called.params;
    params.remove("operations");
    params.insert("paths".to_owned(), Value::Array(paths));
    Called { tool: tool.to_owned(), params, ..called }
}

/// What a reading may say beside its path that names nothing else: what it looks for, and how much it shows.
const BESIDE: [&str; 10] = [
    "mode",
    "start_line",
    "end_line",
    "depth",
    "offset",
    "limit",
    "exclude_patterns",
    "pattern",
    "context_lines",
    "max_matches",
];

/// The path that a reading names; with all that it says besides, where that is more than is known here.
fn path_of(read: &Value) -> Option<Value> {
    let path = read.get("path").filter(|path| path.is_string())?;
    let is_told = |key: &str, value: &Value| key != "path" && !value.is_null() && !BESIDE.contains(&key);
    let more = read.as_object()?.iter().filter(|(key, value)| is_told(key, value));
    let more: Vec<_> = more.map(|(key, value)| (key.clone(), value.clone())).collect();
    if more.is_empty() {
        return Some(path.clone());
    }
    let mut entry = Params::from_iter(more);
    entry.insert("path".to_owned(), path.clone());
    Some(Value::Object(entry))
}

/// The host's row.
pub const HOST: Host = host(
    PROFILE,
    &SETTINGS,
    Reads {
        parse: |bytes| read(&DIALECT, bytes),
        probe: |probe| {
            let call = json!({
                "hook_event_name": "preToolUse", "session_id": probe.session, "cwd": probe.root,
                "tool_name": "fs_write",
                "tool_input": { "command": "create", "path": probe.file, "file_text": probe.content },
            });
            call.to_string().into_bytes()
        },
    },
);

const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &[
        "it was not run with this gate: what is said here is its contract",
        "version 2 of its command line reads the hooks of each agent's file, and not those that `init` writes",
        "a hook that is missing, too slow or ends with another status than 2 does not stop the call",
        "a `cache_ttl_seconds` above 0 answers for the gate",
        "events of version 2 name no session and no call: all that runs in one folder counts as one",
        "older versions of the editor give a hook no event at all; then every call is refused",
    ],
    client: Client {
        programs: &["kiro-cli", "kiro"],
        own_folder: ".kiro",
        local: ".kiro/hooks/bailiwick.json",
        user: "hooks/bailiwick.json",
        hooked_since: &[
            ("kiro-cli", Version { major: 3, minor: 0, patch: 0 }),
            ("kiro", Version { major: 1, minor: 0, patch: 0 }),
        ],
        ..Client::UNKNOWN
    },
    hides_output: true,
    sends_prompt_events: true,
    timeout_s: TIMEOUT_S,
    ..HostProfile::UNKNOWN
};

const SETTINGS: HookSettings = HookSettings {
    host: NAME,
    shape: Shape::Listed("v1"),
    events: &[
        Registered::tool("PreToolUse", ".*", TIMEOUT_S, true),
        Registered::tool("PostToolUse", ".*", 30, false),
        Registered::plain("UserPromptSubmit", TIMEOUT_S, true),
    ],
    shell: Shell::ByStatus,
    ..HookSettings::USUAL
};
