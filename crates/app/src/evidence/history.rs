//! The entries of a ledger as claims on texts: which blocks they wrote, and into which file.

use std::collections::BTreeSet;

use bailiwick_domain::{Change, ChangedFile, ChangedRange, FileState, RepoPath, StoredEntry};

use super::blame::{Certainty, Owner, Unowned, blame};
use super::relocate::{Block, Place, relocate_elsewhere};
use super::text::IndexedText;

/// One block of one entry.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// The entry.
    pub stored: &'a StoredEntry,
    /// The file of it.
    pub file: &'a ChangedFile,
    /// The block in that file.
    pub range: &'a ChangedRange,
}

/// Which entry wrote a line.
#[derive(Clone, Copy, Debug)]
pub struct Written<'a> {
    /// The block that the line is from.
    pub claim: Claim<'a>,
    /// How sure that is.
    pub certainty: Certainty,
}

impl<'a> Claim<'a> {
    /// All blocks of these entries, in their order. Who put a file back wrote none of its lines: they are still whose
    /// they were before (row 75).
    pub fn all(entries: &'a [StoredEntry]) -> impl Iterator<Item = Self> {
        let written = entries.iter().filter(|stored| stored.entry.context.restores.is_none());
        let files = written.flat_map(|stored| stored.entry.files.iter().map(move |file| (stored, file)));
        files.flat_map(|(stored, file)| file.ranges.iter().map(move |range| Self { stored, file, range }))
    }

    /// The block to look for.
    pub fn block(&self) -> Block<'a> {
        let ChangedRange { start_line, end_line, content_hash, landmarks, symbol: _ } = self.range;
        Block {
            start: start_line.saturating_sub(1),
            len: end_line.saturating_sub(start_line.saturating_sub(1)),
            hash: content_hash,
            lines: landmarks.lines.as_slice(),
            above: landmarks.above.as_slice(),
            below: landmarks.below.as_slice(),
        }
    }
}

/// Which entry wrote each line of a file as it is now; entries come newest first.
///
/// The file's own entries come first, also those from before the gate saw it renamed. What they do not explain is looked
/// for among the blocks of all other files, byte for byte only: a file that git renamed, a function that was moved.
pub fn written<'a>(
    path: &RepoPath,
    text: &IndexedText<'_>,
    entries: &'a [StoredEntry],
) -> Vec<Option<Written<'a>>> {
    let names = names_of(path, entries);
    let (own, foreign): (Vec<Claim<'a>>, Vec<Claim<'a>>) =
        Claim::all(entries).partition(|claim| names.contains(&claim.file.path));
    let blocks: Vec<Block<'a>> = own.iter().map(Claim::block).collect();
    let of = |owner: Owner| {
        own.get(owner.claim).map(|claim| Written { claim: *claim, certainty: owner.certainty })
    };
    let mut lines: Vec<Option<Written<'a>>> =
        blame(text, &blocks).into_iter().map(|owner| owner.and_then(of)).collect();
    let unowned = Unowned::of(text, &lines);
    for claim in foreign.iter().filter(|claim| unowned.has_any_of(&claim.block())) {
        if lines.iter().all(Option::is_some) {
            break;
        }
        if let Place::Moved(place) = relocate_elsewhere(&claim.block(), text) {
            let certainty = Certainty::FromElsewhere;
            let free = lines.get_mut(place).into_iter().flatten().filter(|line| line.is_none());
            free.for_each(|line| *line = Some(Written { claim: *claim, certainty }));
        }
    }
    lines
}

/// The names that a file has and had: an entry moved it, or made it out of another file's exact content, which is what a
/// rename looks like in entries of older versions. Entries come newest first.
pub fn names_of(path: &RepoPath, entries: &[StoredEntry]) -> BTreeSet<RepoPath> {
    let mut names = BTreeSet::from([path.clone()]);
    for stored in entries {
        let files = &stored.entry.files;
        let content = |file: &ChangedFile| match &file.after {
            FileState::Content(hash) => Some(hash.clone()),
            FileState::Absent | FileState::Other => None,
        };
        let here = files.iter().filter(|file| names.contains(&file.path));
        let moved: Vec<RepoPath> = here.filter_map(|file| file.moved_from.clone()).collect();
        names.extend(moved);
        let made = files.iter().filter(|file| file.change == Change::Created && names.contains(&file.path));
        let contents: Vec<_> = made.filter_map(content).collect();
        let gone = files.iter().filter(|file| file.change == Change::Deleted);
        let from =
            gone.filter(|file| matches!(&file.before, FileState::Content(hash) if contents.contains(hash)));
        let from: Vec<RepoPath> = from.map(|file| file.path.clone()).collect();
        names.extend(from);
    }
    names
}
