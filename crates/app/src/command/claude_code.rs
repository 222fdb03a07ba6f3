//! Where Claude Code keeps what `init` edits, whether it is there at all, and what the files shall hold.

use std::path::{Path, PathBuf};

use bailiwick_adapters_hooks::claude_code::{self, HookCommand, InstallError, McpCommand};

use crate::command::CommandError;
use crate::command::settings_file::{Change, SettingsFile, refused};
use crate::user_state;

/// The settings file for one person and one working copy, relative to the root.
const LOCAL_SETTINGS: &str = ".claude/settings.local.json";

/// The client's files for one root.
#[derive(Clone, Debug)]
pub(in crate::command) struct Places {
    /// `.claude/settings.local.json`, where the hooks go.
    pub(in crate::command) local: PathBuf,
    /// `.claude/settings.json`, which a team shares.
    pub(in crate::command) project: PathBuf,
    /// The person's settings for all projects.
    pub(in crate::command) user: PathBuf,
    /// The person's file with MCP servers.
    pub(in crate::command) servers: PathBuf,
}

impl Places {
    /// The places for this root.
    ///
    /// # Errors
    /// No home folder is known.
    pub(in crate::command) fn of(root: &Path) -> Result<Self, CommandError> {
        let (config, servers) = match (config_variable(), user_state::home()) {
            (Some(folder), _) => (folder.clone(), folder.join(".claude.json")),
            (None, Some(home)) => (home.join(".claude"), home.join(".claude.json")),
            (None, None) => {
                return Err(CommandError::Usage("the home folder is unknown: set HOME".to_owned()));
            }
        };
        Ok(Self {
            local: root.join(LOCAL_SETTINGS),
            project: root.join(".claude/settings.json"),
            user: config.join("settings.json"),
            servers,
        })
    }
}

/// What git shall not see of an installation.
pub(super) fn ignored() -> String {
    format!("/{LOCAL_SETTINGS}")
}

/// The client's own folder as the hook is told it, where a person put it elsewhere than usual.
pub(in crate::command) fn untold_config() -> Option<String> {
    let usual = user_state::home().map(|home| home.join(".claude"));
    let folder = config_variable().filter(|folder| Some(folder) != usual.as_ref())?;
    folder.to_str().map(str::to_owned)
}

fn config_variable() -> Option<PathBuf> {
    std::env::var_os("CLAUDE_CONFIG_DIR").map(PathBuf::from).filter(|folder| folder.is_absolute())
}

/// Whether the client seems to be used on this machine or in this repository.
pub(super) fn is_present(root: &Path) -> bool {
    let configured = Places::of(root).is_ok_and(|places| places.user.parent().is_some_and(Path::is_dir));
    configured || root.join(".claude").is_dir() || program().is_some()
}

/// The client's program on the search path.
pub(in crate::command) fn program() -> Option<PathBuf> {
    let names: &[&str] = if cfg!(windows) { &["claude.exe", "claude.cmd"] } else { &["claude"] };
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .filter(|folder| folder.is_absolute())
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
        .find(|program| is_executable(program))
}

#[cfg(unix)]
pub(in crate::command) fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
pub(in crate::command) fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// The settings with the hooks in them.
///
/// # Errors
/// The file cannot be read or understood.
pub(super) fn with_hooks(path: &Path, command: &HookCommand) -> Result<Change, CommandError> {
    let file = SettingsFile::read(path)?;
    let after =
        claude_code::install(file.text(), command).map_err(|error| not_understood(path, &error))?.text;
    Ok(Change { file, after: Some(after) })
}

/// The settings without the hooks.
///
/// # Errors
/// The file cannot be read or understood.
pub(in crate::command) fn without_hooks(path: &Path, created: bool) -> Result<Change, CommandError> {
    let file = SettingsFile::read(path)?;
    let taken = file.text().map(|text| claude_code::uninstall(text, created)).transpose();
    let after = taken.map_err(|error| not_understood(path, &error))?.and_then(|taken| taken.text);
    Ok(Change { file, after })
}

/// The person's file with the MCP server in it.
///
/// # Errors
/// The file cannot be read or understood.
pub(super) fn with_server(path: &Path, root: &str, server: &McpCommand) -> Result<Change, CommandError> {
    let file = SettingsFile::read(path)?;
    let after = claude_code::mcp_install(file.text(), root, server)
        .map_err(|error| not_understood(path, &error))?
        .text;
    Ok(Change { file, after: Some(after) })
}

/// The person's file without the MCP server.
///
/// # Errors
/// The file cannot be read or understood.
pub(in crate::command) fn without_server(path: &Path, root: &str) -> Result<Change, CommandError> {
    let file = SettingsFile::read(path)?;
    let taken = file.text().map(|text| claude_code::mcp_uninstall(text, root)).transpose();
    let after = taken.map_err(|error| not_understood(path, &error))?.and_then(|taken| taken.text);
    Ok(Change { file, after })
}

fn not_understood(path: &Path, error: &InstallError) -> CommandError {
    refused(path, error)
}
