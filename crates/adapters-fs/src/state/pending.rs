//! Calls between their approval and their outcome, and the contents from before.
//!
//! Both are on the disk before the call is let through. Whether a file could be run is a bit of its pre-image's mode.
//! Deliberately absent: comparing them with what happened.

mod collected;

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bailiwick_domain::{Actor, CallId, ContentHash, PendingCall, PendingStore, PortError, Timestamp};

use crate::Layout;
use crate::files::atomic::{
    Durability, create_once, invalid, open_private, private_options, read_optional, remove_optional, replace,
    unavailable,
};
use crate::files::mode;

pub(crate) use collected::note_collected;

/// Pending calls and pre-images in private state.
#[derive(Clone, Debug)]
pub struct FsPendingStore {
    calls: PathBuf,
    images: PathBuf,
    durability: Durability,
}

impl FsPendingStore {
    /// The pending calls of this root, synced to the disk.
    pub fn new(layout: Layout) -> Self {
        Self {
            calls: layout.private().join("pending"),
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
        for path in names_in(folder)? {
            let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
            if !hidden && path.extension().is_some_and(|extension| extension == "json") {
                calls.extend(self.read(&path)?);
            }
        }
        Ok(calls)
    }

    /// The call of that id, if it was let through and did not end.
    pub(crate) fn find(&self, actor: &Actor, call: &CallId) -> Result<Option<PendingCall>, PortError> {
        self.read(&self.call_file(actor, call))
    }

    fn read(&self, path: &Path) -> Result<Option<PendingCall>, PortError> {
        let Some(bytes) = read_optional(path)? else { return Ok(None) };
        serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| invalid(path, format!("not a pending call: {error}")))
    }
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
        let bytes = serde_json::to_vec(pending).map_err(|error| invalid(&path, error.to_string()))?;
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
        for folder in names_in(&self.calls)? {
            calls.extend(self.in_folder(&folder)?);
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
