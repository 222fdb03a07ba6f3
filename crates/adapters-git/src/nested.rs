//! Repositories inside of the governed one: what git obeys when it reads there.
//!
//! Nobody looked at what such a repository brings, so that it may name no program and have no hook that reading runs.

use std::path::Path;

use crate::config;
use crate::files::{is_absent, is_file};
use crate::meaning::names_program;
use crate::place::GitPlace;

/// The hooks that git may run for a command that only reads: it writes the index again, and may write a ref.
const READING_HOOKS: &[&str] =
    &["post-index-change", "post-index-change.exe", "reference-transaction", "reference-transaction.exe"];

/// What keeps a repository that is not the governed one from being believed. A working copy that shares the folder of
/// the governed one has the hooks that are governed.
pub(crate) fn fault(place: &GitPlace, governed: Option<&Path>, home: Option<&Path>) -> Option<String> {
    if governed != Some(place.common_dir.as_path())
        && let Some(hook) = hook_of(&place.common_dir)
    {
        return Some(format!("a repository with hooks of its own, and reading runs `{hook}`"));
    }
    match config::read(&place.own_files(), home) {
        Err(why) => Some(format!("another repository, and {why}")),
        Ok(settings) => {
            let setting = settings.iter().find(|setting| names_program(setting))?;
            let name = setting.name();
            Some(format!("a repository with settings of its own, and `{name}` names a program"))
        }
    }
}

fn hook_of(common_dir: &Path) -> Option<&'static str> {
    let hooks = common_dir.join("hooks");
    READING_HOOKS.iter().copied().find(|hook| is_file(&hooks.join(hook)))
}

/// What is wrong with a folder in which no repository was found: git may understand a `.git` that is not understood here,
/// such as one with a very large file. It never takes a folder without a `HEAD` for one, nor a device.
pub(crate) fn unknown(folder: &Path) -> Option<&'static str> {
    let entry = folder.join(".git");
    let is_odd = match std::fs::metadata(&entry) {
        Ok(found) if found.is_dir() => may_be_there(&entry.join("HEAD")),
        Ok(found) => found.is_file(),
        Err(error) => !is_absent(&error),
    };
    is_odd.then_some("has a `.git` that is not understood, and git may obey it")
}

/// What may be a bare repository: a folder with a `HEAD`. Git asks for more, and a later write may add it.
pub(crate) fn may_be_bare(folder: &Path) -> bool {
    may_be_there(&folder.join("HEAD"))
}

fn may_be_there(path: &Path) -> bool {
    match std::fs::symlink_metadata(path) {
        Ok(_) => true,
        Err(error) => !is_absent(&error),
    }
}
