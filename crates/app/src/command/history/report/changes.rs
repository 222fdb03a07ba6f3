//! One change of one file in words.

use bailiwick_adapters_web::report::Change;
use bailiwick_domain::{Change as Kind, ChangedFile, MutationClass, StoredEntry};

use crate::command::output::reading;
use crate::command::trace::sources::claims::{is_unvouched, known_as};
use crate::command::trace::{AMENDED, UNAPPROVED, approval};
use crate::inert;

/// The files that an entry is about; of a moved one the place where it is now.
pub(in crate::command) fn shown(stored: &StoredEntry) -> impl Iterator<Item = &ChangedFile> {
    stored.entry.files.iter().filter(|file| file.moved_to.is_none())
}

/// The change that an entry made to one of its files.
pub(in crate::command) fn change(stored: &StoredEntry, file: &ChangedFile) -> Change {
    let context = &stored.entry.context;
    Change {
        entry: inert::line(reading::id(&stored.entry.id)),
        at: reading::dated(stored.entry.timestamp),
        intent: inert::line(context.intent.as_str()),
        requirements: super::required(context).collect(),
        what: inert::line(&what(file)),
        lines: lines(file),
        class: class(stored).to_owned(),
        actor: inert::line(&reading::actor(&context.actor)),
        approved: inert::line(&approved(stored)),
        known: inert::line(&known_as(stored)),
        is_claimed: is_unvouched(stored),
    }
}

/// Who said yes, or that nobody did; the host's own prompt names nobody.
pub(super) fn approver(stored: &StoredEntry) -> String {
    if stored.entry.context.passed_in_pause() {
        return UNAPPROVED.to_owned();
    }
    let by = stored.entry.context.approved_by.clone();
    by.unwrap_or_else(|| "somebody at the host's own prompt".to_owned())
}

fn approved(stored: &StoredEntry) -> String {
    let context = &stored.entry.context;
    let by = approver(stored);
    let grant = context.approval.as_ref().filter(|id| id.0.starts_with("grant#"));
    let over = if context.scope_override { ", over the scope" } else { "" };
    let amended = if context.amended { AMENDED } else { "" };
    if context.passed_in_pause() {
        return approval(context);
    }
    match (&context.restores, grant) {
        (Some(_), _) => format!("put back by {by}{amended}"),
        (None, Some(grant)) => format!("by {by}, {}{over}{amended}", grant.0),
        (None, None) => format!("by {by}{over}{amended}"),
    }
}

fn what(file: &ChangedFile) -> String {
    match (&file.moved_from, file.change) {
        (Some(from), _) => format!("moved from {from}"),
        (None, Kind::Created) => "created".to_owned(),
        (None, Kind::Deleted) => "deleted".to_owned(),
        (None, Kind::Modified) => "changed".to_owned(),
    }
}

fn lines(file: &ChangedFile) -> String {
    let range = |from: usize, to: usize| if from == to { from.to_string() } else { format!("{from}–{to}") };
    let ranges: Vec<String> = file.ranges.iter().map(|one| range(one.start_line, one.end_line)).collect();
    match ranges.as_slice() {
        [] => String::new(),
        [one] if !one.contains('–') => format!("line {one}"),
        all => format!("lines {}", all.join(", ")),
    }
}

fn class(stored: &StoredEntry) -> &'static str {
    match stored.entry.context.mutation.as_ref().map(|mutation| mutation.class) {
        Some(MutationClass::AstRefactor) => "a proved refactor",
        Some(MutationClass::IntentEvolution) => "an evolution of the intent",
        None => "",
    }
}
