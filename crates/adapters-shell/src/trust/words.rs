//! Further words of an allowed command that may name a path: what each of them may stand for.

use crate::read_only::searched::names_across_folders;

/// More alternatives than this in braces are not looked through.
const MOST_ALTERNATIVES: usize = 64;

/// Names of addresses that are no paths. Others are known by the slash behind their colon.
const SCHEMES: &[&str] = &["npm:", "jsr:", "data:", "git:", "ext:", "file:", "http:", "https:"];

/// More places than this are not looked at for one command.
const MOST_PATHS: usize = 256;

/// Signs by which a program may take a word for a pattern. Some know groups, as in `secret+(s)` and `(a|b)`.
const PATTERN_SIGNS: &[char] = &['*', '?', '[', '{', '\\', '(', ')', '|', '!'];

/// What further words may name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Named {
    /// Each word, its file, and what its braces and groups stand for: places that are looked up.
    pub(super) paths: Vec<String>,
    /// Words that a program may take for a pattern, each as a whole.
    pub(super) patterns: Vec<String>,
}

impl Named {
    /// Adds what a word may name. Many programs take a word for a pattern themselves: what stands in its braces or groups counts
    /// as each of its alternatives.
    pub(super) fn add(&mut self, word: &str) -> Result<(), String> {
        let unclear = || format!("`{word}` may stand for something else");
        let all = alternatives(word).ok_or_else(unclear)?;
        for one in std::iter::once(word).chain(all.iter().map(String::as_str)) {
            let path = checked(one).ok_or_else(unclear)?;
            self.paths.push(path.to_owned());
            self.paths.extend(files_of(path).map(str::to_owned));
        }
        self.patterns.extend(patterns_of(word));
        at_most(self.paths.len())
    }
}

/// Whether words of which nobody knows more stand for few enough places to look at all of them.
pub(super) fn are_few(words: &[String]) -> Result<(), String> {
    let count = |word: &String| alternatives(word).map_or(MOST_ALTERNATIVES, |all| all.len());
    at_most(words.iter().map(count).sum())
}

fn at_most(count: usize) -> Result<(), String> {
    match count > MOST_PATHS {
        true => Err(format!("its words stand for more than {MOST_PATHS} places")),
        false => Ok(()),
    }
}

/// The patterns for which a program may take a word: itself, and with its groups as braces.
pub(super) fn patterns_of(word: &str) -> impl Iterator<Item = String> {
    let itself = word.contains(PATTERN_SIGNS).then(|| word.to_owned());
    let grouped = word.contains(GROUP_SIGNS).then(|| in_braces(word)).flatten();
    // To git a `*` also stands for folders.
    let across = itself.as_deref().map(names_across_folders).into_iter().flatten().collect::<Vec<_>>();
    itself.into_iter().chain(grouped).chain(across.into_iter().skip(1))
}

const GROUP_SIGNS: &[char] = &['(', ')', '|'];

/// A word with its groups as braces: `(a|b)` as `{a,b}`. Nothing where they are no plain choice, as with `(a)+`.
fn in_braces(word: &str) -> Option<String> {
    let (mut text, mut open, mut chooses) = (String::new(), Vec::new(), false);
    let mut signs = word.chars().peekable();
    while let Some(sign) = signs.next() {
        match (sign, open.last()) {
            ('(', _) if signs.peek() == Some(&'?') => return None,
            ('(' | '{', _) => {
                open.push(sign);
                text.push('{');
            }
            (')', Some('(')) if !signs.peek().is_some_and(|next| "+*?{".contains(*next)) => {
                open.pop();
                text.push('}');
            }
            ('}', Some('{')) => {
                open.pop();
                text.push('}');
            }
            (')', _) | ('|', Some('{')) | (',', Some('(')) => return None,
            ('|', within) => {
                chooses |= within.is_none();
                text.push(',');
            }
            (sign, _) => text.push(sign),
        }
    }
    match open.is_empty() {
        true if chooses => Some(format!("{{{text}}}")),
        true => Some(text),
        false => None,
    }
}

