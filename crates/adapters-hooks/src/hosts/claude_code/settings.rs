//! Where Claude Code is told to run the hook, and what turns all of its hooks off.

use super::NAME;
use super::profile::TIMEOUT_S;
use crate::settings::{
    self, HookCommand, HookSettings, InstallError, Installed, InstalledHook, Registered, Uninstalled, Word,
};

/// The form of its settings files.
pub const SETTINGS: HookSettings = HookSettings {
    host: NAME,
    events: &[
        Registered::tool("PreToolUse", "*", TIMEOUT_S, true),
        Registered::tool("PostToolUse", "*", 30, false),
        Registered::tool("PostToolUseFailure", "*", 30, false),
        Registered::plain("PostToolBatch", 30, false),
        Registered::plain("UserPromptSubmit", TIMEOUT_S, true),
        Registered::plain("SessionStart", 30, false),
        Registered::plain("SessionEnd", 5, false),
        Registered::plain("Stop", TIMEOUT_S, false),
        Registered::plain("SubagentStart", 30, false),
        Registered::plain("SubagentStop", TIMEOUT_S, false),
        Registered::plain("ConfigChange", 30, false),
    ],
    arguments: Some("args"),
    fails_closed: Some(("onFailure", Word::Text("block"))),
    reads_trailing_commas: true,
    switches: &[(&["disableAllHooks"], true)],
    project: Some("CLAUDE_PROJECT_DIR"),
    ..HookSettings::USUAL
};

/// Puts the hooks into a settings file.
///
/// # Errors
/// The file is not understood.
pub fn install(existing: Option<&str>, command: &HookCommand) -> Result<Installed, InstallError> {
    settings::install(&SETTINGS, existing, command)
}

/// Takes them out of it.
///
/// # Errors
/// The file is not understood.
pub fn uninstall(existing: &str, created_by_us: bool) -> Result<Uninstalled, InstallError> {
    settings::uninstall(&SETTINGS, existing, created_by_us)
}

/// All hooks of ours in a settings file.
pub fn installed_hooks(text: &str) -> Vec<InstalledHook> {
    settings::installed_hooks(&SETTINGS, text)
}

/// The names of the settings files that all install the hook before a tool, if there are two or more.
pub fn detect_double<'a>(files: &[(&'a str, &str)]) -> Vec<&'a str> {
    settings::detect_double(&SETTINGS, files)
}

/// What a settings file that changed does to the gate's hooks, if it takes them away.
pub fn takes_hooks_away(text: Option<&str>, held_ours: bool) -> Option<&'static str> {
    settings::takes_hooks_away(&SETTINGS, text, held_ours)
}

/// Whether a settings file turns all hooks off.
pub fn disable_all_hooks(text: &str) -> bool {
    settings::turned_off(&SETTINGS, text).is_some()
}
