//! The intents file in one form: keys in the order of the guide, no blanks at the ends of lines, one line end at the end.
//!
//! Whole lines are moved, with the comments above them, and nothing is written anew. What was formatted counts only if it
//! says the same and has the same lines; an item that cannot be formatted so stays as it is.

use std::collections::BTreeMap;

use bailiwick_domain::PortError;

use super::append::{checked, dash_before, replace_keeping_mode};
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
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    if let Some(ordered) = ordered(&text) {
        text = ordered;
    }
    let trimmed = trimmed(&text);
    Ok(if says_the_same(&text, &trimmed) { trimmed } else { text })
}

/// Without blanks at the ends of lines, and with one line end at the end.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!("{}\n", lines.join("\n").trim_end())
}

/// With the keys of each intent in their order.
fn ordered(text: &str) -> Option<String> {
    let root = read(text)?;
    let items = items(&root)?;
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    if let Some(last) = lines.last_mut().filter(|line| !line.ends_with('\n')) {
        last.push('\n');
    }
    let mut best = lines.concat();
    for (nth, item) in items.iter().enumerate() {
        let end = items.get(nth + 1).map_or(lines.len() + 1, |next| next.at.line);
        let Some(changed) = with_ordered_item(&lines, text, item, end) else { continue };
        let candidate = changed.concat();
        if says_the_same(&best, &candidate) {
            (lines, best) = (changed, candidate);
        }
    }
    Some(best)
}

/// The lines with the keys of one item in their order; `None` where they are, or where they do not stand on lines of their
/// own. The number of lines stays.
fn with_ordered_item(lines: &[String], text: &str, item: &Node, end: usize) -> Option<Vec<String>> {
    let Value::Map(entries) = &item.value else { return None };
    let indent = dash_before(text, item.at)?;
    let column = entries.first()?.at.column;
    let stands_alone = entries
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if a.at.line < b.at.line && b.at.column == column));
    if !stands_alone || column != indent + 3 {
        return None;
    }
    let start = item.at.line.checked_sub(1)?;
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
    let moved = blocks.into_iter().flat_map(|(_, lines)| lines);
    Some([lines.get(..start)?.to_vec(), moved.collect(), lines.get(end..)?.to_vec()].concat())
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

fn read(text: &str) -> Option<Node> {
    yaml::read(Layout::INTENTS, text.as_bytes()).ok()?
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

/// Whether both texts say the same and have the same lines, blanks at their ends and their order aside.
fn says_the_same(one: &str, other: &str) -> bool {
    let lines = |text: &str| {
        let mut lines: BTreeMap<String, usize> = BTreeMap::new();
        for line in text.lines().map(|line| line.trim().trim_start_matches("- ").trim_start()) {
            if !line.is_empty() {
                *lines.entry(line.to_owned()).or_default() += 1;
            }
        }
        lines
    };
    let same_tree = match (read(one), read(other)) {
        (Some(one), Some(other)) => is_same(&one, &other),
        _ => false,
    };
    same_tree && lines(one) == lines(other)
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
