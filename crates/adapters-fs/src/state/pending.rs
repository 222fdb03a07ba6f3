//! Calls between their approval and their outcome, and the contents from before.
//!
//! Both are on the disk before the call is let through. A call becomes an entry of the ledger with what its record says, and
//! runs again while it is open. So the records lie in the user's state folder: what a stranger writes into git's folder, or puts
//! back there, is none. Whether a file could be run is a bit of its pre-image's mode.
//! Deliberately absent: comparing them with what happened.

mod collected;

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bailiwick_domain::{Actor, CallId, ContentHash, PendingCall, PendingStore, PortError, Timestamp};
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::files::atomic::{
    Durability, create_once, invalid, open_private, private_options, read_optional, remove_optional, replace,
    unavailable,
};
use crate::files::mode;

pub(crate) use collected::note_collected;

/// Pending calls in the user's state folder, and pre-images in private state.
#[derive(Clone, Debug)]
pub struct FsPendingStore {
    calls: PathBuf,
    /// Where older versions keep them.
    older: PathBuf,
    images: PathBuf,
    durability: Durability,
}

/// The form that this program writes and reads.
const FORMAT: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    format: u32,
    pending: PendingCall,
}

impl FsPendingStore {
    /// The pending calls of this root, synced to the disk.
    pub fn new(layout: Layout) -> Self {
        let older = layout.private().join("pending");
        Self {
            calls: layout.remembered().map_or_else(|| older.clone(), |folder| folder.join("pending")),
            older,
            images: layout.private().join("preimages"),
            durability: Durability::Synced,
        }
    }

    /// Writes as durably as that instead.
    #[must_use]
    pub fn with_durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    fn session_dir(&self, actor: &Actor) -> PathBuf {
        self.calls.join(actor.session_key().digits())
    }

    fn call_file(&self, actor: &Actor, call: &CallId) -> PathBuf {
        let name = ContentHash::of(call.0.as_bytes());
        self.session_dir(actor).join(format!("{}.json", name.digits()))
    }

    fn image_file(&self, hash: &ContentHash) -> PathBuf {
        self.images.join(hash.digits().get(..2).unwrap_or_default()).join(hash.digits())
    }

    fn in_folder(&self, folder: &Path) -> Result<Vec<PendingCall>, PortError> {
        let mut calls = Vec::new();
        for path in records_in(folder)? {
            calls.extend(self.read(&path)?);
        }
        Ok(calls)
    }

    /// What stands among the calls and holds none: it is damaged, or lies where another belongs.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub fn unread(&self) -> Result<Vec<PathBuf>, PortError> {
        let mut unread = Vec::new();
        for path in all_in(&self.calls)? {
            // A call that ended meanwhile is none.
            if self.read(&path)?.is_none() && path.exists() {
                unread.push(path);
            }
        }
        Ok(unread)
    }

    /// How many records an older version left in git's folder, and where. Anybody may have written them, so that none counts.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub fn left_behind(&self) -> Result<(usize, &Path), PortError> {
        let left = if self.older == self.calls { 0 } else { all_in(&self.older)?.len() };
        Ok((left, &self.older))
    }

    /// Sets that aside, where it is read no more, and says how many there were.
    ///
    /// # Errors
    /// A folder cannot be read, or something in it cannot be renamed.
    pub fn set_aside_unread(&self) -> Result<usize, PortError> {
        let unread = self.unread()?;
        for path in &unread {
            std::fs::rename(path, path.with_extension("aside")).map_err(|error| unavailable(path, &error))?;
        }
        Ok(unread.len())
    }

    /// The call of that id, if it was let through and did not end.
    pub(crate) fn find(&self, actor: &Actor, call: &CallId) -> Result<Option<PendingCall>, PortError> {
        self.read(&self.call_file(actor, call))
    }

    fn read(&self, path: &Path) -> Result<Option<PendingCall>, PortError> {
        // A folder of that name is no record, and no reason to settle none of the others.
        if path.is_dir() {
            return Ok(None);
        }
        let Some(bytes) = read_optional(path)? else { return Ok(None) };
        let Ok(stored) = serde_json::from_slice::<Stored>(&bytes) else { return Ok(None) };
        let is_here = self.call_file(&stored.pending.actor, &stored.pending.call) == path;
        Ok((stored.format == FORMAT && is_here).then_some(stored.pending))
    }
}

