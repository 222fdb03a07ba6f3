//! Which files a searcher takes by their names: its file patterns, and the named types of `rg`.
//!
//! What such a pattern or type takes `rg` searches though it is hidden, and of a pattern though git ignores it.
//! Deliberately absent: which of the names are secrets.

/// The options with a file pattern, of those that look further into folders for it; those of `rg` find what is hidden.
pub(crate) const INCLUDES: &[&str] = &["include"];
pub(crate) const GLOBS: &[&str] = &["g", "glob", "iglob"];

/// The option by which `rg` tells names of files and nothing that is in one, and the one by which it takes hidden files.
pub(crate) const NAMES_ALONE: &[&str] = &["files"];
pub(crate) const HIDDEN: &[&str] = &["hidden"];

/// The options that leave files out by their names.
pub(crate) const EXCLUDES: &[&str] = &["exclude", "exclude-dir"];

/// Whether a pattern may leave out all names but some, and so asks for those.
pub(crate) fn leaves_the_rest(pattern: &str) -> bool {
    pattern.contains(['[', '\\', '?'])
}

/// The names that a pattern may ask for where `*`, `?` and a class also stand for the slash behind a folder: itself, and all that may
/// begin at or behind one.
pub(crate) fn names_across_folders(pattern: &str) -> impl Iterator<Item = String> + '_ {
    let is_within =
        |at: usize| !pattern.get(..at).is_none_or(|before| before.is_empty() || before.ends_with('/'));
    let rests =
        pattern.char_indices().filter(move |(at, _)| is_within(*at)).flat_map(|(at, sign)| match sign {
            '*' => [pattern.get(at..), None],
            '?' => [pattern.get(at..), pattern.get(at + 1..)],
            '[' => [pattern.get(at..).and_then(behind_wide_class), None],
            _ => [None, None],
        });
    std::iter::once(pattern).chain(rests.flatten()).filter(|rest| !rest.is_empty()).map(str::to_owned)
}

/// What follows a class of signs that the slash may be among.
fn behind_wide_class(text: &str) -> Option<&str> {
    let (class, rest) = text.split_once(']')?;
    class.contains(['!', '^', '-']).then_some(rest)
}

/// The options of `rg` with a named type.
pub(crate) const KINDS: &[&str] = &["t", "type"];

/// So many alternatives of one pattern are looked at.
const MOST_ALTERNATIVES: usize = 256;

/// The file patterns of a searcher, and those of its types, given what stands in each kind of option; an error where
/// hidden files would be shown that nobody asked for by name.
pub(crate) fn names_of<'a>(
    includes: impl Iterator<Item = &'a str>,
    globs: impl Iterator<Item = &'a str>,
    kinds: impl Iterator<Item = &'a str>,
) -> Result<Vec<String>, String> {
    let mut names: Vec<String> = includes.map(str::to_owned).collect();
    if let Some(odd) = names.iter().find(|name| name.contains('?') && says_nothing(name)) {
        return Err(format!("`{odd}` asks for names by their length"));
    }
    for glob in globs {
        if takes_any_name(glob) {
            return Err(format!("`{glob}` takes hidden and ignored files too; name the folder instead"));
        }
        names.push(glob.to_owned());
    }
    for kind in kinds {
        let patterns = patterns_of(kind);
        let patterns =
            patterns.ok_or_else(|| format!("the type `{kind}` may take hidden files with secrets"))?;
        names.extend(patterns.map(str::to_owned));
    }
    Ok(names)
}

/// Whether a file pattern asks for no name in particular, in whatever folder.
fn takes_any_name(pattern: &str) -> bool {
    let last = |path: &str| path.trim_end_matches('/').rsplit('/').next().is_none_or(says_nothing);
    !pattern.starts_with('!') && alternatives(pattern).is_none_or(|all| all.iter().any(|path| last(path)))
}

/// Whether a name has no letter of its own. What stands in a class says nothing: `[!z]*` takes `.env`.
pub(crate) fn says_nothing(name: &str) -> bool {
    let mut in_class = false;
    !name.chars().any(|sign| {
        in_class = if in_class { sign != ']' } else { sign == '[' };
        !in_class && sign.is_alphanumeric()
    })
}

/// The pattern with each of its alternatives (`*.{rs,toml}`); `None` where there are too many or a brace is left over.
fn alternatives(pattern: &str) -> Option<Vec<String>> {
    let (mut left, mut done) = (vec![pattern.to_owned()], Vec::new());
    while let Some(next) = left.pop() {
        match next.split_once('}') {
            None if next.contains('{') => return None,
            None => done.push(next),
            Some((before, behind)) => {
                let (before, inner) = before.rsplit_once('{')?;
                left.extend(inner.split(',').map(|one| format!("{before}{one}{behind}")));
            }
        }
        if left.len() + done.len() > MOST_ALTERNATIVES {
            return None;
        }
    }
    Some(done)
}

/// The named types of `rg` with their patterns, and where that stands.
const TYPES: &str = include_str!("searched.txt");

/// Each line's names of a type, and its patterns.
fn types() -> impl Iterator<Item = (&'static str, &'static str)> {
    TYPES.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" | "))
}

/// The patterns of a type; `None` for one that is not known, or that takes secrets.
fn patterns_of(kind: &str) -> Option<impl Iterator<Item = &'static str>> {
    let (_, patterns) = types().find(|(names, _)| names.split(' ').any(|name| name == kind))?;
    Some(patterns.split(' '))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{TYPES, types};

    // A14
    #[test]
    fn each_line_has_a_type_of_its_own_and_none_takes_files_of_secrets() {
        let mut seen = BTreeSet::new();
        for (names, patterns) in types() {
            assert!(names.split(' ').all(|name| !name.is_empty() && seen.insert(name)), "{names}");
            for pattern in patterns.split(' ') {
                let secrets = ["env", "pem", "key", "id_", "npmrc", "netrc"];
                let takes = secrets.iter().find(|part| pattern.contains(*part));
                assert!(!pattern.is_empty() && takes.is_none(), "{pattern}");
            }
        }
        assert_eq!(types().count(), TYPES.lines().filter(|line| !line.starts_with('#')).count());
        assert!(!seen.contains("sh") && !seen.contains("all"));
    }
}
