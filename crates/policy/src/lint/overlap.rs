//! Pairs of open intents that own the same files now. A child shares them with its parent on purpose.
//!
//! The listing is gone through once, from one edge of a run of owned files to the next, not file by file.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_domain::{IntentRule, RepoPath};

use super::scope::Reach;
use super::{Found, World, head};

/// So many owners of one file are paired.
const MOST_OWNERS: usize = 32;

/// By the pair, earlier one first: how many files both own, and where the first of them stands.
type Shared = BTreeMap<(usize, usize), (usize, usize)>;

pub(super) fn overlaps(reached: &[Reach<'_>], world: &World<'_>, found: &mut Found) {
    if found.level < IntentRule::Overlap.level() {
        return;
    }
    for ((earlier, later), (count, first)) in shared(reached) {
        let (Some(earlier), Some(later)) = (reached.get(earlier), reached.get(later)) else { continue };
        let is_above = |one: &Reach<'_>, other: &Reach<'_>| {
            one.intent.within().iter().any(|ancestor| ancestor.intent == *other.intent.id())
        };
        if is_above(earlier, later) || is_above(later, earlier) {
            continue;
        }
        let example = world.files.get(first).map(RepoPath::as_str).unwrap_or_default();
        let also = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
        let message =
            format!("`{}` and `{}` both own `{example}`{also}", later.intent.id(), earlier.intent.id());
        found.about(later.written, |note| {
            let fix = "exclude the files from one of them, or close the one that is done";
            note(IntentRule::Overlap, head(later.written), message, fix);
        });
    }
}

fn shared(reached: &[Reach<'_>]) -> Shared {
    // An edge is where a run of an intent's files begins or ends.
    let mut edges: Vec<(usize, bool, usize)> = Vec::new();
    for (index, reach) in reached.iter().enumerate() {
        let runs = reach.owned.runs().iter();
        edges.extend(runs.flat_map(|run| [(run.start, true, index), (run.end, false, index)]));
    }
    edges.sort_unstable();
    let mut shared = Shared::new();
    let mut owners: BTreeSet<usize> = BTreeSet::new();
    let mut from = 0;
    for (at, begins, index) in edges {
        if at > from {
            pair(&owners, from, at - from, &mut shared);
        }
        from = at;
        if begins {
            owners.insert(index);
        } else {
            owners.remove(&index);
        }
    }
    shared
}

fn pair(owners: &BTreeSet<usize>, first: usize, files: usize, shared: &mut Shared) {
    for (nth, later) in owners.iter().take(MOST_OWNERS).enumerate() {
        for earlier in owners.iter().take(nth) {
            shared.entry((*earlier, *later)).or_insert((0, first)).0 += files;
        }
    }
}
