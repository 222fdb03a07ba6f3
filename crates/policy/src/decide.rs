//! The verdict: the checks in their fixed order, then whether a person is asked.
//!
//! Pure and total. A check looks at the facts and returns the error that it would block with; nothing here knows how
//! the facts were found.

use bailiwick_domain::{
    ApprovalKind, ApprovalNeed, Classification, ErrorCode, OnViolation, ToolError, Verdict,
};

mod authority;
mod counted;
mod entry;
mod paths;
mod question;
mod report;
mod work;

pub use entry::{health_error, quarantine_error};
pub use report::proposal_example;
pub use work::rejected_again;

use crate::calls::facts::{Facts, IntentFact};

/// One rule: what it would block with.
type Check = fn(&Facts) -> Option<ToolError>;

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
    if let Some(error) = entry::health(facts).or_else(|| entry::quarantine(facts)) {
        return Verdict::block(error);
    }
    if facts.tool.own {
        return Verdict::Allow;
    }
    let failures: Vec<ToolError> = CHECKS.iter().filter_map(|check| check(facts)).collect();
    match failures.as_slice() {
        [] => passed(facts),
        [error] if may_override(facts, error) => Verdict::WaitForApproval(ApprovalNeed {
            kind: ApprovalKind::ScopeOverride,
            reason: question::scope_override(facts, error),
        }),
        [first, others @ ..] => Verdict::block(match work::failed_again(facts, first) {
            Some(looped) => report::with_also(looped, &failures),
            None => report::with_also(first.clone(), others),
        }),
    }
}

/// What stays refused although a person paused the gate: commands that only a person may run, work handed to agents
/// that outlast the pause, calls whose paths are unknown, protected and secret paths.
pub fn held_in_pause(facts: &Facts) -> Option<ToolError> {
    const STAYING: &[Check] = &[entry::command, paths::malformed, paths::protected];
    STAYING.iter().find_map(|check| check(facts))
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

/// Whether a person may override this failure, when it is the only one.
fn may_override(facts: &Facts, error: &ToolError) -> bool {
    facts.settings.on_violation == OnViolation::Ask
        && matches!(error.code(), ErrorCode::ScopeViolation | ErrorCode::NoScope)
}

/// Whether the call needs an intent: it is destructive, or it changes a path although its class is safe, which a
/// setting can make it. An agent's own notes in a scratch place need none.
fn needs_intent(facts: &Facts) -> bool {
    facts.tool.class == Classification::Destructive
        || facts.targets.iter().any(|target| target.access.mutates() && !paths::is_own_note(facts, target))
}

fn active(facts: &Facts) -> Option<&bailiwick_domain::Intent> {
    match &facts.intent {
        IntentFact::Active(intent) => Some(intent),
        IntentFact::None | IntentFact::Gone(_) => None,
    }
}
