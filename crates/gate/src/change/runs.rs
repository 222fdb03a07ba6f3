//! What changed between two contents: line runs with their hashes for the ledger.
//!
//! Plain functions over bytes. Deliberately absent: reading files, and syntax.

use std::ops::Range;

use super::{compared, doubtful};
use bailiwick_domain::{
    Change, ChangedFile, ChangedRange, ContentHash, FileState, Hunk, Landmarks, LineHash, LineHashes,
    Lineage, RepoPath, block_hash,
};
use similar::DiffOp;

/// What a call did to one file, from its content before and after; `None` stands for no file.
pub(crate) fn changed_file(path: &RepoPath, before: Option<&[u8]>, after: Option<&[u8]>) -> ChangedFile {
    let binary = [before, after].into_iter().flatten().any(is_binary);
    let (ranges, removed, lineage) = if binary {
        (Vec::new(), Vec::new(), None)
    } else {
        let (ranges, removed, lineage) = changed_lines(before.unwrap_or_default(), after.unwrap_or_default());
        (ranges, removed, after.map(|_| lineage))
    };
    ChangedFile {
        path: path.clone(),
        change: match (before, after) {
            (None, Some(_)) => Change::Created,
            (_, None) => Change::Deleted,
            (Some(_), Some(_)) => Change::Modified,
        },
        before: state_of(before),
        after: state_of(after),
        ranges,
        removed,
        binary,
        lineage,
        moved_from: None,
        moved_to: None,
    }
}

/// The same of a call whose content somebody changed again on the way to the disk: a formatter, a person in the
/// host's dialog. Of what is there now only that counts as the call's which it was to write (`predicted`), as it is
/// or in the form that replaced it; lines that the call had not touched are not its own. A form that replaced it is doubtful:
/// nobody knows whether it says the same.
pub(crate) fn own_part(
    path: &RepoPath,
    before: Option<&[u8]>,
    predicted: &[u8],
    after: Option<&[u8]>,
) -> ChangedFile {
    let whole = changed_file(path, before, after);
    let Some(after) = after.filter(|_| !whole.binary && !is_binary(predicted)) else { return whole };
    let own = changed_file(path, before, Some(predicted));
    let is_own =
        |line: usize| own.ranges.iter().any(|run| (run.start_line..=run.end_line).contains(&(line + 1)));
    let (old, new) = (lines(predicted), lines(after));
    let mut kept = vec![false; new.len()];
    let mut replaced: Vec<(usize, usize)> = Vec::new();
    for op in compared(&old, &new) {
        let (was, is) = (op.old_range(), op.new_range());
        let equal = matches!(op, DiffOp::Equal { .. });
        if !equal && !is.is_empty() && was.clone().any(is_own) {
            replaced.push((is.start + 1, is.end));
        }
        for (offset, at) in is.enumerate() {
            let touched = if equal { is_own(was.start + offset) } else { was.clone().any(is_own) };
            if let Some(slot) = kept.get_mut(at) {
                *slot = touched;
            }
        }
    }
    let ranges = whole.ranges.iter().flat_map(|run| own_runs(run, &kept, &new)).collect();
    let removed =
        whole.removed.into_iter().filter(|(_, hash)| own.removed.iter().any(|(_, own)| own == hash));
    let lineage = whole.lineage.map(|lineage| Lineage {
        doubtful: lineage.doubtful.into_iter().chain(replaced).collect(),
        ..lineage
    });
    ChangedFile { ranges, removed: removed.collect(), lineage, ..whole }
}

/// The runs of kept lines within a run.
fn own_runs(run: &ChangedRange, kept: &[bool], new: &[&[u8]]) -> Vec<ChangedRange> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for line in run.start_line - 1..run.end_line {
        if !kept.get(line).copied().unwrap_or(false) {
            continue;
        }
        match runs.last_mut() {
            Some(last) if last.end == line => last.end = line + 1,
            _ => runs.push(line..line + 1),
        }
    }
    runs.into_iter().map(|run| range_of(new, run)).collect()
}

fn range_of(lines: &[&[u8]], run: Range<usize>) -> ChangedRange {
    let hashes = |run: Range<usize>| -> LineHashes {
        lines.get(run).unwrap_or_default().iter().map(|line| LineHash::of(line)).collect()
    };
    let landmarks = Landmarks {
        lines: hashes(run.clone()),
        above: hashes(run.start.saturating_sub(Landmarks::AROUND)..run.start),
        below: hashes(run.end..lines.len().min(run.end + Landmarks::AROUND)),
    };
    let (start_line, end_line) = (run.start + 1, run.end);
    ChangedRange { start_line, end_line, content_hash: hash_of(lines, run), symbol: None, landmarks }
}

fn state_of(content: Option<&[u8]>) -> FileState {
    content.map_or(FileState::Absent, |bytes| FileState::Content(ContentHash::of(bytes)))
}

