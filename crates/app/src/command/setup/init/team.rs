//! The team's part of an installation: `.claude/settings.json`, `.mcp.json` and the launcher that both run. These
//! files are for git; nothing of one machine stands in them.

use std::path::{Path, PathBuf};

use bailiwick_adapters_hooks::claude_code::{
    SETTINGS, installed_hooks, launcher_text, shared_mcp_install, shared_mcp_is_ours, shared_mcp_uninstall,
};
use bailiwick_adapters_hooks::settings::{HookCommand, InstalledHook, LAUNCHER_PATH, Launcher};

use crate::command::CommandError;
use crate::command::client_files::settings_file::{Change, SettingsFile, refused};
use crate::command::client_files::{with_hooks, without_hooks};

/// What happens on a machine without Bailiwick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Mode {
    /// One note at the start of a session, then agents work ungoverned
    Advisory,
    /// Every tool call is refused, and the refusal says how to install
    Required,
}

impl From<Mode> for Launcher {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Advisory => Self::Advisory,
            Mode::Required => Self::Required,
        }
    }
}

/// The team's files of one root.
#[derive(Clone, Debug)]
pub(in crate::command) struct TeamFiles {
    /// `.claude/settings.json`.
    pub(in crate::command) settings: PathBuf,
    /// `.mcp.json`.
    pub(in crate::command) servers: PathBuf,
    /// The launcher.
    pub(in crate::command) launcher: PathBuf,
}

impl TeamFiles {
    pub(in crate::command) fn of(root: &Path) -> Self {
        Self {
            settings: root.join(".claude/settings.json"),
            servers: root.join(".mcp.json"),
            launcher: root.join(LAUNCHER_PATH),
        }
    }

    /// How the team's hooks behave without Bailiwick; `None` when the team has none.
    pub(in crate::command) fn mode(&self) -> Option<Launcher> {
        let text = std::fs::read_to_string(&self.settings).ok()?;
        installed_hooks(&text).iter().find_map(InstalledHook::launcher)
    }

    /// Whether the team's file registers the MCP server.
    pub(in crate::command) fn has_server(&self) -> bool {
        std::fs::read_to_string(&self.servers).is_ok_and(|text| shared_mcp_is_ours(&text))
    }

    /// The files as they shall be.
    ///
    /// # Errors
    /// One cannot be read or understood.
    pub(super) fn installed(&self, mode: Launcher) -> Result<Vec<Change>, CommandError> {
        let settings = with_hooks(&SETTINGS, &self.settings, &HookCommand::launcher(mode))?;
        let file = SettingsFile::read(&self.servers)?;
        let servers = shared_mcp_install(file.text()).map_err(|error| refused(&self.servers, error))?;
        let launcher = SettingsFile::read(&self.launcher)?;
        // The launcher first: hooks that run it must not be there before it.
        Ok(vec![
            Change { file: launcher, after: Some(launcher_text(mode)) },
            Change { file, after: Some(servers.text) },
            settings,
        ])
    }

    /// The files without what is ours, hooks first.
    ///
    /// # Errors
    /// One cannot be read or understood.
    pub(in crate::command) fn taken_out(&self) -> Result<Vec<Change>, CommandError> {
        let settings = without_hooks(&SETTINGS, &self.settings, true)?;
        let file = SettingsFile::read(&self.servers)?;
        let after = match file.text() {
            Some(text) => shared_mcp_uninstall(text).map_err(|error| refused(&self.servers, error))?.text,
            None => None,
        };
        let launcher = SettingsFile::read(&self.launcher)?;
        Ok(vec![settings, Change { file, after }, Change { file: launcher, after: None }])
    }
}
