//! Ids that specs give their requirements, such as `FR-001`.

/// First parts of ids of requirements.
#[rustfmt::skip]
const IDS: &[&str] = &[
    "FR", "NFR", "SC", "REQ", "BR", "DR", "TR", "SR", "PR", "QR", "UR", "IR", "CR", "AR", "ER", "RR", "MR", "PERF", "SEC", "UX", "UI",
    "OPS", "DATA", "OBS", "EC",
];

/// The id that a text begins with, and what follows it.
pub(crate) fn leading_id(text: &str) -> Option<(String, &str)> {
    let (bare, opened) = unwrapped(text);
    let end = bare.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(bare.len());
    let id = bare.get(..end)?.trim_end_matches('-');
    let mut parts = id.split('-');
    let known = IDS.contains(&parts.next()?);
    let last = parts.next_back()?;
    let is_number = last.starts_with(|c: char| c.is_ascii_digit()) && last.len() <= 5;
    let rest = bare.get(id.len()..)?;
    let goes_on = rest.strip_prefix('.').is_some_and(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    if !known || !is_number || goes_on || id.len() > 24 {
        return None;
    }
    Some((id.to_owned(), without_separator(rest, opened)))
}

/// The text without signs that open a bracket or code, and whether there was one.
fn unwrapped(text: &str) -> (&str, bool) {
    let bare = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '[' | '(' | '`'));
    (bare, bare.len() < text.trim_start().len())
}

/// What follows an id, without the sign that closes what was opened and without one separator.
fn without_separator(rest: &str, opened: bool) -> &str {
    let closed = rest.strip_prefix([']', ')', '`']).filter(|_| opened).unwrap_or(rest).trim_start();
    if let Some(said) = closed.strip_prefix([':', '：']) {
        return said.trim_start();
    }
    let said = closed.strip_prefix(['-', '–', '—', '|', '.']);
    let is_alone = |said: &&str| said.is_empty() || said.starts_with(char::is_whitespace);
    said.filter(is_alone).unwrap_or(closed).trim_start()
}

/// Whether a text begins with what looks like an id, but is none that is known.
pub(crate) fn begins_with_unknown_id(text: &str) -> bool {
    let (bare, opened) = unwrapped(text);
    let letters = bare.find(|c: char| !(c.is_ascii_uppercase() || c == '-')).unwrap_or(bare.len());
    let (name, rest) = bare.split_at(letters);
    let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
    let (number, rest) = rest.split_at(digits);
    let is_id = name.len() > 2 && name.ends_with('-') && number.trim_end_matches('.').len() >= 2;
    let ends = number.ends_with('.') || without_separator(rest, opened).len() < rest.trim_start().len();
    is_id && ends && !begins_with_id(text) && !name.starts_with("US-")
}

pub(crate) fn begins_with_id(text: &str) -> bool {
    leading_id(text).is_some()
}

/// So many ids are kept of one story.
const MOST: usize = 300;

/// The ids that a text names.
pub(crate) fn mentions(text: &str, into: &mut Vec<String>) {
    for word in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')) {
        if let Some((id, _)) = leading_id(word).filter(|(id, _)| into.len() < MOST && !into.contains(id)) {
            into.push(id);
        }
    }
}
