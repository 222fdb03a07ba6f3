//! What a set of entries made of each file, as one chain from its newest state back to the oldest. Pure.
//!
//! An entry that was taken back counts no more for the files that were put back, and does again when the put-back itself
//! is taken back.

use std::collections::BTreeSet;

use bailiwick_domain::{FileState, RepoPath, StoredEntry};

use super::Authority;

/// What a set of entries made of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain<'a> {
    /// The file.
    pub path: RepoPath,
    /// Before the oldest of the entries.
    pub before: FileState,
    /// After the newest of them.
    pub after: FileState,
    /// The newest of the entries.
    pub newest: &'a StoredEntry,
    /// All of them, newest first.
    pub entries: Vec<&'a StoredEntry>,
    /// The entry that did not find what the one before it had left: somebody else changed the file in between.
    pub gap: Option<String>,
}

impl Chain<'_> {
    /// Under what the newest change was made.
    pub(super) fn authority(&self) -> Authority {
        Authority::of(&self.newest.entry.context)
    }
}

/// The changes that were not taken back: pairs of an entry's id and a path.
pub type Open = BTreeSet<(String, RepoPath)>;

/// The changes that were not taken back. Entries come newest first, so that a put-back
/// that was taken back itself is known before what it took back.
pub fn unrestored(entries: &[StoredEntry]) -> Open {
    let mut taken_back: BTreeSet<(&str, &RepoPath)> = BTreeSet::new();
    let mut open = BTreeSet::new();
    for stored in entries {
        let entry = &stored.entry;
        for file in &entry.files {
            if taken_back.contains(&(entry.id.as_str(), &file.path)) {
                continue;
            }
            open.insert((entry.id.clone(), file.path.clone()));
            if let Some(restores) = &entry.context.restores {
                taken_back.extend(restores.entries.iter().map(|id| (id.as_str(), &file.path)));
            }
        }
    }
    open
}

/// What these entries, newest first, made of each of their files, as far as it counts; in the order of the files.
pub fn chains<'a>(entries: &[&'a StoredEntry], counts: impl Fn(&str, &RepoPath) -> bool) -> Vec<Chain<'a>> {
    let mut chains: Vec<Chain<'a>> = Vec::new();
    for stored in entries {
        for file in stored.entry.files.iter().filter(|file| counts(&stored.entry.id, &file.path)) {
            let Some(chain) = chains.iter_mut().find(|chain| chain.path == file.path) else {
                chains.push(Chain {
                    path: file.path.clone(),
                    before: file.before.clone(),
                    after: file.after.clone(),
                    newest: stored,
                    entries: vec![stored],
                    gap: None,
                });
                continue;
            };
            if chain.before != file.after && chain.gap.is_none() {
                chain.gap = chain.entries.last().map(|next| next.entry.id.clone());
            }
            chain.before = file.before.clone();
            chain.entries.push(stored);
        }
    }
    chains.sort_by(|a, b| a.path.cmp(&b.path));
    chains
}
