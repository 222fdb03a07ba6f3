//! Plain valid values, one function each, for tests that need some value and do not care which.
#![expect(clippy::panic, reason = "a sample that is not valid is a bug of the test support itself")]

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Debug;

use serde_json::json;

use crate::authoring::IntentProposal;
use crate::calls::{Actor, CallId, Classification, Effect, ToolCall};
use crate::consents::{
    ApprovalId, ApprovalKind, ApprovalRequest, CallFacts, Fingerprint, GrantBounds, GrantTerms,
};
use crate::evidence::{Change, ChangedFile, PendingCall, PendingFile, TraceContext, TraceEntry, VcsRevision};
use crate::intents::{Intent, IntentDraft, IntentId, IntentStatus, OwnedScope};
use crate::state::{Action, DecisionRecord, State};
use crate::values::{ContentHash, FileState, RepoPath, Timestamp};

#[track_caller]
fn valid<T, E: Debug>(result: Result<T, E>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("a sample is not valid: {error:?}"),
    }
}

/// The moment 2026-02-18T12:00:00.000Z.
pub fn now() -> Timestamp {
    Timestamp::from_unix_ms(1_771_416_000_000)
}

/// The conversation `claude-code/s1`.
pub fn actor() -> Actor {
    Actor::root("claude-code", "s1")
}

/// A sub-agent of [`actor`].
pub fn child(agent: &str) -> Actor {
    Actor { agent: Some(agent.to_owned()), ..actor() }
}

/// An intent id; panics on a text that is none.
#[track_caller]
pub fn intent_id(text: &str) -> IntentId {
    valid(IntentId::new(text))
}

/// A path below the root; panics on a text that is none.
#[track_caller]
pub fn path(text: &str) -> RepoPath {
    valid(RepoPath::new(text))
}

/// An intent in progress that owns these patterns and serves `REQ-1`.
#[track_caller]
pub fn intent(id: &str, scope: &[&str]) -> Intent {
    valid(Intent::new(draft(id, scope)))
}

/// The parts of [`intent`], for tests that change one of them.
#[track_caller]
pub fn draft(id: &str, scope: &[&str]) -> IntentDraft {
    IntentDraft {
        owned_scope: valid(OwnedScope::parse(scope.iter().copied())),
        requirements: vec!["REQ-1".to_owned()],
        ..IntentDraft::bare(intent_id(id), &format!("Goal of {id}"), IntentStatus::InProgress)
    }
}

/// A fingerprint that differs exactly when the seed differs.
pub fn fingerprint(seed: &str) -> Fingerprint {
    Fingerprint::of(&CallFacts {
        tool: "write_to_file",
        params: &json!({ "path": seed }),
        cwd: None,
        before: &[],
        revision: None,
        actor: &actor(),
        dispatched: &[],
    })
}

/// A request to write `src/auth/jwt.rs`, with the fingerprint of that seed.
pub fn request(seed: &str) -> ApprovalRequest {
    ApprovalRequest {
        intent_id: Some(intent_id("INT-001")),
        tool: "write_to_file".to_owned(),
        changed_paths: vec!["src/auth/jwt.rs".to_owned()],
        diff_preview: "-a\n+b\n".to_owned(),
        reason: "write_to_file changes a file".to_owned(),
        kind: ApprovalKind::Destructive,
        fingerprint: fingerprint(seed),
        actor: actor(),
        worktree: None,
        folder: None,
        draft: None,
        offer: None,
        allows: None,
        mutation: None,
        accepts: Vec::new(),
        broad: None,
        premise: None,
    }
}

/// A drafted intent of that name.
pub fn proposal(name: &str) -> IntentProposal {
    IntentProposal {
        name: name.to_owned(),
        why: Some("cents get lost".to_owned()),
        owned_scope: OwnedScope::parse(["src/billing/**"]).unwrap_or_default(),
        acceptance_criteria: vec!["0.005 is 0.01".to_owned()],
    }
}

