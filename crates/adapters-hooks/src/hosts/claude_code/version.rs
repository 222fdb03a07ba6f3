//! Which Claude Code is installed, from the line that `claude --version` prints.

use crate::version::Version;

/// From this version on `onFailure: "block"` is obeyed; older ones load the key and ignore it.
pub const FAIL_CLOSED_SINCE: Version = Version { major: 2, minor: 1, patch: 295 };

/// Reads `2.1.330 (Claude Code)`; `None` when it is not such a line.
///
/// ```
/// use bailiwick_adapters_hooks::claude_code::{claude_version, enough_for_fail_closed};
/// let version = claude_version("2.1.330 (Claude Code)\n").unwrap();
/// assert!(enough_for_fail_closed(version));
/// assert!(claude_version("git version 2.1.330").is_none());
/// ```
pub fn claude_version(text: &str) -> Option<Version> {
    let (number, name) = text.trim().split_once(' ')?;
    if name == "(Claude Code)" { Version::read(number) } else { None }
}

/// Whether this version blocks a call when the hook fails.
pub fn enough_for_fail_closed(version: Version) -> bool {
    version >= FAIL_CLOSED_SINCE
}
