//! Puts one new intent at the end of the list, as text, and reads the result back before it counts.

use std::fmt::Write as _;
use std::path::Path;

use bailiwick_domain::{Diagnostic, IntentId, IntentSet, IntentStatus, PortError, ScopePattern, Timestamp};

use crate::files::Layout;
use crate::files::atomic::{self, Durability};
use crate::files::yaml::{self, Mark, Value};
use crate::state::accepted_intents::AcceptedIntents;
use crate::tree::intents::{FsIntentRepo, IntentReport, decode};

/// What a human says about a new intent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewIntent {
    /// The id; the next free `INT-NNN` when none is given.
    pub id: Option<IntentId>,
    /// The goal in one line.
    pub name: String,
    /// The reason.
    pub why: Option<String>,
    /// What it may change.
    pub owned_scope: Vec<ScopePattern>,
    /// When it is done.
    pub acceptance_criteria: Vec<String>,
    /// The requirements it serves.
    pub requirements: Vec<String>,
    /// Whether a scope of exclusions alone is wanted.
    pub allow_broad: bool,
    /// When it ends by itself.
    pub expires: Option<Timestamp>,
}

/// Why an intent was not added.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppendError {
    /// The file cannot be read or written, or is invalid already.
    #[error(transparent)]
    Port(#[from] PortError),
    /// The id is taken.
    #[error("the id `{0}` is taken")]
    Taken(IntentId),
    /// The list is written in a way that text cannot be put into.
    #[error("{0}: the list is written in one line: write each intent as its own `- ` item")]
    Inline(String),
    /// The new intent is not valid.
    #[error("the new intent is not valid: {0}")]
    Invalid(Diagnostic),
}

/// Adds an intent with the status `PENDING` to the end of the list and returns its id.
///
/// # Errors
/// The file cannot be read or written or is invalid, the id is taken, or the new intent is not valid; the file is
/// then unchanged.
pub fn append_intent(layout: &Layout, new: &NewIntent) -> Result<IntentId, AppendError> {
    let bytes = FsIntentRepo::new(layout.clone()).bytes()?;
    let (id, changed) = appended(&bytes, new)?;
    replace_keeping_mode(&layout.intents_file(), changed.as_bytes())?;
    if let Some(intent) = decode(changed.as_bytes()).set.get(&id) {
        // What cannot be remembered is shown once more with the next question.
        drop(AcceptedIntents::new(layout).add(intent, None));
    }
    Ok(id)
}

/// The id that a new intent gets in this file, and the file with it.
pub(super) fn appended(bytes: &[u8], new: &NewIntent) -> Result<(IntentId, String), AppendError> {
    let report = checked(decode(bytes)).map_err(PortError::Invalid)?;
    let id = match &new.id {
        Some(id) if report.set.get(id).is_some() => return Err(AppendError::Taken(id.clone())),
        Some(id) => id.clone(),
        None => next_free(&report.set).map_err(PortError::Unavailable)?,
    };
    let text = String::from_utf8_lossy(bytes);
    let place = place(&text).ok_or_else(|| AppendError::Inline(Layout::INTENTS.into()))?;
    let item = item(&id, new).map_err(|error| PortError::Unavailable(error.to_string()))?;
    let changed = inserted(&text, &place, &item);
    let after = checked(decode(changed.as_bytes())).map_err(AppendError::Invalid)?;
    verify(&report.set, &after.set, &id, changed.as_bytes()).map_err(AppendError::Invalid)?;
    Ok((id, changed))
}

/// Replaces a file that belongs to the tree, whose permissions are not ours to change.
pub(super) fn replace_keeping_mode(path: &Path, bytes: &[u8]) -> Result<(), PortError> {
    let unavailable = |error| atomic::unavailable(path, &error);
    let permissions = std::fs::metadata(path).map_err(unavailable)?.permissions();
    atomic::replace(path, bytes, Durability::Synced)?;
    std::fs::set_permissions(path, permissions).map_err(unavailable)
}

pub(super) fn checked(report: IntentReport) -> Result<IntentReport, Diagnostic> {
    match report.errors.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(IntentReport { errors: Vec::new(), ..report }),
    }
}

/// The first free id after the highest `INT-NNN`.
fn next_free(set: &IntentSet) -> Result<IntentId, String> {
    let number = |text: &str| text.strip_prefix("INT-")?.parse::<u32>().ok();
    let highest = set.iter().filter_map(|intent| number(intent.id().as_str())).max().unwrap_or(0);
    let next = highest.checked_add(1).ok_or("no `INT-` number is left")?;
    IntentId::new(&format!("INT-{next:03}")).map_err(|error| error.to_string())
}

/// Where and how an item goes into the text.
#[derive(Debug)]
pub(super) enum Place {
    /// After the last line of the list, with this many blanks before each `-`.
    After { line: usize, indent: usize },
    /// Instead of the value on the line of the key: `[]` or nothing.
    Instead { line: usize },
}

