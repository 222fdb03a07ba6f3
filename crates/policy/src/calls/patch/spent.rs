//! What of the budget a patch has used so far; each part is counted before it is built.

use crate::calls::budget::{HUNK_LINES, PATCH_BYTES, PATCH_HUNKS, PATCH_LINES, PATCH_SECTIONS};
use crate::calls::terms::Unreadable;

#[derive(Default)]
pub(super) struct Spent {
    sections: usize,
    hunks: usize,
    lines: usize,
}

impl Spent {
    /// The first look: nothing is read of a patch that is too long.
    ///
    /// # Errors
    /// It is too long.
    pub(super) fn of(text: &str) -> Result<Self, Unreadable> {
        within(text.len(), PATCH_BYTES, "bytes").map(|()| Self::default())
    }

    pub(super) fn section(&mut self) -> Result<(), Unreadable> {
        self.sections += 1;
        within(self.sections, PATCH_SECTIONS, "files")
    }

    pub(super) fn hunk(&mut self) -> Result<(), Unreadable> {
        self.hunks += 1;
        within(self.hunks, PATCH_HUNKS, "hunks")
    }

    /// One more line, the last of `in_hunk` of its hunk.
    pub(super) fn line(&mut self, in_hunk: usize) -> Result<(), Unreadable> {
        self.lines += 1;
        within(in_hunk, HUNK_LINES, "lines in one hunk")?;
        within(self.lines, PATCH_LINES, "lines that are changed or quoted")
    }
}

pub(super) fn within(count: usize, limit: usize, what: &str) -> Result<(), Unreadable> {
    if count <= limit {
        return Ok(());
    }
    Err(Unreadable::TooLarge(format!("a patch may have {limit} {what}; send it in several calls")))
}
