//! From a line back to its entry, with the proof that it is what was written (D-23).

use bailiwick_domain::{
    Actor, ChangedFile, ChangedRange, ContentHash, Landmarks, Timestamp, TraceContext, TraceEntry,
};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{LedgerLine, LineFault, Own};
use crate::ledger::canonical::CanonicalObject;

/// The members that a line is read back from.
#[derive(Debug, Deserialize)]
struct Envelope {
    id: String,
    timestamp: Timestamp,
    files: Vec<TracedFile>,
    metadata: Metadata,
    prev: Option<ContentHash>,
    checksum: ContentHash,
    signature: Option<String>,
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

/// Reads a line back and checks that it is in canonical form and matches its checksum (D-23). Members of newer
/// versions are covered by the checksum and otherwise ignored.
pub fn read_ledger_line(line: &[u8]) -> Result<LedgerLine, LineFault> {
    let form = |error: serde_json::Error| LineFault::Form(error.to_string());
    let Some(record) = CanonicalObject::scan(line) else {
        serde_json::from_slice::<IgnoredAny>(line).map_err(form)?;
        return Err(LineFault::NotCanonical);
    };
    let envelope: Envelope = serde_json::from_slice(line).map_err(form)?;
    if record.hash_without(&["checksum", "signature"]) != envelope.checksum {
        return Err(LineFault::Checksum);
    }
    Ok(from_envelope(envelope))
}

/// The ranges with what they are found again by, as far as the record says.
fn with_landmarks(mut ranges: Vec<ChangedRange>, landmarks: Vec<Landmarks>) -> Vec<ChangedRange> {
    for (range, landmarks) in ranges.iter_mut().zip(landmarks) {
        range.landmarks = landmarks;
    }
    ranges
}

fn from_envelope(envelope: Envelope) -> LedgerLine {
    let Envelope { id, timestamp, files, metadata: Metadata { own }, prev, checksum, signature } = envelope;
    let ranges =
        files.into_iter().map(|file| file.conversations.into_iter().flat_map(|talk| talk.ranges).collect());
    let files = own.files.into_iter().zip(ranges).map(|(file, ranges): (_, Vec<ChangedRange>)| ChangedFile {
        path: file.path,
        change: file.change,
        before: file.before,
        after: file.after,
        ranges: with_landmarks(ranges, file.landmarks),
        removed: file.removed.into_iter().map(|removed| (removed.anchor, removed.previous_hash)).collect(),
        binary: file.binary,
        moved_from: file.moved_from,
        moved_to: file.moved_to,
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
        approved_at: own.approved_at,
        fingerprint: own.fingerprint,
        scope_override: own.scope_override,
        model: own.model,
        late: own.late,
        amended: own.amended,
        mutation: own.mutation,
        restores: own.restores,
    };
    let entry = TraceEntry { id, timestamp, vcs: own.vcs, context, files: files.collect() };
    LedgerLine {
        seq: own.seq,
        prev,
        checksum,
        working_copy: own.working_copy,
        signed_by: own.signed_by,
        signature,
        entry,
    }
}
