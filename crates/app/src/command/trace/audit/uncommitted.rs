//! Which entries made what is staged, for the trailers of the next commit.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_domain::{ChangedFile, ContentHash, FileState, IntentId, RepoPath, StoredEntry, TraceEntry};

use super::history;
use crate::command::git::{Blob, Git};
use crate::evidence::Written;

/// Tells the entries whose work a commit does not have yet. What it has is explained there: lines that a person moves or
/// brings back are that person's change.
pub(super) struct Uncommitted<'a> {
    pub(super) git: &'a Git,
    pub(super) base: &'a str,
    /// The newest first.
    pub(super) found: &'a [StoredEntry],
}

/// The staged lines that an entry wrote.
type Staged<'s> = Vec<&'s [u8]>;

impl Uncommitted<'_> {
    /// What of these intents took the file to where it is.
    pub(super) fn of_way(&self, path: &RepoPath, intents: &BTreeSet<IntentId>) -> Vec<TraceEntry> {
        let entries = self.found.iter().filter(|stored| intents.contains(&stored.entry.context.intent));
        self.of(path, entries, |stored, committed| {
            let left = |file: &ChangedFile| {
                committed.iter().any(|bytes| file.after == FileState::Content(ContentHash::of(bytes)))
            };
            !stored.entry.files.iter().filter(|file| file.path == *path).any(left)
        })
    }

    /// What wrote these lines, under the name that the file had then.
    pub(super) fn of_lines(&self, lines: &[(&[u8], &Written<'_>)]) -> Vec<TraceEntry> {
        let mut by_path: BTreeMap<&RepoPath, BTreeMap<&ContentHash, (&StoredEntry, Staged<'_>)>> =
            BTreeMap::new();
        for (text, written) in lines {
            let claim = &written.claim;
            let entries = by_path.entry(&claim.file.path).or_default();
            let entry = entries.entry(&claim.stored.checksum).or_insert_with(|| (claim.stored, Vec::new()));
            entry.1.push(text);
        }
        let of_path = |(path, entries): (_, BTreeMap<&ContentHash, (&StoredEntry, Staged<'_>)>)| {
            self.of(path, entries.values().map(|(stored, _)| *stored), |stored, committed| {
                let held: BTreeSet<&[u8]> =
                    committed.iter().flat_map(|bytes| bytes.split(|byte| *byte == b'\n')).collect();
                let staged = entries.get(&stored.checksum).map(|(_, staged)| staged.as_slice());
                staged.unwrap_or_default().iter().any(|text| !held.contains(text))
            })
        };
        by_path.into_iter().flat_map(of_path).collect()
    }

    /// Those of these entries that left at this path what the commit does not have. `is_new` is told what commits since
    /// then held there: part of a file may be committed before another.
    fn of<'e>(
        &self,
        path: &RepoPath,
        entries: impl Iterator<Item = &'e StoredEntry>,
        is_new: impl Fn(&StoredEntry, &[Blob]) -> bool,
    ) -> Vec<TraceEntry> {
        let (there, _) = history::state(self.git, self.base, path.as_str());
        let left_it = |stored: &StoredEntry| {
            stored.entry.files.iter().any(|file| file.path == *path && file.after == there)
        };
        // Whatever came before the content that the commit has is in it.
        let newer = self.found.iter().take_while(|stored| !left_it(stored));
        let newer: BTreeSet<&ContentHash> = newer.map(|stored| &stored.checksum).collect();
        let entries: Vec<&StoredEntry> =
            entries.filter(|stored| stored.entry.changes(path) && newer.contains(&stored.checksum)).collect();
        let Some(oldest) = entries.iter().map(|stored| stored.entry.timestamp.unix_ms()).min() else {
            return Vec::new();
        };
        let since_s = oldest.div_euclid(1000);
        let Some(committed) = self.git.contents_since(self.base, path.as_str(), since_s) else {
            return Vec::new();
        };
        let is_new = |stored: &&StoredEntry| is_new(stored, &committed);
        entries.into_iter().filter(is_new).map(|stored| stored.entry.clone()).collect()
    }
}
