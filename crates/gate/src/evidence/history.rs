//! The entries of a ledger as claims on texts: which blocks they wrote, and into which file.

use std::collections::BTreeSet;

use bailiwick_domain::{Change, ChangedFile, ChangedRange, FileState, RepoPath, StoredEntry};

use super::blame::{Certainty, Owner, Unowned, blame};
use super::block::Block;
use super::lineage::{Came, Contents, How, lineage};
use super::relocate::{Place, relocate_elsewhere};
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
    /// they were before.
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

/// Which entry wrote each line of a file as it is now, by the way of the lines; entries come newest first. What entries
/// without lineage wrote is told by likeness, and is no proof.
pub fn traced<'a>(
    path: &RepoPath,
    source: &[u8],
    text: &IndexedText<'_>,
    entries: &'a [StoredEntry],
    contents: &dyn Contents,
) -> Vec<Option<Written<'a>>> {
    let came = lineage(path, source, entries, contents);
    let mut lines: Vec<Option<Written<'a>>> = came
        .into_iter()
        .enumerate()
        .map(|(line, came)| came.and_then(|came| of_line(path, line, came)))
        .collect();
    let is_old = |file: &&ChangedFile| file.lineage.is_none() && !file.ranges.is_empty();
    if entries.iter().flat_map(|stored| &stored.entry.files).find(is_old).is_some() {
        let unowned = Unowned::of(text, &lines);
        let like = by_likeness(path, text, entries, |claim| {
            claim.file.lineage.is_none() && unowned.has_any_of(&claim.block())
        });
        for (line, like) in lines.iter_mut().zip(like).filter(|(line, _)| line.is_none()) {
            *line = like.map(|like| Written { certainty: like.certainty.at_most_likely(), ..like });
        }
    }
    lines
}

/// The block that a line is from.
fn of_line<'a>(path: &RepoPath, line: usize, came: Came<'a>) -> Option<Written<'a>> {
    let Came { stored, file, line: then, how } = came;
    let range = file.ranges.iter().find(|range| (range.start_line..=range.end_line).contains(&(then + 1)))?;
    let certainty = match how {
        How::Proved if then == line && file.path == *path => Certainty::InPlace,
        How::Proved => Certainty::Moved,
        How::Likely => Certainty::Likely,
        How::Copied => Certainty::FromElsewhere,
    };
    Some(Written { claim: Claim { stored, file, range }, certainty })
}

/// Which entry wrote each line of a file as it is now, by likeness alone; entries come newest first.
///
/// The file's own entries come first, also those from before the gate saw it renamed. What they do not explain is looked
/// for among the blocks of all other files, byte for byte only: a file that git renamed, a function that was moved.
pub fn written<'a>(
    path: &RepoPath,
    text: &IndexedText<'_>,
    entries: &'a [StoredEntry],
) -> Vec<Option<Written<'a>>> {
    by_likeness(path, text, entries, |_| true)
}

fn by_likeness<'a>(
    path: &RepoPath,
    text: &IndexedText<'_>,
    entries: &'a [StoredEntry],
    is_wanted: impl Fn(&Claim<'a>) -> bool,
) -> Vec<Option<Written<'a>>> {
    let names = names_of(path, entries);
    let wanted = Claim::all(entries).filter(is_wanted);
    let (own, foreign): (Vec<Claim<'a>>, Vec<Claim<'a>>) =
        wanted.partition(|claim| names.contains(&claim.file.path));
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

/// Where calls moved a file from, one after another.
pub fn moved_here(path: &RepoPath, entries: &[StoredEntry]) -> BTreeSet<RepoPath> {
    let (mut found, mut open) = (BTreeSet::new(), vec![path.clone()]);
    while let Some(name) = open.pop() {
        let files = entries.iter().flat_map(|stored| &stored.entry.files);
        let sources = files.filter(|file| file.path == name).filter_map(|file| file.moved_from.clone());
        open.extend(sources.filter(|source| found.insert(source.clone())));
    }
    found
}
