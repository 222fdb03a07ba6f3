//! Whether a command has all that an allowed one says, wherever it stands: `pytest tests/a.py -q` has what `pytest -q` says,
//! and what `pytest tests` says. Which further words may be there is the table's to say.

use super::programs::Rules;

/// Words that stand for all of a folder; `go test ./...` is for each package in it.
const EVERYTHING: &[&str] = &[".", "./", "./..."];

/// The first of the allowed words that a command of the same kind does not have; nothing where it is of another kind, and an empty
/// text where it has all.
pub(super) fn missing(allowed: &[String], rules: &Rules, words: &[String]) -> Option<String> {
    let (kind, said) = allowed.split_at_checked(rules.head_length())?;
    let rest = words.strip_prefix(kind)?;
    let lacks = |part: &Vec<&String>| !rest.windows(part.len()).any(|there| covers(part, there, rules));
    let lacking = parts(said, rules).into_iter().find(lacks).unwrap_or_default();
    Some(lacking.into_iter().map(String::as_str).collect::<Vec<_>>().join(" "))
}

/// The allowed words one by one, each option with its value.
fn parts<'w>(said: &'w [String], rules: &Rules) -> Vec<Vec<&'w String>> {
    let mut parts: Vec<Vec<&String>> = Vec::new();
    for word in said {
        let is_value =
            |part: &&mut Vec<&String>| part.len() == 1 && part.iter().all(|option| rules.has_value(option));
        match parts.last_mut().filter(is_value) {
            Some(option) if !word.starts_with('-') => option.push(word),
            _ => parts.push(vec![word]),
        }
    }
    parts.retain(|part| !matches!(part.as_slice(), [word] if rules.takes_words() && is_everything(word)));
    parts
}

fn is_everything(word: &str) -> bool {
    EVERYTHING.contains(&word)
}

fn covers(part: &[&String], there: &[String], rules: &Rules) -> bool {
    match (part, there) {
        ([word], [found]) if rules.takes_words() => *word == found || is_below(found, word),
        (part, there) => part.iter().copied().eq(there),
    }
}

/// Whether a word names what is in a folder that another one names.
fn is_below(word: &str, folder: &str) -> bool {
    let folder = folder.strip_suffix("/...").unwrap_or(folder).trim_end_matches('/');
    let inner = word.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
    let is_plain = |path: &str| !path.split('/').any(|part| part == "..");
    !folder.is_empty() && !folder.starts_with('-') && inner.is_some_and(is_plain)
}
