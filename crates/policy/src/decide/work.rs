//! Checks of the change itself: constraints, the requirement link, staleness, loops.

use bailiwick_domain::{Constraint, ErrorCode, Intent, Location, OwnedScope, RepoPath, ToolError, Value};

use super::{active, counted, needs_intent, report};
use crate::calls::facts::{Facts, TargetFact};
use crate::calls::registry;
use crate::globs::scope_match::{CaselessMatcher, ScopeMatcher};
use crate::staleness::{self, Freshness, StaleCause};

/// The structural constraints of the active intent.
pub(super) fn constraints(facts: &Facts) -> Option<ToolError> {
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

fn forbidden_tool(facts: &Facts, intent: &Intent, names: &[String]) -> Option<ToolError> {
    let row = registry::entries().find(|row| row.name == facts.tool.canonical);
    let is_this = |name: &&String| {
        **name == facts.tool_name
            || **name == facts.tool.canonical
            || row.is_some_and(|row| row.is_called(name))
    };
    let name = names.iter().find(is_this)?;
    let message = format!("Constraint Violation: intent {} forbids the tool {name}.", intent.id());
    Some(report::whole(
        facts,
        ToolError::new(ErrorCode::ConstraintViolation, message).with_detail("constraint", name.as_str()),
    ))
}

fn forbidden_path(
    facts: &Facts,
    intent: &Intent,
    matcher: &Result<(ScopeMatcher, Option<CaselessMatcher>), String>,
) -> Option<ToolError> {
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
    let hits: Vec<&TargetFact> = facts.targets.iter().filter(hit).collect();
    let path = report::shown(hits.first()?);
    let message = format!("Constraint Violation: intent {} forbids changing {path}.", intent.id());
    let why = matcher.as_ref().err().map(|why| format!("{message} A constraint cannot be read: {why}."));
    let error = ToolError::new(ErrorCode::ConstraintViolation, message).with_reason(why.unwrap_or_default());
    Some(report::about(facts, &hits, error))
}

/// The link to requirements: only declared ones, and some where the settings ask for them.
pub(super) fn requirements(facts: &Facts) -> Option<ToolError> {
    let intent = active(facts).filter(|_| needs_intent(facts))?;
    let declared = intent.requirements();
    let missing = |message: String| {
        let error = ToolError::new(ErrorCode::TraceLinkMissing, message);
        report::whole(facts, error.with_detail("requirements", declared.to_vec()))
    };
    if declared.is_empty() && facts.settings.require_requirement {
        return Some(missing(format!("Trace link missing: intent {} declares no requirement.", intent.id())));
    }
    let derived = format!("REQ-{}", intent.id());
    let is_known = |id: &String| declared.contains(id) || (declared.is_empty() && *id == derived);
    let stranger = facts.requirement_ids.iter().find(|id| !is_known(id))?;
    Some(missing(format!(
        "Trace link missing: intent {} does not declare requirement {stranger}.",
        intent.id()
    )))
}

/// Whether the change is made on what the actor has seen.
pub(super) fn stale(facts: &Facts) -> Option<ToolError> {
    facts.targets.iter().find_map(|target| match freshness(facts, target) {
        Freshness::Stale(cause) => Some(report::about(facts, &[target], stale_error(target, cause))),
        Freshness::Fresh | Freshness::Ask(_) => None,
    })
}

/// How current the change of a target inside the root is; others are judged by their place alone.
pub(super) fn freshness(facts: &Facts, target: &TargetFact) -> Freshness {
    match &target.location {
        Location::Inside(_) => staleness::freshness(target, facts.settings.never_read),
        _ => Freshness::Fresh,
    }
}

fn stale_error(target: &TargetFact, cause: StaleCause) -> ToolError {
    let path = report::shown(target);
    let own_sentence = |text: String| ToolError::new(ErrorCode::StaleFile, text);
    let error = match cause {
        StaleCause::NeverRead => own_sentence(format!(
            "Stale File: {path} was never read in this session. Read it before writing."
        )),
        StaleCause::PartlyRead => own_sentence(format!(
            "Stale File: only a part of {path} was read in this session. Read the whole of it before replacing it."
        )),
        StaleCause::AnchorNotFound => own_sentence(format!(
            "Stale File: the text to replace is not in {path}. Read it again before writing."
        )),
        StaleCause::AnchorAmbiguous => own_sentence(format!(
            "Stale File: the text to replace is in {path} more often than expected. Quote more of it."
        )),
        StaleCause::Imported => ToolError::stale_file(&path).with_reason(format!(
            "Version control changed {path} since it was read (a switch, merge, rebase, stash or reset): what is there now is one of its own states. Read it again before writing."
        )),
        StaleCause::TakenBack => ToolError::stale_file(&path).with_reason(format!(
            "A human took {path} back to what was there before one of your own changes. Read it again before writing."
        )),
        StaleCause::Changed
        | StaleCause::DeletedSince
        | StaleCause::CreatedSince
        | StaleCause::ReadHashMismatch => ToolError::stale_file(&path),
    };
    let expected = match (&target.claimed, cause) {
        (Some(hash), StaleCause::ReadHashMismatch) => Some(hash.to_string()),
        _ => staleness::shown(target.observed.as_ref().map(|seen| &seen.state), false),
    };
    let actual = staleness::shown(Some(&target.current), target.observed.is_some());
    let json = |text: Option<String>| text.map_or(Value::Null, Value::String);
    error
        .with_detail("cause", cause.as_str())
        .with_detail("path", path)
        .with_detail("expected", json(expected))
        .with_detail("actual", json(actual))
}

/// The same call, blocked again and again, fails once more. Pending approvals do not count, because an agent that
/// retries while a person thinks does what it was told.
pub(super) fn failed_again(facts: &Facts, failure: &ToolError) -> Option<ToolError> {
    looped(facts, failure.code(), failure.message(), failure.reason())
}

/// The loop that sending a rejected call again has become, if it has.
pub fn rejected_again(facts: &Facts) -> Option<ToolError> {
    const REJECTED: &str = "A person rejected it each time.";
    if !needs_intent(facts) {
        return None;
    }
    looped(facts, ErrorCode::DestructiveActionRejected, REJECTED, REJECTED)
}

fn looped(facts: &Facts, cause: ErrorCode, sentence: &str, reason: &str) -> Option<ToolError> {
    let count = facts.blocked_before;
    if count < facts.settings.loop_repeats.max(1) {
        return None;
    }
    let head = format!("Loop detected: this same call was blocked {count} times ({}).", cause.as_str());
    let error = ToolError::new(ErrorCode::LoopDetected, format!("{head} {sentence}"))
        .with_reason(format!("{head} {reason}"))
        .with_detail("cause", cause.as_str())
        .with_detail("count", count);
    Some(report::whole(facts, error))
}
