//! The members of a line as they are written, borrowed from the entry.
//!
//! They stand in the order of the canonical form, so that most lines come out in it by themselves. Deliberately absent:
//! checksum and signature, which follow from the rest.

use bailiwick_domain::{
    Actor, ApprovalId, CallId, Change, ChangedFile, ChangedRange, ContentHash, FileState, Fingerprint, Hunk,
    IntentId, Landmarks, Mutation, RepoPath, Restores, Revision, Timestamp, TraceContext, TraceEntry,
    VcsRevision,
};
use serde::Serialize;

use super::names::{model_id, urn};
use super::{LedgerSays, Place};

#[derive(Debug, Serialize)]
pub(super) struct Record<'e> {
    agent: Agent<'e>,
    files: Vec<TracedFile<'e>>,
    id: &'e str,
    metadata: Metadata<'e>,
    prev: Option<&'e ContentHash>,
    timestamp: Timestamp,
    tool: Tool,
    #[serde(skip_serializing_if = "Option::is_none")]
    vcs: Option<Vcs<'e>>,
    version: &'static str,
}

#[derive(Debug, Serialize)]
struct Agent<'e> {
    contributor: AgentContributor<'e>,
    session_id: &'e str,
}

#[derive(Debug, Serialize)]
struct AgentContributor<'e> {
    entity_type: &'static str,
    model_identifier: &'e str,
}

#[derive(Debug, Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Debug, Serialize)]
struct Vcs<'e> {
    revision: &'e str,
    revision_id: &'e str,
    r#type: &'static str,
}

#[derive(Debug, Serialize)]
struct TracedFile<'e> {
    conversations: [Conversation<'e>; 1],
    path: &'e RepoPath,
    relative_path: &'e RepoPath,
}

#[derive(Debug, Serialize)]
struct Conversation<'e> {
    contributor: Contributor,
    ranges: &'e [ChangedRange],
    related: Vec<Link<'e>>,
    url: String,
}

#[derive(Debug, Serialize)]
struct Contributor {
    #[serde(skip_serializing_if = "Option::is_none")]
    model_id: Option<String>,
    r#type: &'static str,
}

#[derive(Debug, Serialize)]
struct Link<'e> {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    derived: bool,
    r#type: &'static str,
    url: String,
    value: &'e str,
}

#[derive(Debug, Serialize)]
struct Metadata<'e> {
    #[serde(rename = "dev.bailiwick")]
    own: Own<'e>,
}

#[derive(Debug, Serialize)]
struct Own<'e> {
    agent_id: Option<&'e str>,
    amended: bool,
    approval: Option<&'e ApprovalId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approved_at: Option<Timestamp>,
    approved_by: Option<&'e str>,
    call: &'e CallId,
    derived: bool,
    files: Vec<OwnFile<'e>>,
    fingerprint: &'e Fingerprint,
    host: &'e str,
    intent: &'e IntentId,
    late: bool,
    #[serde(skip_serializing_if = "LedgerSays::is_empty")]
    ledger: &'e LedgerSays,
    model: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mutation: Option<&'e Mutation>,
    requirements: &'e [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    restores: Option<&'e Restores>,
    revision: &'e Revision,
    /// The commit once more under its older name, null where there is none.
    revision_id: Option<&'e str>,
    schema: u32,
    scope_override: bool,
    seq: u64,
    session_id: &'e str,
    /// The key of the signature, so that the checksum covers that there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    signed_by: Option<String>,
    tool: &'e str,
    vcs: &'e VcsRevision,
    working_copy: &'e str,
}

#[derive(Debug, Serialize)]
struct OwnFile<'e> {
    after: &'e FileState,
    before: &'e FileState,
    binary: bool,
    change: Change,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    doubtful: &'e [(usize, usize)],
    #[serde(skip_serializing_if = "Option::is_none")]
    hunks: Option<&'e [Hunk]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    landmarks: Vec<&'e Landmarks>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved_from: Option<&'e RepoPath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved_to: Option<&'e RepoPath>,
    path: &'e RepoPath,
    removed: Vec<OwnRemoved<'e>>,
}

#[derive(Debug, Serialize)]
struct OwnRemoved<'e> {
    anchor: usize,
    previous_hash: &'e ContentHash,
}