/// Whether a content is not text: not UTF-8, or with a NUL.
fn is_binary(bytes: &[u8]) -> bool {
    bytes.contains(&0) || std::str::from_utf8(bytes).is_err()
}

/// Whether a content is text.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    !is_binary(bytes)
}

/// How many bytes of a line count as one line where lines are counted, so that a long line is no way around a bound.
const LINE_BYTES: usize = 240;

/// How many lines are added and removed, long ones counted as several.
pub(crate) fn line_count(before: Option<&[u8]>, after: &[u8]) -> u32 {
    let (old, new) = (lines(before.unwrap_or_default()), lines(after));
    let count = |lines: &[&[u8]], run: Range<usize>| -> usize {
        let run = lines.get(run).unwrap_or_default();
        run.iter().map(|line| line.len().div_ceil(LINE_BYTES)).sum()
    };
    let ops = compared(&old, &new);
    let changed = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    let total: usize = changed.map(|op| count(&old, op.old_range()) + count(&new, op.new_range())).sum();
    u32::try_from(total).unwrap_or(u32::MAX)
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

type Removed = Vec<(usize, ContentHash)>;

fn changed_lines(before: &[u8], after: &[u8]) -> (Vec<ChangedRange>, Removed, Lineage) {
    let (old, new) = (lines(before), lines(after));
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut removed = Removed::new();
    let mut hunks: Vec<Hunk> = Vec::new();
    for op in compared(&old, &new) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (gone, come) = (op.old_range(), op.new_range());
        add_hunk(&mut hunks, &gone, &come);
        if come.is_empty() {
            removed.push((come.start, hash_of(&old, gone)));
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.end == come.start => run.end = come.end,
            _ => runs.push(come),
        }
    }
    let doubtful = doubtful(&old, &new, &hunks).iter().map(|run| (run.start + 1, run.end)).collect();
    (runs.into_iter().map(|run| range_of(&new, run)).collect(), removed, Lineage { hunks, doubtful })
}

/// Adds a change to those above it; one that goes on where the last one ended is part of it.
fn add_hunk(hunks: &mut Vec<Hunk>, gone: &Range<usize>, come: &Range<usize>) {
    match hunks.last_mut() {
        Some(last)
            if last.old_start + last.old_count == gone.start + 1
                && last.new_start + last.new_count == come.start + 1 =>
        {
            last.old_count += gone.len();
            last.new_count += come.len();
        }
        _ => hunks.push(Hunk::from([gone.start + 1, gone.len(), come.start + 1, come.len()])),
    }
}

