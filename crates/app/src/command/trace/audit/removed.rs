//! Whose removal it is when lines of a file only go.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_domain::{ContentHash, IntentId, RepoPath, StoredEntry, block_hash};

/// Longer runs are nobody's: each part of one is looked up.
const MOST_LINES: usize = 100;

/// The intents of the entries that took these lines out of a file, alone or one after another; `None` where they did not
/// take all of them.
pub(super) fn removed_by(
    path: &RepoPath,
    lines: &[&[u8]],
    entries: &[StoredEntry],
) -> Option<BTreeSet<IntentId>> {
    if lines.is_empty() || lines.len() > MOST_LINES {
        return None;
    }
    let files = entries.iter().flat_map(|stored| stored.entry.files.iter().map(move |file| (stored, file)));
    let known: BTreeMap<&ContentHash, &IntentId> = files
        .filter(|(_, file)| file.path == *path)
        .flat_map(|(stored, file)| {
            file.removed.iter().map(move |(_, hash)| (hash, &stored.entry.context.intent))
        })
        .collect();
    // The intents of the parts that lead up to each line.
    let mut reached: Vec<Option<BTreeSet<IntentId>>> = vec![Some(BTreeSet::new())];
    for end in 1..=lines.len() {
        let part = |start: usize| {
            let before = reached.get(start)?.as_ref()?;
            let intent = known.get(&block_hash(&lines.get(start..end)?.concat()))?;
            Some(before.iter().cloned().chain([(*intent).clone()]).collect())
        };
        let found = (0..end).find_map(part);
        reached.push(found);
    }
    reached.pop()?
}
