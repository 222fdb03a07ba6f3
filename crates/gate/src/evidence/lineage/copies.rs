//! The second step: lines without a way of their own that stand in another file as well, and stood there first. Never
//! proof, and never in the place of a line's own way.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bailiwick_domain::RepoPath;

use super::How;
use super::compare::lines;
use super::walk::{Origin, Walk};

/// Copied lines hold so many letters and digits (git's `-C`).
const COPIED: usize = 40;
/// So many other files are looked into.
const FILES: usize = 16;

/// Finds them.
pub(super) fn find(path: &RepoPath, text: &[u8], owners: &mut [Option<Origin>], walk: &mut Walk<'_, '_>) {
    if owners.iter().all(Option::is_some) {
        return;
    }
    let target: Vec<&[u8]> = lines(text).into_iter().map(<[u8]>::trim_ascii).collect();
    let mut was_there = Earlier::default();
    let others: Vec<&RepoPath> =
        walk.paths().into_iter().filter(|other| *other != path).take(FILES).collect();
    for other in others {
        let Some((source, known)) = walk.newest_of(other, text) else { continue };
        let source: Vec<&[u8]> = source.iter().map(|line| line.trim_ascii()).collect();
        for (at, from, len) in common_runs(&source, &target, owners) {
            let origins: Vec<Option<Origin>> =
                (0..len).map(|on| known.owners.get(from + on).copied().flatten()).collect();
            for (on, origin) in origins.into_iter().enumerate() {
                let Some(origin) = origin else { continue };
                let Some(line) = target.get(at + on) else { continue };
                if was_there.had(path, line, origin, walk) {
                    continue;
                }
                if let Some(slot) = owners.get_mut(at + on).filter(|slot| slot.is_none()) {
                    *slot = Some(Origin { how: How::Copied, ..origin });
                }
            }
        }
    }
}

/// Runs of lines without an owner that stand in the source too: where in the text, where in the source, and how many.
fn common_runs(source: &[&[u8]], target: &[&[u8]], owners: &[Option<Origin>]) -> Vec<(usize, usize, usize)> {
    let mut places: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (line, text) in source.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
        places.entry(text).or_default().push(line);
    }
    let is_free = |line: usize| owners.get(line).is_some_and(Option::is_none);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < target.len() {
        let starts = target.get(at).filter(|_| is_free(at)).and_then(|text| places.get(text));
        let same = |start: usize, on: &usize| {
            is_free(at + on) && target.get(at + on).is_some() && source.get(start + on) == target.get(at + on)
        };
        let length = |start: usize| (0..).take_while(|on| same(start, on)).count();
        let starts = starts.map(Vec::as_slice).unwrap_or_default().iter().take(64);
        let best = starts.map(|start| (length(*start), *start)).max_by_key(|(length, _)| *length);
        let (length, start) = best.unwrap_or((1, 0));
        let letters =
            |line: &&[u8]| line.iter().filter(|byte| byte.is_ascii_alphanumeric() || **byte >= 0x80).count();
        let lines = target.get(at..at + length).unwrap_or_default();
        if best.is_some() && length > 1 && lines.iter().map(letters).sum::<usize>() >= COPIED {
            found.push((at, start, length));
        }
        at += length.max(1);
    }
    found
}

/// What the file had when an entry was written, by the commit that it stood on.
#[derive(Debug, Default)]
struct Earlier(BTreeMap<String, Option<BTreeSet<Vec<u8>>>>);

impl Earlier {
    /// Whether the line stood in the file before that entry wrote it elsewhere, as far as a commit tells. With a commit that
    /// is not known any more it may have; before the first commit nothing was there.
    fn had(&mut self, path: &RepoPath, line: &[u8], origin: Origin, walk: &Walk<'_, '_>) -> bool {
        let Some(commit) = walk.stored(origin).and_then(|stored| stored.entry.vcs.commit()) else {
            return false;
        };
        let then = self.0.entry(commit.to_owned()).or_insert_with(|| {
            if !walk.contents.knows(commit) {
                return None;
            }
            let content = walk.contents.committed(Some(commit), path);
            let text = content.and_then(|then| walk.contents.text(path, &then.content));
            let text = text.unwrap_or_default();
            Some(lines(&text).into_iter().map(|line| line.trim_ascii().to_vec()).collect())
        });
        then.as_ref().is_none_or(|then| then.contains(line))
    }
}
