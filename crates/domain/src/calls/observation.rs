//! What an actor was shown of a file, and what a host says that a call showed.
//!
//! Values only. Whether it is enough for a change is `policy`'s to say.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::CallId;
use crate::values::{ContentHash, FileState, RepoPath};

/// How much of a file an actor was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// Some of its lines.
    Part,
    /// All of it.
    Whole,
}

/// The lines of a content that were shown, from 1, in their order and with gaps between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pages(Vec<(u64, u64)>);

impl Pages {
    /// More stretches are not remembered.
    const MOST: usize = 256;

    /// From the first to the last line; none where the last comes before the first.
    pub fn of(first: u64, last: u64) -> Self {
        Self(if first <= last { Vec::from([(first, last)]) } else { Vec::new() })
    }

    /// Whether no line was shown.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all lines of a content with so many were shown.
    ///
    /// ```
    /// use bailiwick_domain::Pages;
    /// let pages = Pages::of(3, 4).with(&Pages::of(1, 2));
    /// assert!(pages.are_all(4) && !pages.are_all(5));
    /// ```
    pub fn are_all(&self, lines: u64) -> bool {
        matches!(self.0.as_slice(), [(first, last)] if *first <= 1 && *last >= lines)
    }

    /// Those and others.
    #[must_use]
    pub fn with(&self, others: &Self) -> Self {
        let mut all: Vec<(u64, u64)> = self.0.iter().chain(&others.0).copied().collect();
        all.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::with_capacity(all.len());
        for (first, last) in all {
            match joined.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                _ => joined.push((first, last)),
            }
        }
        joined.truncate(Self::MOST);
        Self(joined)
    }
}

/// What was at a path right before a call looked at it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// The path.
    pub path: RepoPath,
    /// The call.
    pub call: CallId,
    /// What was there.
    pub state: FileState,
}

/// What an actor last read or wrote at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// What was there.
    pub state: FileState,
    /// How much of it was shown.
    pub shown: Shown,
    /// Which lines of it were shown, where that is known and not all of them were.
    pub pages: Pages,
}

impl Observation {
    /// So much of it.
    pub fn new(state: FileState, shown: Shown) -> Self {
        Self { state, shown, pages: Pages::default() }
    }

    /// All of it.
    pub fn whole(state: FileState) -> Self {
        Self::new(state, Shown::Whole)
    }

    /// Some of it.
    pub fn part(state: FileState) -> Self {
        Self::new(state, Shown::Part)
    }

    /// These lines of it.
    pub fn of_pages(state: FileState, pages: Pages) -> Self {
        Self { pages, ..Self::part(state) }
    }

    /// The same after what was seen before of a content with so many lines: parts of this very content add up.
    #[must_use]
    pub fn after(self, before: Option<&Self>, lines: Option<u64>) -> Self {
        let before = before.filter(|before| before.state == self.state);
        let pages = before.map_or_else(|| self.pages.clone(), |before| self.pages.with(&before.pages));
        let is_whole = self.shown == Shown::Whole
            || before.is_some_and(|before| before.shown == Shown::Whole)
            || lines.is_some_and(|lines| pages.are_all(lines));
        if is_whole { Self::whole(self.state) } else { Self::of_pages(self.state, pages) }
    }
}

/// What a host says that a call showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Showed {
    /// Lines of one file, decoded, with LF as the end of each.
    Lines {
        /// The number of the first one, from 1.
        first: u64,
        /// How many the file has.
        total: u64,
        /// The lines.
        text: String,
    },
    /// What a command printed, as far as the host hands it on.
    Printed(String),
    /// Which content the file has, where it cannot be shown as text.
    Content(ContentHash),
    /// Nothing yet: it goes on in the background.
    Nothing,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::ContentHash;

    #[test]
    fn parts_of_one_content_add_up_in_any_order() {
        let state = |text: &[u8]| FileState::Content(ContentHash::of(text));
        let page = |first, last| Observation::of_pages(state(b"a"), Pages::of(first, last));
        let after = |seen: &[Observation], lines| {
            seen.iter()
                .cloned()
                .fold(None, |before, seen: Observation| Some(seen.after(before.as_ref(), Some(lines))))
        };
        let whole = Some(Observation::whole(state(b"a")));
        assert_eq!(after(&[page(1, 4)], 4), whole);
        assert_eq!(after(&[page(5, 9), page(1, 2), page(2, 4)], 9), whole);
        assert_eq!(after(&[page(1, 4), page(6, 9)], 9).unwrap().shown, Shown::Part);
        let other = Observation::of_pages(state(b"b"), Pages::of(1, 4));
        assert_eq!(after(&[other, page(5, 9)], 9).unwrap().shown, Shown::Part);
        assert_eq!(after(&[Observation::whole(state(b"a")), page(1, 1)], 9), whole);
        let all = (0..1_000).fold(Pages::default(), |all, line| all.with(&Pages::of(line * 2, line * 2)));
        assert!(!all.are_all(1) && Pages::of(3, 2).is_empty());
    }
}
