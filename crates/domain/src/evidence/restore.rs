//! Putting files back to what they were: what is asked of whoever writes, and what is remembered of it.
//!
//! Deliberately absent: which files a call had changed, and how a file is written.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::consents::GrantId;
use crate::port_error::PortError;
use crate::values::{ContentHash, FileState, RepoPath};

/// What a change took back, when a person made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restores {
    /// The ledger entries whose changes of these files were taken back, newest first.
    pub entries: Vec<String>,
    /// The grant whose review it was done in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<GrantId>,
}

/// One file that shall be what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutBack {
    /// The path, without a symlink in it.
    pub path: RepoPath,
    /// What must be there now; anything else is somebody's later change and stays.
    pub expected: FileState,
    /// The bytes that shall be there; `None` for no file.
    pub content: Option<Vec<u8>>,
    /// Whether it may be run, where nothing is there whose mode it keeps.
    pub executable: bool,
    /// Where it comes from: another file of the same change, whose mode it keeps where nothing is there.
    pub origin: Option<RepoPath>,
}

impl PutBack {
    /// What will be there.
    pub fn target(&self) -> FileState {
        self.content.as_ref().map_or(FileState::Absent, |bytes| FileState::Content(ContentHash::of(bytes)))
    }
}

/// Why files were not put back. Except for [`PutBackError::Halfway`] every file is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PutBackError {
    /// What is there is not what was expected.
    #[error("{0} changed since")]
    Changed(RepoPath),
    /// The way there is not the one that the path says.
    #[error("{path}: {why}")]
    Confined {
        /// The path.
        path: RepoPath,
        /// What stands in the way.
        why: String,
    },
    /// Some files could not be taken back after another one failed.
    #[error("{why}; not as before: {}", joined(.left))]
    Halfway {
        /// The files that are not as they were.
        left: Vec<RepoPath>,
        /// What failed.
        why: String,
    },
    /// The files could not be reached or written.
    #[error(transparent)]
    Port(#[from] PortError),
}

fn joined(paths: &[RepoPath]) -> String {
    paths.iter().map(RepoPath::as_str).collect::<Vec<_>>().join(", ")
}
