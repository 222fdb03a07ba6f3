//! What was changed so far under one revision of an intent, for the bounds that count: `max_files` and `max_lines`.
//!
//! Deliberately absent: the rule that compares it with a bound (`bailiwick-policy`).

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::values::RepoPath;

/// The files and lines that recorded calls changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Each file that was created, changed or removed.
    pub files: BTreeSet<RepoPath>,
    /// Lines that were added or removed, long ones counted as several.
    pub lines: u64,
    /// The newest entries of the ledger that are counted here.
    counted: Vec<String>,
}

/// So many entries are remembered: a call whose recording was interrupted is found again at once or not at all.
const REMEMBERED: usize = 16;

impl Tally {
    /// It with one more entry of the ledger; an entry counts once.
    ///
    /// ```
    /// use bailiwick_domain::{RepoPath, Tally};
    /// let file = RepoPath::new("src/a.rs").unwrap();
    /// let once = Tally::default().with("e1", [file.clone()], 3);
    /// assert_eq!((once.files.len(), once.lines), (1, 3));
    /// assert_eq!(once.clone().with("e1", [file], 3), once);
    /// ```
    #[must_use]
    pub fn with(mut self, entry: &str, files: impl IntoIterator<Item = RepoPath>, lines: u32) -> Self {
        if self.counted.iter().any(|known| known == entry) {
            return self;
        }
        if self.counted.len() >= REMEMBERED {
            self.counted.remove(0);
        }
        self.counted.push(entry.to_owned());
        self.files.extend(files);
        self.lines = self.lines.saturating_add(u64::from(lines));
        self
    }
}
