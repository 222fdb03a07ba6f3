//! Where a host's client keeps what `init` edits, whether it is there at all, and what the files shall hold. The table of
//! hosts says where; Claude Code's list of MCP servers is beside it.

pub(in crate::command) mod settings_file;

use std::path::{Path, PathBuf};

use bailiwick_adapters_hooks::claude_code::{self, McpCommand};
use bailiwick_adapters_hooks::settings::{
    HookCommand, HookSettings, InstallError, install, turned_off_beside, uninstall,
};
use bailiwick_adapters_hooks::{Client, Host};

use crate::command::CommandError;
use crate::command::client_files::settings_file::{Change, SettingsFile, refused};
use crate::user_state;

/// A client's files for one root.
#[derive(Clone, Debug)]
pub(in crate::command) struct Places {
    /// Where `init` puts the hooks.
    pub(in crate::command) local: PathBuf,
    /// What a team shares, on hosts that have such a file beside.
    pub(in crate::command) shared: Option<PathBuf>,
    /// The person's settings for all projects.
    pub(in crate::command) user: PathBuf,
}

impl Places {
    /// The places for this root.
    ///
    /// # Errors
    /// No home folder is known.
    pub(in crate::command) fn of(host: &Host, root: &Path) -> Result<Self, CommandError> {
        let client = &host.profile.client;
        let user = own_folder(client).ok_or_else(no_home)?.join(client.user);
        let local = if host.is_for_all_projects() { user.clone() } else { root.join(client.local) };
        Ok(Self { local, shared: client.shared.map(|shared| root.join(shared)), user })
    }

    /// All of them, each once, the widest first.
    pub(in crate::command) fn all(&self) -> Vec<&Path> {
        let mut paths = vec![self.user.as_path()];
        paths.extend(self.shared.as_deref());
        paths.push(&self.local);
        paths.dedup();
        paths
    }
}

fn no_home() -> CommandError {
    CommandError::Usage("the home folder is unknown: set HOME".to_owned())
}

/// Claude Code's file with a person's MCP servers.
///
/// # Errors
/// No home folder is known.
pub(in crate::command) fn servers_file() -> Result<PathBuf, CommandError> {
    let moved = moved_folder(&claude_code::PROFILE.client);
    moved.or_else(user_state::home).map(|folder| folder.join(".claude.json")).ok_or_else(no_home)
}

/// A file beside those with hooks that turns all of them off, and the switch that does it.
pub(in crate::command) fn turned_off_by(host: &Host, root: &Path) -> Option<(PathBuf, String)> {
    let beside = host.settings?.beside?;
    let hooks = Places::of(host, root).ok()?;
    let own = own_folder(&host.profile.client).map(|folder| folder.join(beside.user));
    let places = own.into_iter().chain([root.join(beside.local)]);
    let mut files = places.flat_map(files_at).filter(|file| !hooks.all().contains(&file.as_path()));
    files.find_map(|file| {
        let text = std::fs::read_to_string(&file).ok()?;
        turned_off_beside(&beside, &text).map(|switch| (file, switch))
    })
}

/// The file, or the JSON files of the folder.
fn files_at(place: PathBuf) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(&place) else { return vec![place] };
    let files = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension() == Some("json".as_ref())).collect();
    files.sort();
    files
}

/// Whether `init` registers the MCP server with this host.
pub(in crate::command) fn has_servers(host: &Host) -> bool {
    host.profile.name == claude_code::NAME
}

/// What git shall not see of an installation.
pub(super) fn ignored(host: &Host) -> impl Iterator<Item = String> {
    let hooks = (!host.is_for_all_projects()).then_some(host.profile.client.local);
    hooks.into_iter().chain(host.load_check.map(|check| check.local)).map(|local| format!("/{local}"))
}

/// The client's own folder as the hook is told it, where a person put it elsewhere than usual.
pub(in crate::command) fn untold_config(client: &Client) -> Option<String> {
    let usual = user_state::home().map(|home| home.join(client.own_folder));
    let folder = moved_folder(client).filter(|folder| Some(folder) != usual.as_ref())?;
    folder.to_str().map(str::to_owned)
}

fn moved_folder(client: &Client) -> Option<PathBuf> {
    let told = std::env::var_os(client.own_folder_variable?);
    told.map(PathBuf::from).filter(|folder| folder.is_absolute())
}

fn own_folder(client: &Client) -> Option<PathBuf> {
    moved_folder(client).or_else(|| user_state::home().map(|home| home.join(client.own_folder)))
}

/// Whether the client seems to be used on this machine or in this repository.
pub(super) fn is_present(client: &Client, root: &Path) -> bool {
    own_folder(client).is_some_and(|folder| folder.is_dir())
        || root.join(client.own_folder).is_dir()
        || program(client).is_some()
}

/// The client's program on the search path.
pub(in crate::command) fn program(client: &Client) -> Option<PathBuf> {
    on_search_path(client.programs)
}

/// The first program of these names on the search path.
pub(in crate::command) fn on_search_path(names: &[&str]) -> Option<PathBuf> {
    let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd"] } else { &[""] };
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .filter(|folder| folder.is_absolute())
        .flat_map(|folder| {
            let names = names.iter().flat_map(|name| endings.iter().map(move |end| (name, end)));
            names.map(move |(name, end)| folder.join(format!("{name}{end}")))
        })
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
pub(super) fn with_hooks(
    settings: &HookSettings,
    path: &Path,
    command: &HookCommand,
) -> Result<Change, CommandError> {
    let file = SettingsFile::read(path)?;
    let after = install(settings, file.text(), command).map_err(|error| not_understood(path, &error))?.text;
    Ok(Change { file, after: Some(after) })
}

/// The settings without the hooks.
///
/// # Errors
/// The file cannot be read or understood.
pub(in crate::command) fn without_hooks(
    settings: &HookSettings,
    path: &Path,
    created: bool,
) -> Result<Change, CommandError> {
    let file = SettingsFile::read(path)?;
    let taken = file.text().map(|text| uninstall(settings, text, created)).transpose();
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

/// The person's file, where it has another server under the gate's name for this root: that one stays.
pub(super) fn foreign_server(change: &Change, root: &str) -> Option<PathBuf> {
    let text = change.file.text()?;
    claude_code::mcp_is_foreign(text, root).then(|| change.file.path().to_path_buf())
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
