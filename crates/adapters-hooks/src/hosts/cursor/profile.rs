//! What is known of Cursor beside its dialect, and where its hooks are registered.

use super::NAME;
use crate::host::{AlsoRuns, Client, HostProfile};
use crate::settings::{HookSettings, Registered, Shape, Word};

/// The time limit of the hook before a tool, in seconds.
const TIMEOUT_S: u32 = 120;

/// Facts about Cursor.
pub const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &[
        "it was not run with this gate: what is said here is its contract and what others measured",
        "its own allow-list may still ask, or may let a call run without a question; only a refusal counts",
        "some builds send no event before a tool reads a file; the event `beforeReadFile` stands in for it",
        "there is no event before an edit but the one before a tool; completions (Tab) meet no hook",
        "cloud agents run no hooks of a person, and their first read-only turns may run none",
        "its events name no sub-agent, so all of a conversation's agents count as one",
    ],
    client: Client {
        programs: &["cursor-agent", "cursor"],
        own_folder: ".cursor",
        local: ".cursor/hooks.json",
        user: "hooks.json",
        ..Client::UNKNOWN
    },
    keeps_shell: true,
    hides_output: true,
    sends_prompt_events: true,
    project_dir_variable: Some("CURSOR_PROJECT_DIR"),
    timeout_s: TIMEOUT_S,
    also_runs: Some(AlsoRuns { hooks_of: &["claude-code"], signed: "cursor_version" }),
    ..HostProfile::UNKNOWN
};

/// The form of its hooks file.
pub const SETTINGS: HookSettings = HookSettings {
    host: NAME,
    shape: Shape::Entries,
    events: &[
        Registered::plain("preToolUse", TIMEOUT_S, true),
        Registered::plain("beforeReadFile", TIMEOUT_S, true),
        Registered::plain("postToolUse", 30, false),
        Registered::plain("postToolUseFailure", 30, false),
        Registered::plain("beforeSubmitPrompt", TIMEOUT_S, true),
        Registered::plain("sessionStart", 30, false),
        Registered::plain("sessionEnd", 5, false),
        Registered::plain("stop", TIMEOUT_S, false),
    ],
    root: &[("version", 1)],
    fixed: &[],
    fails_closed: Some(("failClosed", Word::Yes)),
    reads_trailing_commas: true,
    ..HookSettings::USUAL
};
