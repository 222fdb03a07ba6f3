//! Which lines make a program act that applies patches, in any form that it knows: unified, context, normal, ed script,
//! git's headers, indented or behind `X`.
//!
//! `git apply` and GNU `patch` look for such lines in all text that they are given. It is no reading of them: a line
//! that is found here and that no section accounts for is refused.

use super::lines::plain;

const NAMES: [&str; 5] = ["*** ", "+++ ", "Index:", "Prereq:", "diff --git "];
const STARTS: [&str; 3] = ["@@ -", "********", "diff --git "];
/// Lines that mean something behind a `diff --git` line.
const GIT: [&str; 11] = [
    "old mode ",
    "new mode ",
    "deleted file mode ",
    "new file mode ",
    "copy from ",
    "copy to ",
    "rename from ",
    "rename to ",
    "rename old ",
    "rename new ",
    "GIT binary patch",
];

/// Whether a line names a file or starts a change.
pub(super) fn acts(line: &str) -> bool {
    let bare = bare(line);
    let mut dashed = bare;
    while let Some(rest) = dashed.strip_prefix("- ") {
        dashed = rest;
    }
    NAMES.iter().any(|head| bare.starts_with(head)) || dashed.starts_with("--- ") || starts(line)
}

/// Whether a line starts a change of a file that an earlier line named.
pub(super) fn starts(line: &str) -> bool {
    let bare = bare(line);
    STARTS.iter().any(|head| bare.starts_with(head)) || is_command(bare)
}

/// Whether a line says more of the file that a `diff --git` line named.
pub(super) fn belongs_to_git(line: &str) -> bool {
    let bare = bare(line);
    GIT.iter().any(|head| bare.starts_with(head))
}

/// What `patch` looks at: it takes off blanks and `X` in front of every line.
pub(super) fn bare(line: &str) -> &str {
    plain(line).trim_start_matches([' ', '\t', 'X'])
}

/// The first line of a change in a normal diff or an ed script: `3d`, `1,2c1,4`, `5a`, `1s/.//`.
fn is_command(bare: &str) -> bool {
    let is_number = |sign: char| sign.is_ascii_digit() || sign == ',';
    let after = bare.trim_start_matches(is_number);
    let letter = after.strip_prefix(['a', 'c', 'd', 'i', 's']);
    let numbered = bare.starts_with(|sign: char| sign.is_ascii_digit());
    let end = |rest: &str| rest.trim_start_matches("/.//").trim_start_matches(is_number).trim().is_empty();
    numbered && letter.is_some_and(end)
}
