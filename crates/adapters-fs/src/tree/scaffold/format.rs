//! The intents file in one form: keys in the order of the guide, no blanks at the ends of lines, one line end at the end.
//!
//! Whole lines are moved, with the comments above them, and nothing is written anew. What was formatted counts only if it
//! says the same and has the same lines; an item that cannot be formatted so stays as it is.

use std::ops::Range;

use bailiwick_domain::PortError;

use super::append::{checked, replace_keeping_mode};
use crate::Layout;
use crate::files::yaml::{self, Entry, Node, Value};
use crate::tree::intents::{FsIntentRepo, KEYS, decode};

/// Formats the file of a root, and says whether that changed it. The caller holds the lock of the root.
///
/// # Errors
/// The file cannot be read or written, or is not valid; it is then unchanged.
pub fn format_intents(layout: &Layout) -> Result<bool, PortError> {
    let bytes = FsIntentRepo::new(layout.clone()).bytes()?;
    let text = formatted(&bytes)?;
    if text.as_bytes() == bytes {
        return Ok(false);
    }
    replace_keeping_mode(&layout.intents_file(), text.as_bytes())?;
    Ok(true)
}

/// Whether the file of a root is formatted; writes nothing.
///
/// # Errors
/// The file cannot be read, or is not valid.
pub fn is_formatted(layout: &Layout) -> Result<bool, PortError> {
    let bytes = FsIntentRepo::new(layout.clone()).bytes()?;
    Ok(formatted(&bytes)?.as_bytes() == bytes)
}

fn formatted(bytes: &[u8]) -> Result<String, PortError> {
    checked(decode(bytes)).map_err(PortError::Invalid)?;
    let text = String::from_utf8_lossy(bytes).into_owned();
    Ok(better(&text).unwrap_or(text))
}

/// The text in its form, as far as that keeps what it says; `None` where nothing of it can be formatted.
fn better(text: &str) -> Option<String> {
    let root = yaml::read(Layout::INTENTS, text.as_bytes()).ok()??;
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    if let Some(last) = lines.last_mut().filter(|line| !line.ends_with('\n')) {
        last.push('\n');
    }
    let items = items(&root).unwrap_or_default();
    let ends = items.iter().skip(1).map(|next| next.at.line).chain([lines.len() + 1]);
    let moves: Vec<Moved> =
        items.iter().zip(ends).filter_map(|(item, end)| with_ordered_keys(&lines, item, end)).collect();
    let keeps = |candidate: &str| candidate == text || says_the_same(&root, text, candidate);
    let all = trimmed(&after(&lines, &moves));
    if keeps(&all) {
        return Some(all);
    }
    // Something cannot be moved so, or has a blank at its end that counts: the others still can.
    let mut kept: Vec<Moved> = Vec::new();
    for one in moves.into_iter().take(MOST_TRIED) {
        kept.push(one);
        if !keeps(&after(&lines, &kept)) {
            kept.pop();
        }
    }
    let ordered = after(&lines, &kept);
    let trimmed = trimmed(&ordered);
    Some(if keeps(&trimmed) { trimmed } else { ordered })
}

/// Without blanks at the ends of lines, and with one line end at the end.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!("{}\n", lines.join("\n").trim_end())
}

/// So many items are tried one by one where they cannot all be formatted.
const MOST_TRIED: usize = 64;

/// The lines of an item, and what comes in their place.
type Moved = (Range<usize>, Vec<String>);

/// The text after these moves; each keeps the number of lines.
fn after(lines: &[String], moves: &[Moved]) -> String {
    let mut lines = lines.to_vec();
    for (at, moved) in moves {
        lines.splice(at.clone(), moved.iter().cloned());
    }
    lines.concat()
}

