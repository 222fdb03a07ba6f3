//! Factory Droid, by contract only: it was not run.
//!
//! Contract: its public hooks reference, whose two generations differ in where the hooks lie; the older place is read by
//! both. Field names come in two spellings, of which two that differ are an error; no call has an id.

use super::{Likeness, host, name_in_either};
use crate::answer::block;
use crate::dialect::{Dialect, Means};
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
        ..Dialect::USUAL
    };
    const NAMED: &'static str = "hookEventName";
    const WRITES: (&'static str, &'static str, &'static str) = ("Create", "file_path", "content");

    fn stops(_event: &str, reason: &str) -> String {
        block(reason)
    }
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
