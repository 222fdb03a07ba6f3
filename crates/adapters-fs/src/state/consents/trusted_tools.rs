//! The tools of other MCP servers that a person trusts in one root: one sealed file, changed under one lock.
//!
//! Each is kept with the hash of its definition, and each server with the words that start it. A file never trusts: the seal
//! is made with a key outside the tree. Deliberately absent: what a definition is, and what follows from a class.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bailiwick_domain::{Classification, ContentHash, PortError, Timestamp, json};
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::files::atomic::{Durability, read_optional, replace};
use crate::files::lock::{DEFAULT_WAIT, FileLock};
use crate::state::consents::approvals::SealKey;
use crate::state::consents::versions::{Effect, Versions, Written, settled};

/// So many servers can be trusted in one root.
const MOST: usize = 200;

/// The one record that is kept of them.
const RECORD: &str = "trusted";

/// The form that this program writes and reads; another one may mean what is not known here.
const FORMAT: u32 = 1;

/// A server as a person trusted it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustedServer {
    /// The words that start it.
    pub command: Vec<String>,
    /// Its tools, by name.
    pub tools: BTreeMap<String, TrustedTool>,
    /// Who said so.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

/// A tool as a person trusted it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustedTool {
    /// What the person said of it.
    pub class: Classification,
    /// The hash of its definition at that time.
    pub definition: ContentHash,
    /// The definition itself, to show what changed.
    pub told: bailiwick_domain::Value,
}

/// The trusted servers in private state.
#[derive(Clone, Debug)]
pub struct FsTrustedTools {
    file: PathBuf,
    user_state: Option<PathBuf>,
    versions: Versions,
}

#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    format: u32,
    servers: BTreeMap<String, TrustedServer>,
    /// How often it was written.
    #[serde(default)]
    version: u64,
    seal: ContentHash,
}

/// What counts, with its number.
type Counting = (BTreeMap<String, TrustedServer>, u64);

impl FsTrustedTools {
    /// The servers of this root. None is trusted unless the layout knows the user's state folder, where the key is.
    pub fn new(layout: &Layout) -> Self {
        Self {
            file: layout.private().join("mcp").join("trusted.json"),
            user_state: layout.user_state().map(Path::to_owned),
            versions: Versions::of(layout, "mcp"),
        }
    }

    /// What counts, by the servers' names: what is not sealed for this store, or older than what was written last, is not there.
    ///
    /// # Errors
    /// The file or the key cannot be read.
    pub fn all(&self) -> Result<BTreeMap<String, TrustedServer>, PortError> {
        Ok(self.look()?.unwrap_or_default().0)
    }

    /// What counts, for who does not hold the lock.
    fn look(&self) -> Result<Option<Counting>, PortError> {
        settled(&self.file, || self.lock(), || self.counting())
    }

    fn lock(&self) -> Result<FileLock, PortError> {
        FileLock::acquire(&self.file.with_file_name("lock"), DEFAULT_WAIT)
    }

    fn counting(&self) -> Result<Option<Counting>, PortError> {
        if self.user_state.is_none() {
            return Ok(None);
        }
        let newest = self.versions.newest(RECORD)?;
        let Some(bytes) = read_optional(&self.file)? else { return Ok(None) };
        let stored = serde_json::from_slice(&bytes).ok().filter(|stored: &Stored| stored.format == FORMAT);
        let Some(Stored { servers, version, seal, .. }) = stored else { return Ok(None) };
        Ok((self.seal(&servers, version)? == seal && version >= newest).then_some((servers, version)))
    }

    /// The file of trusted tools where it does not count: it is older than what was written last, or nobody here wrote it.
    ///
    /// # Errors
    /// The file or the key cannot be read.
    pub fn unread(&self) -> Result<Option<&Path>, PortError> {
        let is_unread = self.user_state.is_some() && self.file.exists() && self.look()?.is_none();
        Ok(is_unread.then_some(&self.file))
    }

    /// Trusts a server anew, in place of what was said of it.
    ///
    /// # Errors
    /// What is there cannot be read, it cannot be written, or there are too many.
    pub fn trust(&self, name: &str, server: TrustedServer) -> Result<(), PortError> {
        self.changed(Effect::Gives, |servers| {
            servers.insert(name.to_owned(), server);
        })
    }

    /// Takes the trust back; whether there was any.
    ///
    /// # Errors
    /// As for [`FsTrustedTools::trust`].
    pub fn revoke(&self, name: &str) -> Result<bool, PortError> {
        let mut was_there = false;
        self.changed(Effect::TakesBack, |servers| was_there = servers.remove(name).is_some())?;
        Ok(was_there)
    }

    fn changed(
        &self,
        effect: Effect,
        change: impl FnOnce(&mut BTreeMap<String, TrustedServer>),
    ) -> Result<(), PortError> {
        let _held = self.lock()?;
        let (mut servers, there) = self.counting()?.unwrap_or_default();
        change(&mut servers);
        if servers.len() > MOST {
            return Err(PortError::Unavailable(format!(
                "{MOST} servers are trusted here; take some back first"
            )));
        }
        let next = self.versions.next(RECORD, there)?;
        let version = next.version;
        let seal = self.seal(&servers, version)?;
        let bytes = serde_json::to_vec(&Stored { format: FORMAT, servers, version, seal })
            .map_err(|error| PortError::Unavailable(error.to_string()))?;
        let record = Written { next, effect, durability: Durability::Synced };
        self.versions.written(RECORD, record, || replace(&self.file, &bytes, Durability::Synced))
    }

    fn seal(
        &self,
        servers: &BTreeMap<String, TrustedServer>,
        version: u64,
    ) -> Result<ContentHash, PortError> {
        let no_key = || PortError::Unavailable("trusting tools needs the user's state folder".to_owned());
        let key = SealKey::load_or_create(self.user_state.as_deref().ok_or_else(no_key)?)?;
        let store = self.file.display().to_string();
        Ok(match version {
            // As older versions seal it.
            0 => key.seal(&json!({"mcp_tools": servers, "store": store})),
            _ => key.seal(&json!({"mcp_tools": servers, "store": store, "version": version})),
        })
    }
}
