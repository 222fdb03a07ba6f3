//! The table of what may follow an allowed command, `programs.txt`, and how words are held against a line of it.

use super::{publishing, words};

const TABLE: &str = include_str!("programs.txt");

/// One option of the table.
#[derive(Clone, Copy, Debug)]
struct OptionRule<'t> {
    name: &'t str,
    /// What its value may be; `None` where it has none.
    value: Option<&'t str>,
    /// Whether the next word is its value where none is in its own.
    next: bool,
}

impl<'t> OptionRule<'t> {
    fn read(text: &'t str) -> Self {
        match text.split_once([':', '=']) {
            Some((name, value)) => {
                Self { name, value: Some(value), next: text.as_bytes().get(name.len()) == Some(&b':') }
            }
            None => Self { name: text, value: None, next: false },
        }
    }
}

/// What may follow one kind of command.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// How many words name the kind.
    head: usize,
    words: bool,
    /// Whether each of these is a package of Go.
    packages: bool,
    /// Words that would make it a command of another kind; endings of words behind `*`.
    not: Vec<&'static str>,
    /// Whether each word, and each value, may be a script or target of the person's own.
    scripts: bool,
    /// Whether each word may be a file that is run.
    runs: bool,
    /// Whether short options are read as getopt(3) does. Others take `-tc=x` for `-t` and `-c x`, or for one option `tc`.
    getopt: bool,
    options: Vec<OptionRule<'static>>,
    /// The same for what follows `--`, where anything may.
    behind: Option<Box<Rules>>,
}

/// The rules of the kind that a command is of; the longest name wins.
pub(super) fn rules_of(words: &[String]) -> Option<Rules> {
    let mut found: Option<(&str, Vec<&str>, &str)> = None;
    for (spelling, rest) in rows() {
        let head: Vec<&str> = spelling.split(' ').collect();
        let is_longer = found.as_ref().is_none_or(|(_, known, _)| known.len() < head.len());
        if head.last() != Some(&"--") && is_longer && starts(words, &head) {
            found = Some((spelling, head, rest));
        }
    }
    let (spelling, head, rest) = found?;
    let mut rules = Rules::read(head.len(), rest)?;
    let behind = format!("{spelling} --");
    let row = rows().find(|(spelling, _)| *spelling == behind);
    rules.behind = row.and_then(|(_, rest)| Rules::read(head.len(), rest)).map(Box::new);
    Some(rules)
}

/// Each spelling with what its line says of it.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .filter_map(|line| line.split_once(" | "))
        .flat_map(|(spellings, rest)| spellings.split(", ").map(move |spelling| (spelling, rest)))
}

fn starts(words: &[String], head: &[&str]) -> bool {
    let fits = |(word, part): (&String, &&str)| {
        if *part == "*" { !word.starts_with('-') && !word.contains(['=', '@']) } else { word == part }
    };
    words.len() >= head.len() && words.iter().zip(head).all(fits)
}

impl Rules {
    fn read(head: usize, rest: &'static str) -> Option<Self> {
        let mut columns = rest.split('|').map(str::trim);
        let further: Vec<&str> = columns.next()?.split(' ').collect();
        let says = |word: &str| further.contains(&word);
        let not = further.iter().filter_map(|word| word.strip_prefix("not:")).flat_map(|all| all.split('/'));
        let options = columns.next()?.split_whitespace().map(OptionRule::read);
        Some(Self {
            head,
            words: !says("none"),
            packages: says("packages"),
            not: not.collect(),
            scripts: says("scripts"),
            runs: says("runs"),
            getopt: says("getopt"),
            options: options.collect(),
            behind: None,
        })
    }

    pub(super) fn head_length(&self) -> usize {
        self.head
    }

