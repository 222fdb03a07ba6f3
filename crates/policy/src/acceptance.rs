//! Whether an intent counts on this machine as it is: as a person accepted it, or with something taken away from that.
//! What comes from the tree may only tighten. Judged by the patterns as written, never by what they match.
//!
//! What was taken away on a branch stays so there: to widen, open or unfreeze it again is a change that a person sees
//! first. On another branch what a person accepted before goes on counting, so that switching asks nothing.

use bailiwick_domain::{Accepted, AncestorScope, Constraint, Intent, OwnedScope, ScopePattern};

/// Whether `now` counts where `HEAD` names that branch.
pub fn counts(now: &Intent, accepted: &Accepted, branch: &str) -> bool {
    is_known(now, accepted) && !gives_back(now, accepted, branch)
}

/// Whether an intent that counts is news there because something was taken away from what a person accepted.
pub fn takes_away(now: &Intent, accepted: &Accepted, branch: &str) -> bool {
    match accepted.taken.get(branch) {
        Some(known) => now.revision() != known.revision() || (known.is_open() && !now.is_open()),
        None => !now.is_open() || accepted.states.iter().all(|was| was.revision() != now.revision()),
    }
}

fn is_known(now: &Intent, accepted: &Accepted) -> bool {
    accepted.states.iter().any(|was| now.revision() == was.revision() || narrows(now, was))
}

/// Whether `now` gives back what was taken away there.
fn gives_back(now: &Intent, accepted: &Accepted, branch: &str) -> bool {
    match accepted.taken.get(branch) {
        Some(known) => opens(now, known) || (now.revision() != known.revision() && !narrows(now, known)),
        // A closing that is remembered without a branch holds on all of them.
        None => accepted.states.last().is_some_and(|newest| opens(now, newest)),
    }
}

fn opens(now: &Intent, was: &Intent) -> bool {
    now.is_open() && !was.is_open()
}

/// Whether `now` is `was` with less scope or more structural constraints, and nothing else.
///
/// ```
/// use bailiwick_domain::testing::sample::intent;
/// use bailiwick_policy::acceptance::narrows;
/// let was = intent("INT-001", &["src/", "docs/"]);
/// assert!(narrows(&intent("INT-001", &["src/", "!src/old/"]), &was));
/// assert!(!narrows(&intent("INT-001", &["src/", "docs/", "lib/"]), &was));
/// ```
pub fn narrows(now: &Intent, was: &Intent) -> bool {
    let says_the_same = now.id() == was.id()
        && now.name() == was.name()
        && now.why() == was.why()
        && now.parent() == was.parent()
        && now.requirements() == was.requirements()
        && now.wording() == was.wording()
        && now.acceptance_criteria() == was.acceptance_criteria();
    says_the_same
        && owns_less(now.owned_scope(), was.owned_scope())
        && stays_within(now, was)
        && is_bound_more(now, was)
        && ends_as_soon(now, was)
}

fn ends_as_soon(now: &Intent, was: &Intent) -> bool {
    was.expires().is_none_or(|end| now.expires().is_some_and(|earlier| earlier <= end))
}

/// Whether each scope of an ancestor that held it still does, or a narrower one of the same ancestor.
fn stays_within(now: &Intent, was: &Intent) -> bool {
    was.within().iter().all(|held| {
        let narrower = |holds: &AncestorScope| {
            holds.intent == held.intent && owns_less(&holds.owned_scope, &held.owned_scope)
        };
        now.within().iter().any(narrower)
    })
}

fn owns_less(now: &OwnedScope, was: &OwnedScope) -> bool {
    let (now, was) = (now.patterns(), was.patterns());
    let includes = |patterns: &[ScopePattern]| patterns.iter().any(|pattern| !pattern.is_exclusion());
    // Without a pattern that includes, exclusions own everything else.
    let keeps_its_kind = now.is_empty() || (!was.is_empty() && includes(now) == includes(was));
    keeps_its_kind
        && now.iter().filter(|pattern| !pattern.is_exclusion()).all(|pattern| was.contains(pattern))
        && (now.is_empty()
            || was.iter().filter(|pattern| pattern.is_exclusion()).all(|pattern| now.contains(pattern)))
}

fn is_bound_more(now: &Intent, was: &Intent) -> bool {
    let added = now.constraints().iter().filter(|constraint| !was.constraints().contains(constraint));
    let is_kept = |kept: &Constraint| now.constraints().iter().any(|constraint| constraint.is_at_least(kept));
    was.constraints().iter().all(is_kept)
        && added.into_iter().all(|constraint| !matches!(constraint, Constraint::Text(_)))
}
