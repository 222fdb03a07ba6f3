//! What is known of Gemini CLI beside its dialect, and where its hooks are registered.

use super::NAME;
use crate::host::{Client, HostProfile};
use crate::settings::{HookSettings, Registered};

/// The time limit of the hook before a tool, in seconds.
const TIMEOUT_S: u32 = 120;

/// Facts about Gemini CLI.
pub const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &[
        "a hook that exceeds its time limit does not stop the call; there is no switch for that",
        "a hook that exits 0 with text that is not JSON does not stop the call",
        "in a folder that is not trusted no hook of the project runs",
        "`hooksConfig.enabled: false`, or our hook in `hooksConfig.disabled`, turns the hooks off",
        "another hook may rewrite the call after the gate saw it",
        "its events name neither the call nor a sub-agent, so all of a session's agents count as one",
    ],
    client: Client {
        programs: &["gemini"],
        own_folder: ".gemini",
        local: ".gemini/settings.json",
        user: "settings.json",
        trust: Some(
            "Gemini CLI runs these hooks only in a folder that you trust: start `gemini` here and trust it",
        ),
        ..Client::UNKNOWN
    },
    sends_prompt_events: true,
    project_dir_variable: Some("GEMINI_PROJECT_DIR"),
    timeout_s: TIMEOUT_S,
    ..HostProfile::UNKNOWN
};

/// The form of its settings file.
pub const SETTINGS: HookSettings = HookSettings {
    host: NAME,
    events: &[
        Registered::tool("BeforeTool", "*", TIMEOUT_S, true),
        Registered::tool("AfterTool", "*", 30, false),
        Registered::plain("BeforeAgent", TIMEOUT_S, true),
        Registered::plain("AfterAgent", TIMEOUT_S, false),
        Registered::plain("SessionStart", 30, false),
        Registered::plain("SessionEnd", 5, false),
    ],
    fixed: &[("name", "bailiwick"), ("type", "command")],
    units_a_second: 1_000,
    reads_trailing_commas: true,
    switches: &[(&["hooksConfig", "enabled"], false)],
    ..HookSettings::USUAL
};
