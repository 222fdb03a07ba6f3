//! How old files of private state go, or are only counted. Which files are old, each kind knows itself.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bailiwick_domain::{PortError, Timestamp};
use serde::Serialize;

use crate::files::atomic::{remove_optional, unavailable};
use crate::files::system::to_timestamp;

/// Whether records go, or are only counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// They go.
    Collect,
    /// They are counted.
    Count,
}

/// What went of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Freed {
    /// So many files.
    pub files: u64,
    /// With so many bytes.
    pub bytes: u64,
}

impl Freed {
    /// One more file.
    pub(crate) fn add(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

/// What is in a folder, nothing where there is none; what goes meanwhile is passed over.
pub(crate) fn entries(folder: &Path) -> Result<Vec<(PathBuf, Metadata)>, PortError> {
    let listed = match std::fs::read_dir(folder) {
        Ok(listed) => listed,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unavailable(folder, &error)),
    };
    let mut found = Vec::new();
    for entry in listed {
        let path = entry.map_err(|error| unavailable(folder, &error))?.path();
        if let Ok(meta) = path.symlink_metadata() {
            found.push((path, meta));
        }
    }
    Ok(found)
}

pub(crate) fn modified(meta: &Metadata) -> Timestamp {
    to_timestamp(meta.modified().unwrap_or_else(|_| SystemTime::now()))
}

/// Removes a file, unless it is only counted.
pub(crate) fn remove(path: &Path, doing: Doing) -> Result<(), PortError> {
    match doing {
        Doing::Collect => remove_optional(path),
        Doing::Count => Ok(()),
    }
}