fn hash_of(lines: &[&[u8]], run: Range<usize>) -> ContentHash {
    block_hash(&lines.get(run).unwrap_or_default().concat())
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::{Change, FileState, RepoPath, block_hash};
    use proptest::prelude::*;

    use super::{changed_file, own_part};

    fn path() -> RepoPath {
        RepoPath::new("src/a.rs").unwrap()
    }

    #[track_caller]
    fn check(
        before: Option<&str>,
        after: Option<&str>,
        ranges: &[(usize, usize, &str)],
        removed: &[(usize, &str)],
    ) {
        let file = changed_file(&path(), before.map(str::as_bytes), after.map(str::as_bytes));
        let found: Vec<_> = file
            .ranges
            .iter()
            .map(|range| (range.start_line, range.end_line, range.content_hash.clone()))
            .collect();
        let expected: Vec<_> =
            ranges.iter().map(|(start, end, text)| (*start, *end, block_hash(text.as_bytes()))).collect();
        assert_eq!(found, expected, "ranges");
        let expected: Vec<_> = removed.iter().map(|(at, text)| (*at, block_hash(text.as_bytes()))).collect();
        assert_eq!(file.removed, expected, "removed");
        assert!(!file.binary);
    }

    // K-21, D-24
    #[test]
    fn ranges_are_the_changed_runs_of_the_new_text() {
        check(None, Some("a\nb\n"), &[(1, 2, "a\nb")], &[]);
        check(None, Some(""), &[], &[]);
        check(Some("a\nb\nc\n"), Some("a\nX\nc\n"), &[(2, 2, "X")], &[]);
        check(Some("a\nc\n"), Some("a\nb\nc\nd\n"), &[(2, 2, "b"), (4, 4, "d")], &[]);
        check(Some("a\nb"), Some("a\nb\n"), &[(2, 2, "b")], &[]);
        check(Some("a\nb\n"), Some("a\r\nb\r\n"), &[(1, 2, "a\nb")], &[]);
        check(Some("a\n"), Some("a\n"), &[], &[]);
    }

    // K-21, D-24
    #[test]
    fn removed_lines_have_an_anchor_and_a_hash_but_no_range() {
        check(Some("a\nb\nc\n"), Some("a\nc\n"), &[], &[(1, "b")]);
        check(Some("a\nb\n"), Some("b\n"), &[], &[(0, "a")]);
        check(Some("a\nb\n"), Some(""), &[], &[(0, "a\nb")]);
        check(Some("a\nb\n"), None, &[], &[(0, "a\nb")]);
    }

    #[track_caller]
    fn own(before: &str, predicted: &str, after: &str, ranges: &[(usize, usize)], removed: usize) {
        let file = own_part(&path(), Some(before.as_bytes()), predicted.as_bytes(), Some(after.as_bytes()));
        let found: Vec<_> = file.ranges.iter().map(|range| (range.start_line, range.end_line)).collect();
        assert_eq!((found.as_slice(), file.removed.len()), (ranges, removed), "{predicted:?} {after:?}");
        assert_eq!(file.after, FileState::Content(bailiwick_domain::ContentHash::of(after.as_bytes())));
    }

    // D-09
    #[test]
    fn what_a_formatter_or_a_human_adds_is_not_the_calls_own() {
        // The call's line stays its own in the form that a formatter gives it; the line that it did not touch does not.
        own("a\nb=1\n", "x\nb=1\n", "X;\nb=1\n", &[(1, 1)], 0);
        own("a\nm\nb=1\n", "x\nm\nb=1\n", "X;\nm\nb = 1\n", &[(1, 1)], 0);
        // A human adds a line, takes the call's line out, takes everything back.
        own("a\n", "a\nx\n", "a\nx\nhuman\n", &[(2, 2)], 0);
        own("a\n", "a\nx\n", "human\na\n", &[], 0);
        own("a\nb\n", "a\n", "a\nhuman\n", &[], 0);
        own("a\nb\nc\n", "a\nc\n", "a\nc\nhuman\n", &[], 1);
        own("a\nb\n", "b\n", "b\n", &[], 1);
    }

    // K-21
    #[test]
    fn binary_contents_have_hashes_only() {
        let file = changed_file(&path(), Some(b"text\n"), Some(b"\0\x01"));
        assert!(file.binary && file.ranges.is_empty() && file.removed.is_empty());
        assert!(changed_file(&path(), None, Some(b"\xff\xfe")).binary);
        let gone = changed_file(&path(), Some(b"\xff"), None);
        assert_eq!((gone.change, gone.after), (Change::Deleted, FileState::Absent));
    }

    fn text() -> impl Strategy<Value = String> {
        let line = prop::sample::select(vec!["a\n", "b\n", "c\r\n", "\n", "a"]);
        prop::collection::vec(line, 0..20).prop_map(|lines| lines.concat())
    }

    fn is_part_in_order(part: &[&str], whole: &[&str]) -> bool {
        let mut whole = whole.iter();
        part.iter().all(|line| whole.any(|other| other == line))
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        // D-09
        #[test]
        fn the_own_part_is_a_part_and_is_all_where_nobody_else_wrote(
            before in text(), predicted in text(), after in text()
        ) {
            let [before, predicted, after] = [&before, &predicted, &after].map(|text| text.as_bytes());
            let whole = changed_file(&path(), Some(before), Some(after));
            let own = own_part(&path(), Some(before), predicted, Some(after));
            let holds = |line| whole.ranges.iter().any(|run| (run.start_line..=run.end_line).contains(&line));
            prop_assert!(own.ranges.iter().all(|run| (run.start_line..=run.end_line).all(holds)));
            prop_assert!(own.removed.iter().all(|gone| whole.removed.contains(gone)));
            prop_assert_eq!(own_part(&path(), Some(before), after, Some(after)), whole);
            let nothing = own_part(&path(), Some(before), before, Some(after));
            prop_assert!(nothing.ranges.is_empty() && nothing.removed.is_empty());
        }

        // K-21, D-24
        #[test]
        fn ranges_hold_all_that_is_new_and_hash_what_they_hold(before in text(), after in text()) {
            let file = changed_file(&path(), Some(before.as_bytes()), Some(after.as_bytes()));
            let (old, new): (Vec<_>, Vec<_>) =
                (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
            let mut kept = Vec::new();
            let mut at = 1;
            for range in &file.ranges {
                prop_assert!(at <= range.start_line && range.start_line <= range.end_line, "in order, never empty");
                kept.extend(&new[at - 1..range.start_line - 1]);
                let block = new[range.start_line - 1..range.end_line].concat();
                prop_assert_eq!(&range.content_hash, &block_hash(block.as_bytes()));
                at = range.end_line + 1;
            }
            kept.extend(&new[at - 1..]);
            prop_assert!(is_part_in_order(&kept, &old), "what no range holds was there before");
            prop_assert_eq!(before == after, file.ranges.is_empty() && file.removed.is_empty());
            prop_assert!(file.removed.iter().all(|(anchor, _)| *anchor <= new.len()));
        }
    }
}
