//! The verdict: the checks in their fixed order, then whether a person is asked.
//!
//! Pure and total. A check looks at the facts and returns what it finds against the call, as data; `words` says it to an agent.
//! Nothing here knows how the facts were found.

use bailiwick_domain::{ApprovalKind, ApprovalNeed, Classification, Intent, IntentId, OnViolation};

mod authority;
mod counted;
mod entry;
mod paths;
mod question;
mod refusal;
mod violation;
mod words;
mod work;

pub use refusal::Refusal;
pub use violation::{Bound, Concern, Place, Places, Stray, Violation};
#[cfg(feature = "schema")]
pub use words::details_schema;
pub use words::{health_error, proposal_example, quarantine_error};
pub use work::rejected_again;

use crate::calls::facts::{Facts, IntentFact, TargetFact};

/// What the rules say of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Go ahead.
    Allow,
    /// Refused, and why.
    Block(Box<Refusal>),
    /// A human must say yes to exactly this.
    WaitForApproval(ApprovalNeed),
}

/// One rule: what it finds against the call.
type Check = fn(&Facts) -> Option<Violation>;

/// The checks behind health, in the order in which they win.
const CHECKS: &[Check] = &[
    entry::handshake,
    entry::intent,
    entry::command,
    paths::malformed,
    paths::places,
    paths::protected,
    authority::ignored,
    authority::scope,
    work::constraints,
    work::requirements,
    work::stale,
];

/// Decides one call.
///
/// The first failing check is returned, the codes of the others are in `details.also`; where the same call failed often
/// enough before, a loop. A call that fails no more is no loop: whoever mended the cause may go on. Health and
/// quarantine stand alone: under a broken store or in a halted session the other facts are no evidence.
pub fn decide(facts: &Facts) -> Verdict {
    if let Some(violation) = entry::health(facts).or_else(|| entry::quarantine(facts)) {
        return Verdict::Block(Box::new(Refusal::of(violation)));
    }
    if facts.tool.own {
        return Verdict::Allow;
    }
    let mut failures = CHECKS.iter().filter_map(|check| check(facts));
    let Some(first) = failures.next() else { return passed(facts) };
    let others: Vec<Violation> = failures.collect();
    if others.is_empty() && may_override(facts, &first) {
        return Verdict::WaitForApproval(ApprovalNeed {
            kind: ApprovalKind::ScopeOverride,
            reason: question::scope_override(facts, &first),
        });
    }
    Verdict::Block(Box::new(Refusal { first, others, repeated: work::repeated(facts) }))
}

/// What stays refused although a person paused the gate: commands that only a person may run, work handed to agents
/// that outlast the pause, calls whose paths are unknown, protected and secret paths.
pub fn held_in_pause(facts: &Facts) -> Option<Refusal> {
    const STAYING: &[Check] = &[entry::command, paths::malformed, paths::protected];
    STAYING.iter().find_map(|check| check(facts)).map(Refusal::of)
}

fn passed(facts: &Facts) -> Verdict {
    match facts.tool.class {
        Classification::Safe => match &facts.outbound {
            None => Verdict::Allow,
            Some(why) => Verdict::WaitForApproval(ApprovalNeed {
                kind: ApprovalKind::Outbound,
                reason: question::outbound(facts, why),
            }),
        },
        Classification::Destructive => Verdict::WaitForApproval(ApprovalNeed {
            kind: ApprovalKind::Destructive,
            reason: question::destructive(facts),
        }),
    }
}

/// Whether a person may override this violation, when it is the only one.
fn may_override(facts: &Facts, violation: &Violation) -> bool {
    facts.settings.on_violation == OnViolation::Ask && violation.concern() == Concern::Scope
}

/// The targets for which a check finds something, and what it finds for the first of them.
fn hits<T>(facts: &Facts, check: impl Fn(&TargetFact) -> Option<T>) -> Option<(Places, T)> {
    let found: Vec<(&TargetFact, T)> =
        facts.targets.iter().filter_map(|target| Some((target, check(target)?))).collect();
    let places = Places::of(found.iter().map(|(target, _)| *target))?;
    found.into_iter().next().map(|(_, first)| (places, first))
}

/// Whether the call needs an intent: it is destructive, or it changes a path although its class is safe, which a
/// setting can make it. An agent's own notes in a scratch place need none.
fn needs_intent(facts: &Facts) -> bool {
    facts.tool.class == Classification::Destructive
        || facts.targets.iter().any(|target| target.access.mutates() && !paths::is_own_note(facts, target))
}

fn active(facts: &Facts) -> Option<&Intent> {
    match &facts.intent {
        IntentFact::Active(intent) => Some(intent),
        IntentFact::None | IntentFact::Gone(_) => None,
    }
}

fn intent_id(facts: &Facts) -> Option<&IntentId> {
    match &facts.intent {
        IntentFact::None => None,
        IntentFact::Gone(id) => Some(id),
        IntentFact::Active(intent) => Some(intent.id()),
    }
}
