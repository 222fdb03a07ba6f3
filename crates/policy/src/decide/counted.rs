//! The constraints that count: how many files and lines may be changed under one revision of an intent.
//!
//! Deliberately absent: the counting, which the gate does before a call (`gathering::count`) and after it
//! (`recording::counted`).

use std::collections::BTreeSet;

use bailiwick_domain::{ErrorCode, Intent, Location, RepoPath, ToolError};

use super::report;
use crate::calls::facts::Facts;

/// The files that a call changes in the repository.
fn changed(facts: &Facts) -> BTreeSet<&RepoPath> {
    let places = facts.targets.iter().filter(|target| target.access.mutates()).map(|target| &target.location);
    let inside = places.filter_map(|place| match place {
        Location::Inside(found) => Some(&found.path),
        _ => None,
    });
    inside.collect()
}

/// Files that were counted before may be changed again, however many they are.
pub(super) fn files(facts: &Facts, intent: &Intent, limit: u32) -> Option<ToolError> {
    let changed = changed(facts);
    let Some(count) = &facts.count else { return uncounted(facts, intent, "max_files", &changed) };
    let new = long(changed.iter().filter(|path| !count.files.contains(**path)).count());
    let before = long(count.files.len());
    if new == 0 || before.saturating_add(new) <= u64::from(limit) {
        return None;
    }
    let message = format!(
        "Constraint Violation: intent {} may change {limit} files; {before} are counted, this call adds {new}.",
        intent.id()
    );
    let advice = "Change only files that are counted already";
    Some(beyond(facts, intent, ErrorOf { message, constraint: "max_files", limit, before, advice }))
}

/// The lines of a call count before it runs where they can be told, else as one.
pub(super) fn lines(facts: &Facts, intent: &Intent, limit: u32) -> Option<ToolError> {
    let changed = changed(facts);
    if changed.is_empty() {
        return None;
    }
    let Some(count) = &facts.count else { return uncounted(facts, intent, "max_lines", &changed) };
    let adds = count.adds.map_or(1, u64::from);
    if adds == 0 || count.lines.saturating_add(adds) <= u64::from(limit) {
        return None;
    }
    let message = format!(
        "Constraint Violation: intent {} may change {limit} lines; {} are counted, this call adds {adds}.",
        intent.id(),
        count.lines
    );
    let advice = "Make the change smaller";
    Some(beyond(
        facts,
        intent,
        ErrorOf { message, constraint: "max_lines", limit, before: count.lines, advice },
    ))
}

/// A bound that would be passed, in words.
struct ErrorOf {
    message: String,
    constraint: &'static str,
    limit: u32,
    before: u64,
    advice: &'static str,
}

fn beyond(facts: &Facts, intent: &Intent, of: ErrorOf) -> ToolError {
    let suggestion = format!(
        "{}, or ask the human to raise `{}` of {}; a changed intent counts from zero.",
        of.advice,
        of.constraint,
        intent.id()
    );
    let error = ToolError::new(ErrorCode::ConstraintViolation, of.message).with_suggestion(suggestion);
    let error = error
        .with_detail("constraint", of.constraint)
        .with_detail("limit", of.limit)
        .with_detail("counted", of.before);
    report::whole(facts, error)
}

/// A bound that counts, and nobody counted.
fn uncounted(
    facts: &Facts,
    intent: &Intent,
    constraint: &'static str,
    changed: &BTreeSet<&RepoPath>,
) -> Option<ToolError> {
    if changed.is_empty() {
        return None;
    }
    let message = format!(
        "Constraint Violation: what was changed under intent {} cannot be counted, and it has `{constraint}`.",
        intent.id()
    );
    let error = ToolError::new(ErrorCode::ConstraintViolation, message);
    Some(report::whole(facts, error.with_detail("constraint", constraint)))
}

fn long(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
