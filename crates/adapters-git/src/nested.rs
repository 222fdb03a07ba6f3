//! Repositories inside of the governed one: what git obeys when it reads there.
//!
//! Nobody looked at what such a repository brings, so that it may name no program and have no hook that reading runs.

use std::path::Path;

use crate::config;
use crate::files::is_file;
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
