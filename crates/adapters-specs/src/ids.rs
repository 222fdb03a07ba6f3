//! Ids that specs give their requirements, such as `FR-001`.

/// First parts of ids of requirements.
#[rustfmt::skip]
const IDS: &[&str] = &[
    "FR", "NFR", "SC", "REQ", "BR", "DR", "TR", "SR", "PR", "QR", "UR", "IR", "CR", "AR", "ER", "RR", "MR", "PERF", "SEC", "UX", "UI",
    "OPS", "DATA", "OBS",
];

/// The id that a text begins with, and what follows it.
pub(crate) fn leading_id(text: &str) -> Option<(String, &str)> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '[' | '(' | '`'));
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(text.len());
    let id = text.get(..end)?.trim_end_matches('-');
    let mut parts = id.split('-');
    let known = IDS.contains(&parts.next()?);
    let last = parts.next_back()?;
    let is_number = last.starts_with(|c: char| c.is_ascii_digit()) && last.len() <= 5;
    if !known || !is_number || id.len() > 24 {
        return None;
    }
    let rest = text.get(id.len()..)?;
    let rest = rest.trim_start_matches(|c: char| {
        c.is_whitespace() || matches!(c, ']' | ')' | '`' | ':' | '：' | '-' | '–' | '—' | '|' | '.')
    });
    Some((id.to_owned(), rest))
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
