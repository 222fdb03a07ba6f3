//! What is known of Qwen Code beside its dialect, and where its hooks are registered.

use bailiwick_domain::EditRules;

use super::NAME;
use super::parse::PROMPT;
use crate::edits::{MeasuredEdits, ToldVersion};
use crate::host::{Client, HostProfile};
use crate::settings::{HookSettings, Registered};
use crate::version::Version;

/// The time limit of the hook before a tool, in seconds. Qwen Code itself stops waiting after 60, whatever is registered, and
/// runs the call.
const TIMEOUT_S: u32 = 55;

/// Facts about Qwen Code.
pub const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &[
        "a hook that takes longer than 60 s does not stop the call, whatever its limit; there is no switch for that",
        "a hook that exits 0 with text that is not JSON does not stop the call",
        "in a folder that is not trusted no hook of the project runs",
        "`disableAllHooks`, `--bare`, `--safe-mode` and their variables turn the hooks off",
        "hooks of skills, agents and extensions run commands of their own, and a hook's `ask` with a person there counts over a refusal",
        "another hook before this one may change what it is shown, and not what runs, where one is `sequential`",
        "another hook's `allow` counts over the refusal by status while the gate is gone",
    ],
    client: Client {
        programs: &["qwen"],
        own_folder: ".qwen",
        own_folder_variable: Some("QWEN_HOME"),
        local: ".qwen/settings.json",
        user: "settings.json",
        trust: Some(
            "Qwen Code runs these hooks only in a folder that you trust, and loads them when it starts: start `qwen` here again",
        ),
        ..Client::UNKNOWN
    },
    hooks_subagents: true,
    sends_prompt_events: true,
    project_dir_variable: Some("QWEN_PROJECT_DIR"),
    timeout_s: TIMEOUT_S,
    ..HostProfile::UNKNOWN
};

/// What was measured of its tools. Whether a new file begins with a mark is a setting, so `write_file` is none of them.
pub(super) const EDITS: MeasuredEdits = MeasuredEdits {
    tools: &["edit"],
    told: Some(ToldVersion { variable: "QWEN_CODE_STARTUP_VERSION", read: Version::read }),
    versions: &[Version::of(0, 24, 4)],
    rules: EditRules { plain_only: true, ..EditRules::LITERAL },
};

/// The form of its settings file.
pub const SETTINGS: HookSettings = HookSettings {
    host: NAME,
    events: &[
        Registered::tool("PreToolUse", "*", TIMEOUT_S, true),
        Registered::tool("PostToolUse", "*", 30, false),
        Registered::tool("PostToolUseFailure", "*", 30, false),
        Registered::plain(PROMPT, TIMEOUT_S, true),
        Registered::plain("SessionStart", 30, false),
        Registered::plain("SessionEnd", 5, false),
        Registered::plain("Stop", TIMEOUT_S, false),
        Registered::plain("SubagentStart", 30, false),
        Registered::plain("SubagentStop", TIMEOUT_S, false),
    ],
    fixed: &[("name", "bailiwick"), ("type", "command")],
    switches: &[(&["disableAllHooks"], true)],
    ..HookSettings::USUAL
};