/// The file of a word that pytest takes for a test: it looks for `[` first, then for `::`.
pub(super) fn file_of_a_test(word: &str) -> &str {
    let file = word.split_once("::").map(|(file, _)| file).filter(|file| !file.contains(['[', '{']));
    file.unwrap_or(word)
}

/// The folder in which Go looks for the packages of a pattern: `./a/...` is all below `./a`.
pub(super) fn folder_of_packages(word: &str) -> &str {
    match word.split_once("...").map(|(before, _)| before.rsplit_once('/').map_or("", |(folder, _)| folder)) {
        None => word,
        Some("") if word.starts_with('/') => "/",
        Some("") => ".",
        Some(folder) => folder,
    }
}

/// Whether a pattern of packages leads up behind its `...`: Go cleans the whole of it first.
pub(super) fn turns_back(word: &str) -> bool {
    word.split_once("...").is_some_and(|(_, behind)| behind.split('/').any(|part| part == ".."))
}

/// What may be the file of a word that says which part of it: `a.py::test_b`, `a.rb:12`, `a.rb[1:2]`.
fn files_of(word: &str) -> impl Iterator<Item = &str> {
    let before = |sign: char| word.split_once(sign).map(|(file, _)| file).filter(|file| !file.is_empty());
    [':', '['].into_iter().filter_map(before)
}

/// A word that reads no further words from a file, names no host, and no pattern of which a part leads elsewhere.
fn checked(word: &str) -> Option<&str> {
    let lower = word.to_ascii_lowercase();
    let is_address = word.contains(":/") || SCHEMES.iter().any(|scheme| lower.starts_with(scheme));
    let leads_out = word.contains(['(', '|']) && ["..", "(/", "|/"].iter().any(|sign| word.contains(sign));
    let is_plain = !word.starts_with(['@', '~']) && !word.contains(char::is_control);
    let is_up = word.split('/').any(may_be_up);
    (is_plain && !is_address && !leads_out && !is_up).then_some(word)
}

/// Whether a pattern may be another spelling of `..`, as `[.].` is.
fn may_be_up(part: &str) -> bool {
    part.contains('.') && part.contains(['[', '(', '\\']) && !part.contains(char::is_alphanumeric)
}

/// What braces and groups stand for, one after another, if there are any; nothing where they are within each other, name a range
/// or do not end.
pub(super) fn alternatives(word: &str) -> Option<Vec<String>> {
    if !word.contains(['{', '}']) && !word.contains(GROUP_SIGNS) {
        return Some(Vec::new());
    }
    if word.contains('\\') || word.contains("..") {
        return None;
    }
    let word = if word.contains(GROUP_SIGNS) { in_braces(word)? } else { word.to_owned() };
    let mut all = vec![String::new()];
    let mut rest = word.as_str();
    while let Some((before, behind)) = rest.split_once('{') {
        let (inside, after) = behind.split_once('}')?;
        let choices: Vec<&str> = inside.split(',').collect();
        if before.contains('}')
            || inside.contains('{')
            || all.len().checked_mul(choices.len())? > MOST_ALTERNATIVES
        {
            return None;
        }
        all = all
            .iter()
            .flat_map(|start| choices.iter().map(move |choice| format!("{start}{before}{choice}")))
            .collect();
        rest = after;
    }
    if rest.contains('}') {
        return None;
    }
    Some(all.iter().map(|start| format!("{start}{rest}")).collect())
}

/// Whether Go may ask a host for a package of this name, or for a version of one. A file of this folder ends in `.go`.
pub(super) fn is_remote_package(word: &str) -> bool {
    let first = word.split('/').next().unwrap_or(word);
    let is_here = matches!(first, "" | "." | ".." | "...") || (first == word && word.ends_with(".go"));
    word.contains('@') || (first.contains('.') && !is_here)
}
