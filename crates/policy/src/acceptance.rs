//! Whether a revision of an intent counts on this machine (D-18): one that a human accepted does, and one that only
//! takes away from such a one. Told by the patterns as written, never by what they match.

use bailiwick_domain::{Constraint, Intent, ScopePattern};

/// Whether `now` counts, given the revisions that a human accepted, the newest last.
///
/// Taking up an intent again that a human closed or froze is a widening.
pub fn counts(now: &Intent, accepted: &[Intent]) -> bool {
    let was_closed = accepted.last().is_some_and(|newest| !newest.is_selectable());
    let reopened = now.is_selectable() && was_closed;
    !reopened && accepted.iter().any(|was| now.revision() == was.revision() || narrows(now, was))
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
        && now.acceptance_criteria() == was.acceptance_criteria();
    says_the_same && owns_less(now, was) && is_bound_more(now, was) && ends_as_soon(now, was)
}

fn ends_as_soon(now: &Intent, was: &Intent) -> bool {
    was.expires().is_none_or(|end| now.expires().is_some_and(|earlier| earlier <= end))
}

fn owns_less(now: &Intent, was: &Intent) -> bool {
    let (now, was) = (now.owned_scope().patterns(), was.owned_scope().patterns());
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
    was.constraints().iter().all(|constraint| now.constraints().contains(constraint))
        && added.into_iter().all(|constraint| !matches!(constraint, Constraint::Text(_)))
}
