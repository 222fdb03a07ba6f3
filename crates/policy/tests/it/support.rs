//! Builders of facts, so that a test says only what matters to it.

use std::collections::BTreeMap;

use bailiwick_domain::{
    ContentHash, ErrorCode, FileState, Health, Intent, IntentDraft, IntentId, IntentStatus, Location,
    Observation, OwnedScope, RepoPath, Settings, State, ToolError, WorkspacePath,
};
use bailiwick_policy::registry::classify;
use bailiwick_policy::{
    Access, AnchorFact, Facts, IgnoreFact, IntentFact, Refusal, TargetFact, Verdict, decide,
};

pub(crate) fn id(text: &str) -> IntentId {
    IntentId::new(text).unwrap()
}

pub(crate) fn repo(path: &str) -> RepoPath {
    RepoPath::new(path).unwrap()
}

pub(crate) fn inside(path: &str) -> Location {
    Location::Inside(WorkspacePath { folded: path.to_lowercase(), path: repo(path), spelled: None })
}

pub(crate) fn linked(path: &str, spelled: &str) -> Location {
    let spelled = Some(repo(spelled));
    Location::Inside(WorkspacePath { folded: path.to_lowercase(), path: repo(path), spelled })
}

pub(crate) fn content(text: &str) -> FileState {
    FileState::Content(ContentHash::of(text.as_bytes()))
}

pub(crate) fn draft(name: &str, scope: &[&str]) -> IntentDraft {
    IntentDraft {
        owned_scope: OwnedScope::parse(scope.iter().copied()).unwrap(),
        ..IntentDraft::bare(id(name), "Do it", IntentStatus::InProgress)
    }
}

pub(crate) fn active(name: &str, scope: &[&str]) -> IntentFact {
    IntentFact::Active(Box::new(Intent::new(draft(name, scope)).unwrap()))
}

pub(crate) fn target(path: &str, access: Access) -> TargetFact {
    TargetFact {
        requested: path.to_owned(),
        access,
        location: inside(path),
        current: content("old"),
        observed: Some(Observation::whole(content("old"))),
        explained: None,
        claimed: None,
        anchor: if access == Access::Anchored { AnchorFact::Found } else { AnchorFact::NotQuoted },
    }
}

/// A call in `ACTION` under `INT-001` with `src/**`, everything in order.
pub(crate) fn call(tool: &str, targets: Vec<TargetFact>) -> Facts {
    Facts {
        settings: Settings::default(),
        health: Health::Ok,
        tool: classify(tool, &BTreeMap::new()),
        tool_name: tool.to_owned(),
        state: State::Action,
        quarantine: None,
        intent: active("INT-001", &["src/**"]),
        unaccepted: Vec::new(),
        foreign_intent: None,
        parent_scope: None,
        targets,
        malformed: None,
        extras: Default::default(),
        ignore: IgnoreFact::Absent,
        folds_case: false,
        requirement_ids: Vec::new(),
        blocked_before: 0,
        command: None,
        searches: false,
        unproved: None,
        outbound: None,
        command_fault: None,
        count: None,
    }
}

pub(crate) fn write(path: &str) -> Facts {
    call("write_to_file", vec![target(path, Access::Overwrite)])
}

pub(crate) fn read(path: &str) -> Facts {
    Facts {
        state: State::Request,
        intent: IntentFact::None,
        ..call("read_file", vec![target(path, Access::Read)])
    }
}

/// The intents that could be selected where a test says nothing of them.
pub(crate) fn selectable() -> [IntentId; 2] {
    [id("INT-001"), id("INT-002")]
}

#[track_caller]
pub(crate) fn refused(facts: &Facts) -> Refusal {
    match decide(facts) {
        Verdict::Block(refusal) => *refusal,
        other => panic!("expected a block, got {other:?}"),
    }
}

#[track_caller]
pub(crate) fn blocked(facts: &Facts) -> ToolError {
    refused(facts).error(facts, &selectable())
}

#[track_caller]
pub(crate) fn check_code(facts: &Facts, code: ErrorCode) {
    assert_eq!(blocked(facts).code(), code);
}

#[track_caller]
pub(crate) fn check_allowed(facts: &Facts) {
    assert_eq!(decide(facts), Verdict::Allow);
}

#[track_caller]
pub(crate) fn asked(facts: &Facts) -> bailiwick_domain::ApprovalNeed {
    match decide(facts) {
        Verdict::WaitForApproval(need) => need,
        other => panic!("expected a question, got {other:?}"),
    }
}
