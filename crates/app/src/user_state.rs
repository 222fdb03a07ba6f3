//! The user's state folder: keys, registry of governed roots, accepted configurations.
//!
//! Commands that a person runs find it in the environment as usual. Hooks never look at the environment: they get it as
//! an argument, or ask the password database.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

const NAME: &str = "bailiwick";

/// For commands that a human runs: `XDG_STATE_HOME`, else below the home folder.
pub fn from_environment() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = set("XDG_STATE_HOME").filter(|folder| folder.is_absolute()) {
        return Some(folder.join(NAME));
    }
    if cfg!(windows) {
        return set("LOCALAPPDATA").map(|folder| folder.join(NAME));
    }
    home().map(|home| below(home.into()))
}

/// The home folder, for commands that a human runs.
pub fn home() -> Option<PathBuf> {
    std::env::home_dir().filter(|home| home.is_absolute())
}

/// The home folder that the usual state folder lies in.
pub fn home_of(state: &Path) -> Option<PathBuf> {
    state.to_str()?.strip_suffix("/.local/state/bailiwick").map(PathBuf::from)
}

/// The home folder where a hook cannot tell it from the state folder, as it is written down at install. Without one, and
/// where it is no text, a host has no scratch places.
pub fn untold_home(state: &Path) -> Option<String> {
    let home = home().filter(|home| home_of(state).as_ref() != Some(home))?;
    home.to_str().map(str::to_owned)
}

/// For hooks that were installed without `--state`: the password database's home folder.
pub fn from_password_database() -> Option<PathBuf> {
    passwd_home().map(|home| below(home.into()))
}

fn below(home: OsString) -> PathBuf {
    PathBuf::from(home).join(".local/state").join(NAME)
}

/// The number of the user that this process runs as; 0 where users have none.
#[cfg(unix)]
pub fn user_id() -> u32 {
    nix::unistd::getuid().as_raw()
}

/// Users have no numbers.
#[cfg(not(unix))]
pub fn user_id() -> u32 {
    0
}

/// The home folder that the password database names.
#[cfg(unix)]
pub fn passwd_home() -> Option<PathBuf> {
    let uid = nix::unistd::getuid().to_string();
    let text = std::fs::read_to_string("/etc/passwd").ok()?;
    let line = text.lines().find(|line| line.split(':').nth(2) == Some(uid.as_str()))?;
    line.split(':').nth(5).filter(|home| home.starts_with('/')).map(PathBuf::from)
}

/// No database names one.
#[cfg(not(unix))]
pub fn passwd_home() -> Option<PathBuf> {
    None
}
