//! What may stand before a program and changes nothing of what it does to files: `LC_ALL=C`, `time`, `timeout 60`, and
//! before git `GIT_PAGER=cat`.

use crate::words::Word;

/// Variables that may be set before a command: they change what it prints or how much it does, and name no program and no
/// file. Sources: the pages of Cargo, Rust's test harness, npm, Python, no-color.org and the C locale.
const HARMLESS_VARIABLES: &[&str] = &[
    "RUST_BACKTRACE",
    "RUST_LOG",
    "RUST_TEST_THREADS",
    "CARGO_TERM_COLOR",
    "CARGO_INCREMENTAL",
    "PROPTEST_CASES",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CI",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONUNBUFFERED",
    "TZ",
    "LANG",
    "LC_ALL",
];

/// These of Node's are for those who write a program; with another one it may write to where its users are.
const ENVIRONMENTS: &[&str] = &["NODE_ENV=test", "NODE_ENV=development"];

/// By these git finds the program that shows what it prints, and `cat` shows it as it is. Source: the page of `git var`.
const NO_PAGERS: &[&str] = &["GIT_PAGER=cat", "PAGER=cat"];

/// The words from the program on. What is quoted, or anything but its text, is never taken off. A shell sets variables at the
/// very front alone: behind `timeout 60`, and in some shells behind `time`, `CI=x` is the name of a program.
pub(crate) fn bare(words: &[Word]) -> &[Word] {
    let set = words.iter().take_while(|word| is_harmless(word) || is_no_pager(word));
    let (for_git, count) =
        set.fold((false, 0), |(for_git, count), word| (for_git || is_no_pager(word), count + 1));
    match untimed(words.get(count..).unwrap_or_default()) {
        [program, ..] if for_git && !is_plainly(program, "git") => words,
        [] => words,
        behind => behind,
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
        words => words,
    }
}

fn is_harmless(word: &Word) -> bool {
    let name = word.text.split_once('=').map(|(name, _)| name);
    let is_known = name.is_some_and(|name| HARMLESS_VARIABLES.contains(&name));
    is_text(word) && (is_known || ENVIRONMENTS.contains(&word.text.as_str()))
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
