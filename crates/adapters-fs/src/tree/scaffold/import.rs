//! Intents that an import adds and changes, put into the text of the intents file: comments, order and everything that
//! is not changed stay byte for byte. The result counts only when it says, read back, exactly what was meant.

mod changes;
mod item;

use bailiwick_domain::{
    Diagnostic, Intent, IntentEditError, IntentId, IntentRecord, PortError, ScopePattern, WrittenIntent,
};

use super::append::{checked, count, inserted, place, replace_keeping_mode};
use crate::files::Layout;
use crate::files::yaml::{self, Node, Value};
use crate::tree::intents::{FsIntentRepo, IntentReport, decode_written};
use changes::{Edits, end_of_items};

/// The text of an intents file after an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The text as it was.
    pub before: String,
    /// The text as it will be.
    pub after: String,
    /// Intents that are written in a way that cannot be changed safely; they are as they were.
    pub by_hand: Vec<IntentId>,
}

/// The intents that the file records, in its order.
///
/// # Errors
/// The file cannot be read, or is not valid.
pub fn intent_records(layout: &Layout) -> Result<Vec<IntentRecord>, PortError> {
    let bytes = FsIntentRepo::new(layout.clone()).bytes()?;
    Ok(records(&checked(decode_written(&bytes)).map_err(PortError::Invalid)?))
}

/// The file with those intents changed, each given as it is and as it will be, and with new ones at the end.
///
/// # Errors
/// The file cannot be read or is not valid, or the new intents cannot be put into it.
pub fn imported(
    layout: &Layout,
    new: &[IntentRecord],
    changed: &[(IntentRecord, IntentRecord)],
) -> Result<Imported, IntentEditError> {
    let bytes = FsIntentRepo::new(layout.clone()).bytes()?;
    with_records(&bytes, new, changed)
}

/// Writes such a text, if the file still is the one that it was made from. The caller holds the lock of the root.
///
/// # Errors
/// The file is another one, or cannot be written.
pub fn write_imported(layout: &Layout, made: &Imported) -> Result<(), IntentEditError> {
    if FsIntentRepo::new(layout.clone()).bytes()? != made.before.as_bytes() {
        return Err(IntentEditError::Changed);
    }
    Ok(replace_keeping_mode(&layout.intents_file(), made.after.as_bytes())?)
}

/// The file in which an intent owns these patterns, and proposes none.
///
/// # Errors
/// The file cannot be read or is not valid, there is no such intent, or it cannot be changed safely.
pub fn accepted_scope(
    layout: &Layout,
    id: &IntentId,
    patterns: &[ScopePattern],
) -> Result<Imported, IntentEditError> {
    let records = intent_records(layout)?;
    let Some(was) = records.iter().find(|record| record.id == *id) else {
        return Err(IntentEditError::Refused(format!("there is no intent `{id}`")));
    };
    let mut now = was.clone();
    now.proposed_scope = Vec::new();
    for pattern in patterns.iter().map(|pattern| pattern.as_str().to_owned()) {
        if !now.owned_scope.contains(&pattern) {
            now.owned_scope.push(pattern);
        }
    }
    let made = imported(layout, &[], &[(was.clone(), now)])?;
    if made.by_hand.is_empty() { Ok(made) } else { Err(by_hand(id)) }
}

fn by_hand(id: &IntentId) -> IntentEditError {
    let message = format!(
        "{}: `{id}` is written in a way that cannot be changed safely; change it by hand",
        Layout::INTENTS
    );
    IntentEditError::Refused(message)
}

fn with_records(
    bytes: &[u8],
    new: &[IntentRecord],
    changed: &[(IntentRecord, IntentRecord)],
) -> Result<Imported, IntentEditError> {
    let report = checked(decode_written(bytes)).map_err(PortError::Invalid)?;
    let before = std::str::from_utf8(bytes)
        .map_err(|_| IntentEditError::Refused(format!("{} is not UTF-8", Layout::INTENTS)))?;
    let (after, by_hand) = match edited(before, &report, changed) {
        Some(after) => (after, Vec::new()),
        None => one_by_one(before, &report, changed)?,
    };
    let after = appended(after, new)?;
    Ok(Imported { before: before.to_owned(), after, by_hand })
}

/// The changes that can be made, and the ids of those that cannot.
fn one_by_one(
    before: &str,
    report: &IntentReport,
    changed: &[(IntentRecord, IntentRecord)],
) -> Result<(String, Vec<IntentId>), IntentEditError> {
    let (mut text, mut report, mut by_hand) = (before.to_owned(), report.clone(), Vec::new());
    for change in changed {
        match edited(&text, &report, std::slice::from_ref(change)) {
            Some(after) => {
                report = checked(decode_written(after.as_bytes())).map_err(PortError::Invalid)?;
                text = after;
            }
            None => by_hand.push(change.0.id.clone()),
        }
    }
    Ok((text, by_hand))
}

