//! How the lines of a file's content follow from those of the content before it: what makes the way of a line through
//! many entries plain arithmetic.
//!
//! Deliberately absent: comparing texts, and saying whose a line is.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// Lines that came in the place of others. Both starts are counted from 1 and name the line that the run begins at, also
/// where it has no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[usize; 4]", into = "[usize; 4]")]
pub struct Hunk {
    /// Where the lines that are gone began in the content before.
    pub old_start: usize,
    /// How many they were.
    pub old_count: usize,
    /// Where the lines that came begin in the content after.
    pub new_start: usize,
    /// How many they are.
    pub new_count: usize,
}

impl From<[usize; 4]> for Hunk {
    fn from([old_start, old_count, new_start, new_count]: [usize; 4]) -> Self {
        Self { old_start, old_count, new_start, new_count }
    }
}

impl From<Hunk> for [usize; 4] {
    fn from(hunk: Hunk) -> Self {
        [hunk.old_start, hunk.old_count, hunk.new_start, hunk.new_count]
    }
}

/// All that a change did to the lines of a file. Lines outside the hunks are those of the content before, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lineage {
    /// The changed runs, in the order of the lines.
    pub hunks: Vec<Hunk>,
    /// Lines of the content after (first and last, from 1) of which another comparison that is as good says something
    /// else, or that stand beside a change and could as well be part of it. Never proof.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubtful: Vec<(usize, usize)>,
}
