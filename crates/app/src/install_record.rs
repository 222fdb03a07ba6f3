//! What `init` registered with a host, so that `uninstall` takes out exactly that and the hook can prove that calls of
//! `mcp__bailiwick__…` reach our own server. One record for each host and working copy, since working
//! copies of one repository share private state.

use std::path::{Path, PathBuf};

use bailiwick_adapters_fs::{Durability, Layout, replace};
use bailiwick_adapters_hooks::claude_code::{McpCommand, mcp_is_named, mcp_registered};
use bailiwick_domain::{ContentHash, PortError};
use serde::{Deserialize, Serialize};

/// One host's installation in one working copy, kept in private state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InstallRecord {
    /// The host's name.
    pub(crate) agent: String,
    /// The settings file with our hooks.
    pub(crate) settings: EditedFile,
    /// The file that stops calls where the host could not load its hooks, on hosts that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) load_check: Option<EditedFile>,
    /// The client's file with our MCP registration, on hosts that `init` registers it with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) servers: Option<EditedFile>,
    /// The root that the registration is filed under.
    pub(crate) root: String,
    /// The registered program.
    pub(crate) program: String,
    /// Its arguments as MCP server.
    pub(crate) arguments: Vec<String>,
    /// The version that installed.
    pub(crate) version: String,
    /// The client's own folder, where this person keeps it elsewhere than usual: hooks of a team name no such path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) config: Option<PathBuf>,
    /// Whether `uninstall` is taking it out, so that a running session lets its hooks go.
    #[serde(default)]
    pub(crate) leaving: bool,
}

/// A file of the host that `init` edited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EditedFile {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Whether `init` created it.
    pub(crate) created: bool,
    /// What `init` left there; as long as it is still that, taking out means giving back the old content.
    pub(crate) written: ContentHash,
}

impl InstallRecord {
    fn folder(layout: &Layout) -> PathBuf {
        layout.private().join("install")
    }

    fn path(layout: &Layout, agent: &str) -> PathBuf {
        let root = ContentHash::of(layout.root().as_os_str().as_encoded_bytes());
        let root = root.digits().get(..16).unwrap_or_default();
        Self::folder(layout).join(format!("{agent}-{root}.json"))
    }

    pub(crate) fn read(layout: &Layout, agent: &str) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(Self::path(layout, agent)).ok()?).ok()
    }

    pub(crate) fn write(&self, layout: &Layout) -> Result<(), PortError> {
        let bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        replace(&Self::path(layout, &self.agent), &bytes, Durability::Synced)
    }

    /// Removes the record, which need not be there, and says where it was.
    pub(crate) fn remove(layout: &Layout, agent: &str) -> Result<PathBuf, PortError> {
        let path = Self::path(layout, agent);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(PortError::Unavailable(format!("{}: {error}", path.display())))
            }
            _ => Ok(path),
        }
    }

    /// How many installations the repository has, in all its working copies.
    pub(crate) fn count(layout: &Layout) -> usize {
        std::fs::read_dir(Self::folder(layout)).map_or(0, |entries| {
            entries
                .flatten()
                .filter(|entry| entry.path().extension().is_some_and(|ending| ending == "json"))
                .count()
        })
    }

    /// What is registered as the MCP server.
    pub(crate) fn server(&self) -> McpCommand {
        McpCommand { command: self.program.clone(), args: self.arguments.clone() }
    }

    /// Whether somebody registered another server under our name for this person and root, which the client would start
    /// in place of the team's.
    pub(crate) fn server_is_shadowed(&self) -> bool {
        let Some(servers) = &self.servers else { return false };
        match std::fs::read_to_string(&servers.path) {
            Ok(text) => mcp_is_named(&text, &self.root),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        }
    }

    /// Whether the client's file still says that the server `bailiwick` is the one that was registered.
    pub(crate) fn server_is_registered(&self) -> bool {
        let Some(servers) = &self.servers else { return false };
        let Ok(text) = std::fs::read_to_string(&servers.path) else { return false };
        mcp_registered(&text, &self.root).as_ref() == Some(&self.server())
    }
}

impl EditedFile {
    /// Whether the file's content is still what `init` left there.
    pub(crate) fn is_untouched(&self, text: Option<&str>) -> bool {
        text.is_some_and(|text| ContentHash::of(text.as_bytes()) == self.written)
    }

    /// Whether this is about that file.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        self.path == path
    }
}
