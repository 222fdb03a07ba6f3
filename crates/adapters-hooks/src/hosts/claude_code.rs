//! Claude Code: its events, its answers, its settings files and what is known of it.
//!
//! Contract: the public hooks reference, and what was measured on 2.1.197 and 2.1.330.

mod edits;
mod launcher;
mod mcp;
mod parse;
mod probe;
mod profile;
mod render;
mod settings;
mod tools;
mod version;

pub use crate::settings::{
    CommandForm, HookCommand, InstallError, Installed, InstalledHook, LAUNCHER_PATH, Launcher, Uninstalled,
};
use edits::EDITS;
pub use launcher::{launcher_of, launcher_text};
pub use mcp::{
    McpCommand, mcp_install, mcp_is_foreign, mcp_is_named, mcp_registered, mcp_uninstall, shared_mcp_install,
    shared_mcp_is_ours, shared_mcp_uninstall,
};
pub use parse::parse;
pub use profile::PROFILE;
pub use render::{render, render_failure};
pub use settings::{
    SETTINGS, detect_double, disable_all_hooks, install, installed_hooks, takes_hooks_away, uninstall,
};
use tools::NOISE;
pub use tools::{own_tool, served_tool};
pub use version::{FAIL_CLOSED_SINCE, claude_version, enough_for_fail_closed};

use crate::host::{Host, Spoken};
use crate::reply::Output;

/// The host's name.
pub const NAME: &str = "claude-code";

/// The host's row.
pub const HOST: Host = Host {
    noise: NOISE,
    own_tool,
    served_tool,
    edits: Some(&EDITS),
    settings: Some(&SETTINGS),
    ..Host::speaking(
        PROFILE,
        Spoken {
            parse,
            render: |event, reply| Output::said(render(event, reply)),
            render_failure,
            version: claude_version,
            probe: probe::probe,
            refusal: probe::refusal,
        },
    )
};
