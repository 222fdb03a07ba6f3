//! Names that fit into ids.

/// So long is a slug at most, in bytes.
const LONGEST: usize = 40;

/// Lower-case letters, digits and hyphens, from any text; `item` where nothing of it can be in an id.
pub(crate) fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in text.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => slug.push(c.to_ascii_lowercase()),
            _ if slug.ends_with('-') || slug.is_empty() => {}
            _ => slug.push('-'),
        }
    }
    let whole = slug.trim_matches('-');
    if whole.is_empty() && !text.trim().is_empty() {
        return format!("x{}", short(text));
    }
    if whole.is_empty() {
        return "item".to_owned();
    }
    if whole.len() <= LONGEST {
        return whole.to_owned();
    }
    let cut = whole.get(..LONGEST - 7).unwrap_or_default();
    format!("{}-{}", cut.trim_end_matches('-'), short(text))
}

/// The same for the name of a folder: letters keep their case.
pub(crate) fn key(folder: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let first = folder.chars().next().is_some_and(|c| c.is_ascii_alphanumeric());
    if first && folder.len() <= LONGEST && folder.chars().all(fits) {
        return folder.to_owned();
    }
    slug(folder)
}

/// A folder's name as words.
pub(crate) fn words(folder: &str) -> String {
    let text = folder.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '_'));
    let text = if text.is_empty() { folder } else { text };
    let spaced: String = text.chars().map(|c| if matches!(c, '-' | '_') { ' ' } else { c }).collect();
    let mut chars = spaced.trim().chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => folder.to_owned(),
    }
}

/// Six digits that tell texts apart.
fn short(text: &str) -> String {
    let hash = bailiwick_domain::ContentHash::of(text.as_bytes());
    hash.digits().chars().take(6).collect()
}
