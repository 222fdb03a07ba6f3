//! Canonical spellings in the place of those from elsewhere. Nothing else of the text changes, and the file counts only
//! when it says the same as before.

use std::ops::Range;

use bailiwick_domain::PortError;

use super::append::{checked, replace_keeping_mode};
use crate::Layout;
use crate::files::yaml::{self, Entry, Mark, Node, Value, offset, source};
use crate::tree::intents::{FsIntentRepo, canonical_status, decode};

/// Keys that are read as others.
const KEYS: &[(&str, &str)] = &[("title", "name"), ("intent_id", "id")];

/// Writes the intents file with canonical spellings, and says how many changed. The caller holds the lock of the root.
///
/// # Errors
/// The file cannot be read or written, or is not valid; it is then unchanged.
pub fn spell_canonically(layout: &Layout) -> Result<usize, PortError> {
    let bytes = FsIntentRepo::new(layout.clone()).bytes()?;
    let before = checked(decode(&bytes)).map_err(PortError::Invalid)?;
    let Ok(text) = std::str::from_utf8(&bytes) else { return Ok(0) };
    let Ok(Some(root)) = yaml::read(Layout::INTENTS, &bytes) else { return Ok(0) };
    let mut edits = edits(text, &root);
    edits.sort_by_key(|(at, _)| std::cmp::Reverse(at.start));
    let mut changed = text.to_owned();
    for (at, new) in &edits {
        changed.replace_range(at.clone(), new);
    }
    if edits.is_empty() || decode(changed.as_bytes()).set != before.set {
        return Ok(0);
    }
    replace_keeping_mode(&layout.intents_file(), changed.as_bytes())?;
    Ok(edits.len())
}

type Edit = (Range<usize>, &'static str);

fn edits(text: &str, root: &Node) -> Vec<Edit> {
    let mut edits = Vec::new();
    let items = match &root.value {
        Value::Map(entries) => {
            edits.extend(key(text, entries, "intents", "active_intents"));
            entries.iter().find_map(|entry| match &entry.node.value {
                Value::List(items) => Some(items),
                Value::Map(_) | Value::Scalar(_) => None,
            })
        }
        Value::List(items) => Some(items),
        Value::Scalar(_) => None,
    };
    for item in items.into_iter().flatten() {
        let Value::Map(entries) = &item.value else { continue };
        edits.extend(KEYS.iter().filter_map(|(odd, canonical)| key(text, entries, odd, canonical)));
        let status = entries.iter().find(|entry| entry.key == "status");
        edits.extend(status.and_then(|entry| status_of(text, &entry.node)));
    }
    edits
}

fn key(text: &str, entries: &[Entry], odd: &str, canonical: &'static str) -> Option<Edit> {
    let entry = entries.iter().find(|entry| entry.key == odd)?;
    Some((word_at(text, entry.at, odd)?, canonical))
}

fn word_at(text: &str, at: Mark, word: &str) -> Option<Range<usize>> {
    let start = offset(text, at)?;
    text.get(start..)?.starts_with(word).then(|| start..start + word.len())
}

fn status_of(text: &str, node: &Node) -> Option<Edit> {
    let Value::Scalar(scalar) = &node.value else { return None };
    let canonical = canonical_status(&scalar.text).filter(|word| *word != scalar.text)?;
    Some((source(text, node)?, canonical))
}
