//! How Claude Code's Edit and Write turn parameters into bytes, by version. Measured with the real client; what it does to
//! the parameters themselves (blanks at line ends, escapes) it does before it asks its hooks.

use bailiwick_domain::EditRules;

use crate::version::Version;

/// The first and the last version that were measured.
const MEASURED: [(Version, Version); 1] =
    [(Version { major: 2, minor: 1, patch: 330 }, Version { major: 2, minor: 1, patch: 330 })];

const RULES: EditRules = EditRules {
    keeps_marks: true,
    keeps_line_ends: true,
    curls_quotes: true,
    takes_the_line: true,
    is_guess: false,
};

/// The rules of the version that `AI_AGENT` names, such as `claude-code_2-1-330_harness`.
///
/// ```
/// use bailiwick_adapters_hooks::claude_code::edit_rules;
/// assert!(!edit_rules(Some("claude-code_2-1-330_harness")).is_guess);
/// assert!(edit_rules(Some("claude-code_9-0-0_harness")).is_guess);
/// assert!(edit_rules(None).is_guess);
/// ```
pub fn edit_rules(told: Option<&str>) -> EditRules {
    let version = told.and_then(version);
    let is_known = version
        .is_some_and(|version| MEASURED.iter().any(|(first, last)| (*first..=*last).contains(&version)));
    EditRules { is_guess: !is_known, ..RULES }
}

fn version(told: &str) -> Option<Version> {
    let numbers = told.strip_prefix("claude-code_")?.split('_').next()?;
    let mut parts = numbers.split('-').map(str::parse);
    let version =
        Version { major: parts.next()?.ok()?, minor: parts.next()?.ok()?, patch: parts.next()?.ok()? };
    parts.next().is_none().then_some(version)
}
