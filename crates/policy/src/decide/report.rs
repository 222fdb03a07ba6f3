//! How a refusal is worded: details that every error of a call carries, suggestions that name ids.

use bailiwick_domain::{ErrorCode, IntentId, Location, ToolError, Value, json};

use super::active;
use crate::calls::facts::{Facts, IntentFact, TargetFact};

/// An error with the details of the call: intent, tool, the paths that it is about, the scope.
pub(super) fn about(facts: &Facts, targets: &[&TargetFact], error: ToolError) -> ToolError {
    let paths: Vec<String> = targets.iter().map(|target| shown(target)).collect();
    let scope: Vec<String> = active(facts)
        .map(|intent| intent.owned_scope().patterns().iter().map(ToString::to_string).collect())
        .unwrap_or_default();
    let error = error
        .with_detail("intent_id", intent_id(facts).map_or(Value::Null, |id| id.as_str().into()))
        .with_detail("tool", facts.tool.canonical.as_str())
        .with_detail("paths", paths)
        .with_detail("scope", scope);
    let error = with_extras(facts, error);
    match targets.first() {
        Some(first) => error.with_detail("requested_path", first.requested.as_str()),
        None => error,
    }
}

/// Names the parameters that made the call more than its tool is, or that nobody knows.
fn with_extras(facts: &Facts, error: ToolError) -> ToolError {
    if facts.extras.is_empty() {
        return error;
    }
    let reason = format!("{} {}", error.reason(), facts.extras.sentences().join(" "));
    let names: Vec<&str> = facts.extras.names().collect();
    error.with_reason(reason).with_detail("parameters", names)
}

/// An error about the call as a whole, with all of its paths.
pub(super) fn whole(facts: &Facts, error: ToolError) -> ToolError {
    about(facts, &facts.targets.iter().collect::<Vec<_>>(), error)
}

/// A path as messages show it: relative to the root where it is inside.
pub(super) fn shown(target: &TargetFact) -> String {
    match &target.location {
        Location::Inside(found) => found.path.to_string(),
        Location::Root => ".".to_owned(),
        Location::Scratch(path) | Location::ReadRoot(path) | Location::Outside(path) => path.clone(),
        Location::Invalid(_) => target.requested.clone(),
    }
}

/// Adds the codes of further failures.
pub(super) fn with_also(error: ToolError, others: &[ToolError]) -> ToolError {
    let mut also: Vec<&str> = Vec::new();
    for code in others.iter().map(ToolError::code).filter(|code| *code != error.code()).map(ErrorCode::as_str)
    {
        if !also.contains(&code) {
            also.push(code);
        }
    }
    if also.is_empty() { error } else { error.with_detail("also", also) }
}

/// The parameters of a call of `propose_intent`, as an example.
pub fn proposal_example() -> Value {
    json!({
        "name": "Fix login timeout",
        "why": "Sessions end too early",
        "owned_scope": ["src/auth/**"],
        "acceptance_criteria": ["A session of 29 minutes is accepted"],
    })
}

/// Adds how to propose a first intent, where there is none to select.
pub(super) fn with_proposal(facts: &Facts, error: ToolError) -> ToolError {
    if !others(facts).is_empty() {
        return error;
    }
    error.with_detail("propose", json!({"tool": "propose_intent", "params": proposal_example()}))
}

/// The ids that could be selected, or how to propose a first intent.
pub(super) fn selection_advice(facts: &Facts) -> String {
    let ids = others(facts);
    if ids.is_empty() {
        return format!(
            "Call list_intents and select the id that covers this change. If there is none, draft one: call propose_intent \
             with {}; after the human's yes select it and retry. The human can also write one: \
             bailiwick intent new \"<what you want to do>\" --scope <path>.",
            proposal_example()
        );
    }
    format!(
        "Call select_active_intent with the id that covers this change, then retry. Selectable: {}.",
        ids.join(", ")
    )
}

/// The selectable ids other than the active one.
pub(super) fn others(facts: &Facts) -> Vec<&str> {
    let active = intent_id(facts);
    facts.selectable.iter().filter(|id| Some(*id) != active).map(IntentId::as_str).collect()
}

pub(super) fn intent_id(facts: &Facts) -> Option<&IntentId> {
    match &facts.intent {
        IntentFact::None => None,
        IntentFact::Gone(id) => Some(id),
        IntentFact::Active(intent) => Some(intent.id()),
    }
}
