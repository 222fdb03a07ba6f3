//! What is kept of the history of the working copy between two suggestions. It is a cache: it can be gone at any time.

use std::path::PathBuf;

use bailiwick_domain::ContentHash;

use crate::files::Layout;
use crate::files::atomic::read_optional;
use crate::files::cache::{keep, place};

/// More than this is neither kept nor read, in bytes.
const MOST_BYTES: usize = 16 << 20;

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
    pub fn read(&self) -> Option<Vec<u8>> {
        let is_small =
            |meta: std::fs::Metadata| usize::try_from(meta.len()).is_ok_and(|len| len <= MOST_BYTES);
        self.file.symlink_metadata().is_ok_and(is_small).then(|| read_optional(&self.file).ok().flatten())?
    }

    /// Keeps it; a failure is of no consequence.
    pub fn keep(&self, bytes: &[u8]) {
        if bytes.len() <= MOST_BYTES {
            keep(&self.file, bytes);
        }
    }
}
