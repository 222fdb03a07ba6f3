//! What is known of Codex beside its dialect, and where its hooks are registered.

use bailiwick_domain::EditRules;

use super::{NAME, folder};
use crate::edits::MeasuredEdits;
use crate::host::{Client, HostProfile};
use crate::settings::{Beside, HookSettings, Registered, Shell};
use crate::version::Version;

/// The time limit of the hook before a tool, in seconds.
const TIMEOUT_S: u32 = 120;

/// Facts about Codex.
pub const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &[
        "a hook that a person has not trusted in Codex does not run at all, and neither does one in a project that is not trusted",
        "a hook that exceeds its time limit does not stop the call; there is no switch for that",
        "a hook that exits 0 with anything but its exact form of a refusal does not stop the call",
        "tools that run at the model's provider, such as web search, meet no hook",
        "text that the agent types into a running command (`write_stdin`) meets no hook",
        "it does not say which shell runs a command",
        "`--disable hooks` and `features.hooks = false` run no hooks",
    ],
    client: Client {
        programs: &["codex"],
        own_folder: ".codex",
        own_folder_variable: Some("CODEX_HOME"),
        local: ".codex/hooks.json",
        user: "hooks.json",
        login_shell: true,
        trust: Some(
            "Codex runs these hooks only after you trust them: start `codex` here, trust the project, and review the hooks (`/hooks`); again after each change",
        ),
        ..Client::UNKNOWN
    },
    hooks_subagents: true,
    sends_prompt_events: true,
    timeout_s: TIMEOUT_S,
    ..HostProfile::UNKNOWN
};

/// What was measured of its applier.
pub(super) const EDITS: MeasuredEdits = MeasuredEdits {
    tools: &[folder::APPLIER],
    told: None,
    versions: &[Version::of(0, 169, 0)],
    rules: EditRules { plain_only: true, ..EditRules::LITERAL },
};

/// The form of its hooks file. The file may hold nothing beside `hooks` and `description`.
pub const SETTINGS: HookSettings = HookSettings {
    host: NAME,
    events: &[
        Registered::plain("PreToolUse", TIMEOUT_S, true),
        Registered::plain("PostToolUse", 30, false),
        Registered::plain("UserPromptSubmit", TIMEOUT_S, true),
        Registered::plain("SessionStart", 30, false),
        Registered::plain("SessionEnd", 3, false),
        Registered::plain("Stop", TIMEOUT_S, false),
        Registered::plain("SubagentStart", 30, false),
        Registered::plain("SubagentStop", TIMEOUT_S, false),
    ],
    reads_trailing_commas: true,
    beside: Some(Beside {
        local: ".codex/config.toml",
        user: "config.toml",
        is_toml: true,
        switches: &[(&["features", "hooks"], false)],
    }),
    shell: Shell::Login,
    ..HookSettings::USUAL
};
