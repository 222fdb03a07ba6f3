//! Checks before anything is looked at: health, quarantine, the handshake, the intent.

use bailiwick_domain::{
    Classification, CommandFault, Effect, ErrorCode, Health, HealthFault, Permission, State, ToolError,
};

use super::{active, needs_intent, report};
use crate::calls::facts::{Facts, IntentFact};
use crate::handshake::is_tool_allowed;

/// A broken store stops everything but the gate's own tools.
pub(super) fn health(facts: &Facts) -> Option<ToolError> {
    let Health::Broken(fault) = &facts.health else { return None };
    let safe = facts.tool.class == Classification::Safe && !needs_intent(facts);
    let spared = facts.tool.own || (safe && facts.settings.safe_tools_when_broken == Permission::Allow);
    (!spared).then(|| report::whole(facts, health_error(fault)))
}

/// The error of a fault, for whoever meets the fault outside a call.
pub fn health_error(fault: &HealthFault) -> ToolError {
    match fault {
        HealthFault::NoRoot => {
            let message = "No workspace root: this call cannot be tied to a governed repository. If you no longer want this \
                           hook, run `bailiwick uninstall` where it was installed.";
            ToolError::new(ErrorCode::MissingWorkspaceRoot, message)
        }
        HealthFault::Missing(what) => {
            let message = format!("Orchestration missing: this repository is governed, but {what}.");
            ToolError::new(ErrorCode::OrchestrationMissing, message)
        }
        HealthFault::Invalid(diagnostic) => {
            let message = format!("Orchestration invalid: {diagnostic}");
            ToolError::new(ErrorCode::OrchestrationInvalid, message)
                .with_detail("file", diagnostic.file.as_str())
                .with_detail("line", diagnostic.line)
                .with_detail("column", diagnostic.column)
        }
        HealthFault::StateUnavailable(why) => {
            let message = format!("Private state unavailable: {why}. Nothing may change without evidence.");
            ToolError::new(ErrorCode::LedgerUnavailable, message)
        }
    }
}

/// A halted session does nothing more, not even with the gate's own tools.
pub(super) fn quarantine(facts: &Facts) -> Option<ToolError> {
    let why = facts.quarantine.as_ref()?;
    Some(report::whole(facts, quarantine_error(why)))
}

/// The refusal of a session that is halted for this reason.
pub fn quarantine_error(why: &str) -> ToolError {
    ToolError::new(ErrorCode::Quarantined, format!("Quarantined: this session is halted. {why}"))
}

/// The state. With `handshake.strict` safe tools wait for a selection too, except those that only talk.
pub(super) fn handshake(facts: &Facts) -> Option<ToolError> {
    let tool = &facts.tool;
    let class = if needs_intent(facts) { Classification::Destructive } else { tool.class };
    let waits = facts.settings.strict && tool.effect != Effect::Interact && facts.state != State::Action;
    if is_tool_allowed(facts.state, class, tool.own) && !waits {
        return None;
    }
    let (name, state) = (&facts.tool_name, facts.state.as_str());
    let rule = if class == Classification::Safe {
        "handshake.strict asks for an active intent before any tool"
    } else {
        "an active intent is required for mutations (writes/commands)"
    };
    let message = format!("State Violation: {rule}; `{name}` is not allowed in {state}.");
    let error = ToolError::new(ErrorCode::StateViolation, message)
        .with_suggestion(report::selection_advice(facts))
        .with_detail("state", state)
        .with_detail("selectable", selectable(facts));
    Some(report::whole(facts, report::with_proposal(facts, error)))
}

/// The intent. An id that came with the call must be the active one: another one that could
/// be selected is a `STATE_VIOLATION`, any other is `INTENT_NOT_FOUND`.
pub(super) fn intent(facts: &Facts) -> Option<ToolError> {
    if facts.state != State::Action || !needs_intent(facts) {
        return None;
    }
    let error = match &facts.intent {
        IntentFact::None => ToolError::new(
            ErrorCode::MissingIntent,
            "No active intent: call select_active_intent with an intent id before changing anything.",
        ),
        IntentFact::Gone(id) => {
            let message = format!("Intent {id} is not in active_intents.yaml.");
            ToolError::new(ErrorCode::IntentNotFound, message)
        }
        IntentFact::Active(_) => return closed(facts).or_else(|| foreign(facts)),
    };
    let advised = error.with_suggestion(report::selection_advice(facts));
    let advised = report::with_proposal(facts, advised.with_detail("selectable", selectable(facts)));
    Some(report::whole(facts, advised))
}

/// Commands that no intent allows: those that cannot be read, work handed to ungoverned agents, and those that only
/// a person may run.
pub(super) fn command(facts: &Facts) -> Option<ToolError> {
    let error = match facts.command_fault.as_ref()? {
        CommandFault::NotUnderstood(why) => {
            ToolError::new(ErrorCode::CommandNotUnderstood, format!("Command not understood: {why}."))
        }
        CommandFault::Delegation(what) => {
            let message = format!("Delegation refused: {what} would run ungoverned.");
            ToolError::new(ErrorCode::DelegationRefused, message)
        }
        CommandFault::HumanOnly(what) => {
            let message =
                format!("Protected: `{what}` is a command that only a human runs, in their own terminal.");
            ToolError::new(ErrorCode::ProtectedPath, message).with_suggestion(
                "Ask the human; from here only the query commands and `bailiwick tool` may run.",
            )
        }
    };
    Some(report::whole(facts, error))
}

fn closed(facts: &Facts) -> Option<ToolError> {
    let intent = active(facts)?;
    let why = intent.closed_because()?;
    let message = format!("Intent {} is {why}; nothing may be changed under it.", intent.id());
    let error = ToolError::new(ErrorCode::IntentNotSelectable, message)
        .with_suggestion(report::selection_advice(facts))
        .with_detail("selectable", selectable(facts));
    Some(report::whole(facts, error))
}

fn foreign(facts: &Facts) -> Option<ToolError> {
    let named = facts.foreign_intent.as_ref()?;
    let active = report::intent_id(facts).map(ToString::to_string).unwrap_or_default();
    let error = if facts.selectable.contains(named) {
        let message = format!("State Violation: the call names intent {named}, but {active} is active.");
        ToolError::new(ErrorCode::StateViolation, message)
            .with_suggestion(format!("Call select_active_intent with {named} first, or leave the id out."))
    } else {
        let message = format!("The call names intent {named}, which cannot be selected; {active} is active.");
        ToolError::new(ErrorCode::IntentNotFound, message).with_suggestion(report::selection_advice(facts))
    };
    let error =
        error.with_detail("named_intent", named.as_str()).with_detail("selectable", selectable(facts));
    Some(report::whole(facts, error))
}

fn selectable(facts: &Facts) -> Vec<&str> {
    report::others(facts)
}
