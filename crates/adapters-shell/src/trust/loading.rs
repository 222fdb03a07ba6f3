//! Variables before a command that say where Python looks for modules, as in `PYTHONPATH=src pytest`. Tests run what lies in
//! the root anyway; so before a command that runs tests they may name folders and modules of the root.

use bailiwick_domain::Admitted;

use super::found;
use super::programs::Rules;
use super::publishing;

/// Those that name folders, and those that name a module. Sources: docs.python.org/3/using/cmdline.html,
/// docs.djangoproject.com/en/stable/topics/settings/.
const FOLDERS: &[&str] = &["PYTHONPATH"];
const MODULES: &[&str] = &["DJANGO_SETTINGS_MODULE"];

/// Whether a word sets one of them.
pub(super) fn is_one(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| FOLDERS.contains(&name) || MODULES.contains(&name))
}

/// Adds what these words name to what the command behind them does.
///
/// # Errors
/// Why they may not stand before it.
pub(super) fn add(words: &[&String], rules: Option<&Rules>, admitted: &mut Admitted) -> Result<(), String> {
    for (name, value) in words.iter().filter_map(|word| word.split_once('=')) {
        if !rules.is_some_and(Rules::runs_tests) {
            return Err(format!("`{name}` is only taken before a command that runs tests"));
        }
        if MODULES.contains(&name) && publishing::runs_what_publishes(&value.replace('.', "/")) {
            return Err(format!("`{value}` may publish something"));
        }
        if MODULES.contains(&name) {
            admitted.there.push(found::module(value));
            continue;
        }
        for folder in value.split(':') {
            if folder.starts_with('~') || folder.contains(char::is_control) {
                return Err(format!("`{folder}` may be any folder"));
            }
            let folder = if folder.is_empty() { "." } else { folder };
            admitted.paths.push(folder.to_owned());
            admitted.reads.push(folder.to_owned());
        }
    }
    Ok(())
}