/// The lines of one item with its keys in their order; `None` where they are, or where they do not stand on lines of their
/// own.
fn with_ordered_keys(lines: &[String], item: &Node, end: usize) -> Option<Moved> {
    let Value::Map(entries) = &item.value else { return None };
    let start = item.at.line.checked_sub(1)?;
    let indent = dash_in(lines.get(start)?, item.at.column)?;
    let column = entries.first()?.at.column;
    let stands_alone = entries
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if a.at.line < b.at.line && b.at.column == column));
    if !stands_alone || column != indent + 3 {
        return None;
    }
    let end = without_comments(lines, start, end.checked_sub(1)?, indent + 1);
    let mut blocks: Vec<(usize, Vec<String>)> = Vec::with_capacity(entries.len());
    let mut from = start;
    for (nth, entry) in entries.iter().enumerate() {
        let to = match entries.get(nth + 1) {
            Some(next) => without_comments(lines, entry.at.line, next.at.line.checked_sub(1)?, column - 1),
            None => end,
        };
        blocks.push((rank(entry), lines.get(from..to)?.to_vec()));
        from = to;
    }
    if blocks.is_sorted_by_key(|(rank, _)| *rank) {
        return None;
    }
    let (blank, dash) = (" ".repeat(indent + 2), format!("{}- ", " ".repeat(indent)));
    let first = blocks.first_mut()?.1.first_mut()?;
    *first = format!("{blank}{}", first.strip_prefix(&dash)?);
    blocks.sort_by_key(|(rank, _)| *rank);
    let key = blocks.first_mut()?.1.iter_mut().find(|line| !is_comment(line.as_str()))?;
    *key = format!("{dash}{}", key.strip_prefix(&blank)?);
    Some((start..end, blocks.into_iter().flat_map(|(_, lines)| lines).collect()))
}

/// The end of what stands between two keys, without the comments and blank lines that belong to what follows: those
/// right above it that stand no deeper than `column`.
fn without_comments(lines: &[String], start: usize, mut end: usize, column: usize) -> usize {
    let belongs_to_next = |line: &String| {
        let depth = line.len() - line.trim_start_matches(' ').len();
        is_comment(line) && (line.trim().is_empty() || depth <= column)
    };
    while end > start && lines.get(end - 1).is_some_and(belongs_to_next) {
        end -= 1;
    }
    end
}

fn is_comment(line: &str) -> bool {
    let text = line.trim();
    text.is_empty() || text.starts_with('#')
}

fn rank(entry: &Entry) -> usize {
    let canonical = match entry.key.as_str() {
        "title" => "name",
        "intent_id" => "id",
        key => key,
    };
    KEYS.iter().position(|key| *key == canonical).unwrap_or(KEYS.len())
}

/// How far the dash of an item is indented, when nothing else stands before its first key.
fn dash_in(line: &str, column: usize) -> Option<usize> {
    let before: String = line.trim_start_matches('\u{feff}').chars().take(column.checked_sub(1)?).collect();
    (before.trim() == "-").then(|| before.len() - before.trim_start_matches(' ').len())
}

fn items(root: &Node) -> Option<&[Node]> {
    match &root.value {
        Value::Map(entries) => match &entries.first()?.node.value {
            Value::List(items) if entries.len() == 1 => Some(items),
            _ => None,
        },
        Value::List(items) => Some(items),
        Value::Scalar(_) => None,
    }
}

/// Whether the other text says the same and has the same lines, blanks at their ends and their order aside.
fn says_the_same(root: &Node, text: &str, other: &str) -> bool {
    let has_same_lines = lines_of(text) == lines_of(other);
    has_same_lines
        && yaml::read(Layout::INTENTS, other.as_bytes())
            .is_ok_and(|read| read.is_some_and(|other| is_same(root, &other)))
}

/// The lines that say something, sorted, without blanks at their ends and the dash of an item.
fn lines_of(text: &str) -> Vec<&str> {
    let lines = text.lines().map(|line| line.trim().trim_start_matches("- ").trim_start());
    let mut lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.sort_unstable();
    lines
}

/// Whether two trees hold the same, wherever it stands and in whatever order of keys.
fn is_same(one: &Node, other: &Node) -> bool {
    match (&one.value, &other.value) {
        (Value::Scalar(one), Value::Scalar(other)) => (&one.text, one.plain) == (&other.text, other.plain),
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Map(one), Value::Map(other)) => {
            let is_there = |entry: &Entry| {
                other.iter().any(|same| same.key == entry.key && is_same(&entry.node, &same.node))
            };
            one.len() == other.len() && one.iter().all(is_there)
        }
        _ => false,
    }
}
