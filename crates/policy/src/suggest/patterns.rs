//! Patterns of a scope for ranked files: the files one by one, or a folder where nearly all of it is ranked.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_domain::RepoPath;

use super::{Ranked, Why};
use crate::executable::run_by;

/// A folder stands for at least so many of the ranked files.
const FOLDER_FILES: usize = 3;
/// And owns at most this share more than they, in quarters.
const FOLDER_EXTRA: usize = 4;

/// One pattern of a suggested scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// As it is written into a scope.
    pub pattern: String,
    /// How many files it owns.
    pub files: usize,
    /// Why, the strongest reason first.
    pub why: Vec<Why>,
    /// The files of it that run later, with what happens to them.
    pub runs: Vec<(RepoPath, &'static str)>,
}

/// The patterns for these files, the strongest first. `all` are all files of the tree, with whether each may be
/// suggested: a folder with one that may not is never suggested, and neither is the root.
pub fn patterns(ranked: &[Ranked<'_>], all: &[(RepoPath, bool)]) -> Vec<Pattern> {
    let whole = whole_folders(ranked, all);
    let mut done: BTreeSet<RepoPath> = BTreeSet::new();
    let mut patterns = Vec::new();
    for one in ranked {
        let Some(folder) = one.path.parent().filter(|folder| whole.contains_key(folder)) else {
            patterns.extend(literal(one.path.as_str()).map(|pattern| Pattern {
                pattern,
                files: 1,
                why: one.why.clone(),
                runs: run_by(one.path).map(|says| (one.path.clone(), says)).into_iter().collect(),
            }));
            continue;
        };
        if done.insert(folder.clone()) {
            let files = whole.get(&folder).map(Vec::as_slice).unwrap_or_default();
            patterns.extend(literal(folder.as_str()).map(|pattern| Pattern {
                pattern: format!("{pattern}/"),
                files: files.len(),
                why: one.why.clone(),
                runs: files.iter().filter_map(|file| Some(((*file).clone(), run_by(file)?))).collect(),
            }));
        }
    }
    patterns
}

/// The folders that are cheap enough to be named as a whole, with all that is in them.
fn whole_folders<'a>(
    ranked: &[Ranked<'_>],
    all: &'a [(RepoPath, bool)],
) -> BTreeMap<RepoPath, Vec<&'a RepoPath>> {
    let mut chosen: BTreeMap<RepoPath, usize> = BTreeMap::new();
    for folder in ranked.iter().filter_map(|one| one.path.parent()) {
        *chosen.entry(folder).or_default() += 1;
    }
    chosen.retain(|_, count| *count >= FOLDER_FILES);
    let mut owned: BTreeMap<RepoPath, (Vec<&RepoPath>, bool)> = BTreeMap::new();
    for (path, may) in all {
        let above = std::iter::successors(path.parent(), RepoPath::parent);
        for folder in above.filter(|folder| chosen.contains_key(folder)) {
            let (files, all_may) = owned.entry(folder).or_insert((Vec::new(), true));
            files.push(path);
            *all_may &= may;
        }
    }
    let cheap = owned.into_iter().filter(|(folder, (files, all_may))| {
        let count = chosen.get(folder).copied().unwrap_or_default();
        *all_may && files.len() <= count + count / FOLDER_EXTRA && files.len() < all.len()
    });
    cheap.map(|(folder, (files, _))| (folder, files)).collect()
}

/// A path as a pattern that means this path alone; `None` where no pattern can.
fn literal(path: &str) -> Option<String> {
    if path.contains('\\') {
        return None;
    }
    let mut pattern = String::with_capacity(path.len());
    for sign in path.chars() {
        if matches!(sign, '!' | '*' | '?' | '[' | ']' | '{' | '}' | ',') {
            pattern.push('\\');
        }
        pattern.push(sign);
    }
    Some(pattern)
}
