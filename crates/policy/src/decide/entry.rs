//! Checks before anything is looked at: health, quarantine, the handshake, the intent.

use bailiwick_domain::{Classification, Effect, Health, Permission, State};

use super::needs_intent;
use super::violation::Violation;
use crate::calls::facts::{Facts, IntentFact};
use crate::handshake::is_tool_allowed;

/// A broken store stops everything but the gate's own tools.
pub(super) fn health(facts: &Facts) -> Option<Violation> {
    let Health::Broken(fault) = &facts.health else { return None };
    let safe = facts.tool.class == Classification::Safe && !needs_intent(facts);
    let spared = facts.tool.own || (safe && facts.settings.safe_tools_when_broken == Permission::Allow);
    (!spared).then(|| Violation::Broken(fault.clone()))
}

/// A halted session does nothing more, not even with the gate's own tools.
pub(super) fn quarantine(facts: &Facts) -> Option<Violation> {
    facts.quarantine.clone().map(Violation::Halted)
}

/// The state. With `handshake.strict` safe tools wait for a selection too, except those that only talk.
pub(super) fn handshake(facts: &Facts) -> Option<Violation> {
    let tool = &facts.tool;
    let class = if needs_intent(facts) { Classification::Destructive } else { tool.class };
    let waits = facts.settings.strict && tool.effect != Effect::Interact && facts.state != State::Action;
    if is_tool_allowed(facts.state, class, tool.own) && !waits {
        return None;
    }
    Some(Violation::TooEarly {
        tool: facts.tool_name.clone(),
        state: facts.state,
        to_change: class == Classification::Destructive,
        unproved: facts.doubt(),
    })
}

/// The intent. An id that came with the call must be the active one: another one that could
/// be selected is a `STATE_VIOLATION`, any other is `INTENT_NOT_FOUND`.
pub(super) fn intent(facts: &Facts) -> Option<Violation> {
    if facts.state != State::Action || !needs_intent(facts) {
        return None;
    }
    let intent = match &facts.intent {
        IntentFact::None => return Some(Violation::NoIntent),
        IntentFact::Gone(id) => return Some(Violation::IntentGone(id.clone())),
        IntentFact::Active(intent) => intent,
    };
    if let Some(why) = intent.closed_because() {
        return Some(Violation::IntentClosed { intent: intent.id().clone(), why });
    }
    let named = facts.foreign_intent.clone()?;
    Some(Violation::OtherIntent { named, active: intent.id().clone() })
}

/// Commands that no intent allows: those that cannot be read, work handed to ungoverned agents, and those that only
/// a person may run.
pub(super) fn command(facts: &Facts) -> Option<Violation> {
    facts.command_fault.clone().map(Violation::Command)
}
