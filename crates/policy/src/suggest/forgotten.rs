//! What a drafted scope leaves out although it usually changes with what the scope owns.

use std::collections::BTreeMap;

use bailiwick_domain::RepoPath;

use super::{FileFacts, PastCommit, Ranked, Why};

/// Fewer commits that changed both are chance; and at least half of those that changed the owned file changed the other.
const LEAST_BOTH: usize = 3;
/// A commit with more files than this ties nothing together.
const LARGE_COMMIT: usize = 30;

/// The files that are not owned and that past commits changed together with an owned one, the closest first: at most
/// `most`.
pub fn forgotten<'f>(
    files: &'f [FileFacts],
    owns: impl Fn(&RepoPath) -> bool,
    past: &[PastCommit],
    most: usize,
) -> Vec<Ranked<'f>> {
    let owned: Vec<bool> = files.iter().map(|file| owns(&file.path)).collect();
    let is_owned = |at: &usize| owned.get(*at).copied().unwrap_or_default();
    let (mut of, mut both) = (BTreeMap::new(), BTreeMap::new());
    for commit in past.iter().filter(|commit| commit.files.len() <= LARGE_COMMIT) {
        for inside in commit.files.iter().filter(|at| is_owned(at)) {
            *of.entry(*inside).or_insert(0_usize) += 1;
            for outside in commit.files.iter().filter(|at| !is_owned(at)) {
                *both.entry((*outside, *inside)).or_insert(0_usize) += 1;
            }
        }
    }
    let mut closest: BTreeMap<usize, Ranked<'f>> = BTreeMap::new();
    for ((outside, inside), both) in both {
        let of = of.get(&inside).copied().unwrap_or_default();
        let (Some(file), Some(with)) = (files.get(outside), files.get(inside)) else { continue };
        if both < LEAST_BOTH || 2 * both < of {
            continue;
        }
        let weight = super::rank::float(both) / (super::rank::float(of) + 1.0);
        if closest.get(&outside).is_none_or(|known| known.weight < weight) {
            let why = vec![Why::Together { both, of, with: with.path.clone() }];
            closest.insert(outside, Ranked { path: &file.path, weight, why });
        }
    }
    let mut closest: Vec<Ranked<'f>> = closest.into_values().collect();
    closest.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.path.cmp(b.path)));
    closest.truncate(most);
    closest
}