impl<'e> Record<'e> {
    /// The record of an entry at its place.
    pub(super) fn of(entry: &'e TraceEntry, place: Place<'e>) -> Self {
        let TraceContext { actor, model, .. } = &entry.context;
        let (entity_type, model_identifier) = match (is_human(&entry.context), model.as_deref()) {
            (true, _) => ("HUMAN", "none"),
            (false, model) => ("AI", model.unwrap_or("unknown")),
        };
        let vcs =
            entry.vcs.commit().map(|commit| Vcs { revision: commit, revision_id: commit, r#type: "git" });
        Self {
            agent: Agent {
                contributor: AgentContributor { entity_type, model_identifier },
                session_id: &actor.session,
            },
            files: entry.files.iter().map(|file| traced_file(file, &entry.context)).collect(),
            id: &entry.id,
            metadata: Metadata { own: Own::of(entry, place) },
            prev: place.prev,
            timestamp: entry.timestamp,
            tool: Tool { name: "bailiwick", version: env!("CARGO_PKG_VERSION") },
            vcs,
            version: "0.1.0",
        }
    }
}

/// Whether a person made the change: one that takes another back, or a lesson.
fn is_human(context: &TraceContext) -> bool {
    context.restores.is_some() || context.actor.host == Actor::HUMAN
}

fn traced_file<'e>(file: &'e ChangedFile, context: &'e TraceContext) -> TracedFile<'e> {
    let is_human = is_human(context);
    let link = |r#type: &'static str, value: &'e str, derived| Link {
        derived,
        r#type,
        url: urn(r#type, value),
        value,
    };
    let session = context.actor.session.as_str();
    let mut related = vec![link("intent", context.intent.as_str(), false)];
    let requirements = context.requirements.iter();
    related.extend(requirements.map(|requirement| link("requirement", requirement, context.derived)));
    related.push(link("session", session, false));
    let conversation = Conversation {
        contributor: Contributor {
            model_id: context.model.as_deref().filter(|_| !is_human).and_then(model_id),
            r#type: if is_human { "human" } else { "ai" },
        },
        ranges: &file.ranges,
        related,
        url: urn("session", session),
    };
    TracedFile { conversations: [conversation], path: &file.path, relative_path: &file.path }
}

impl<'e> Own<'e> {
    fn of(entry: &'e TraceEntry, place: Place<'e>) -> Self {
        let context = &entry.context;
        Self {
            agent_id: context.actor.agent.as_deref(),
            amended: context.amended,
            approval: context.approval.as_ref(),
            approved_at: context.approved_at,
            approved_by: context.approved_by.as_deref(),
            call: &context.call,
            derived: context.derived,
            files: entry.files.iter().map(own_file).collect(),
            fingerprint: &context.fingerprint,
            host: &context.actor.host,
            intent: &context.intent,
            late: context.late,
            ledger: place.says,
            model: context.model.as_deref(),
            mutation: context.mutation.as_ref(),
            requirements: &context.requirements,
            restores: context.restores.as_ref(),
            revision: &context.revision,
            revision_id: entry.vcs.commit(),
            schema: 1,
            scope_override: context.scope_override,
            seq: place.seq,
            session_id: &context.actor.session,
            signed_by: place.signer.map(|signer| signer.public().to_string()),
            tool: &context.tool,
            vcs: &entry.vcs,
            working_copy: place.working_copy,
        }
    }
}

fn own_file(file: &ChangedFile) -> OwnFile<'_> {
    let removed = file.removed.iter();
    OwnFile {
        after: &file.after,
        before: &file.before,
        binary: file.binary,
        change: file.change,
        doubtful: file.lineage.as_ref().map(|lineage| lineage.doubtful.as_slice()).unwrap_or_default(),
        hunks: file.lineage.as_ref().map(|lineage| lineage.hunks.as_slice()),
        landmarks: file.ranges.iter().map(|range| &range.landmarks).collect(),
        moved_from: file.moved_from.as_ref(),
        moved_to: file.moved_to.as_ref(),
        path: &file.path,
        removed: removed.map(|(anchor, hash)| OwnRemoved { anchor: *anchor, previous_hash: hash }).collect(),
    }
}
