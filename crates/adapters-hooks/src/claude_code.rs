//! Claude Code: its events, its answers, its settings files and what is known of it.
//!
//! Contract: the public hooks reference, and what was measured on 2.1.197 and 2.1.330.

mod edit_rules;
mod hook_command;
mod install;
mod installed;
mod launcher;
mod mcp;
mod parse;
mod profile;
mod render;
mod settings_text;
mod tools;
mod version;

pub use edit_rules::edit_rules;
pub use hook_command::{CommandForm, HookCommand};
pub use install::{InstallError, Installed, Uninstalled, install, uninstall};
pub use installed::{InstalledHook, detect_double, disable_all_hooks, installed_hooks, takes_hooks_away};
pub use launcher::{LAUNCHER_PATH, Launcher, launcher_of, launcher_text};
pub use mcp::{
    McpCommand, mcp_install, mcp_is_named, mcp_registered, mcp_uninstall, shared_mcp_install,
    shared_mcp_is_ours, shared_mcp_uninstall,
};
pub use parse::parse;
pub use profile::PROFILE;
pub use render::{render, render_failure};
pub use tools::{judged_params, own_tool};
pub use version::{ClaudeVersion, FAIL_CLOSED_SINCE, claude_version, enough_for_fail_closed};

use crate::host::Host;

/// The host's name.
pub const NAME: &str = "claude-code";

/// The host's row.
pub const HOST: Host = Host {
    profile: PROFILE,
    parse,
    render,
    render_failure,
    judged_params,
    own_tool,
    edit_rules,
    takes_hooks_away,
};
