//! Changes of the intents file: an agent asks for them, a person approves, the gate writes.
//!
//! Plain values; how the file is read and written is the [`IntentWriter`](crate::IntentWriter)'s matter.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::intents::{IntentId, IntentStatus, OwnedScope, ScopePattern};
use crate::port_error::PortError;
use crate::values::{ContentHash, RepoPath};

/// An intent that somebody drafted; it gets its id when it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntentProposal {
    /// The goal in one line.
    pub name: String,
    /// The reason.
    pub why: Option<String>,
    /// What it may change.
    pub owned_scope: OwnedScope,
    /// When it is done.
    pub acceptance_criteria: Vec<String>,
}

/// How wide a drafted scope is, where it is so wide that accepting it takes a second, explicit word of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breadth {
    /// How many files it owns now.
    pub files: usize,
    /// Of how many that are there.
    pub of: usize,
    /// How many of its files can run code.
    pub can_run: usize,
}

impl Breadth {
    /// The share of the tree in whole percent, rounded up; nothing at all is no share.
    pub fn percent(self) -> usize {
        self.files.saturating_mul(100).div_ceil(self.of.max(1)).min(100)
    }
}

/// What a human made of a draft before saying yes to it, and the only thing that the yes is to.
///
/// A reader that does not know one of these forms finds no request at all, and asks anew: it never takes a yes to less
/// for a yes to what was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Amended {
    /// Another intent than the one that was drafted.
    Intent(IntentProposal),
    /// Other patterns than those that were asked for, added to the same intent.
    Scope {
        /// These.
        added_scope: OwnedScope,
    },
}

/// One change of the intents file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntentChange {
    /// A new intent at the end of the list, with the status `PENDING`.
    Add(IntentProposal),
    /// More patterns in an intent's owned scope, which is a new revision of it.
    Expand {
        /// The intent.
        id: IntentId,
        /// The patterns that are added.
        patterns: Vec<ScopePattern>,
    },
    /// Another status.
    SetStatus {
        /// The intent.
        id: IntentId,
        /// Its new status.
        status: IntentStatus,
    },
}

/// A change as it would be made to the file as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntentEdit {
    /// What is changed.
    pub change: IntentChange,
    /// The intent that is added or changed.
    pub intent: IntentId,
    /// The file that is changed, relative to the root.
    pub file: RepoPath,
    /// The hash of the text that the change starts from; another text needs another edit.
    pub base: ContentHash,
    /// The text before.
    pub before: String,
    /// The text after.
    pub after: String,
}

/// Why the intents file was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IntentEditError {
    /// The change cannot be made to this file, or its result is not valid.
    #[error("{0}")]
    Refused(String),
    /// The file is not the one any more that the change was made for.
    #[error("the intents file changed meanwhile")]
    Changed,
    /// The file cannot be read or written, or is invalid already.
    #[error(transparent)]
    Port(#[from] PortError),
}

/// The files of a working copy, in the order of their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeListing {
    /// The files; ignored ones are left out.
    pub files: Vec<RepoPath>,
    /// Whether there are no more than these.
    pub is_complete: bool,
}
