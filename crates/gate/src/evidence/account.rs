//! Whether entries account for what a commit did to a file: step by step from the content before to the content after, or
//! line by line.
//!
//! Contents are known by their hashes alone, so this also holds for what is gone and for what is no text. Deliberately
//! absent: git, and who answers for a commit.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
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
    entry: &'e str,
    /// The put-back that took it back: the step counts where that is on the way, too.
    taken_back_by: Option<&'e str>,
}

/// The intents of the calls that lead to a file's state from what was there before, each beginning where one before it
/// ended; `None` where no calls do. `had` says whether a path was in a state before. A file that a call moved there begins
/// as what was moved. Entries come newest first: what a person took back leads nowhere by itself any more.
pub fn way(
    path: &RepoPath,
    to: &FileState,
    entries: &[&StoredEntry],
    had: impl Fn(&RepoPath, &FileState) -> bool,
) -> Option<BTreeSet<IntentId>> {
    let taken_back = taken_back(entries);
    let steps: Vec<Step<'_>> = entries.iter().flat_map(|stored| steps(stored, &taken_back)).collect();
    let mut reached: Reached<'_> = vec![((path, to), None)];
    let mut open = VecDeque::from([0_usize]);
    while let Some(at) = open.pop_front() {
        let Some((place, _)) = reached.get(at).copied() else { break };
        for step in &steps {
            let counts =
                || step.taken_back_by.is_none_or(|by| onwards(&reached, at).any(|next| next.entry == by));
            if step.after != place || reached.len() >= MOST_STATES || !counts() {
                continue;
            }
            if had(step.before.0, step.before.1) {
                let all = std::iter::once(step).chain(onwards(&reached, at));
                return Some(all.map(|step| step.intent.clone()).collect());
            }
            if !reached.iter().any(|(known, _)| *known == step.before) {
                reached.push((step.before, Some((at, step))));
                open.push_back(reached.len() - 1);
            }
        }
    }
    None
}

/// The places that lead to the last one, each with the step from there to the one before in the list.
type Reached<'s> = Vec<(Place<'s>, Option<(usize, &'s Step<'s>)>)>;

/// The steps from a place to the last one.
fn onwards<'r, 's>(reached: &'r Reached<'s>, at: usize) -> impl Iterator<Item = &'s Step<'s>> + 'r {
    let next = |at: usize| reached.get(at).and_then(|(_, by)| *by);
    std::iter::successors(next(at), move |(at, _)| next(*at)).map(|(_, step)| step)
}

/// What people took back: which entry's change of which path, each with the put-back. One that was taken back itself
/// took nothing back.
fn taken_back<'e>(entries: &[&'e StoredEntry]) -> BTreeMap<(&'e str, &'e RepoPath), &'e str> {
    let mut found = BTreeMap::new();
    for TraceEntry { id, context, files, .. } in entries.iter().map(|stored| &stored.entry) {
        let Some(restores) = &context.restores else { continue };
        for file in
            files.iter().filter(|file| !found.contains_key(&(id.as_str(), &file.path))).collect::<Vec<_>>()
        {
            found.extend(restores.entries.iter().map(|of| ((of.as_str(), &file.path), id.as_str())));
        }
    }
    found
}

/// What a call did to files, as far as the ledger knows all of it: what somebody else wrote while the call ran is in the
/// state that it left too, and what is no file has no content.
fn steps<'e>(
    stored: &'e StoredEntry,
    taken_back: &BTreeMap<(&'e str, &'e RepoPath), &'e str>,
) -> impl Iterator<Item = Step<'e>> {
    let TraceEntry { id, context, files, .. } = &stored.entry;
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
            entry: id,
            taken_back_by: taken_back.get(&(id.as_str(), &file.path)).copied(),
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
