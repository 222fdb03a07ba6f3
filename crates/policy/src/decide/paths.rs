//! Checks of where the call leads: readable parameters, places, protected and secret paths.

use bailiwick_domain::{Effect, ErrorCode, Location, ToolError};

use super::report;
use crate::calls::facts::{Facts, TargetFact};
use crate::calls::terms::Unreadable;
use crate::guarded::protection::{self, Protection};

/// Parameters and paths that cannot be understood, and parameters that are too large to look at.
pub(super) fn malformed(facts: &Facts) -> Option<ToolError> {
    if let Some(unreadable) = &facts.malformed {
        let error = match unreadable {
            Unreadable::Malformed(why) => {
                ToolError::new(ErrorCode::MalformedCall, format!("Malformed call: {why}."))
            }
            Unreadable::TooLarge(why) => ToolError::new(ErrorCode::TooLarge, format!("Too large: {why}.")),
        };
        return Some(report::whole(facts, error));
    }
    let unusable = |target: &&TargetFact| matches!(target.location, Location::Invalid(_));
    let target = facts.targets.iter().find(unusable)?;
    let Location::Invalid(why) = &target.location else { return None };
    let message =
        format!("Malformed call: the path `{}` cannot be used: {why}.", target.requested.escape_debug());
    Some(report::about(facts, &[target], ToolError::new(ErrorCode::MalformedCall, message)))
}

/// Paths outside the root. Reading may also go to the host's scratch places and to `read.roots`.
pub(super) fn places(facts: &Facts) -> Option<ToolError> {
    let strays: Vec<&TargetFact> = facts.targets.iter().filter(|target| leads_out(facts, target)).collect();
    let first = strays.first()?;
    let verb = if first.access.mutates() { "changed" } else { "read" };
    let message = format!(
        "Outside workspace: {} is not inside the repository and may not be {verb}.",
        report::shown(first)
    );
    Some(report::about(facts, &strays, ToolError::new(ErrorCode::OutsideWorkspace, message)))
}

fn leads_out(facts: &Facts, target: &TargetFact) -> bool {
    match &target.location {
        Location::Outside(_) => true,
        Location::ReadRoot(_) => target.access.mutates(),
        Location::Scratch(_) => target.access.mutates() && !is_own_note(facts, target),
        Location::Inside(_) | Location::Root | Location::Invalid(_) => false,
    }
}

/// Whether the agent only keeps its own notes there.
pub(super) fn is_own_note(facts: &Facts, target: &TargetFact) -> bool {
    facts.tool.effect == Effect::Interact && matches!(target.location, Location::Scratch(_))
}

/// Paths that nobody's scope opens, and the root itself, which no scope can own.
pub(super) fn protected(facts: &Facts) -> Option<ToolError> {
    let guarded: Vec<(&TargetFact, String)> =
        facts.targets.iter().filter_map(|target| Some((target, guard(facts, target)?))).collect();
    let (first, pattern) = guarded.first()?;
    let (path, verb) = (report::shown(first), if first.access.mutates() { "changed" } else { "read" });
    let message = format!("Protected Path: {path} may not be {verb} by an agent.");
    let reason = format!("{message} It is protected by the pattern {pattern}.");
    let targets: Vec<&TargetFact> = guarded.iter().map(|(target, _)| *target).collect();
    let error = ToolError::new(ErrorCode::ProtectedPath, message).with_reason(reason);
    Some(report::about(facts, &targets, error.with_detail("pattern", pattern.as_str())))
}

fn guard(facts: &Facts, target: &TargetFact) -> Option<String> {
    match (&target.location, target.access.mutates()) {
        (Location::Root, true) => Some(".".to_owned()),
        (Location::Inside(path), true) => match protection::of_change(path, &facts.settings) {
            Protection::Protected(pattern) => Some(pattern),
            Protection::None | Protection::Sensitive(_) => None,
        },
        (Location::Inside(path), false) => protection::of_reading(path, &facts.settings)
            .or_else(|| searches(facts).then(|| protection::of_search(path)).flatten()),
        (Location::Scratch(path) | Location::ReadRoot(path), false) => protection::of_reading_outside(path),
        (Location::Root | Location::Outside(_) | Location::Invalid(_), _) => None,
        (Location::Scratch(_) | Location::ReadRoot(_), true) => None,
    }
}

/// Whether the call looks through what is in the files of a folder, and not only at the folder.
fn searches(facts: &Facts) -> bool {
    let is_searcher = |part: &str| {
        part.split_whitespace().next().is_some_and(|name| matches!(name, "grep" | "rg" | "diff"))
    };
    match &facts.command {
        Some(command) => command.split(['|', '&', ';']).any(is_searcher),
        None => facts.tool.canonical == "search_files",
    }
}