/// The text with these changes, if it then says exactly that.
fn edited(text: &str, report: &IntentReport, changed: &[(IntentRecord, IntentRecord)]) -> Option<String> {
    if changed.is_empty() {
        return Some(text.to_owned());
    }
    let root = yaml::read(Layout::INTENTS, text.as_bytes()).ok()??;
    let items = items(&root)?;
    let ends = end_of_items(text, items);
    let mut edits = Edits::new(text);
    for (was, now) in changed {
        let at = items.iter().position(|node| id_of(node) == Some(was.id.as_str()))?;
        let Value::Map(entries) = &items.get(at)?.value else { return None };
        edits.change(entries, *ends.get(at)?, was, now)?;
    }
    let after = edits.apply()?;
    let read = checked(decode_written(after.as_bytes())).ok()?;
    let expected = records(report).into_iter().map(|record| {
        changed.iter().find(|(was, _)| was.id == record.id).map_or(record, |(_, now)| now.clone())
    });
    let says_so =
        expected.eq(records(&read)) && rest(report).eq(&rest(&read)) && agrees(&after, read.set.len());
    says_so.then_some(after)
}

/// The text with new intents at the end of the list.
fn appended(text: String, new: &[IntentRecord]) -> Result<String, IntentEditError> {
    if new.is_empty() {
        return Ok(text);
    }
    let refused = |message: &str| IntentEditError::Refused(format!("{}: {message}", Layout::INTENTS));
    let before = checked(decode_written(text.as_bytes())).map_err(PortError::Invalid)?;
    let Some(place) = place(&text) else {
        return Err(refused("the list is written in one line: write each intent as its own `- ` item"));
    };
    let added = new.iter().map(item::text).collect::<Result<String, _>>();
    let added = added.map_err(|error| refused(&error.to_string()))?;
    let after = inserted(&text, &place, &added);
    let read = checked(decode_written(after.as_bytes())).map_err(|error| refused(&said(&error)))?;
    let expected = records(&before).into_iter().chain(new.iter().cloned());
    let kept = rest(&read);
    let is_kept = kept.get(..before.set.len()).is_some_and(|kept| rest(&before) == kept);
    if expected.eq(records(&read)) && is_kept && agrees(&after, read.set.len()) {
        return Ok(after);
    }
    Err(refused("the new intents cannot be put into this file without changing another; write them by hand"))
}

fn said(found: &Diagnostic) -> String {
    format!("the new intents are not valid: {found}")
}

/// Another reader of YAML sees as many intents.
fn agrees(text: &str, intents: usize) -> bool {
    serde_yaml::from_str::<serde_yaml::Value>(text).is_ok_and(|value| count(&value) == Some(intents))
}

fn records(report: &IntentReport) -> Vec<IntentRecord> {
    pairs(report).map(|(intent, written)| IntentRecord::of(intent, written)).collect()
}

/// Each intent with how it is written. Both lists are in the order of the file.
fn pairs(report: &IntentReport) -> impl Iterator<Item = (&Intent, &WrittenIntent)> {
    let find = |intent: &&Intent| report.written.iter().find(|written| written.id.value == *intent.id());
    let zipped = report.set.iter().zip(&report.written);
    zipped.filter_map(move |(intent, written)| {
        let same = if written.id.value == *intent.id() { Some(written) } else { find(&intent) };
        Some((intent, same?))
    })
}

type Rest = (bool, bool, Option<String>, Option<String>, Vec<String>, Vec<String>);

/// What an import never changes.
fn rest(report: &IntentReport) -> Vec<Rest> {
    let of = |(intent, written): (&Intent, &WrittenIntent)| {
        let paths = |placed: &[bailiwick_domain::Placed<String>]| {
            placed.iter().map(|one| one.value.clone()).collect()
        };
        let expires = intent.expires().map(|end| end.to_string());
        (
            intent.is_frozen(),
            written.allow_broad,
            expires,
            written.notes.clone(),
            paths(&written.allow),
            paths(&written.deny),
        )
    };
    pairs(report).map(of).collect()
}

fn items(root: &Node) -> Option<&[Node]> {
    match &root.value {
        Value::List(items) => Some(items),
        Value::Map(entries) => match &entries.first()?.node.value {
            Value::List(items) => Some(items),
            _ => None,
        },
        Value::Scalar(_) => None,
    }
}

fn id_of(node: &Node) -> Option<&str> {
    let Value::Map(entries) = &node.value else { return None };
    let entry = entries.iter().find(|entry| matches!(entry.key.as_str(), "id" | "intent_id"))?;
    match &entry.node.value {
        Value::Scalar(scalar) => Some(&scalar.text),
        Value::List(_) | Value::Map(_) => None,
    }
}
