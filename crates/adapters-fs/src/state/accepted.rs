//! What a person decided on this machine, outside the tree: accepted settings files and governed roots.
//! Lives in the user's state folder; without one nothing is accepted and no root is known.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bailiwick_domain::{ContentHash, Diagnostic, PortError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::files::atomic::{self, Durability};

/// How many accepted contents of one file are remembered; the oldest is forgotten first.
const MAX_ACCEPTED: usize = 32;

/// The settings files that a human accepted for one root.
#[derive(Debug)]
pub(crate) struct Accepted {
    file: PathBuf,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AcceptedFile {
    root: String,
    accepted: Vec<ContentHash>,
}

impl Accepted {
    pub(crate) fn new(user_state: &Path, root: &Path) -> Self {
        Self { file: user_state.join("accepted").join(format!("{}.json", key(root).digits())) }
    }

    /// Where it lies.
    pub(crate) fn into_file(self) -> PathBuf {
        self.file
    }

    /// Whether exactly this content was accepted. A file that cannot be read accepts nothing.
    pub(crate) fn contains(&self, content: &ContentHash) -> bool {
        read::<AcceptedFile>(&self.file).is_ok_and(|file| file.accepted.contains(content))
    }

    /// Remembers that a human accepted this content.
    pub(crate) fn add(&self, root: &Path, content: &ContentHash) -> Result<(), PortError> {
        let mut file: AcceptedFile = read(&self.file)?;
        file.root = root.display().to_string();
        file.accepted.retain(|known| known != content);
        file.accepted.push(content.clone());
        let surplus = file.accepted.len().saturating_sub(MAX_ACCEPTED);
        file.accepted.drain(..surplus);
        write(&self.file, &file)
    }
}

/// The roots that a person put under governance on this machine, for telling a broken store from none.
#[derive(Clone, Debug)]
pub struct GovernedRoots {
    file: PathBuf,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RootsFile {
    /// The hash of the root's path, so that a path need not be text; with the path for people.
    roots: BTreeMap<ContentHash, String>,
}

impl GovernedRoots {
    /// The registry in the user's state folder.
    pub fn new(user_state: &Path) -> Self {
        Self { file: user_state.join("roots.json") }
    }

    /// Where it lies.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Whether this canonical root is registered.
    ///
    /// # Errors
    /// The registry is there but cannot be read or understood.
    pub fn contains(&self, root: &Path) -> Result<bool, PortError> {
        Ok(self.read()?.roots.contains_key(&key(root)))
    }

    /// All of them.
    ///
    /// # Errors
    /// The registry is there but cannot be read or understood.
    pub fn all(&self) -> Result<Vec<PathBuf>, PortError> {
        Ok(self.read()?.roots.into_values().map(PathBuf::from).collect())
    }

    /// Registers a canonical root; again is no change.
    ///
    /// # Errors
    /// The registry cannot be read or written.
    pub fn add(&self, root: &Path) -> Result<(), PortError> {
        let mut file = self.read()?;
        match file.roots.insert(key(root), root.display().to_string()) {
            Some(_) => Ok(()),
            None => write(&self.file, &file),
        }
    }

    /// Takes a root out; one that is not there is no error.
    ///
    /// # Errors
    /// The registry cannot be read or written.
    pub fn remove(&self, root: &Path) -> Result<(), PortError> {
        let mut file = self.read()?;
        match file.roots.remove(&key(root)) {
            Some(_) => write(&self.file, &file),
            None => Ok(()),
        }
    }

    fn read(&self) -> Result<RootsFile, PortError> {
        read(&self.file)
    }
}

pub(crate) fn key(root: &Path) -> ContentHash {
    ContentHash::of(root.as_os_str().as_encoded_bytes())
}

pub(crate) fn read<T: Default + DeserializeOwned>(file: &Path) -> Result<T, PortError> {
    let Some(bytes) = atomic::read_optional(file)? else { return Ok(T::default()) };
    serde_json::from_slice(&bytes).map_err(|error| {
        PortError::Invalid(Diagnostic {
            file: file.display().to_string(),
            line: error.line(),
            column: error.column(),
            message: format!("not understood: {error}"),
            fix: "delete the file and decide again".into(),
            way_out: None,
        })
    })
}

pub(crate) fn write<T: Serialize>(file: &Path, content: &T) -> Result<(), PortError> {
    let mut bytes = serde_json::to_vec_pretty(content)
        .map_err(|error| PortError::Unavailable(format!("{}: {error}", file.display())))?;
    bytes.push(b'\n');
    atomic::replace(file, &bytes, Durability::Synced)
}