pub(super) fn place(text: &str) -> Option<Place> {
    let root = yaml::read(Layout::INTENTS, text.as_bytes()).ok()??;
    let (list, key_line) = match &root.value {
        Value::List(items) => (items, None),
        Value::Map(entries) => {
            let entry = entries.first().filter(|_| entries.len() == 1)?;
            match &entry.node.value {
                Value::List(items) => (items, Some(entry.at.line)),
                _ => return Some(Place::Instead { line: entry.at.line }),
            }
        }
        Value::Scalar(_) => return None,
    };
    let Some(last) = list.last() else { return key_line.map(|line| Place::Instead { line }) };
    let indent = dash_before(text, last.at)?;
    Some(Place::After { line: last_line(text, last.at.line), indent })
}

/// The column of the `-` of the item that starts at a place; `None` for a list in brackets.
pub(super) fn dash_before(text: &str, at: Mark) -> Option<usize> {
    let line = text.trim_start_matches('\u{feff}').lines().nth(at.line.checked_sub(1)?)?;
    let before: String = line.chars().take(at.column.checked_sub(1)?).collect();
    let indent = before.len() - before.trim_start_matches(' ').len();
    (before.trim() == "-").then_some(indent)
}

/// The last line from `first` on that holds more than blanks and comments.
fn last_line(text: &str, first: usize) -> usize {
    let filled = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let lines = text.lines().enumerate().skip(first).filter(|(_, line)| filled(line));
    lines.map(|(index, _)| index + 1).last().unwrap_or(first)
}

fn item(id: &IntentId, new: &NewIntent) -> Result<String, serde_yaml::Error> {
    let mut item = format!(
        "- id: {}\n  name: {}\n  status: {}\n",
        quoted(id.as_str())?,
        quoted(&new.name)?,
        IntentStatus::Pending
    );
    if let Some(why) = &new.why {
        let _ = writeln!(item, "  why: {}", quoted(why)?);
    }
    let scope: Vec<&str> = new.owned_scope.iter().map(ScopePattern::as_str).collect();
    list(&mut item, "requirements", &new.requirements)?;
    list(&mut item, "owned_scope", &scope)?;
    if new.allow_broad {
        item.push_str("  allow_broad: true\n");
    }
    list(&mut item, "acceptance_criteria", &new.acceptance_criteria)?;
    if let Some(expires) = new.expires {
        let _ = writeln!(item, "  expires: \"{expires}\"");
    }
    Ok(item)
}

pub(super) fn list<T: AsRef<str>>(
    item: &mut String,
    key: &str,
    texts: &[T],
) -> Result<(), serde_yaml::Error> {
    if texts.is_empty() {
        return Ok(());
    }
    let _ = writeln!(item, "  {key}:");
    for text in texts {
        let _ = writeln!(item, "    - {}", quoted(text.as_ref())?);
    }
    Ok(())
}

/// A text as one line of YAML, in quotes when it needs them. JSON's quotes are YAML's.
pub(super) fn quoted(text: &str) -> Result<String, serde_yaml::Error> {
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '/' | '*'))
        && !text.ends_with(' ');
    if plain && serde_yaml::from_str::<serde_yaml::Value>(text)?.is_string() {
        return Ok(text.to_owned());
    }
    Ok(serde_json::Value::String(text.to_owned()).to_string())
}

pub(super) fn inserted(text: &str, place: &Place, item: &str) -> String {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (at, indent) = match place {
        Place::After { line, indent } => (*line, *indent),
        Place::Instead { line } => (*line, 2),
    };
    let mut changed = String::with_capacity(text.len() + item.len() + 64);
    let mut lines = text.split_inclusive('\n');
    for (index, line) in lines.by_ref().take(at).enumerate() {
        match place {
            Place::Instead { .. } if index + 1 == at => changed.push_str(&emptied(line)),
            _ => changed.push_str(line),
        }
    }
    if !changed.ends_with('\n') {
        changed.push_str(newline);
    }
    for line in item.lines() {
        let _ = write!(changed, "{:indent$}{line}{newline}", "");
    }
    lines.for_each(|line| changed.push_str(line));
    changed
}

/// A line `key: []` or `key: null` without its value, its comment kept.
fn emptied(line: &str) -> String {
    let Some((key, rest)) = line.split_once(':') else { return line.to_owned() };
    let comment = rest.find('#').and_then(|at| rest.get(at..)).unwrap_or_default();
    match comment {
        "" if line.ends_with("\r\n") => format!("{key}:\r\n"),
        "" => format!("{key}:\n"),
        comment => format!("{key}: {comment}"),
    }
}

/// The old intents are unchanged, the new one is last, and another YAML reader sees as many.
fn verify(before: &IntentSet, after: &IntentSet, id: &IntentId, bytes: &[u8]) -> Result<(), Diagnostic> {
    let kept = before.iter().eq(after.iter().take(before.len()));
    let added =
        after.len() == before.len() + 1 && after.iter().last().is_some_and(|intent| intent.id() == id);
    let agreed = serde_yaml::from_slice::<serde_yaml::Value>(bytes)
        .is_ok_and(|value| count(&value) == Some(after.len()));
    if kept && added && agreed {
        return Ok(());
    }
    Err(Diagnostic {
        file: Layout::INTENTS.into(),
        line: 0,
        column: 0,
        message: "the new intent cannot be put into this file without changing another".into(),
        fix: "write it by hand".into(),
        way_out: None,
    })
}

pub(super) fn count(value: &serde_yaml::Value) -> Option<usize> {
    let list = match value {
        serde_yaml::Value::Mapping(map) => map.values().next()?,
        other => other,
    };
    list.as_sequence().map(Vec::len)
}
