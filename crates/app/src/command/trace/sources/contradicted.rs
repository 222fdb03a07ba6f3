//! Whether the repository contradicts what nobody vouches for: lines that an entry claims to have written, and that its
//! file had already at the commit that the entry names.
//!
//! It is shown and is no alarm: somebody may have taken lines away, and an agent have written them again. Deliberately
//! absent: entries that somebody vouches for.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bailiwick_domain::{
    ChangedFile, ChangedRange, ContentHash, LineHash, RepoPath, StoredEntry, Value, block_hash, json,
};

use crate::command::git::Git;
use crate::command::trace::sources::claims::{is_unvouched, with_trust};
use crate::evidence::{Certainty, Written};
use crate::site::Site;

/// A larger file is not looked at.
const LARGEST: usize = 1024 * 1024;
/// So many files of commits are looked at, and so many at once.
const MOST: usize = 1024;
const AT_ONCE: usize = 32;
/// So many lines are known wherever they stand; fewer only in their place.
const TELLING: usize = 3;
/// So many lines are hashed to find a block anywhere; in more, where the line of it stands that the text has least often.
/// What such lines are still too many for is not found, and nothing is said then.
const ANYWHERE: usize = 1 << 16;

/// What contradicts an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::command) struct Contradicted {
    commit: String,
    path: RepoPath,
}

impl Contradicted {
    /// The same for people.
    pub(in crate::command) fn said(&self) -> String {
        let commit = self.commit.get(..12).unwrap_or(&self.commit);
        format!("{} had these lines already at commit {commit}, which it names", self.path)
    }

    pub(in crate::command) fn as_json(&self) -> Value {
        json!({ "path": self.path, "commit": self.commit })
    }
}

/// What contradicts the claims of some entries, by entry and file.
#[derive(Debug, Default)]
pub(in crate::command) struct Contradictions(BTreeMap<(ContentHash, RepoPath), Contradicted>);

impl Contradictions {
    /// What contradicts any of these entries, where the commits that they name can be read.
    pub(in crate::command) fn among<'e>(
        entries: impl IntoIterator<Item = &'e StoredEntry>,
        site: &Site,
    ) -> Self {
        let mut files: BTreeMap<String, Vec<(&StoredEntry, &str, &ChangedFile)>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for stored in entries {
            let Some(commit) = stored.entry.vcs.commit() else { continue };
            if site.git.is_none() || !is_unvouched(stored) || !seen.insert(&stored.checksum) {
                continue;
            }
            for file in stored.entry.files.iter().filter(|file| !file.ranges.is_empty()) {
                files.entry(format!("{commit}:{}", file.path)).or_default().push((stored, commit, file));
            }
        }
        let mut found = Self::default();
        let files: Vec<_> = files.into_iter().take(MOST).collect();
        for some in files.chunks(AT_ONCE) {
            let names: Vec<String> = some.iter().map(|(name, _)| name.clone()).collect();
            let before = Git::new(site.layout.root()).blobs(&names).unwrap_or_default();
            for ((_, claims), text) in some.iter().zip(before) {
                let Some(text) = text.filter(|text| text.len() <= LARGEST) else { continue };
                found.take(claims, &Text::new(&text));
            }
        }
        found
    }

    fn take(&mut self, claims: &[(&StoredEntry, &str, &ChangedFile)], text: &Text<'_>) {
        for (stored, commit, file) in claims {
            if file.ranges.iter().all(|range| text.has(range)) {
                let by = Contradicted { commit: (*commit).to_owned(), path: file.path.clone() };
                self.0.insert((stored.checksum.clone(), file.path.clone()), by);
            }
        }
    }

    /// What contradicts an entry.
    pub(in crate::command) fn of(&self, stored: &StoredEntry) -> Option<&Contradicted> {
        stored.entry.files.iter().find_map(|file| self.in_file(stored, &file.path))
    }

    /// What contradicts that an entry wrote its lines of a file.
    pub(in crate::command) fn in_file(&self, stored: &StoredEntry, path: &RepoPath) -> Option<&Contradicted> {
        self.0.get(&(stored.checksum.clone(), path.clone()))
    }

    /// What contradicts the entries that lines are from; those lines say so then.
    pub(crate) fn marked(lines: &mut [Option<Written<'_>>], site: &Site) -> Self {
        let found = Self::among(lines.iter().flatten().map(|line| line.claim.stored), site);
        for line in lines.iter_mut().flatten() {
            if found.in_file(line.claim.stored, &line.claim.file.path).is_some() {
                line.certainty = Certainty::Contradicted;
            }
        }
        found
    }

    /// Puts how an entry is known, and what contradicts it, into a JSON object about it.
    pub(in crate::command) fn with_trust(&self, value: Value, stored: &StoredEntry) -> Value {
        with(with_trust(value, stored), self.of(stored))
    }
}

