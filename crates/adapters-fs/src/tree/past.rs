//! What is kept of the history of the working copy between two suggestions. It is a cache: it can be gone at any time.

use std::path::PathBuf;

use bailiwick_domain::ContentHash;
use serde::{Deserialize, Serialize};

use crate::files::Layout;
use crate::files::atomic::read_optional;
use crate::files::cache::{keep, place};

/// More than this is neither kept nor read, in bytes.
const MOST_BYTES: usize = 16 << 20;

/// Changes whenever the form changes.
const FORM: u32 = 1;

/// The newest commits as they were when somebody looked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptPast {
    form: u32,
    /// The commit that they end with.
    pub head: String,
    /// The newest first.
    pub commits: Vec<KeptCommit>,
}

/// What one commit says and changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptCommit {
    /// The first line of its message.
    pub subject: String,
    /// The paths, as git names them.
    pub files: Vec<String>,
}

impl KeptPast {
    /// The commits up to that one.
    pub fn new(head: String, commits: Vec<KeptCommit>) -> Self {
        Self { form: FORM, head, commits }
    }
}

/// The place of it, for one working copy.
#[derive(Clone, Debug)]
pub struct FsPastCache {
    file: PathBuf,
}

impl FsPastCache {
    /// That of this root.
    pub fn new(layout: &Layout) -> Self {
        let root = ContentHash::of(layout.root().as_os_str().as_encoded_bytes());
        Self { file: place(layout, "past", &root) }
    }

    /// What was kept, where something was.
    pub fn read(&self) -> Option<KeptPast> {
        let is_small =
            |meta: std::fs::Metadata| usize::try_from(meta.len()).is_ok_and(|len| len <= MOST_BYTES);
        let is_there = self.file.symlink_metadata().is_ok_and(is_small);
        let bytes = is_there.then(|| read_optional(&self.file).ok().flatten())??;
        serde_json::from_slice::<KeptPast>(&bytes).ok().filter(|kept| kept.form == FORM)
    }

    /// Keeps it; a failure is of no consequence.
    pub fn keep(&self, past: &KeptPast) {
        if let Ok(bytes) = serde_json::to_vec(past)
            && bytes.len() <= MOST_BYTES
        {
            keep(&self.file, &bytes);
        }
    }
}
