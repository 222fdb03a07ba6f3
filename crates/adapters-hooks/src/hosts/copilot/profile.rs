//! What is known of Copilot CLI beside its dialect, and where its hooks are registered.

use bailiwick_domain::EditRules;

use super::NAME;
use crate::edits::{MeasuredEdits, ToldVersion};
use crate::host::{AlsoRuns, Client, HostProfile};
use crate::settings::{Beside, HookSettings, Registered, Shape, Switches};
use crate::version::Version;

/// The time limit of the hook before a tool, in seconds.
const TIMEOUT_S: u32 = 120;

/// Facts about Copilot CLI.
pub const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &[
        "a hook that exceeds its time limit does not stop the call; there is no switch for that",
        "a hook that exits 0 with text that is not JSON, or with two JSON objects, does not stop the call",
        "in a folder that is not trusted no hook of the repository runs; with `-p` neither, unless a variable says so",
        "`disableAllHooks` in a hooks file turns the hooks off",
        "another hook may rewrite the call after the gate saw it",
        "its events name neither the call nor a sub-agent, so all of a session's agents count as one",
    ],
    client: Client {
        programs: &["copilot"],
        own_folder: ".copilot",
        own_folder_variable: Some("COPILOT_HOME"),
        local: ".github/hooks/bailiwick.json",
        user: "hooks/bailiwick.json",
        trust: Some(
            "Copilot CLI runs these hooks only in a folder that you trust: start `copilot` here and trust it",
        ),
        ..Client::UNKNOWN
    },
    sends_prompt_events: true,
    timeout_s: TIMEOUT_S,
    also_runs: Some(AlsoRuns { hooks_of: &["claude-code", "vscode"], signed: "timestamp" }),
    ..HostProfile::UNKNOWN
};

/// Any of its hooks files can turn off those of all.
const SWITCHES: Switches = &[(&["disableAllHooks"], true)];

/// What was measured of its tools. Its version is the name of the folder that it runs from.
pub(super) const EDITS: MeasuredEdits = MeasuredEdits {
    tools: &["create", "edit"],
    told: Some(ToldVersion {
        variable: "COPILOT_CLI_RESOLVED_DIST_DIR",
        read: |folder| Version::read(folder.rsplit(['/', '\\']).next()?),
    }),
    versions: &[Version::of(1, 0, 102)],
    rules: EditRules { plain_only: true, ..EditRules::LITERAL },
};

/// The form of its hooks file, which is ours alone.
pub const SETTINGS: HookSettings = HookSettings {
    host: NAME,
    shape: Shape::Entries,
    events: &[
        Registered::plain("preToolUse", TIMEOUT_S, true),
        Registered::plain("postToolUse", 30, false),
        Registered::plain("postToolUseFailure", 30, false),
        Registered::plain("userPromptSubmitted", 30, false),
        Registered::plain("sessionStart", 30, false),
    ],
    root: &[("version", 1)],
    command: "bash",
    limit: "timeoutSec",
    reads_trailing_commas: true,
    switches: SWITCHES,
    beside: Some(Beside { local: ".github/hooks", user: "hooks", is_toml: false, switches: SWITCHES }),
    ..HookSettings::USUAL
};
