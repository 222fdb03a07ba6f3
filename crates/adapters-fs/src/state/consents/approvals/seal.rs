//! The key that seals requests and answers. It lives in the user's state folder, outside every tree
//! that an agent works in.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use bailiwick_domain::{ContentHash, PortError, canonical_of};
use serde::Serialize;

use crate::Layout;
use crate::files::atomic::{Durability, create_once, invalid, read_optional};

const KEY_FILE: &str = "approval.key";
const KEY_BYTES: usize = 32;

/// A secret of this user on this machine.
#[derive(Clone)]
pub(crate) struct SealKey([u8; KEY_BYTES]);

impl std::fmt::Debug for SealKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("SealKey(..)")
    }
}

/// The key of the user's state folder, loaded when something is first sealed or looked at.
#[derive(Clone, Debug)]
pub(crate) struct Seals {
    folder: Option<PathBuf>,
    key: OnceLock<SealKey>,
}

impl Seals {
    /// The key of the user whom the layout knows.
    pub(crate) fn of(layout: &Layout) -> Self {
        Self { folder: layout.user_state().map(Path::to_owned), key: OnceLock::new() }
    }

    /// Whether there is a folder for a key.
    pub(crate) fn can_be_made(&self) -> bool {
        self.folder.is_some()
    }

    /// The key; none without the folder.
    pub(crate) fn key(&self) -> Result<Option<&SealKey>, PortError> {
        let Some(folder) = &self.folder else { return Ok(None) };
        if self.key.get().is_none() {
            let _ = self.key.set(SealKey::load_or_create(folder)?);
        }
        Ok(self.key.get())
    }

    /// The key, for what counts for nothing without it.
    pub(crate) fn needed(&self, for_what: &str) -> Result<&SealKey, PortError> {
        self.key()?.ok_or_else(|| PortError::Unavailable(format!("{for_what} the user's state folder")))
    }
}

impl SealKey {
    /// The key in this folder; made at first use, by exactly one process.
    pub(crate) fn load_or_create(folder: &Path) -> Result<Self, PortError> {
        let path = folder.join(KEY_FILE);
        if let Some(bytes) = read_optional(&path)? {
            return Self::from_bytes(&path, &bytes);
        }
        let mut fresh = Vec::with_capacity(KEY_BYTES);
        fresh.extend_from_slice(uuid::Uuid::new_v4().as_bytes());
        fresh.extend_from_slice(uuid::Uuid::new_v4().as_bytes());
        create_once(&path, &fresh, Durability::Synced)?;
        Self::from_bytes(&path, &read_optional(&path)?.unwrap_or_default())
    }

    fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, PortError> {
        bytes.try_into().map(Self).map_err(|_| invalid(path, "not a 32-byte key"))
    }

    /// The seal of a value; hashed twice with the key, so that nothing can be appended to what is sealed.
    pub(crate) fn seal(&self, value: &impl Serialize) -> ContentHash {
        let inner = self.keyed(canonical_of(value).as_bytes());
        self.keyed(inner.as_str().as_bytes())
    }

    fn keyed(&self, bytes: &[u8]) -> ContentHash {
        let mut keyed = self.0.to_vec();
        keyed.extend_from_slice(bytes);
        ContentHash::of(&keyed)
    }
}
