//! Repositories inside of the governed one: what git obeys when it reads there.
//!
//! Nobody looked at what such a repository brings, so that it may name no program, lead to no file outside of it, and have
//! no hook that reading runs.

use std::path::Path;

use crate::config::{self, Setting};
use crate::files::{is_absent, is_file, real};
use crate::meaning::{names_data, names_program, starts_helper};
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
        Ok(settings) => settings.iter().find_map(|setting| {
            let is_governed = governed.is_some_and(|common_dir| setting.file == common_dir.join("config"));
            let astray = if is_governed { None } else { leads_astray(setting, place) };
            let why = astray.or_else(|| names_program(setting).then_some("names a program"))?;
            Some(format!("a repository with settings of its own, and `{}` {why}", setting.name()))
        }),
    }
}

/// What is wrong with a setting of the repository at this place that nobody looked at, and that names no program.
pub(crate) fn leads_astray(setting: &Setting, place: &GitPlace) -> Option<&'static str> {
    if starts_helper(setting) {
        return Some("lets git start a program for a server");
    }
    (names_data(setting) && leads_out(setting, place)).then_some("leads out of it")
}

/// Whether what the value names lies out of the repository.
pub(crate) fn leads_out(setting: &Setting, place: &GitPlace) -> bool {
    // `~/`, `%(prefix)/` and `:(optional)`: a value that git does not take as it stands.
    if setting.value.starts_with(['~', '%', ':']) {
        return true;
    }
    let from = if setting.key == "core.worktree" { &place.git_dir } else { &place.worktree_root };
    let target = real(&from.join(&setting.value));
    ![&place.worktree_root, &place.git_dir, &place.common_dir].iter().any(|own| target.starts_with(own))
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
