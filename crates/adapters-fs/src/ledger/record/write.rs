//! From an entry to its line.

use bailiwick_domain::{ChangedFile, ContentHash, TraceContext, TraceEntry, Value, VcsRevision, json};

use super::names::{model_id, urn};
use super::{LineFault, NAMESPACE, Own, OwnFile, OwnRemoved, Place};
use crate::ledger::canonical::CanonicalObject;

/// The line of an entry at its place in the chain, without LF, and the line's checksum.
pub(in crate::ledger) fn write(
    entry: &TraceEntry,
    place: Place<'_>,
) -> Result<(Vec<u8>, ContentHash), LineFault> {
    let mut record = body(entry, place);
    let members = record.as_object_mut().ok_or_else(|| LineFault::Form("not an object".into()))?;
    members.insert("prev".into(), json!(place.prev));
    let checksum = ContentHash::of(&canonical(&record)?);
    if let Some(members) = record.as_object_mut() {
        members.insert("checksum".into(), json!(checksum));
        if let Some(signer) = place.signer {
            members.insert("signature".into(), signer.sign(&checksum).into());
        }
    }
    Ok((canonical(&record)?, checksum))
}

/// The record in its canonical form: most often it comes out so by itself, which is soon seen.
fn canonical(record: &Value) -> Result<Vec<u8>, LineFault> {
    let plain = serde_json::to_vec(record).map_err(|error| LineFault::Form(error.to_string()))?;
    if CanonicalObject::scan(&plain).is_some() {
        return Ok(plain);
    }
    serde_json_canonicalizer::to_vec(record).map_err(|error| LineFault::Form(error.to_string()))
}

fn body(entry: &TraceEntry, place: Place<'_>) -> Value {
    let context = &entry.context;
    let session = &context.actor.session;
    let contributor = match (is_human(context), context.model.as_deref()) {
        (true, _) => json!({"entity_type": "HUMAN", "model_identifier": "none"}),
        (false, model) => json!({"entity_type": "AI", "model_identifier": model.unwrap_or("unknown")}),
    };
    let mut record = json!({
        "version": "0.1.0",
        "id": entry.id,
        "timestamp": entry.timestamp,
        "tool": {"name": "bailiwick", "version": env!("CARGO_PKG_VERSION")},
        "agent": {
            "session_id": session,
            "contributor": contributor,
        },
        "files": entry.files.iter().map(|file| traced_file(file, context)).collect::<Vec<_>>(),
        "metadata": {NAMESPACE: own(entry, place)},
    });
    if let (VcsRevision::Commit(commit), Some(members)) = (&entry.vcs, record.as_object_mut()) {
        members.insert("vcs".into(), json!({"type": "git", "revision": commit, "revision_id": commit}));
    }
    record
}

/// Whether a person made the change: one that takes another back (row 75).
fn is_human(context: &TraceContext) -> bool {
    context.restores.is_some()
}

fn traced_file(file: &ChangedFile, context: &TraceContext) -> Value {
    let session = urn("session", &context.actor.session);
    let mut contributor = json!({"type": if is_human(context) { "human" } else { "ai" }});
    let model = context.model.as_deref().filter(|_| !is_human(context)).and_then(model_id);
    if let (Some(model), Some(members)) = (model, contributor.as_object_mut()) {
        members.insert("model_id".into(), model.into());
    }
    let link = |kind: &str, value: &str| json!({"type": kind, "value": value, "url": urn(kind, value)});
    let mut related = vec![link("intent", context.intent.as_str())];
    related.extend(context.requirements.iter().map(|requirement| {
        let mut link = link("requirement", requirement);
        if let (true, Some(members)) = (context.derived, link.as_object_mut()) {
            members.insert("derived".into(), true.into());
        }
        link
    }));
    related.push(link("session", &context.actor.session));
    json!({
        "path": file.path,
        "relative_path": file.path,
        "conversations": [
            {"url": session, "contributor": contributor, "ranges": file.ranges, "related": related},
        ],
    })
}

fn own(entry: &TraceEntry, place: Place<'_>) -> Own {
    let TraceContext { call, actor, tool, intent, revision, requirements, derived, .. } =
        entry.context.clone();
    let TraceContext {
        approval,
        approved_by,
        approved_at,
        fingerprint,
        scope_override,
        model,
        late,
        amended,
        mutation,
        restores,
        ..
    } = entry.context.clone();
    Own {
        schema: 1,
        seq: place.seq,
        working_copy: Some(place.working_copy.to_owned()),
        signed_by: place.signer.map(|signer| signer.public().to_string()),
        call,
        host: actor.host,
        session_id: actor.session,
        agent_id: actor.agent,
        tool,
        fingerprint,
        approval,
        approved_by,
        approved_at,
        intent,
        revision,
        requirements,
        derived,
        late,
        amended,
        scope_override,
        model,
        mutation,
        restores,
        vcs: entry.vcs.clone(),
        revision_id: match &entry.vcs {
            VcsRevision::Commit(commit) => Some(commit.clone()),
            VcsRevision::None(_) => None,
        },
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
        moved_from: file.moved_from.clone(),
        moved_to: file.moved_to.clone(),
        landmarks: file.ranges.iter().map(|range| range.landmarks.clone()).collect(),
    }
}