    /// The words of a command of this kind by which it may run something more, whether or not all of them are known.
    pub(super) fn targets<'w>(&self, words: &'w [String]) -> Vec<&'w str> {
        let mut found = Vec::new();
        let mut before = "";
        for word in words.iter().skip(self.head) {
            let (name, value) = word.split_once('=').unwrap_or((before, word));
            let names_one = self.of_name(name).any(|rule| rule.value == Some(TARGET));
            let is_alone = !self.words && (!before.starts_with('-') || self.is_flag(before));
            if names_one || (is_alone && !word.starts_with('-')) {
                found.push(value);
            }
            before = word;
        }
        found
    }

    fn is_flag(&self, name: &str) -> bool {
        self.of_name(name).any(|rule| rule.value.is_none())
    }

    /// Holds all words of a command against the rules; gives those that may name a path.
    pub(super) fn paths(&self, words: &[String]) -> Result<Vec<String>, String> {
        let mut paths: Vec<String> =
            words.iter().take(self.head).filter(|word| word.contains('/')).cloned().collect();
        let mut rest = words.iter().skip(self.head);
        let mut rules = self;
        while let Some(word) = rest.next() {
            let behind = rest.clone();
            if word == "--" && self.behind.is_some() && std::ptr::eq(rules, self) {
                rules = self.behind.as_deref().unwrap_or(self);
                continue;
            } else if word.len() > 1 && word.starts_with('-') {
                rules.option(word, &mut rest, &mut paths)?;
            } else {
                rules.word(word, &mut paths)?;
            }
            let taken = behind.len() - rest.len();
            rules.stays_in(std::iter::once(word).chain(behind.take(taken)))?;
        }
        Ok(paths)
    }

    /// Whether a script of the person's own would run nothing that reaches out by these words. What the gate takes for the value
    /// of an option may be a word to the script.
    fn stays_in<'w>(&self, mut words: impl Iterator<Item = &'w String>) -> Result<(), String> {
        let reaches = |word: &&String| {
            let value = word.starts_with('-').then(|| word.split_once('=').map_or("", |(_, value)| value));
            publishing::reaches_out_of_a_script(value.unwrap_or(word))
        };
        match words.find(|word| self.scripts && reaches(word)) {
            Some(word) => Err(format!("`{word}` may be a script that publishes or installs something")),
            None => Ok(()),
        }
    }

    /// Whether a word makes it a command of another kind. Go's own commands count by the folder that holds them.
    fn is_another(&self, word: &str) -> bool {
        let named = if self.packages { word.split('/').next().unwrap_or(word) } else { word };
        self.not.iter().any(|not| match not.strip_prefix('*') {
            Some(ending) => word.ends_with(ending),
            None => *not == named,
        })
    }

    fn word(&self, word: &str, paths: &mut Vec<String>) -> Result<(), String> {
        if !self.words || self.is_another(word) {
            return Err(format!("`{word}` may make it do something else"));
        }
        if self.runs && publishing::runs_what_publishes(word) {
            return Err(format!("`{word}` usually publishes something"));
        }
        if self.packages && words::is_remote_package(word) {
            return Err(format!("`{word}` may be a package of another host"));
        }
        words::add(word, paths)
    }

    fn option<'w>(&self, word: &'w str, rest: &mut Rest<'w>, paths: &mut Vec<String>) -> Result<(), String> {
        let unknown = || format!("option `{word}` is not one that may follow it");
        if let Some((name, value)) = word.split_once('=') {
            let mut valued = self.of_name(name).filter_map(|rule| rule.value).peekable();
            return match valued.peek() {
                Some(_) => valued.find_map(|kind| taken(kind, value, paths)).ok_or_else(unknown),
                None => self.short(word, rest, paths).ok_or_else(unknown),
            };
        }
        if self.of_name(word).filter(|rule| rule.next).any(|rule| takes_next(rule.value, rest, paths)) {
            return Ok(());
        }
        let mut named = self.of_name(word).peekable();
        match named.peek() {
            Some(_) => named.any(|rule| rule.value.is_none()).then_some(()).ok_or_else(unknown),
            None => self.short(word, rest, paths).ok_or_else(unknown),
        }
    }

    fn of_name<'r>(&'r self, name: &'r str) -> impl Iterator<Item = &'r OptionRule<'static>> {
        self.options.iter().filter(move |rule| rule.name == name)
    }

    fn of_letter<'r>(&'r self, letter: &'r str) -> impl Iterator<Item = &'r OptionRule<'static>> {
        self.options.iter().filter(move |rule| rule.name.strip_prefix('-') == Some(letter))
    }

    /// `-xvs`, where each letter is an option alone, and `-j8`; by getopt(3) also `-am TEXT` and `-pNAME`.
    fn short<'w>(&self, word: &str, rest: &mut Rest<'w>, paths: &mut Vec<String>) -> Option<()> {
        let letters =
            word.strip_prefix('-').filter(|letters| !letters.starts_with('-') && letters.is_ascii())?;
        for at in 0..letters.len() {
            let (letter, value) = (letters.get(at..=at)?, letters.get(at + 1..)?);
            let Some(rule) = self.of_letter(letter).find(|rule| rule.value.is_some()) else {
                self.of_letter(letter).next()?;
                continue;
            };
            let is_number = at == 0 && !value.is_empty() && value.bytes().all(|sign| sign.is_ascii_digit());
            return match value {
                _ if is_number => taken(rule.value?, value, paths),
                _ if !self.getopt || value.starts_with('=') => None,
                "" if rule.next && takes_next(rule.value, rest, paths) => Some(()),
                "" => self.of_letter(letter).any(|rule| rule.value.is_none()).then_some(()),
                value => taken(rule.value?, value, paths),
            };
        }
        Some(())
    }
}

