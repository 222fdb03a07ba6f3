//! The form of a ledger line: one superset record, valid as Agent Trace 0.1.0 and with the older names beside it
//! (K-19), in RFC 8785 bytes with a checksum and the checksum of the line before (K-22, K-23, D-23).

mod names;
mod read;
mod strict;
mod write;

use bailiwick_domain::{
    ApprovalId, CallId, Change, ContentHash, FileState, Fingerprint, IntentId, Landmarks, Mutation, RepoPath,
    Restores, Revision, Timestamp, TraceEntry, VcsRevision,
};
use serde::{Deserialize, Serialize};

use super::sign::Signer;

pub use read::read_ledger_line;
pub use strict::strict_record;
pub(super) use write::write;

/// The key of our own members, as the format asks of vendors.
pub(crate) const NAMESPACE: &str = "dev.bailiwick";

/// A line of the ledger that is what it claims to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerLine {
    /// Its place, counted from 0.
    pub seq: u64,
    /// The checksum of the line before; `None` for the first.
    pub prev: Option<ContentHash>,
    /// The checksum of this line.
    pub checksum: ContentHash,
    /// The working copy that it was written from; older versions did not say.
    pub working_copy: Option<String>,
    /// The key that it names as the one it was signed with, as it is spelled.
    pub signed_by: Option<String>,
    /// The signature, as it is spelled; whether it fits says [`signed_by`](super::signed_by).
    pub signature: Option<String>,
    /// The mutation.
    pub entry: TraceEntry,
}

/// Why a line is not one of the ledger's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// Not JSON, or members are missing.
    #[error("not a trace record: {0}")]
    Form(String),
    /// The bytes are not the record's RFC 8785 form.
    #[error("not in canonical form")]
    NotCanonical,
    /// The record does not match its checksum.
    #[error("the checksum does not match")]
    Checksum,
}

/// The place of a line: where it stands in the chain, and which working copy it was written from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    pub(super) seq: u64,
    pub(super) prev: Option<&'a ContentHash>,
    pub(super) working_copy: &'a str,
    /// Who signs it.
    pub(super) signer: Option<&'a Signer>,
}

/// Our members of a record.
#[derive(Debug, Serialize, Deserialize)]
struct Own {
    schema: u32,
    seq: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    working_copy: Option<String>,
    /// The key of the signature, so that the checksum covers that there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signed_by: Option<String>,
    call: CallId,
    host: String,
    session_id: String,
    agent_id: Option<String>,
    tool: String,
    fingerprint: Fingerprint,
    approval: Option<ApprovalId>,
    approved_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    approved_at: Option<Timestamp>,
    intent: IntentId,
    revision: Revision,
    requirements: Vec<String>,
    derived: bool,
    late: bool,
    amended: bool,
    scope_override: bool,
    model: Option<String>,
    vcs: VcsRevision,
    /// The commit once more under its older name, null where there is none (K-23); never read back.
    #[serde(default, skip_deserializing)]
    revision_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mutation: Option<Mutation>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    restores: Option<Restores>,
    files: Vec<OwnFile>,
}

#[derive(Debug, Serialize, Deserialize)]
struct OwnFile {
    path: RepoPath,
    change: Change,
    before: FileState,
    after: FileState,
    removed: Vec<OwnRemoved>,
    binary: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moved_from: Option<RepoPath>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moved_to: Option<RepoPath>,
    /// For each range of the file, in the same order; older versions did not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    landmarks: Vec<Landmarks>,
}

#[derive(Debug, Serialize, Deserialize)]
struct OwnRemoved {
    anchor: usize,
    previous_hash: ContentHash,
}
