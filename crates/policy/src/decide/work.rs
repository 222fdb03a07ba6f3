//! Checks of the change itself: constraints, the requirement link, staleness, loops.

use bailiwick_domain::{Constraint, ErrorCode, Intent, Location, OwnedScope, RepoPath, ToolError};

use super::violation::{Places, Violation};
use super::words::Words;
use super::{active, counted, needs_intent};
use crate::calls::facts::{Facts, TargetFact};
use crate::calls::registry;
use crate::globs::scope_match::{CaselessMatcher, ScopeMatcher};
use crate::guarded::protection;
use crate::staleness::{self, Freshness, StaleCause};

/// The structural constraints of the active intent.
pub(super) fn constraints(facts: &Facts) -> Option<Violation> {
    let intent = active(facts)?;
    intent.constraints().iter().find_map(|constraint| match constraint {
        Constraint::Text(_) => None,
        Constraint::MaxFiles(limit) => counted::files(facts, intent, *limit),
        Constraint::MaxLines(limit) => counted::lines(facts, intent, *limit),
        Constraint::ForbidTools(names) => forbidden_tool(facts, intent, names),
        Constraint::ForbidPaths(patterns) => {
            let scope = OwnedScope::new(patterns.clone(), true);
            let matcher =
                scope.map_err(|why| why.to_string()).and_then(|scope| ScopeMatcher::that_takes_away(&scope));
            let caseless = facts.folds_case.then(|| CaselessMatcher::new(patterns)).transpose();
            forbidden_path(facts, intent, &matcher.and_then(|exact| Ok((exact, caseless?))))
        }
    })
}

fn forbidden_tool(facts: &Facts, intent: &Intent, names: &[String]) -> Option<Violation> {
    let row = registry::entries().find(|row| row.name == facts.tool.canonical);
    let is_this = |name: &&String| {
        **name == facts.tool_name
            || **name == facts.tool.canonical
            || row.is_some_and(|row| row.is_called(name))
    };
    let tool = names.iter().find(is_this)?.clone();
    Some(Violation::ForbiddenTool { intent: intent.id().clone(), tool })
}

fn forbidden_path(
    facts: &Facts,
    intent: &Intent,
    matcher: &Result<(ScopeMatcher, Option<CaselessMatcher>), String>,
) -> Option<Violation> {
    let is_forbidden = |path: &RepoPath| {
        matcher.as_ref().is_ok_and(|(exact, caseless)| {
            exact.matches(path) || caseless.as_ref().is_some_and(|caseless| caseless.matches(path))
        })
    };
    let hit = |target: &&TargetFact| match &target.location {
        Location::Inside(found) if target.access.mutates() => {
            matcher.is_err() || is_forbidden(&found.path) || found.spelled.as_ref().is_some_and(is_forbidden)
        }
        _ => false,
    };
    let places = Places::of(facts.targets.iter().filter(hit))?;
    Some(Violation::ForbiddenPath {
        intent: intent.id().clone(),
        places,
        unread: matcher.as_ref().err().cloned(),
    })
}

/// The link to requirements: only declared ones, and some where the settings ask for them.
pub(super) fn requirements(facts: &Facts) -> Option<Violation> {
    let intent = active(facts).filter(|_| needs_intent(facts))?;
    let declared = intent.requirements();
    let derived = format!("REQ-{}", intent.id());
    let is_known = |id: &String| declared.contains(id) || (declared.is_empty() && *id == derived);
    let named = facts.requirement_ids.iter().find(|id| !is_known(id)).cloned();
    let lacks_one = declared.is_empty() && facts.settings.require_requirement;
    if named.is_none() && !lacks_one {
        return None;
    }
    let (intent, declared) = (intent.id().clone(), declared.to_vec());
    Some(Violation::Unlinked { intent, declared, named: named.filter(|_| !lacks_one) })
}

/// Whether the change is made on what the actor has seen.
pub(super) fn stale(facts: &Facts) -> Option<Violation> {
    facts.targets.iter().find_map(|target| match freshness(facts, target) {
        Freshness::Stale(cause) => Some(match secret(facts, target) {
            // "Read it again" would lead an agent nowhere.
            Some(pattern) => Violation::Protected { places: Places::of([target])?, pattern },
            None => Violation::Stale {
                places: Places::of([target])?,
                cause,
                seen: target.observed.as_ref().map(|seen| seen.state.clone()),
                claimed: target.claimed.clone().filter(|_| cause == StaleCause::ReadHashMismatch),
                now: target.current.clone(),
            },
        }),
        Freshness::Fresh | Freshness::Ask(_) => None,
    })
}

/// Why an agent may not read a target, so that none of its changes is made on what it has seen.
fn secret(facts: &Facts, target: &TargetFact) -> Option<String> {
    let Location::Inside(path) = &target.location else { return None };
    protection::of_reading(path, &facts.settings)
}

/// How current the change of a target inside the root is; others are judged by their place alone.
pub(super) fn freshness(facts: &Facts, target: &TargetFact) -> Freshness {
    match &target.location {
        Location::Inside(_) => staleness::freshness(target, facts.settings.never_read),
        _ => Freshness::Fresh,
    }
}

/// How often the same call was blocked before, where it now is a loop. Pending approvals do not count, because an agent
/// that retries while a person thinks does what it was told.
pub(super) fn repeated(facts: &Facts) -> Option<u32> {
    Some(facts.blocked_before).filter(|count| *count >= facts.settings.loop_repeats.max(1))
}

/// The loop that sending a rejected call again has become, if it has.
pub fn rejected_again(facts: &Facts) -> Option<ToolError> {
    const REJECTED: &str = "A person rejected it each time.";
    let count = repeated(facts).filter(|_| needs_intent(facts))?;
    let cause = ErrorCode::DestructiveActionRejected;
    Some(Words::of(facts, &[]).looped(count, cause, REJECTED, REJECTED))
}
