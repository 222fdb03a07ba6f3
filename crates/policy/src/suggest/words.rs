//! The words of a goal, of a path and of a text, so that `mailRetries` and `mail_retry` meet.

use std::collections::BTreeSet;

use regex::Regex;

/// So many words of a goal count.
const MOST_WORDS: usize = 24;
/// So much of a goal is read, and so much of a line that imports.
const MOST_GOAL: usize = 4096;
const MOST_IMPORTS: usize = 64;
/// A word has at least so many signs.
const LEAST: usize = 3;

/// Words that say nothing about a place.
const STOP: &[&str] = &[
    "the", "and", "for", "with", "from", "into", "that", "this", "when", "not", "are", "was", "has", "have",
    "its", "all", "but", "can", "use", "using", "add", "added", "fix", "make", "more", "some", "new", "now",
    "also", "only", "update", "change", "remove", "allow", "support", "should", "instead", "after", "before",
    "than", "does", "get", "set", "let", "via", "per", "out", "off", "one", "two", "too", "src", "lib",
];

/// What a person wants, as words.
#[derive(Clone, Debug, Default)]
pub struct Goal {
    words: Vec<String>,
    /// Where one of them may begin in a text; most of a text is passed over by it.
    begins: Option<Regex>,
    /// The signs between blanks, lowercase: a path or a file's name may be among them.
    spelled: BTreeSet<String>,
}

impl Goal {
    /// The words of a text. No more than the first few thousand signs are looked at.
    pub fn of(text: &str) -> Self {
        let text: String = text.chars().take(MOST_GOAL).collect();
        let mut words = Vec::new();
        for word in all(&text) {
            if words.len() < MOST_WORDS && !words.contains(&word) {
                words.push(word);
            }
        }
        let is_around = |sign: char| !sign.is_alphanumeric() && !matches!(sign, '_' | '/' | '.' | '-');
        let spelled = text.split(is_around).map(|part| part.trim_matches(['.', '/', '-']).to_lowercase());
        let begins = Regex::new(&format!("(?i){}", beginnings(&words))).ok().filter(|_| !words.is_empty());
        Self { words, begins, spelled: spelled.filter(|part| part.len() >= LEAST).collect() }
    }

    /// The words, each once.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether it names a file by its whole path, or by a last name with an ending.
    pub(super) fn names(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        let last = path.rsplit('/').next().unwrap_or_default();
        self.spelled.contains(&path) || (last.contains('.') && self.spelled.contains(last))
    }

    /// How often each of the words stands in a text.
    pub fn count(&self, text: &str) -> Vec<u32> {
        let mut found = vec![0_u32; self.words.len()];
        let mut word = String::new();
        let mut from = 0;
        while let Some(begin) = self.begins.as_ref().and_then(|begins| begins.find_at(text, from)) {
            let Some((before, here)) = text.split_at_checked(begin.start()) else { break };
            if is_cut(before.chars().next_back(), here.chars().next()) {
                stem(parts(here).next().unwrap_or_default(), &mut word);
                let place = self.words.iter().position(|known| *known == word);
                if let Some(count) = place.and_then(|at| found.get_mut(at)) {
                    *count = count.saturating_add(1);
                }
            }
            // A word may begin within what was found: `Bar` in `fooBar`.
            from = begin.start() + here.chars().next().map_or(1, char::len_utf8);
        }
        found
    }
}

/// What a text has where one of the words begins: all of it but the last sign, which its forms may change.
fn beginnings(words: &[String]) -> String {
    let begin = |word: &String| {
        let mut signs = word.chars();
        signs.next_back();
        regex::escape(signs.as_str())
    };
    words.iter().map(begin).collect::<Vec<_>>().join("|")
}

/// Whether a word begins between two signs.
fn is_cut(before: Option<char>, here: Option<char>) -> bool {
    let Some(before) = before.filter(|sign| sign.is_alphanumeric()) else { return true };
    is_small(before) && here.is_some_and(char::is_uppercase)
}

fn is_small(sign: char) -> bool {
    sign.is_lowercase() || sign.is_ascii_digit()
}

/// The words of a text, in its order, without those that say nothing.
pub(super) fn all(text: &str) -> impl Iterator<Item = String> {
    parts(text).filter_map(|part| {
        let mut word = String::new();
        stem(part, &mut word);
        let is_word = word.len() >= LEAST && !STOP.contains(&word.as_str());
        (is_word && !word.bytes().all(|byte| byte.is_ascii_digit())).then_some(word)
    })
}

/// Runs of letters and digits, cut where a capital follows a small letter.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let runs = text.split(|sign: char| !sign.is_alphanumeric()).filter(|run| !run.is_empty());
    runs.flat_map(|run| {
        let mut rest = Some(run);
        std::iter::from_fn(move || {
            let here = rest?;
            let mut before = None;
            let cut = here.char_indices().find_map(|(at, sign)| {
                let cuts = before.is_some() && is_cut(before, Some(sign));
                before = Some(sign);
                cuts.then_some(at)
            });
            let (word, after) = cut.and_then(|at| here.split_at_checked(at)).unwrap_or((here, ""));
            rest = Some(after).filter(|after| !after.is_empty());
            Some(word)
        })
    })
}

/// A word without the endings that its forms differ by.
fn stem(word: &str, into: &mut String) {
    into.clear();
    into.extend(word.chars().flat_map(char::to_lowercase));
    for (ending, left) in [("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", "")] {
        let is_long = into.len() >= ending.len() + LEAST;
        if is_long && into.ends_with(ending) && !into.ends_with("ss") {
            into.truncate(into.len() - ending.len());
            into.push_str(left);
            break;
        }
    }
}

/// The last names of what a text imports, by the lines that look like imports.
///
/// ```
/// use bailiwick_policy::suggest::imported;
/// assert_eq!(imported("from app.mail import retry\nx = 1\n"), ["app", "mail", "retry"]);
/// ```
pub fn imported(text: &str) -> Vec<String> {
    const STARTS: [&str; 8] =
        ["import ", "from ", "use ", "pub use ", "mod ", "pub mod ", "#include ", "require"];
    let mut names = BTreeSet::new();
    for line in text.lines().map(str::trim_start) {
        let is_import = STARTS.iter().any(|start| line.starts_with(start)) || line.contains("require(");
        if !is_import || line.len() > 256 {
            continue;
        }
        let words = line.split(|sign: char| !sign.is_alphanumeric() && sign != '_' && sign != '-');
        let skip =
            ["import", "from", "use", "pub", "mod", "include", "require", "const", "crate", "super", "self"];
        names.extend(words.filter(|word| word.len() >= LEAST && !skip.contains(word)).map(str::to_owned));
        if names.len() >= MOST_IMPORTS {
            break;
        }
    }
    names.into_iter().take(MOST_IMPORTS).collect()
}
