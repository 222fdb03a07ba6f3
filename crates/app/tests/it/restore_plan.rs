//! Plans of what is taken back, against a walk that takes back one change after another (row 75).

use std::collections::BTreeMap;

use bailiwick::restore::{chains, unrestored};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{ContentHash, FileState, Origin, RepoPath, Restores, StoredEntry};
use proptest::prelude::*;

type Tree = BTreeMap<&'static str, Option<u8>>;

#[derive(Clone, Debug)]
enum Step {
    /// A call of that session makes the file this.
    Call(bool, &'static str, Option<u8>),
    /// A human does, by hand.
    Hand(&'static str, Option<u8>),
    /// A human takes one recorded change back, the n-th from the end, if that can be done.
    Restore(usize),
}

/// A recorded change, as the walk knows it.
#[derive(Clone, Debug)]
struct Change {
    path: &'static str,
    before: Option<u8>,
    after: Option<u8>,
    ours: bool,
    /// The change that it took back.
    takes_back: Option<usize>,
}

/// Whether a change counts: nothing that counts itself took it back. It may be taken back, given back and taken back again.
fn counts(changes: &[Change], at: usize) -> bool {
    (at..changes.len()).all(|by| changes[by].takes_back != Some(at) || !counts(changes, by))
}

/// Lives through the steps.
fn live(steps: &[Step]) -> (Tree, Vec<Change>) {
    let (mut tree, mut changes) = (Tree::from([("x", None), ("y", Some(0))]), Vec::<Change>::new());
    for step in steps {
        match *step {
            Step::Hand(path, text) => drop(tree.insert(path, text)),
            Step::Call(ours, path, after) => {
                let before = tree[path];
                if before != after {
                    tree.insert(path, after);
                    changes.push(Change { path, before, after, ours, takes_back: None });
                }
            }
            Step::Restore(back) => {
                let Some(at) = changes.len().checked_sub(back + 1) else { continue };
                let Change { path, before, after, .. } = changes[at].clone();
                if counts(&changes, at) && tree[path] == after && before != after {
                    tree.insert(path, before);
                    let takes_back = Some(at);
                    changes.push(Change { path, before: after, after: before, ours: false, takes_back });
                }
            }
        }
    }
    (tree, changes)
}

fn state(text: Option<u8>) -> FileState {
    text.map_or(FileState::Absent, |byte| FileState::Content(ContentHash::of(&[byte])))
}

fn stored(at: usize, change: &Change) -> StoredEntry {
    let mut entry = sample::trace_entry(&at.to_string(), &sample::intent("INT-001", &["**"]));
    entry.files[0].path = RepoPath::new(change.path).unwrap();
    (entry.files[0].before, entry.files[0].after) = (state(change.before), state(change.after));
    entry.context.restores =
        change.takes_back.map(|taken| Restores { entries: vec![taken.to_string()], grant: None });
    StoredEntry {
        origin: Origin::Live,
        trust: None,
        seq: at as u64,
        checksum: ContentHash::of(at.to_string().as_bytes()),
        entry,
        record: String::new(),
        is_from_here: true,
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let path = || prop::sample::select(vec!["x", "y"]);
    let text = || prop::option::of(0_u8..3);
    let step = prop_oneof![
        5 => (any::<bool>(), path(), text()).prop_map(|(ours, path, text)| Step::Call(ours, path, text)),
        1 => (path(), text()).prop_map(|(path, text)| Step::Hand(path, text)),
        2 => (0_usize..4).prop_map(Step::Restore),
    ];
    prop::collection::vec(step, 0..14)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    // REQ 75: a chain says what a walk back finds, newest change first, and where it cannot go on
    #[test]
    fn a_plan_is_what_a_walk_back_would_do(steps in steps()) {
        let (tree, changes) = live(&steps);
        let mut entries: Vec<StoredEntry> =
            changes.iter().enumerate().map(|(at, change)| stored(at, change)).collect();
        entries.reverse();
        let open = unrestored(&entries);
        let counting: Vec<bool> = changes
            .iter()
            .enumerate()
            .map(|(at, change)| open.contains(&(at.to_string(), RepoPath::new(change.path).unwrap())))
            .collect();
        let expected: Vec<bool> = (0..changes.len()).map(|at| counts(&changes, at)).collect();
        prop_assert_eq!(&counting, &expected, "{:?}", changes);

        let ours: Vec<&StoredEntry> = entries
            .iter()
            .filter(|stored| changes[stored.entry.id.parse::<usize>().unwrap()].ours)
            .collect();
        let planned = chains(&ours, |id, path| open.contains(&(id.to_owned(), path.clone())));
        for path in ["x", "y"] {
            let (mut now, mut walks, mut any) = (tree[path], true, false);
            for (change, counts) in changes.iter().zip(&expected).rev() {
                if change.ours && *counts && change.path == path {
                    any = true;
                    walks &= now == change.after;
                    now = change.before;
                }
            }
            let chain = planned.iter().find(|chain| chain.path.as_str() == path);
            prop_assert_eq!(chain.is_some(), any);
            if let Some(chain) = chain {
                let can = chain.gap.is_none() && state(tree[path]) == chain.after;
                prop_assert_eq!(can, walks, "{}: {:?}", path, changes);
                prop_assert_eq!(&chain.before, &state(now));
            }
        }
    }
}
