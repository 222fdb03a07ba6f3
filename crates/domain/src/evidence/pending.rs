//! Calls that were let through and whose outcome is not known yet. They are written before the call runs, so that a
//! crash or a missing post event loses no evidence.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::calls::{Actor, CallId, Effect, MutationClass};
use crate::consents::{ApprovalId, Fingerprint, GrantCharge};
use crate::evidence::Restores;
use crate::intents::{IntentId, Revision};
use crate::values::{FileState, RepoPath, Timestamp};

/// One file that a pending call may change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingFile {
    /// The path.
    pub path: RepoPath,
    /// What happens to it.
    pub effect: Effect,
    /// What was on disk when the call was let through; its content is kept as a pre-image.
    pub before: FileState,
    /// What will be on disk after the call, when it can be predicted.
    pub predicted: Option<FileState>,
    /// Where it moves to, for a move.
    pub moved_to: Option<RepoPath>,
}

/// A call between the yes and its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingCall {
    /// The host's id of the call.
    pub call: CallId,
    /// Who asked.
    pub actor: Actor,
    /// The canonical tool name.
    pub tool: String,
    /// When it was let through.
    pub at: Timestamp,
    /// What the yes was bound to.
    pub fingerprint: Fingerprint,
    /// The active intent.
    pub intent: IntentId,
    /// Its revision.
    pub revision: Revision,
    /// The requirements that the change is linked to.
    pub requirements: Vec<String>,
    /// Whether `requirements` were derived from the intent's id.
    pub derived: bool,
    /// The approval or the grant that let it through; `None` as long as the host's prompt asks.
    pub approval: Option<ApprovalId>,
    /// The request that was handed to the host's own prompt; `None` for every other call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<ApprovalId>,
    /// Who approved.
    pub approved_by: Option<String>,
    /// When; `None` when the host's prompt asks, and for calls of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved_at: Option<Timestamp>,
    /// Whether the approval overrode the scope.
    pub scope_override: bool,
    /// The class that the agent claimed for the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed: Option<MutationClass>,
    /// What it has taken of a grant, when a grant let it through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<GrantCharge>,
    /// The lines that it was counted with before it ran, where its intent bounds files or lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<u32>,
    /// The files it may change; empty for commands.
    pub files: Vec<PendingFile>,
    /// For commands: files of the scope that the actor knew as they were, so that its memory can follow what the
    /// command makes of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<(RepoPath, FileState)>,
    /// Whether the host told that it ran before what it writes was there.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub told: bool,
    /// What a person takes back with it; `None` for every call of an agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restores: Option<Restores>,
}
