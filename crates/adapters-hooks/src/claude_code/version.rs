//! Which Claude Code is installed, from the line that `claude --version` prints.

/// A version of Claude Code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClaudeVersion {
    /// First number.
    pub major: u32,
    /// Second number.
    pub minor: u32,
    /// Third number.
    pub patch: u32,
}

/// From this version on `onFailure: "block"` is obeyed; older ones load the key and ignore it.
pub const FAIL_CLOSED_SINCE: ClaudeVersion = ClaudeVersion { major: 2, minor: 1, patch: 295 };

/// Reads `2.1.330 (Claude Code)`; `None` when it is not such a line.
///
/// ```
/// use bailiwick_adapters_hooks::claude_code::{claude_version, enough_for_fail_closed};
/// let version = claude_version("2.1.330 (Claude Code)\n").unwrap();
/// assert!(enough_for_fail_closed(version));
/// assert!(claude_version("git version 2.1.330").is_none());
/// ```
pub fn claude_version(text: &str) -> Option<ClaudeVersion> {
    let (number, name) = text.trim().split_once(' ')?;
    if name != "(Claude Code)" {
        return None;
    }
    let number = number.split_once(['-', '+']).map_or(number, |(number, _)| number);
    let mut parts = number.split('.').map(str::parse);
    let version =
        ClaudeVersion { major: parts.next()?.ok()?, minor: parts.next()?.ok()?, patch: parts.next()?.ok()? };
    parts.next().is_none().then_some(version)
}

/// Whether this version blocks a call when the hook fails.
pub fn enough_for_fail_closed(version: ClaudeVersion) -> bool {
    version >= FAIL_CLOSED_SINCE
}