/// The records in a folder of calls, without what a killed writer left.
fn records_in(folder: &Path) -> Result<Vec<PathBuf>, PortError> {
    let mut paths = names_in(folder)?;
    paths.retain(|path| {
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        !is_hidden && path.extension().is_some_and(|extension| extension == "json")
    });
    Ok(paths)
}

/// The records of all sessions.
fn all_in(calls: &Path) -> Result<Vec<PathBuf>, PortError> {
    let mut paths = Vec::new();
    for folder in names_in(calls)?.iter().filter(|folder| folder.is_dir()) {
        paths.extend(records_in(folder)?);
    }
    Ok(paths)
}

/// What is in a folder; nothing when there is none.
fn names_in(folder: &Path) -> Result<Vec<PathBuf>, PortError> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unavailable(folder, &error)),
    };
    entries
        .map(|entry| entry.map(|entry| entry.path()).map_err(|error| unavailable(folder, &error)))
        .collect()
}

#[async_trait]
impl PendingStore for FsPendingStore {
    async fn put(&self, pending: &PendingCall) -> Result<(), PortError> {
        let path = self.call_file(&pending.actor, &pending.call);
        let stored = Stored { format: FORMAT, pending: pending.clone() };
        let bytes = serde_json::to_vec(&stored).map_err(|error| invalid(&path, error.to_string()))?;
        replace(&path, &bytes, self.durability)
    }

    async fn get(&self, actor: &Actor, call: &CallId) -> Result<Option<PendingCall>, PortError> {
        self.find(actor, call)
    }

    async fn remove(&self, actor: &Actor, call: &CallId) -> Result<(), PortError> {
        remove_optional(&self.call_file(actor, call))
    }

    async fn list(&self, actor: &Actor) -> Result<Vec<PendingCall>, PortError> {
        let mut calls = self.in_folder(&self.session_dir(actor))?;
        calls.sort_by(|a, b| (a.at, &a.call).cmp(&(b.at, &b.call)));
        Ok(calls)
    }

    async fn all(&self) -> Result<Vec<PendingCall>, PortError> {
        let mut calls = Vec::new();
        for folder in names_in(&self.calls)?.iter().filter(|folder| folder.is_dir()) {
            calls.extend(self.in_folder(folder)?);
        }
        calls.sort_by(|a, b| (a.at, &a.call).cmp(&(b.at, &b.call)));
        Ok(calls)
    }

    async fn keep(&self, content: &[u8]) -> Result<ContentHash, PortError> {
        let hash = ContentHash::of(content);
        let path = self.image_file(&hash);
        if !path.exists() {
            create_once(&path, content, self.durability)?;
        }
        Ok(hash)
    }

    async fn keep_executable(&self, hash: &ContentHash, is_executable: bool) -> Result<(), PortError> {
        let path = self.image_file(hash);
        let file = open_private(&path, private_options().read(true))?;
        mode::set_executable(&file, is_executable).map_err(|error| unavailable(&path, &error))
    }

    async fn was_executable(&self, hash: &ContentHash) -> Result<bool, PortError> {
        let path = self.image_file(hash);
        match private_options().read(true).open(&path).and_then(|file| mode::is_executable(&file)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            other => other.map_err(|error| unavailable(&path, &error)),
        }
    }

    async fn collected_before(&self) -> Result<Option<Timestamp>, PortError> {
        collected::collected_before(&self.images)
    }

    async fn kept(&self, hash: &ContentHash) -> Result<Option<Vec<u8>>, PortError> {
        let path = self.image_file(hash);
        let Some(content) = read_optional(&path)? else { return Ok(None) };
        if hash.is_of(&content) {
            Ok(Some(content))
        } else {
            Err(invalid(&path, "the content does not match its name"))
        }
    }
}
