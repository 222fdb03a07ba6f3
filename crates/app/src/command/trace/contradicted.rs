//! Whether the repository contradicts what nobody vouches for: lines that an entry claims to have written, and that its
//! file had already at the commit that the entry names.
//!
//! It is shown and is no alarm: somebody may have taken lines away, and an agent have written them again. Deliberately
//! absent: entries that somebody vouches for.

use bailiwick_domain::{ChangedRange, StoredEntry, Value, VcsRevision, block_hash, json};

use crate::command::claims::is_unvouched;
use crate::command::git::Git;
use crate::site::Site;

/// A larger file is not looked at.
const LARGEST: usize = 1024 * 1024;
/// So many lines are known wherever they stand; fewer only in their place.
const TELLING: usize = 3;

/// What contradicts an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Contradicted {
    commit: String,
    path: String,
}

impl Contradicted {
    /// What contradicts this entry, when the commit that it names can be read.
    pub(super) fn of(stored: &StoredEntry, site: &Site) -> Option<Self> {
        if !is_unvouched(stored) || site.git.is_none() {
            return None;
        }
        let VcsRevision::Commit(commit) = &stored.entry.vcs else { return None };
        let git = Git::new(site.layout.root());
        let files = stored.entry.files.iter().filter(|file| !file.ranges.is_empty());
        let mut stood = files.filter(|file| {
            let before = git.file_at(commit, file.path.as_str()).filter(|text| text.len() <= LARGEST);
            before.is_some_and(|text| file.ranges.iter().all(|range| stands(range, &text)))
        });
        stood.next().map(|file| Self { commit: commit.clone(), path: file.path.to_string() })
    }

    /// The same for people.
    pub(super) fn said(&self) -> String {
        let commit = self.commit.get(..12).unwrap_or(&self.commit);
        format!("{} had these lines already at commit {commit}, which it names", self.path)
    }

    pub(super) fn as_json(&self) -> Value {
        json!({ "path": self.path, "commit": self.commit })
    }
}

/// Whether a text has the lines of a range.
fn stands(range: &ChangedRange, text: &[u8]) -> bool {
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let (Some(first), Some(count)) =
        (range.start_line.checked_sub(1), (range.end_line + 1).checked_sub(range.start_line))
    else {
        return false;
    };
    let is_it = |block: &[&[u8]]| block_hash(&block.concat()) == range.content_hash;
    let in_place = lines.get(first..first.saturating_add(count)).is_some_and(is_it);
    in_place || (count >= TELLING && lines.windows(count).any(is_it))
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::Landmarks;

    use super::*;

    fn range(start_line: usize, block: &[u8]) -> ChangedRange {
        let lines = block.split_inclusive(|byte| *byte == b'\n').count();
        ChangedRange {
            content_hash: block_hash(block),
            end_line: start_line + lines - 1,
            landmarks: Landmarks::default(),
            start_line,
            symbol: None,
        }
    }

    #[test]
    fn few_lines_are_known_in_their_place_and_more_wherever_they_stand() {
        let text = b"one\n}\ntwo\nthree\nfour\n";
        assert!(stands(&range(2, b"}\n"), text));
        assert!(!stands(&range(1, b"}\n"), text), "a brace stands anywhere");
        assert!(!stands(&range(1, b"two\nthree\n"), text));
        assert!(stands(&range(1, b"two\nthree\nfour\n"), text));
        assert!(!stands(&range(9, b"two\nthree\nfive\n"), text));
        assert!(!stands(&range(1, b"one\n"), b""));
    }
}
