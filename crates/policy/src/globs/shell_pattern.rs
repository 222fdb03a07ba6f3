//! Patterns that a shell replaces by the files of one folder that they name. Knows nothing of folders on disk.

use super::wildcard;

/// The names of a folder that a shell may put in place of a pattern of one name with `*` and `?`; rather one too many. A
/// name that begins with a dot needs a dot in the pattern, and then the folder itself and the one above it are names, too.
///
/// ```
/// use bailiwick_policy::shell_pattern::taken;
/// let names = ["a.rs".to_owned(), "b.md".to_owned(), ".c.rs".to_owned()];
/// assert_eq!(taken("*.rs", &names), ["a.rs"]);
/// assert_eq!(taken(".*", &names), [".c.rs", ".", ".."]);
/// ```
pub fn taken<'n>(pattern: &str, names: &'n [String]) -> Vec<&'n str> {
    // In some locales `?` is one byte of a sign.
    let wide = pattern.to_lowercase().replace('?', "*");
    let is_hidden = pattern.starts_with('.');
    let dots: &[&str] = if is_hidden { &[".", ".."] } else { &[] };
    let names = names.iter().map(String::as_str).filter(|name| name.starts_with('.') == is_hidden);
    names.chain(dots.iter().copied()).filter(|name| wildcard::fits(&wide, &name.to_lowercase())).collect()
}
