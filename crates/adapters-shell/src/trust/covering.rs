//! Whether a command has all that an allowed one says, wherever it stands: `pytest tests/a.py -q` has what `pytest -q` says,
//! and what `pytest tests` says. Which further words may be there is the table's to say.

use super::programs::Rules;

/// The first of the allowed words that a command of the same kind does not have; nothing where it is of another kind, and an empty
/// text where it has all.
pub(super) fn missing(allowed: &[String], rules: &Rules, words: &[String]) -> Option<String> {
    let (kind, said) = allowed.split_at_checked(rules.head_length())?;
    let rest = words.strip_prefix(kind)?;
    let (said, there) = (parts(said, rules), parts(rest, rules));
    let lacking = match rules.takes_commands() {
        // Its first words say what it does.
        true => {
            said.into_iter().enumerate().find(|(at, part)| there.get(*at) != Some(part)).map(|(_, part)| part)
        }
        false => said.into_iter().find(|part| !is_given(part, &there, rules)),
    };
    Some(lacking.unwrap_or_default().into_iter().map(String::as_str).collect::<Vec<_>>().join(" "))
}

/// Whether one of the parts that are there covers an allowed one. Go takes the package of the folder where none is named.
fn is_given(part: &[&String], there: &[Vec<&String>], rules: &Rules) -> bool {
    let is_all = matches!(part, [word] if is_everything(plain(word)));
    (is_all && rules.takes_packages()) || there.iter().any(|found| covers(part, found, rules))
}

/// Options by which a program only looks, and those by which it writes all the same.
const LOOKS: &[&str] =
    &["--check", "-c", "--check-only", "--diff", "--list-different", "-l", "--dry-run", "-n", "-d"];
const WRITES: &[&str] = &["--write", "-w", "--fix", "--autocorrect", "-a", "-A", "--autocorrect-all"];

/// The option by which a command writes, where the allowed one only looks.
pub(super) fn writes<'w>(allowed: &[String], words: &'w [String]) -> Option<&'w String> {
    let only_looks = allowed.iter().any(|word| LOOKS.contains(&word.as_str()));
    let is_one = |word: &&String| {
        let is_cluster = word.starts_with('-') && !word.starts_with("--");
        let may_write = WRITES.contains(&word.as_str()) || (is_cluster && word.contains('w'));
        may_write && !allowed.contains(word)
    };
    words.iter().find(is_one).filter(|_| only_looks)
}

/// The words one by one, each option with its value.
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
    parts
}

fn covers(part: &[&String], there: &[&String], rules: &Rules) -> bool {
    match (part, there) {
        ([word], [found]) if rules.takes_words() && !word.starts_with('-') => {
            let (word, found) = (plain(word), plain(found));
            word == found || is_below(found, word) || (is_everything(word) && is_down(found))
        }
        (part, there) => part == there,
    }
}

/// Whether a word stands for all in the folder that a command runs in; `go test ./...` is for each package there.
fn is_everything(word: &str) -> bool {
    matches!(word, "." | "" | "...")
}

/// Whether a word may name nothing but what lies there.
fn is_down(word: &str) -> bool {
    !word.starts_with(['-', '/']) && !word.split('/').any(|part| part == "..")
}

fn plain(word: &str) -> &str {
    word.strip_prefix("./").unwrap_or(word)
}

/// Whether a word names what is in a folder that another one names.
fn is_below(word: &str, folder: &str) -> bool {
    let folder = folder.strip_suffix("/...").unwrap_or(folder).trim_end_matches('/');
    let inner = word.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
    !folder.is_empty() && inner.is_some_and(is_down)
}
