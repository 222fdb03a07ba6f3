//! What is known of Cline beside its tools, and where its plugin lies.

use super::NAME;
use crate::host::{Client, HostProfile};
use crate::hosts::plugin::{self, LOADED, PRE, PROMPT};
use crate::settings::{HookSettings, LoadCheck, Registered};

/// How long Cline waits for a plugin, in seconds; then it ends the run.
const TIMEOUT_S: u32 = 3;

/// Facts about Cline.
pub const PROFILE: HostProfile = HostProfile {
    name: NAME,
    lets_through: &[
        "Cline in VS Code and JetBrains loads no plugin: there nothing is stopped",
        "where `node` is not on the search path, Cline goes on without a plugin that is not ready in four seconds: nothing else stops it then",
        "it was run only with a session of its own",
        "another plugin may change a call after the gate saw it, and a plugin or a server may take the name of a tool",
        "files named with `@` in a prompt meet no plugin",
        "a turn that ends is not held while something waits for approval",
    ],
    client: Client {
        programs: &["cline"],
        own_folder: ".cline",
        own_folder_variable: Some("CLINE_DIR"),
        local: ".cline/plugins/bailiwick.js",
        user: "plugins/bailiwick.js",
        trust: Some(
            "Cline loads plugins when it starts: start it again. A run whose plugin was not ready in four seconds is ended; `export CLINE_PLUGIN_IMPORT_TIMEOUT_MS=60000` gives it a minute",
        ),
        ..Client::UNKNOWN
    },
    hooks_subagents: true,
    sends_prompt_events: true,
    timeout_s: TIMEOUT_S,
    ..HostProfile::UNKNOWN
};

/// The plugin.
pub const SETTINGS: HookSettings = plugin::settings(
    NAME,
    concat!(include_str!("head.js"), include_str!("../plugin/ask.js"), include_str!("plugin.js")),
    &[
        Registered::plain(PRE, TIMEOUT_S, true),
        Registered::plain("tool.execute.after", TIMEOUT_S, false),
        Registered::plain("tool.execute.failed", TIMEOUT_S, false),
        Registered::plain(PROMPT, TIMEOUT_S, true),
        Registered::plain("session.start", TIMEOUT_S, false),
        Registered::plain("subagent.start", TIMEOUT_S, false),
    ],
);

/// The hook program beside the plugin. It starts with each tool, and Cline waits two minutes for it.
pub const LOAD_CHECK: LoadCheck = LoadCheck {
    local: ".cline/hooks/PreToolUse.mjs",
    runs_by: "node",
    settings: plugin::settings(
        NAME,
        concat!(
            include_str!("load_check_head.js"),
            include_str!("../plugin/ask.js"),
            include_str!("load_check.js")
        ),
        &[Registered::plain(LOADED, 20, true)],
    ),
};
