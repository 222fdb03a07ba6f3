//! What may stand before a program and changes nothing of what it does to files: `LC_ALL=C`, `time`, `timeout 60`, what
//! shortens its output, and before git `GIT_PAGER=cat`.

mod variables;

use crate::read_only::options::Proof;
use crate::words::Word;

/// By these git finds the program that shows what it prints, and `cat` shows it as it is. Source: the page of `git var`.
const NO_PAGERS: &[&str] = &["GIT_PAGER=cat", "PAGER=cat"];

/// What runs these with the same words, and shortens what they print. Source: the guide of rtk, "How it works".
const FILTER: &str = "rtk";
const FILTERED: &[&str] =
    &["git", "ls", "tree", "wc", "cargo", "go", "ruff", "mypy", "golangci-lint", "dotnet"];

/// The words from the program on. What is anything but its text is never taken off. A shell sets variables at the
/// very front alone: behind `timeout 60`, and in some shells behind `time`, `CI=x` is the name of a program.
pub(crate) fn bare(words: &[Word]) -> &[Word] {
    before(words, |_| false).1
}

/// The same, with the words among those before it that are of this kind.
pub(crate) fn before(words: &[Word], is_one: fn(&str) -> bool) -> (Vec<&Word>, &[Word]) {
    let is_kept = |word: &&Word| is_set(word) && is_one(&word.text);
    let set = words.iter().take_while(|word| is_harmless_word(word) || is_no_pager(word) || is_kept(word));
    let (for_git, count) =
        set.fold((false, 0), |(for_git, count), word| (for_git || is_no_pager(word), count + 1));
    let (set, behind) = words.split_at(count);
    match untimed(behind) {
        [program, ..] if for_git && !is_plainly(program, "git") => (Vec::new(), words),
        [] => (Vec::new(), words),
        behind => (set.iter().filter(is_kept).collect(), behind),
    }
}

/// The variable that a word sets before a program.
pub(crate) fn variable(word: &str) -> Option<&str> {
    let name = word.split_once('=').map(|(name, _)| name)?;
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    let starts = name.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '_');
    (starts && name.chars().all(is_name)).then_some(name)
}

/// Why a command with a variable before it does not pass by itself.
pub(crate) fn changed_by(variable: &str) -> String {
    format!("`{variable}` may change what the program does or loads")
}

/// Proves `export NAME=value`, which does to each command behind it what `NAME=value` does before one.
pub(crate) fn export(words: &[&str]) -> Result<Proof, String> {
    match words.iter().find(|word| !is_harmless(word)) {
        None if !words.is_empty() => Ok(Proof::default()),
        Some(word) => Err(changed_by(variable(word).unwrap_or(word))),
        None => Err("`export` alone shows every variable".to_owned()),
    }
}

fn untimed(words: &[Word]) -> &[Word] {
    match words {
        [time, rest @ ..]
            if is_plainly(time, "time") && rest.first().is_some_and(|word| !word.text.starts_with('-')) =>
        {
            untimed(rest)
        }
        [timeout, length, rest @ ..]
            if is_plainly(timeout, "timeout") && is_time(&length.text) && !rest.is_empty() =>
        {
            untimed(rest)
        }
        [filter, rest @ ..]
            if is_plainly(filter, FILTER)
                && rest.first().is_some_and(|name| FILTERED.iter().any(|known| is_plainly(name, known))) =>
        {
            rest
        }
        words => words,
    }
}

fn is_harmless_word(word: &Word) -> bool {
    is_set(word) && is_harmless(&word.text)
}

/// Whether a text sets a variable by which nothing is found, loaded or written, to what it may be.
pub(crate) fn is_harmless(text: &str) -> bool {
    variables::is_harmless(text)
}

/// Whether a word sets a variable to a text, which may be quoted.
fn is_set(word: &Word) -> bool {
    word.sets && !(word.pattern || word.open || word.braces)
}

fn is_no_pager(word: &Word) -> bool {
    is_text(word) && NO_PAGERS.contains(&word.text.as_str())
}

fn is_plainly(word: &Word, text: &str) -> bool {
    is_text(word) && word.text == text
}

fn is_text(word: &Word) -> bool {
    !(word.quoted || word.pattern || word.open || word.braces)
}

fn is_time(word: &str) -> bool {
    let digits = word.trim_end_matches(['s', 'm', 'h']);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
