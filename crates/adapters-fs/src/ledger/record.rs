//! The form of a ledger line: one superset record, valid as Agent Trace 0.1.0 and with the older names beside it
//! (K-19), in RFC 8785 bytes with a checksum and the checksum of the line before (K-22, K-23, D-23).

mod names;

use bailiwick_domain::{
    Actor, ApprovalId, CallId, Change, ChangedFile, ChangedRange, ContentHash, FileState, Fingerprint,
    IntentId, RepoPath, Revision, Timestamp, TraceContext, TraceEntry, Value, VcsRevision, json,
};
use serde::{Deserialize, Serialize};

use names::{model_id, urn};

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

/// Our members of a record.
#[derive(Debug, Serialize, Deserialize)]
struct Own {
    schema: u32,
    seq: u64,
    call: CallId,
    host: String,
    session_id: String,
    agent_id: Option<String>,
    tool: String,
    fingerprint: Fingerprint,
    approval: Option<ApprovalId>,
    approved_by: Option<String>,
    intent: IntentId,
    revision: Revision,
    requirements: Vec<String>,
    derived: bool,
    late: bool,
    amended: bool,
    scope_override: bool,
    model: Option<String>,
    vcs: VcsRevision,
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
}

#[derive(Debug, Serialize, Deserialize)]
struct OwnRemoved {
    anchor: usize,
    previous_hash: ContentHash,
}

/// The members that a line is read back from.
#[derive(Debug, Deserialize)]
struct Envelope {
    id: String,
    timestamp: Timestamp,
    files: Vec<TracedFile>,
    metadata: Metadata,
    prev: Option<ContentHash>,
    checksum: ContentHash,
}

#[derive(Debug, Deserialize)]
struct Metadata {
    #[serde(rename = "dev.bailiwick")]
    own: Own,
}

#[derive(Debug, Deserialize)]
struct TracedFile {
    conversations: Vec<Conversation>,
}

#[derive(Debug, Deserialize)]
struct Conversation {
    ranges: Vec<ChangedRange>,
}

/// The line of an entry at its place in the chain, without LF, and the line's checksum.
pub(crate) fn write(
    entry: &TraceEntry,
    seq: u64,
    prev: Option<&ContentHash>,
) -> Result<(Vec<u8>, ContentHash), LineFault> {
    let mut record = body(entry, seq);
    let members = record.as_object_mut().ok_or_else(|| LineFault::Form("not an object".into()))?;
    members.insert("prev".into(), json!(prev));
    let checksum = ContentHash::of(&canonical(&record)?);
    if let Some(members) = record.as_object_mut() {
        members.insert("checksum".into(), json!(checksum));
    }
    Ok((canonical(&record)?, checksum))
}

fn canonical(record: &Value) -> Result<Vec<u8>, LineFault> {
    serde_json_canonicalizer::to_vec(record).map_err(|error| LineFault::Form(error.to_string()))
}

fn body(entry: &TraceEntry, seq: u64) -> Value {
    let context = &entry.context;
    let session = &context.actor.session;
    let model = context.model.as_deref();
    let mut record = json!({
        "version": "0.1.0",
        "id": entry.id,
        "timestamp": entry.timestamp,
        "tool": {"name": "bailiwick", "version": env!("CARGO_PKG_VERSION")},
        "agent": {
            "session_id": session,
            "contributor": {"entity_type": "AI", "model_identifier": model.unwrap_or("unknown")},
        },
        "files": entry.files.iter().map(|file| traced_file(file, context)).collect::<Vec<_>>(),
        "metadata": {NAMESPACE: own(entry, seq)},
    });
    if let (VcsRevision::Commit(commit), Some(members)) = (&entry.vcs, record.as_object_mut()) {
        members.insert("vcs".into(), json!({"type": "git", "revision": commit, "revision_id": commit}));
    }
    record
}

