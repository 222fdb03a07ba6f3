//! What is known of OpenCode beside its dialect, and where its plugin lies.

use bailiwick_domain::EditRules;

use super::NAME;
use crate::edits::{MeasuredEdits, ToldVersion};
use crate::host::{Client, HostProfile};
use crate::hosts::plugin::{self, PRE, PROMPT};
use crate::settings::{HookSettings, Registered};
use crate::version::Version;

/// The time limit before a tool, in seconds. The plugin itself keeps it, and refuses.
const TIMEOUT_S: u32 = 120;

/// Facts about OpenCode.
pub const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &[
        "`--pure`, `OPENCODE_PURE` and `OPENCODE_DISABLE_PROJECT_CONFIG` load no plugin of the project",
        "it goes on without a plugin that it could not load",
        "another plugin may change a call after the gate saw it, and a plugin or a file in `.opencode/tool` may take the name of a tool",
        "formatters and language servers that OpenCode starts after a change meet no plugin",
        "commands in slash commands (`!`) and files named with `@` in a prompt meet no plugin",
        "it does not say which shell runs a command, and tells nothing of a call that failed by itself",
        "a turn that ends is not held while something waits for approval",
    ],
    client: Client {
        programs: &["opencode"],
        own_folder: ".config/opencode",
        local: ".opencode/plugin/bailiwick.js",
        user: "plugin/bailiwick.js",
        trust: Some("OpenCode loads plugins when it starts: start it again"),
        ..Client::UNKNOWN
    },
    hooks_subagents: true,
    sends_prompt_events: true,
    timeout_s: TIMEOUT_S,
    ..HostProfile::UNKNOWN
};

/// What was measured of its tools. The plugin tells the version where no formatter changes a file once more.
pub(super) const EDITS: MeasuredEdits = MeasuredEdits {
    tools: &["edit", "write", "apply_patch"],
    told: Some(ToldVersion { variable: "BAILIWICK_OPENCODE_VERSION", read: Version::read }),
    versions: &[Version::of(1, 18, 33)],
    rules: EditRules { plain_only: true, ..EditRules::LITERAL },
};

/// The plugin.
pub const SETTINGS: HookSettings = plugin::settings(
    NAME,
    concat!(include_str!("head.js"), include_str!("../plugin/ask.js"), include_str!("plugin.js")),
    &[
        Registered::plain(PRE, TIMEOUT_S, true),
        Registered::plain("tool.execute.after", 30, false),
        Registered::plain("tool.execute.failed", 30, false),
        Registered::plain(PROMPT, TIMEOUT_S, true),
        Registered::plain("session.start", 30, false),
        Registered::plain("subagent.start", 30, false),
        Registered::plain("session.deleted", 5, false),
    ],
);
