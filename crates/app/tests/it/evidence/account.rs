//! What entries account for: the way of a file between two commits, and runs of lines.

use std::collections::BTreeSet;

use bailiwick::evidence::{Account, of_lines, way};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Change, ChangedFile, ContentHash, FileState, IntentId, Origin, RepoPath, StoredEntry,
};
use proptest::prelude::*;

const PATH: &str = "src/a.rs";

fn state(number: usize) -> FileState {
    FileState::Content(ContentHash::of(number.to_string().as_bytes()))
}

fn from(number: usize) -> impl Fn(&RepoPath, &FileState) -> bool {
    move |path, then| path.as_str() == PATH && *then == state(number)
}

fn intent(number: usize) -> IntentId {
    IntentId::new(&format!("INT-{number:03}")).unwrap()
}

/// A call under that intent that led the file from one state to the next.
fn step(from: usize, under: usize) -> StoredEntry {
    let mut entry = sample::trace_entry("e1", &sample::intent("INT-001", &["src/"]));
    entry.context.intent = intent(under);
    entry.files = vec![ChangedFile {
        path: RepoPath::new(PATH).unwrap(),
        change: Change::Modified,
        before: state(from),
        after: state(from + 1),
        ranges: Vec::new(),
        removed: Vec::new(),
        binary: false,
        lineage: None,
        moved_from: None,
        moved_to: None,
    }];
    StoredEntry {
        origin: Origin::Live,
        trust: None,
        is_from_here: true,
        seq: 0,
        checksum: ContentHash::of(b""),
        entry,
        record: String::new(),
    }
}

// What somebody else wrote while the call ran is in the state that it left, so that state explains no line.
#[test]
fn a_call_that_was_amended_is_no_way() {
    let (mut one, two) = (step(0, 1), step(1, 1));
    let path = RepoPath::new(PATH).unwrap();
    assert!(way(&path, &state(2), &[&one, &two], from(0)).is_some());
    one.entry.context.amended = true;
    assert_eq!(way(&path, &state(2), &[&one, &two], from(0)), None);
    assert!(way(&path, &state(2), &[&one, &two], from(1)).is_some());
}

/// The same call, which moved the file from there as well.
fn moved(number: usize, source: &str) -> StoredEntry {
    let mut stored = step(number, 1);
    let source = RepoPath::new(source).unwrap();
    let file = &mut stored.entry.files[0];
    let mut gone = file.clone();
    (gone.path, gone.after, gone.moved_to) = (source.clone(), FileState::Absent, Some(file.path.clone()));
    (file.before, file.moved_from) = (FileState::Absent, Some(source));
    stored.entry.files.push(gone);
    stored
}

// What was moved begins as it was where it came from: that nothing was here before explains none of it.
#[test]
fn a_move_leads_from_what_was_moved() {
    let stored = moved(0, "src/b.rs");
    let path = RepoPath::new(PATH).unwrap();
    let had = |source: &'static str, then: FileState| {
        move |path: &RepoPath, state: &FileState| path.as_str() == source && *state == then
    };
    assert_eq!(way(&path, &state(1), &[&stored], had(PATH, FileState::Absent)), None);
    assert_eq!(way(&path, &state(1), &[&stored], had("src/b.rs", state(7))), None);
    assert!(way(&path, &state(1), &[&stored], had("src/b.rs", state(0))).is_some());
    let source = RepoPath::new("src/b.rs").unwrap();
    assert!(way(&source, &FileState::Absent, &[&stored], had("src/b.rs", state(0))).is_some());
}

// What is no file has no content that would tell one from another.
#[test]
fn nothing_leads_over_what_is_no_file() {
    let (mut one, mut two) = (step(0, 1), step(1, 1));
    one.entry.files[0].after = FileState::Other;
    two.entry.files[0].before = FileState::Other;
    let path = RepoPath::new(PATH).unwrap();
    assert_eq!(way(&path, &state(2), &[&one, &two], from(0)), None);
    assert_eq!(way(&path, &FileState::Other, &[&one], from(0)), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    // D-43: a commit is one agent's, or several agents', exactly when each step of the file in between is
    #[test]
    fn a_way_is_known_exactly_when_every_step_is(
        // Under which intent each step was made; a person's step has none.
        steps in prop::collection::vec(prop::option::weighted(0.8, 0_usize..4), 1..12),
        cuts in (0_usize..12, 0_usize..12),
        seed in any::<prop::sample::Index>(),
    ) {
        let (first, last) = (cuts.0.min(cuts.1) % steps.len(), cuts.0.max(cuts.1).min(steps.len()));
        prop_assume!(first < last);
        let mut entries: Vec<StoredEntry> = steps
            .iter()
            .enumerate()
            .filter_map(|(at, under)| under.map(|under| step(at, under)))
            .collect();
        // Segments come in any order.
        let turn = if entries.is_empty() { 0 } else { seed.index(entries.len()) };
        entries.rotate_left(turn);
        let all: Vec<&StoredEntry> = entries.iter().collect();
        let path = RepoPath::new(PATH).unwrap();
        let between = &steps[first..last];
        let expected: Option<BTreeSet<IntentId>> =
            between.iter().map(|under| under.map(intent)).collect();
        prop_assert_eq!(way(&path, &state(last), &all, from(first)), expected);
        let other = RepoPath::new("src/b.rs").unwrap();
        prop_assert_eq!(way(&other, &state(last), &all, from(first)), None, "another file");
    }

    // A run is traced exactly when each line that says something is.
    #[test]
    fn a_run_is_traced_when_every_line_that_says_something_is(
        lines in prop::collection::vec((prop::option::of(0_usize..3), any::<bool>()), 1..12),
    ) {
        let owners: Vec<Option<IntentId>> = lines.iter().map(|(owner, _)| owner.map(intent)).collect();
        let is_blank = |line: usize| lines[line].1;
        let told: Vec<usize> = (0..lines.len()).filter(|line| !is_blank(*line)).collect();
        let told = if told.is_empty() { (0..lines.len()).collect() } else { told };
        let traced = told.iter().filter(|line| owners[**line].is_some()).count();
        match of_lines(0..lines.len(), &owners, is_blank) {
            Account::Traced(intents) => {
                prop_assert_eq!(traced, told.len());
                prop_assert_eq!(intents, told.iter().filter_map(|line| owners[*line].clone()).collect());
            }
            Account::Untraced { traced: counted, of } => {
                prop_assert_eq!((counted, of), (traced, told.len()));
                prop_assert!(traced < told.len());
            }
        }
    }
}

// A file that only goes has no lines of its own.
#[test]
fn a_run_without_lines_is_nobodys() {
    assert_eq!(of_lines(3..3, &[], |_| false), Account::Untraced { traced: 0, of: 0 });
}