/// Puts what contradicts it, if anything does, into a JSON object.
pub(in crate::command) fn with(mut value: Value, by: Option<&Contradicted>) -> Value {
    if let (Some(members), Some(by)) = (value.as_object_mut(), by) {
        members.insert("contradicted".to_owned(), by.as_json());
    }
    value
}

/// A text of a commit by its lines.
struct Text<'t> {
    lines: Vec<&'t [u8]>,
    places: HashMap<LineHash, Vec<usize>>,
}

impl<'t> Text<'t> {
    fn new(text: &'t [u8]) -> Self {
        let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let mut places: HashMap<LineHash, Vec<usize>> = HashMap::new();
        for (place, line) in lines.iter().enumerate() {
            places.entry(LineHash::of(line)).or_default().push(place);
        }
        Self { lines, places }
    }

    /// Where a block of so many lines may begin, as the one of its lines tells that stands here least often.
    fn likely(&self, range: &ChangedRange, count: usize) -> impl Iterator<Item = usize> {
        let known = range.landmarks.lines.as_slice().iter().enumerate();
        let places = known.map(|(nth, line)| (nth, self.places.get(line).map_or(&[][..], Vec::as_slice)));
        let (nth, places) = places.min_by_key(|(_, places)| places.len()).unwrap_or_default();
        let begins = places.iter().filter_map(move |place| place.checked_sub(nth));
        let fits = begins.filter(move |begin| begin.saturating_add(count) <= self.lines.len());
        fits.take((ANYWHERE / count.max(1)).max(1))
    }

    /// Whether it has the lines of a range.
    fn has(&self, range: &ChangedRange) -> bool {
        let (Some(first), Some(count)) =
            (range.start_line.checked_sub(1), (range.end_line + 1).checked_sub(range.start_line))
        else {
            return false;
        };
        let is_it = |start: usize| {
            let block = self.lines.get(start..start.saturating_add(count));
            block.is_some_and(|block| block_hash(&block.concat()) == range.content_hash)
        };
        let elsewhere = || match self.lines.len().saturating_mul(count) {
            ..=ANYWHERE => (0..self.lines.len()).any(is_it),
            _ => self.likely(range, count).any(is_it),
        };
        is_it(first) || (count >= TELLING && elsewhere())
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::{Landmarks, LineHashes};

    use super::*;

    fn range(start_line: usize, block: &[u8]) -> ChangedRange {
        let lines = block.split_inclusive(|byte| *byte == b'\n').count();
        ChangedRange {
            content_hash: block_hash(block),
            end_line: start_line + lines - 1,
            landmarks: Landmarks { lines: LineHashes::of(block), ..Landmarks::default() },
            start_line,
            symbol: None,
        }
    }

    #[test]
    fn few_lines_are_known_in_their_place_and_more_wherever_they_stand() {
        let stands = |range: &ChangedRange, text: &[u8]| Text::new(text).has(range);
        let text = b"one\n}\ntwo\nthree\nfour\n";
        assert!(stands(&range(2, b"}\n"), text));
        assert!(!stands(&range(1, b"}\n"), text), "a brace stands anywhere");
        assert!(!stands(&range(1, b"two\nthree\n"), text));
        assert!(stands(&range(1, b"two\nthree\nfour\n"), text));
        assert!(!stands(&range(9, b"two\nthree\nfive\n"), text));
        assert!(!stands(&range(1, b"one\n"), b""));
    }

    #[test]
    fn a_long_block_is_found_by_its_rarest_line_and_not_by_hashing_everything() {
        let same = b"same\n".repeat(4_000);
        let text = [&same[..], b"rare\n", &same[..], b"the end\n"].concat();
        let text = Text::new(&text);
        let moved = [&b"same\n".repeat(1_000)[..], b"rare\n", &b"same\n".repeat(1_000)[..]].concat();
        let range_of = |block: &[u8]| (range(1, block), block.split(|byte| *byte == b'\n').count() - 1);
        let (there, count) = range_of(&moved);
        assert_eq!(text.likely(&there, count).collect::<Vec<_>>(), [3_000]);
        assert!(text.has(&there), "its first line stands in 8000 places, the rare one in one");
        let (claimed, count) = range_of(&[&b"same\n".repeat(3_000)[..], b"other\n"].concat());
        let tried = text.likely(&claimed, count).count();
        assert!(tried > 0 && tried * count <= ANYWHERE, "{tried} places for {count} lines");
        assert!(!text.has(&claimed));
    }
}