fn traced_file(file: &ChangedFile, context: &TraceContext) -> Value {
    let session = urn("session", &context.actor.session);
    let mut contributor = json!({"type": "ai"});
    if let (Some(model), Some(members)) =
        (context.model.as_deref().and_then(model_id), contributor.as_object_mut())
    {
        members.insert("model_id".into(), model.into());
    }
    let link = |kind: &str, value: &str| json!({"type": kind, "value": value, "url": urn(kind, value)});
    let mut related = vec![link("intent", context.intent.as_str())];
    related.extend(context.requirements.iter().map(|requirement| link("requirement", requirement)));
    related.push(link("session", &context.actor.session));
    json!({
        "path": file.path,
        "relative_path": file.path,
        "conversations": [
            {"url": session, "contributor": contributor, "ranges": file.ranges, "related": related},
        ],
    })
}

fn own(entry: &TraceEntry, seq: u64) -> Own {
    let TraceContext { call, actor, tool, intent, revision, requirements, derived, .. } =
        entry.context.clone();
    let TraceContext { approval, approved_by, fingerprint, scope_override, model, late, amended, .. } =
        entry.context.clone();
    Own {
        schema: 1,
        seq,
        call,
        host: actor.host,
        session_id: actor.session,
        agent_id: actor.agent,
        tool,
        fingerprint,
        approval,
        approved_by,
        intent,
        revision,
        requirements,
        derived,
        late,
        amended,
        scope_override,
        model,
        vcs: entry.vcs.clone(),
        files: entry.files.iter().map(own_file).collect(),
    }
}

fn own_file(file: &ChangedFile) -> OwnFile {
    let removed = file.removed.iter();
    OwnFile {
        path: file.path.clone(),
        change: file.change,
        before: file.before.clone(),
        after: file.after.clone(),
        removed: removed
            .map(|(anchor, hash)| OwnRemoved { anchor: *anchor, previous_hash: hash.clone() })
            .collect(),
        binary: file.binary,
    }
}

/// Reads a line back and checks that it is in canonical form and matches its checksum (D-23). Members of newer
/// versions are covered by the checksum and otherwise ignored.
pub fn read_ledger_line(line: &[u8]) -> Result<LedgerLine, LineFault> {
    let form = |error: serde_json::Error| LineFault::Form(error.to_string());
    let mut record: Value = serde_json::from_slice(line).map_err(form)?;
    if canonical(&record)? != line {
        return Err(LineFault::NotCanonical);
    }
    let envelope = Envelope::deserialize(&record).map_err(form)?;
    if let Some(members) = record.as_object_mut() {
        members.remove("checksum");
        members.remove("signature");
    }
    if ContentHash::of(&canonical(&record)?) != envelope.checksum {
        return Err(LineFault::Checksum);
    }
    Ok(from_envelope(envelope))
}

fn from_envelope(envelope: Envelope) -> LedgerLine {
    let Envelope { id, timestamp, files, metadata: Metadata { own }, prev, checksum } = envelope;
    let ranges =
        files.into_iter().map(|file| file.conversations.into_iter().flat_map(|talk| talk.ranges).collect());
    let files = own.files.into_iter().zip(ranges).map(|(file, ranges)| ChangedFile {
        path: file.path,
        change: file.change,
        before: file.before,
        after: file.after,
        ranges,
        removed: file.removed.into_iter().map(|removed| (removed.anchor, removed.previous_hash)).collect(),
        binary: file.binary,
    });
    let context = TraceContext {
        call: own.call,
        actor: Actor { host: own.host, session: own.session_id, agent: own.agent_id },
        tool: own.tool,
        intent: own.intent,
        revision: own.revision,
        requirements: own.requirements,
        derived: own.derived,
        approval: own.approval,
        approved_by: own.approved_by,
        fingerprint: own.fingerprint,
        scope_override: own.scope_override,
        model: own.model,
        late: own.late,
        amended: own.amended,
    };
    let entry = TraceEntry { id, timestamp, vcs: own.vcs, context, files: files.collect() };
    LedgerLine { seq: own.seq, prev, checksum, entry }
}
