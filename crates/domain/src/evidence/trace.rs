//! Trace entries: one successful mutation each, in the ledger.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::calls::{Actor, CallId, Mutation, Symbol};
use crate::consents::{ApprovalId, Fingerprint, Pause};
use crate::evidence::{Landmarks, Lineage, Restores};
use crate::intents::{IntentId, Revision};
use crate::values::{ContentHash, FileState, RepoPath, Timestamp};

/// The revision of the version control system, or why there is none: never a made-up value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VcsRevision {
    /// The full commit id.
    Commit(String),
    /// There is none: why.
    None(String),
}

impl VcsRevision {
    /// The commit id, where there is one.
    pub fn commit(&self) -> Option<&str> {
        match self {
            Self::Commit(commit) => Some(commit),
            Self::None(_) => None,
        }
    }
}

/// A run of changed lines in the new text, 1-based and inclusive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedRange {
    /// The block's hash.
    pub content_hash: ContentHash,
    /// Last line.
    pub end_line: usize,
    /// What it is found again by; empty in records that do not say.
    #[serde(skip)]
    pub landmarks: Landmarks,
    /// First line.
    pub start_line: usize,
    /// The named unit that the run lies in; `None` where there is none, where the text is not understood, and
    /// in entries of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<Symbol>,
}

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It is new.
    Created,
    /// Its content changed.
    Modified,
    /// It is gone.
    Deleted,
}

/// One changed file of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedFile {
    /// The path.
    pub path: RepoPath,
    /// What happened.
    pub change: Change,
    /// Before the call.
    pub before: FileState,
    /// After the call.
    pub after: FileState,
    /// The changed runs in the new text; empty for deletions, pure removals and binaries.
    pub ranges: Vec<ChangedRange>,
    /// Lines removed without a replacement: anchor line in the new text (0 = before the first) and the hash of what
    /// was there.
    pub removed: Vec<(usize, ContentHash)>,
    /// Whether the content is not text.
    pub binary: bool,
    /// How the lines after the call follow from those before it; from those of `moved_from` where there is one. `None` for
    /// what is gone or no text, and in entries of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lineage: Option<Lineage>,
    /// Where its content came from, for a file that the call moved here: `ranges` and `removed` then tell the difference
    /// to what was moved, so that a rename claims no line. `None` in entries of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<RepoPath>,
    /// Where its content went, for a file that the call moved away; no line of it counts as removed. `None` in entries of
    /// older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<RepoPath>,
}

impl TraceEntry {
    /// Whether it changed the file of that path.
    pub fn changes(&self, path: &RepoPath) -> bool {
        self.files.iter().any(|file| file.path == *path)
    }
}

/// Under what authority a change was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceContext {
    /// The host's id of the call.
    pub call: CallId,
    /// Who acted.
    pub actor: Actor,
    /// The canonical tool name.
    pub tool: String,
    /// The intent.
    pub intent: IntentId,
    /// Its revision.
    pub revision: Revision,
    /// The requirements.
    pub requirements: Vec<String>,
    /// Whether the requirements were derived from the intent's id.
    pub derived: bool,
    /// The approval in the queue or the grant (`grant#3`); `None` when the host's prompt asked.
    pub approval: Option<ApprovalId>,
    /// Who approved.
    pub approved_by: Option<String>,
    /// When the human said yes; for a grant, when it was given. `None` when the host's prompt asked, and in entries of
    /// older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved_at: Option<Timestamp>,
    /// What the yes was bound to.
    pub fingerprint: Fingerprint,
    /// Whether a human overrode the scope.
    pub scope_override: bool,
    /// The model, when the host told it.
    pub model: Option<String>,
    /// Whether the outcome was found later, without the host's post event.
    pub late: bool,
    /// Whether the content differs from what was predicted when it was approved.
    pub amended: bool,
    /// What the change means; `None` in entries of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutation: Option<Mutation>,
    /// What a person took back with it; `None` for what an agent changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restores: Option<Restores>,
}

impl TraceContext {
    /// Whether it passed in a pause: nobody was asked, so nobody approved it.
    pub fn passed_in_pause(&self) -> bool {
        self.approval.as_ref().is_some_and(|id| id.0 == Pause::MARK)
    }
}

/// One successful mutation, before the ledger gives it a place in its chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceEntry {
    /// A version 4 UUID.
    pub id: String,
    /// When it was recorded.
    pub timestamp: Timestamp,
    /// The commit that the working copy stood on.
    pub vcs: VcsRevision,
    /// Under what authority.
    pub context: TraceContext,
    /// What changed.
    pub files: Vec<ChangedFile>,
}
