//! The hosts, a folder each, and their table. A new host is one more module and one more row.

pub mod antigravity;
mod by_status;
pub mod claude_code;
mod claude_like;
pub mod cline;
pub mod codex;
pub mod copilot;
pub mod cursor;
pub mod gemini;
pub mod generic;
pub mod opencode;
mod plugin;
pub mod qwen;

pub use by_status::{kiro, windsurf};
pub use claude_like::{droid, kimi, vscode};

use crate::host::Host;

/// All hosts.
pub const HOSTS: &[Host] = &[
    antigravity::HOST,
    claude_code::HOST,
    cline::HOST,
    codex::HOST,
    copilot::HOST,
    cursor::HOST,
    droid::HOST,
    gemini::HOST,
    generic::HOST,
    kimi::HOST,
    kiro::HOST,
    opencode::HOST,
    qwen::HOST,
    vscode::HOST,
    windsurf::HOST,
];

/// The host of that name.
///
/// ```
/// use bailiwick_adapters_hooks::host;
/// assert!(host("claude-code").is_some());
/// assert!(host("claude").is_none());
/// ```
pub fn host(name: &str) -> Option<&'static Host> {
    HOSTS.iter().find(|host| host.profile.name == name)
}