/// The words that are still to be held against the rules.
type Rest<'w> = std::iter::Skip<std::slice::Iter<'w, String>>;

/// Whether the next word is a value of this kind; it is taken then.
fn takes_next(kind: Option<&str>, rest: &mut Rest<'_>, paths: &mut Vec<String>) -> bool {
    let next = rest.clone().next().filter(|next| !next.starts_with('-'));
    let is_value = kind.zip(next).is_some_and(|(kind, next)| taken(kind, next, paths).is_some());
    if is_value {
        rest.next();
    }
    is_value
}

/// A whole number.
const NUMBER: &str = "<number>";

/// What a runner runs, by its name.
const TARGET: &str = "<target>";

/// Files that are run, by a pattern of their names.
const RUN: &str = "<run>";

/// Takes a value that the table allows: `*` is a text, nothing is a text that may be a path, else one of these.
fn taken(kind: &str, value: &str, paths: &mut Vec<String>) -> Option<()> {
    match kind {
        "*" => Some(()),
        NUMBER => (!value.is_empty() && value.bytes().all(|sign| sign.is_ascii_digit())).then_some(()),
        TARGET if publishing::reaches_out(value) || stands_for_more(value) => None,
        RUN if publishing::runs_what_publishes(value) => None,
        "" | TARGET | RUN => words::add(value, paths).ok(),
        listed => listed.split('/').any(|one| one == value).then_some(()),
    }
}

/// Whether a target may stand for others: `tox -e ALL` runs all of them, and `rel{ease}` another.
fn stands_for_more(target: &str) -> bool {
    target.contains(['{', '}', '*', '?', '[']) || target.split([',', ' ']).any(|part| part == "ALL")
}

/// Every part of the words that could name a path, for commands whose options nobody knows.
pub(super) fn all_paths(words: &[String]) -> Vec<String> {
    let mut paths = Vec::new();
    for word in words.iter().skip(1).filter(|word| word.contains('/') || *word == "..") {
        paths.push(word.trim_start_matches('-').to_owned());
        paths.extend(word.split_once('=').map(|(_, value)| value.to_owned()));
        // `-C/elsewhere`
        paths.extend(word.strip_prefix('-').and_then(|rest| rest.get(1..)).map(str::to_owned));
    }
    paths.retain(|path| !path.is_empty());
    paths
}

/// The other words, and values of options, that may name a file beside the command.
pub(super) fn plain_words(words: &[String]) -> Vec<String> {
    let values =
        words.iter().skip(1).map(|word| word.split_once('=').map_or(word.as_str(), |(_, value)| value));
    values.filter(|word| !word.is_empty() && !word.contains(' ')).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
