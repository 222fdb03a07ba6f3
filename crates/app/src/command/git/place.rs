//! Which of the caller's words for git are about this repository. Git sets some itself, for its hooks.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use bailiwick_adapters_git::{GitPlace, discover};

/// Where a repository is, its working copy, its index and its objects.
const WHERE: &[&str] = &[
    "GIT_DIR",
    "GIT_COMMON_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_SHALLOW_FILE",
];

/// Those that lead away from the repository which has its working copy here. Where none is to be found they stay: then they
/// are what says where it is.
pub(super) fn foreign(root: &Path) -> Vec<&'static str> {
    let Some(place) = discover(root).ok().flatten() else { return Vec::new() };
    let given = WHERE.iter().filter_map(|name| Some((*name, std::env::var_os(name)?)));
    let given: Vec<(&'static str, OsString)> = given.collect();
    let leads_away = |(name, value): &(&'static str, OsString)| leads_away(name, value, root, &place);
    // An index of somebody's own may lie anywhere, but it belongs to the repository that is named beside it.
    let is_another = given.iter().any(|one| one.0 != INDEX && leads_away(one));
    let away = given.iter().filter(|one| if one.0 == INDEX { is_another } else { leads_away(one) });
    away.map(|(name, _)| *name).collect()
}

const INDEX: &str = "GIT_INDEX_FILE";

/// Whether a value names another folder than the repository's own, or one in it. Git takes what is relative from the root.
fn leads_away(name: &str, value: &OsStr, root: &Path, place: &GitPlace) -> bool {
    let own = [&place.git_dir, &place.common_dir, &place.worktree_root].map(|folder| folder.canonicalize());
    let [Ok(git_dir), Ok(common_dir), Ok(top)] = own else { return true };
    let found = |path: PathBuf| root.join(path).canonicalize().ok();
    let is_own = |path: PathBuf| {
        found(path).is_some_and(|path| match name {
            "GIT_DIR" => path == git_dir,
            "GIT_COMMON_DIR" => path == common_dir,
            "GIT_WORK_TREE" => path == top,
            _ => path.starts_with(&git_dir) || path.starts_with(&common_dir),
        })
    };
    !std::env::split_paths(value).all(is_own)
}
