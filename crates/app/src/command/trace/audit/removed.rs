//! Whose removal it is when lines of a file only go.

use std::collections::BTreeMap;
use std::ops::Range;

use bailiwick_domain::{ChangedFile, ContentHash, FileState, RepoPath, StoredEntry, block_hash};

use crate::evidence::{Contents, stayed};

/// Longer runs are nobody's: each part of one is looked up.
const MOST_LINES: usize = 100;

/// A single line with fewer letters and digits, such as a bracket, stands in any file: it says nothing by itself.
const FEWEST_SIGNS: usize = 4;

/// So many changes of a file are compared with it.
const MOST_STEPS: usize = 64;

/// What entries took out of a file since its content in the parent. Each removal explains one place.
pub(super) struct Removed<'e> {
    left: Vec<(&'e ContentHash, &'e StoredEntry)>,
    steps: Vec<(&'e ChangedFile, &'e StoredEntry)>,
}

impl<'e> Removed<'e> {
    /// The removals of these entries, which are newest first. What came before the parent's content is in it.
    pub(super) fn since(parent: &FileState, path: &RepoPath, entries: &'e [StoredEntry]) -> Self {
        let files = |stored: &'e StoredEntry| stored.entry.files.iter().filter(|file| file.path == *path);
        let newer = entries.iter().take_while(|stored| files(stored).all(|file| file.after != *parent));
        let steps: Vec<(&ChangedFile, &StoredEntry)> =
            newer.flat_map(|stored| files(stored).map(move |file| (file, stored))).collect();
        let hashes = |(file, stored): &(&'e ChangedFile, &'e StoredEntry)| {
            let stored = *stored;
            file.removed.iter().map(move |(_, hash)| (hash, stored))
        };
        Self { left: steps.iter().flat_map(hashes).collect(), steps }
    }

    /// The entries that replaced these lines of the parent, each of which surely stood there before one of
    /// them; `None` where that is not so of all. What came in their place went away again, so git shows lines that only go.
    pub(super) fn replaced(
        &self,
        parent: &[u8],
        gone: Range<usize>,
        contents: &impl Contents,
    ) -> Option<Vec<&'e StoredEntry>> {
        if gone.is_empty() || gone.len() > MOST_LINES || self.steps.len() > MOST_STEPS {
            return None;
        }
        let mut by = BTreeMap::new();
        for (file, stored) in &self.steps {
            let FileState::Content(before) = &file.before else { continue };
            let (Some(lineage), Some(text)) = (&file.lineage, contents.text(&file.path, before)) else {
                continue;
            };
            let places = stayed(parent, &text);
            let went = |place: usize| {
                lineage.hunks.iter().any(|hunk| {
                    let start = hunk.old_start.saturating_sub(1);
                    (start..start + hunk.old_count).contains(&place)
                })
            };
            let is_its = |line: &usize| places.get(*line).copied().flatten().is_some_and(went);
            by.extend(gone.clone().filter(is_its).map(|line| (line, *stored)));
        }
        (by.len() == gone.len()).then(|| by.into_values().collect())
    }

    /// The entries that took at least one of these lines out and put nothing there.
    pub(super) fn some(&self, lines: &[&[u8]]) -> Vec<&'e StoredEntry> {
        if self.left.is_empty() || lines.len() > MOST_LINES {
            return Vec::new();
        }
        let parts = (0..lines.len()).flat_map(|start| (start + 1..=lines.len()).map(move |end| start..end));
        let taken = parts.filter_map(|part| self.left.get(self.find(lines.get(part)?, &[])?));
        taken.map(|(_, stored)| *stored).collect()
    }

    /// The entries whose removals took these lines out, alone or one after another; `None` where they did not take
    /// all of them.
    pub(super) fn take(&mut self, lines: &[&[u8]]) -> Option<Vec<&'e StoredEntry>> {
        if lines.is_empty() || lines.len() > MOST_LINES {
            return None;
        }
        // The removals of the parts that lead up to each line.
        let mut reached: Vec<Option<Vec<usize>>> = vec![Some(Vec::new())];
        for end in 1..=lines.len() {
            let part = |start: usize| {
                let used = reached.get(start)?.as_ref()?;
                let at = self.find(lines.get(start..end)?, used)?;
                Some(used.iter().copied().chain([at]).collect())
            };
            let found = (0..end).find_map(part);
            reached.push(found);
        }
        let used = reached.pop()??;
        let by = used.iter().filter_map(|at| self.left.get(*at)).map(|(_, stored)| *stored).collect();
        let numbered = std::mem::take(&mut self.left).into_iter().enumerate();
        self.left = numbered.filter(|(at, _)| !used.contains(at)).map(|(_, removal)| removal).collect();
        Some(by)
    }

    fn find(&self, part: &[&[u8]], used: &[usize]) -> Option<usize> {
        let signs =
            |line: &[u8]| line.iter().filter(|byte| !byte.is_ascii() || byte.is_ascii_alphanumeric()).count();
        if matches!(part, [line] if signs(line) < FEWEST_SIGNS) {
            return None;
        }
        let hash = block_hash(&part.concat());
        let mut numbered = self.left.iter().enumerate();
        numbered.find(|(at, (known, _))| **known == hash && !used.contains(at)).map(|(at, _)| at)
    }
}
