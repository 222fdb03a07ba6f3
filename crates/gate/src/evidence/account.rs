//! Whether entries account for what a commit did to a file: step by step from the content before to the content after, or
//! line by line.
//!
//! Contents are known by their hashes alone, so this also holds for what is gone and for what is no text. Deliberately
//! absent: git, and who answers for a commit.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use bailiwick_domain::{FileState, IntentId, RepoPath, StoredEntry};

/// So many states of one file are followed.
const MOST_STATES: usize = 10_000;

/// What a run of changed lines is put down to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Account {
    /// To entries under these intents.
    Traced(BTreeSet<IntentId>),
    /// To nobody; so many of its lines are traced all the same.
    Untraced {
        /// Lines that entries wrote.
        traced: usize,
        /// All lines that say something.
        of: usize,
    },
}

/// The intents of the calls that lead a file from one state to the other, each beginning where one before it ended;
/// `None` where no calls do.
pub fn way(
    path: &RepoPath,
    from: &FileState,
    to: &FileState,
    entries: &[&StoredEntry],
) -> Option<BTreeSet<IntentId>> {
    // What somebody else wrote into the file while a call ran is in its state too.
    let steps: Vec<(&FileState, &FileState, &IntentId)> = entries
        .iter()
        .filter(|stored| !stored.entry.context.amended)
        .flat_map(|stored| stored.entry.files.iter().map(move |file| (stored, file)))
        .filter(|(_, file)| file.path == *path)
        .map(|(stored, file)| (&file.before, &file.after, &stored.entry.context.intent))
        .collect();
    let mut reached: Vec<(&FileState, Option<(usize, &IntentId)>)> = vec![(from, None)];
    let mut open = VecDeque::from([0_usize]);
    while let Some(at) = open.pop_front() {
        let Some((state, _)) = reached.get(at).copied() else { break };
        for (before, after, intent) in &steps {
            if *before != state || reached.len() >= MOST_STATES {
                continue;
            }
            if *after == to {
                let mut intents = BTreeSet::from([(*intent).clone()]);
                let mut back = Some(at);
                while let Some((earlier, by)) = back.and_then(|at| reached.get(at)).and_then(|(_, by)| *by) {
                    intents.insert(by.clone());
                    back = Some(earlier);
                }
                return Some(intents);
            }
            if !reached.iter().any(|(known, _)| known == after) {
                reached.push((after, Some((at, intent))));
                open.push_back(reached.len() - 1);
            }
        }
    }
    None
}

/// What a run of new lines (counted from 0) is put down to, when each line is known to be somebody's or nobody's. Lines
/// of blanks alone say nothing, unless there are no others.
pub fn of_lines(run: Range<usize>, owners: &[Option<IntentId>], is_blank: impl Fn(usize) -> bool) -> Account {
    let mut told: Vec<usize> = run.clone().filter(|line| !is_blank(*line)).collect();
    if told.is_empty() {
        told = run.collect();
    }
    let traced: Vec<&IntentId> =
        told.iter().filter_map(|line| owners.get(*line).and_then(Option::as_ref)).collect();
    if !told.is_empty() && traced.len() == told.len() {
        return Account::Traced(traced.into_iter().cloned().collect());
    }
    Account::Untraced { traced: traced.len(), of: told.len() }
}
