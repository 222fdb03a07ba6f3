//! Whether entries account for what a commit did to a file: step by step from the content before to the content after, or
//! line by line.
//!
//! Contents are known by their hashes alone, so this also holds for what is gone and for what is no text. Deliberately
//! absent: git, and who answers for a commit.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use bailiwick_domain::{FileState, IntentId, RepoPath, StoredEntry, TraceEntry};

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

/// A file in a state.
type Place<'e> = (&'e RepoPath, &'e FileState);

/// One call's change of one file: what it began with, under the name that this had, and what it left.
struct Step<'e> {
    before: Place<'e>,
    after: Place<'e>,
    intent: &'e IntentId,
}

/// The intents of the calls that lead to a file's state from what was there before, each beginning where one before it
/// ended; `None` where no calls do. `had` says whether a path was in a state before. A file that a call moved there begins
/// as what was moved.
pub fn way(
    path: &RepoPath,
    to: &FileState,
    entries: &[&StoredEntry],
    had: impl Fn(&RepoPath, &FileState) -> bool,
) -> Option<BTreeSet<IntentId>> {
    let steps: Vec<Step<'_>> = entries.iter().flat_map(|stored| steps(stored)).collect();
    let mut reached: Vec<(Place<'_>, Option<(usize, &IntentId)>)> = vec![((path, to), None)];
    let mut open = VecDeque::from([0_usize]);
    while let Some(at) = open.pop_front() {
        let Some((place, _)) = reached.get(at).copied() else { break };
        for Step { before, after, intent } in &steps {
            if *after != place || reached.len() >= MOST_STATES {
                continue;
            }
            if had(before.0, before.1) {
                let mut intents = BTreeSet::from([(*intent).clone()]);
                let mut onwards = Some(at);
                while let Some((next, by)) = onwards.and_then(|at| reached.get(at)).and_then(|(_, by)| *by) {
                    intents.insert(by.clone());
                    onwards = Some(next);
                }
                return Some(intents);
            }
            if !reached.iter().any(|(known, _)| known == before) {
                reached.push((*before, Some((at, intent))));
                open.push_back(reached.len() - 1);
            }
        }
    }
    None
}

/// What a call did to files, as far as the ledger knows all of it: what somebody else wrote while the call ran is in the
/// state that it left too, and what is no file has no content.
fn steps(stored: &StoredEntry) -> impl Iterator<Item = Step<'_>> {
    let TraceEntry { context, files, .. } = &stored.entry;
    let known = files.iter().filter(|_| !context.amended);
    known.filter_map(move |file| {
        let source = match &file.moved_from {
            Some(from) => files.iter().find(|source| source.path == *from)?,
            None => file,
        };
        let is_known = ![&source.before, &file.after].contains(&&FileState::Other);
        is_known.then_some(Step {
            before: (&source.path, &source.before),
            after: (&file.path, &file.after),
            intent: &context.intent,
        })
    })
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

/// The parts of a run that are somebody's or nobody's throughout, in order. A line of blanks goes with the one above.
pub fn parts(
    run: Range<usize>,
    owners: &[Option<IntentId>],
    is_blank: impl Fn(usize) -> bool,
) -> Vec<Range<usize>> {
    let mut parts: Vec<(Range<usize>, Option<bool>)> = Vec::new();
    for line in run.clone() {
        let is_owned = (!is_blank(line)).then(|| owners.get(line).is_some_and(Option::is_some));
        match parts.last_mut() {
            Some((part, of)) if is_owned.is_none() || of.is_none() || *of == is_owned => {
                part.end = line + 1;
                *of = of.or(is_owned);
            }
            _ => parts.push((line..line + 1, is_owned)),
        }
    }
    if parts.is_empty() { vec![run] } else { parts.into_iter().map(|(part, _)| part).collect() }
}
