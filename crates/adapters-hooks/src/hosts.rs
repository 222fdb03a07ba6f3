//! The table of hosts. A new host is one more module and one more row.

use crate::host::Host;
use crate::{claude_code, codex, copilot, cursor, gemini, generic};

/// All hosts.
pub const HOSTS: &[Host] =
    &[claude_code::HOST, codex::HOST, copilot::HOST, cursor::HOST, gemini::HOST, generic::HOST];

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
