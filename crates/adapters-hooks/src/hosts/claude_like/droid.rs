//! Factory Droid, by contract only: it was not run.
//!
//! Contract: its public hooks reference, whose two generations differ in where the hooks lie; the older place is read by
//! both. Field names come in two spellings, of which two that differ are an error; no call has an id.

use bailiwick_domain::Value;

use super::{Likeness, host};
use crate::answer::block;
use crate::dialect::{Dialect, Means, as_told, known_or_before, printed};
use crate::event::ParseError;
use crate::fields::{Fields, required, respell};
use crate::host::{Client, Host, HostProfile};
use crate::settings::{HookSettings, Registered, Shape, Shell};

/// The host's name.
pub const NAME: &str = "droid";

/// The time limit of the hook before a tool, in seconds.
const TIMEOUT_S: u32 = 120;

struct Droid;

impl Likeness for Droid {
    const DIALECT: Dialect = Dialect {
        host: NAME,
        name,
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
        agent: None,
        tool: "tool_name",
        params: "tool_input",
        call: None,
        response: "tool_response",
        roots: None,
        showed: |answer: &Value| printed(answer.as_str()),
        really: as_told,
    };
    const NAMED: &'static str = "hookEventName";
    const WRITES: (&'static str, &'static str, &'static str) = ("Create", "file_path", "content");

    fn stops(_event: &str, reason: &str) -> String {
        block(reason)
    }
}

/// Each field with its other spelling.
const SPELLINGS: [(&str, &str); 5] = [
    ("hookEventName", "hook_event_name"),
    ("sessionId", "session_id"),
    ("tool_name", "toolName"),
    ("tool_input", "toolInput"),
    ("tool_response", "toolResponse"),
];

fn name(fields: &mut Fields) -> Result<String, ParseError> {
    for (usual, other) in SPELLINGS {
        respell(fields, usual, other)?;
    }
    let told = required(fields, "hookEventName")?;
    Ok(known_or_before(&Droid::DIALECT, told, fields))
}

/// The host's row.
pub const HOST: Host = Host { settings: Some(&SETTINGS), ..host::<Droid>(PROFILE) };

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
    sends_prompt_events: true,
    project_dir_variable: Some("FACTORY_PROJECT_DIR"),
    timeout_s: TIMEOUT_S,
    ..HostProfile::UNKNOWN
};

const SETTINGS: HookSettings = HookSettings {
    host: NAME,
    shape: Shape::Groups,
    under: "hooks",
    events: &[
        Registered::tool("PreToolUse", "*", TIMEOUT_S, true),
        Registered::tool("PostToolUse", "*", 30, false),
        Registered::plain("UserPromptSubmit", TIMEOUT_S, true),
        Registered::plain("SessionStart", 30, false),
        Registered::plain("SessionEnd", 5, false),
        Registered::plain("Stop", TIMEOUT_S, false),
        Registered::plain("SubagentStop", TIMEOUT_S, false),
    ],
    root: &[],
    fixed: &[("type", "command")],
    command: "command",
    arguments: None,
    limit: "timeout",
    units_a_second: 1,
    fails_closed: None,
    reads_trailing_commas: false,
    switches: &[],
    shell: Shell::Posix,
    project: None,
};
