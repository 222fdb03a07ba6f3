//! The constraints that count: how many files and lines may be changed under one revision of an intent.
//!
//! Deliberately absent: the counting, which the gate does before a call (`gathering::count`) and after it
//! (`recording::counted`).

use std::collections::BTreeSet;

use bailiwick_domain::{Intent, Location, RepoPath};

use super::violation::{Bound, Violation};
use crate::calls::facts::Facts;

/// The files that a call changes in the repository.
fn changed(facts: &Facts) -> BTreeSet<&RepoPath> {
    let places = facts.targets.iter().filter(|target| target.access.mutates()).map(|target| &target.location);
    let inside = places.filter_map(|place| match place {
        Location::Inside(found) => Some(&found.path),
        _ => None,
    });
    inside.collect()
}

/// Files that were counted before may be changed again, however many they are.
pub(super) fn files(facts: &Facts, intent: &Intent, limit: u32) -> Option<Violation> {
    let changed = changed(facts);
    let Some(count) = &facts.count else { return uncounted(intent, Bound::Files, &changed) };
    let adds = long(changed.iter().filter(|path| !count.files.contains(**path)).count());
    beyond(intent, Bound::Files, limit, long(count.files.len()), adds)
}

/// The lines of a call count before it runs where they can be told, else as one.
pub(super) fn lines(facts: &Facts, intent: &Intent, limit: u32) -> Option<Violation> {
    let changed = changed(facts);
    if changed.is_empty() {
        return None;
    }
    let Some(count) = &facts.count else { return uncounted(intent, Bound::Lines, &changed) };
    beyond(intent, Bound::Lines, limit, count.lines, count.adds.map_or(1, u64::from))
}

fn beyond(intent: &Intent, bound: Bound, limit: u32, counted: u64, adds: u64) -> Option<Violation> {
    let is_within = adds == 0 || counted.saturating_add(adds) <= u64::from(limit);
    (!is_within).then(|| Violation::TooMuch { intent: intent.id().clone(), bound, limit, counted, adds })
}

/// A bound that counts, and nobody counted.
fn uncounted(intent: &Intent, bound: Bound, changed: &BTreeSet<&RepoPath>) -> Option<Violation> {
    (!changed.is_empty()).then(|| Violation::Uncounted { intent: intent.id().clone(), bound })
}

fn long(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
