//! How Claude Code's Edit and Write turn parameters into bytes, by version. Measured with the real client; what it does to
//! the parameters themselves (blanks at line ends, escapes) it does before it asks its hooks.

use bailiwick_domain::EditRules;

use crate::edits::{MeasuredEdits, ToldVersion};
use crate::version::Version;

/// What was measured.
pub(super) const EDITS: MeasuredEdits = MeasuredEdits {
    tools: &["Edit", "Write"],
    told: Some(ToldVersion { variable: "AI_AGENT", read: version }),
    versions: &[of_2_1(300), of_2_1(308), of_2_1(318), of_2_1(325), of_2_1(330), of_2_1(332)],
    rules: EditRules {
        keeps_marks: true,
        keeps_line_ends: true,
        curls_quotes: true,
        takes_the_line: true,
        ..EditRules::LITERAL
    },
};

const fn of_2_1(patch: u32) -> Version {
    Version::of(2, 1, patch)
}

/// The version in a text such as `claude-code_2-1-330_harness`.
fn version(told: &str) -> Option<Version> {
    Version::read(&told.strip_prefix("claude-code_")?.split('_').next()?.replace('-', "."))
}
