//! What a commit's second alone leaves open: which entries are older than it. And what is known of contents that nobody
//! kept.

use std::rc::Rc;

use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Change, ChangedFile, ChangedRange, ContentHash, FileState, Hunk, Landmarks, LineHashes, Lineage, Origin,
    RepoPath, StoredEntry, Timestamp, VcsRevision, block_hash,
};

use super::{Committed, Contents, How, lineage};

const PATH: &str = "src/auth/session.rs";

/// A commit: its name, those before it, its second, and the text that it has.
#[derive(Debug)]
struct Commit(&'static str, &'static [&'static str], i64, String);

/// The newest comes last, and is the one that the working copy stands on.
#[derive(Debug)]
struct History(Vec<Commit>);

impl History {
    fn named(&self, name: &str) -> Option<&Commit> {
        self.0.iter().find(|commit| commit.0 == name)
    }

    fn having(&self, hash: &ContentHash) -> Option<&Commit> {
        self.0.iter().find(|commit| ContentHash::of(commit.3.as_bytes()) == *hash)
    }
}

fn committed(commit: &Commit) -> Committed {
    Committed {
        id: commit.0.to_owned(),
        content: ContentHash::of(commit.3.as_bytes()),
        at: Timestamp::from_unix_ms(commit.2 * 1000),
        takes_back: false,
    }
}

impl Contents for History {
    fn text(&self, _: &RepoPath, hash: &ContentHash) -> Option<Rc<[u8]>> {
        self.having(hash).map(|commit| Rc::from(commit.3.as_bytes()))
    }

    fn parents(&self, _: &RepoPath, hash: &ContentHash) -> Vec<Committed> {
        let parents = self.having(hash).map(|commit| commit.1).unwrap_or_default();
        parents.iter().filter_map(|name| self.named(name)).map(committed).collect()
    }

    fn first_commit(&self, _: &RepoPath, hash: &ContentHash) -> Option<Committed> {
        self.having(hash).map(committed)
    }

    fn follows(&self, revision: &str, commit: &str) -> bool {
        revision == commit
            || self.named(revision).is_some_and(|known| known.1.iter().any(|name| self.follows(name, commit)))
    }

    fn committed(&self, revision: Option<&str>, _: &RepoPath) -> Option<Committed> {
        revision.map_or(self.0.last(), |revision| self.named(revision)).map(committed)
    }

    fn shows_move(&self, _: &RepoPath, _: &RepoPath, _: &ContentHash) -> bool {
        false
    }

    fn knows(&self, revision: &str) -> bool {
        self.named(revision).is_some()
    }
}

/// Twelve lines, of which these are by somebody.
fn text(changed: &[(usize, &str)]) -> String {
    let line = |number| match changed.iter().find(|(line, _)| *line == number) {
        Some((_, by)) => format!("    written_by({by});\n"),
        None => format!("    let value_{number} = compute({number});\n"),
    };
    (1..=12).map(line).collect()
}

/// An entry that stood on the first commit and wrote one line of its text anew.
fn entry(id: &str, at_ms: i64, before: &str, after: &str, line: usize) -> StoredEntry {
    let mut entry = sample::trace_entry(id, &sample::intent("INT-001", &["src/**"]));
    entry.timestamp = Timestamp::from_unix_ms(at_ms);
    entry.vcs = VcsRevision::Commit("base".to_owned());
    let written = after.split_inclusive('\n').nth(line - 1).unwrap();
    let state = |text: &str| FileState::Content(ContentHash::of(text.as_bytes()));
    entry.files = vec![ChangedFile {
        path: sample::path(PATH),
        change: Change::Modified,
        before: state(before),
        after: state(after),
        ranges: vec![ChangedRange {
            start_line: line,
            end_line: line,
            content_hash: block_hash(b"x"),
            landmarks: Landmarks { lines: LineHashes::of(written.as_bytes()), ..Landmarks::default() },
            symbol: None,
        }],
        removed: Vec::new(),
        binary: false,
        lineage: Some(Lineage { hunks: vec![Hunk::from([line, 1, line, 1])], doubtful: Vec::new() }),
        moved_from: None,
        moved_to: None,
    }];
    StoredEntry {
        origin: Origin::Live,
        seq: 0,
        checksum: ContentHash::of(id.as_bytes()),
        entry,
        record: String::new(),
        is_from_here: true,
        trust: None,
    }
}

// REQ 163
#[test]
fn both_sides_of_a_merge_are_known_however_fast_they_were_made() {
    let lines = |changed: &[usize]| -> String {
        let line = |number| match changed.contains(&number) {
            true => format!("    written_by_an_agent({number});\n"),
            false => format!("    let value_{number} = compute({number});\n"),
        };
        (1..=12).map(line).collect()
    };
    let (base, side, main, merged) = (lines(&[]), lines(&[2]), lines(&[11]), lines(&[2, 11]));
    // Both within the second of the commits, and the one of them just before it.
    for side_at in [10_200, 9_900] {
        let history = History(vec![
            Commit("base", &[], 9, base.clone()),
            Commit("side", &["base"], 10, side.clone()),
            Commit("main", &["base"], 10, main.clone()),
            Commit("merge", &["main", "side"], 11, merged.clone()),
        ]);
        let entries =
            [entry("on-main", 10_500, &base, &main, 11), entry("on-side", side_at, &base, &side, 2)];
        let told = lineage(&sample::path(PATH), merged.as_bytes(), &entries, &history);
        let of = |line: usize| told[line].map(|came| (came.stored.entry.id.as_str(), came.how));
        assert_eq!(of(1), Some(("on-side", How::Proved)), "{side_at}");
        assert_eq!(of(10), Some(("on-main", How::Proved)), "{side_at}");
        assert_eq!(told.iter().flatten().count(), 2);
    }
}

// REQ 163, D-11
#[test]
fn a_persons_change_after_several_calls_hides_none_of_them() {
    let texts = [
        text(&[]),
        text(&[(2, "first")]),
        text(&[(2, "first"), (6, "second")]),
        text(&[(2, "first"), (6, "third")]),
        text(&[(2, "first"), (6, "third"), (11, "hand")]),
    ];
    let [base, first, second, third, committed] = texts.each_ref();
    let history = History(vec![
        Commit("base", &[], 9, base.clone()),
        Commit("commit", &["base"], 20, committed.clone()),
    ]);
    let entries = [
        entry("third", 12_000, second, third, 6),
        entry("second", 11_000, first, second, 6),
        entry("first", 10_000, base, first, 2),
    ];
    let told = lineage(&sample::path(PATH), committed.as_bytes(), &entries, &history);
    let of = |line: usize| told[line].map(|came| (came.stored.entry.id.as_str(), came.how));
    assert_eq!((of(1).unwrap().0, of(5).unwrap().0, of(10)), ("first", "third", None));
}

// REQ 163, D-43
#[test]
fn an_agents_lines_between_changes_that_nobody_kept_are_told_by_what_stands_beside_them() {
    let texts = [
        text(&[]),
        text(&[(9, "hand")]),
        text(&[(4, "agent"), (9, "hand")]),
        text(&[(4, "agent"), (9, "hand"), (11, "again")]),
    ];
    let [base, found, left, committed] = texts.each_ref();
    let history = History(vec![
        Commit("base", &[], 9, base.clone()),
        Commit("commit", &["base"], 20, committed.clone()),
    ]);
    let mut entry = entry("agent", 12_000, found, left, 4);
    let lines: Vec<&str> = left.split_inclusive('\n').collect();
    let landmarks = &mut entry.entry.files[0].ranges[0].landmarks;
    landmarks.above = LineHashes::of(lines[..3].concat().as_bytes());
    landmarks.below = LineHashes::of(lines[4..7].concat().as_bytes());
    let entries = [entry];
    let told = |text: &str| -> Vec<(usize, How)> {
        let told = lineage(&sample::path(PATH), text.as_bytes(), &entries, &history);
        told.iter().enumerate().filter_map(|(line, came)| came.map(|came| (line, came.how))).collect()
    };
    assert_eq!(told(committed), [(3, How::Likely)]);
    // The line went away.
    assert_eq!(told(&text(&[(9, "hand"), (11, "again")])), []);
}

// REQ 163: a shallow clone has no text from before, and a later call may have changed lines far below the first one's
#[test]
fn what_later_calls_changed_below_is_told_where_no_text_is_kept() {
    let texts = [
        text(&[]),
        text(&[(2, "first")]),
        text(&[(2, "first"), (11, "second")]),
        text(&[(2, "first"), (6, "hand"), (11, "second")]),
    ];
    let [base, first, second, committed] = texts.each_ref();
    let history = History(vec![Commit("commit", &[], 20, committed.clone())]);
    let entries = [entry("second", 11_000, first, second, 11), entry("first", 10_000, base, first, 2)];
    let told = lineage(&sample::path(PATH), committed.as_bytes(), &entries, &history);
    let of = |line: usize| told[line].map(|came| (came.stored.entry.id.as_str(), came.how));
    assert_eq!((of(1), of(10)), (Some(("first", How::Likely)), Some(("second", How::Likely))));
    assert_eq!(told.iter().flatten().count(), 2);
}
