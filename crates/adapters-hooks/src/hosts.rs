//! The hosts, a folder each, and their table. A new host is one more module and one more row.

pub mod claude_code;
pub mod codex;
pub mod copilot;
pub mod cursor;
pub mod gemini;
pub mod generic;
pub mod opencode;
pub mod qwen;

use crate::host::Host;

/// All hosts.
pub const HOSTS: &[Host] = &[
    claude_code::HOST,
    codex::HOST,
    copilot::HOST,
    cursor::HOST,
    gemini::HOST,
    generic::HOST,
    opencode::HOST,
    qwen::HOST,
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