/// A grant of the usual bounds under `INT-001`, given to [`actor`] at that moment.
pub fn grant_terms(opened: Timestamp) -> GrantTerms {
    GrantTerms {
        approval: ApprovalId("ap-00000001".to_owned()),
        by: "ada".to_owned(),
        actor: actor(),
        intent: intent_id("INT-001"),
        revision: intent("INT-001", &["src/auth/**"]).revision().clone(),
        status: Some(intent("INT-001", &["src/auth/**"]).status()),
        worktree: None,
        branch: "refs/heads/main".to_owned(),
        bounds: GrantBounds::default(),
        opened,
    }
}

/// A pending write of `src/auth/jwt.rs` by that actor.
pub fn pending(call: &str, actor: &Actor, at: Timestamp) -> PendingCall {
    PendingCall {
        call: CallId(call.to_owned()),
        actor: actor.clone(),
        tool: "write_to_file".to_owned(),
        at,
        fingerprint: fingerprint(call),
        intent: intent_id("INT-001"),
        revision: intent("INT-001", &["src/auth/**"]).revision().clone(),
        requirements: vec!["REQ-1".to_owned()],
        derived: false,
        approval: None,
        asked: None,
        approved_by: None,
        approved_at: None,
        scope_override: false,
        claimed: None,
        grant: None,
        files: vec![PendingFile {
            path: path("src/auth/jwt.rs"),
            effect: Effect::Write,
            before: FileState::Absent,
            predicted: Some(FileState::Content(ContentHash::of(b"b\n"))),
            moved_to: None,
        }],
        known: Vec::new(),
        counted: None,
        told: false,
        restores: None,
    }
}

/// An entry with that id: a new file `src/auth/jwt.rs` under that intent.
pub fn trace_entry(id: &str, intent: &Intent) -> TraceEntry {
    TraceEntry {
        id: id.to_owned(),
        timestamp: now(),
        vcs: VcsRevision::None("a sample stands nowhere".to_owned()),
        context: TraceContext {
            call: CallId(format!("call-{id}")),
            actor: actor(),
            tool: "write_to_file".to_owned(),
            intent: intent.id().clone(),
            revision: intent.revision().clone(),
            requirements: intent.requirements().to_vec(),
            derived: false,
            approval: None,
            approved_by: Some("somebody".to_owned()),
            approved_at: None,
            fingerprint: fingerprint(id),
            scope_override: false,
            model: None,
            late: false,
            amended: false,
            mutation: None,
            restores: None,
        },
        files: vec![ChangedFile {
            path: path("src/auth/jwt.rs"),
            change: Change::Created,
            before: FileState::Absent,
            after: FileState::Content(ContentHash::of(b"b\n")),
            ranges: Vec::new(),
            removed: Vec::new(),
            binary: false,
            moved_from: None,
            moved_to: None,
            lineage: None,
        }],
    }
}

/// A record of an allowed read.
pub fn decision(note: &str) -> DecisionRecord {
    DecisionRecord {
        call: Some(CallId("call-1".to_owned())),
        class: Some(Classification::Safe),
        paths: vec![String::from("src/auth/jwt.rs")],
        ..DecisionRecord::new(now(), actor(), "read_file", State::Reasoning, Action::Allow, note)
    }
}

/// A person's trust in `cargo WORD`, with further words.
pub fn allowance_terms(word: &str) -> crate::consents::AllowanceTerms {
    let words = alloc::vec!["cargo".to_owned(), word.to_owned()];
    crate::consents::AllowanceTerms {
        command: crate::consents::TrustedCommand { folder: None, words, further: true },
        intent: None,
        setting: None,
        files: Vec::new(),
        by: "ada".to_owned(),
        at: now(),
    }
}

/// A call of the actor, in no folder and under no intent of its own.
pub fn call(id: &str, tool: &str, params: serde_json::Value) -> ToolCall {
    ToolCall {
        id: CallId(id.to_owned()),
        actor: actor(),
        tool: tool.to_owned(),
        params: params.as_object().cloned().unwrap_or_default(),
        cwd: None,
        intent_id: None,
        read_hash: None,
        requirement_ids: Vec::new(),
    }
}
