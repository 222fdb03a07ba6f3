//! The table of what may follow an allowed command, `programs.txt`, and how words are held against a line of it.

use super::forms::{environment, wrapped};
use super::publishing;
use super::words::{self, Named};
use crate::read_only::options::is_number;

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
    /// Whether one word follows and no more.
    one: bool,
    /// Whether each of these is a package of Go.
    packages: bool,
    /// Words that would make it a command of another kind; endings of words behind `*`.
    not: Vec<&'static str>,
    /// Whether each word, and each value, may be a script or target of the person's own.
    scripts: bool,
    /// Whether each word may be a file that is run, or a pattern of such files.
    runs: bool,
    /// Whether each word may be a command that a program of the person's own knows.
    acts: bool,
    /// Whether what stands behind `::` in a word picks tests of the file before it.
    tests: bool,
    /// Whether a text may begin with `@`. Many programs take what stands there for a file of further words.
    tags: bool,
    /// Whether short options are read as getopt(3) does. Others take `-tc=x` for `-t` and `-c x`, or for one option `tc`.
    getopt: bool,
    options: Vec<OptionRule<'static>>,
    /// The same for what follows `--`, where anything may.
    behind: Option<Box<Rules>>,
}

/// Words that start the program behind them with what is installed for the folder. Sources: the pages of mise, uv, Poetry, Pipenv,
/// PDM, pnpm and Nix.
const LAUNCHERS: &[&[&str]] = &[
    &["mise", "exec", "--"],
    &["mise", "x", "--"],
    &["uv", "run"],
    &["poetry", "run"],
    &["pipenv", "run"],
    &["pdm", "run"],
    &["pnpm", "exec"],
    &["nix", "develop", "-c"],
    &["nix", "develop", "--command"],
    &[wrapped::NIX],
];

/// Words that fetch the program behind them where it is not there: only one that the table knows is started by them. Sources:
/// docs.astral.sh/uv/guides/tools. `pipx run` is none of them: it runs a file of that name first.
const FETCHERS: &[&[&str]] = &[&["uvx"], &["uv", "tool", "run"]];

/// The rules of the kind that a command is of, also behind what starts it.
pub(super) fn rules_of(words: &[String]) -> Option<Rules> {
    let words = &environment::plain(words);
    let behind = || {
        let started = started(words)?;
        let rules = listed(started)?;
        Some(Rules { head: rules.head + words.len() - started.len(), ..rules })
    };
    listed(words).or_else(behind)
}

/// The command that another one starts with what is installed for the folder.
pub(super) fn started(words: &[String]) -> Option<&[String]> {
    let by = |launchers: &[&[&str]]| {
        let launcher = launchers.iter().find(|launcher| starts(words, launcher))?;
        words.get(launcher.len()..)
    };
    by(LAUNCHERS).or_else(|| by(FETCHERS).filter(|started| listed(started).is_some()))
}

/// The rules of the kind that the table has a command in; the longest name wins.
fn listed(words: &[String]) -> Option<Rules> {
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
            one: says("one"),
            packages: says("packages"),
            not: not.collect(),
            scripts: says("scripts"),
            runs: says("runs"),
            acts: says("acts"),
            tests: says("tests"),
            tags: says("tags"),
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

    /// Whether words may follow besides options.
    pub(super) fn takes_words(&self) -> bool {
        self.words
    }

    /// Whether words may follow that are files, so that a shell may put them there for a pattern: no command of another kind is
    /// called as a file in a folder.
    pub(super) fn takes_files(&self, pattern: &str) -> bool {
        let is_other = !self.not.is_empty() && !pattern.contains('/');
        self.words && !(self.scripts || self.acts || self.packages || self.one || is_other)
    }

    /// Whether the first of these words may be a command of the person's own.
    pub(super) fn takes_commands(&self) -> bool {
        self.acts || self.scripts || self.behind.as_deref().is_some_and(Self::takes_commands)
    }

    /// Whether these words are packages of Go.
    pub(super) fn takes_packages(&self) -> bool {
        self.packages
    }

    /// Whether the next word is the value of this option.
    pub(super) fn has_value(&self, option: &str) -> bool {
        let behind = self.behind.as_deref().is_some_and(|rules| rules.has_value(option));
        behind || self.of_name(option).any(|rule| rule.next)
    }

    /// Whether what it runs are tests, or other files that its words name.
    pub(super) fn runs_tests(&self) -> bool {
        self.runs
    }

    fn is_flag(&self, name: &str) -> bool {
        self.of_name(name).any(|rule| rule.value.is_none())
    }

    /// Holds all words of a command against the rules; gives those that may name a path.
    pub(super) fn names(&self, words: &[String]) -> Result<Named, String> {
        let is_path = |word: &&String| word.contains('/') && environment::program_of(word).is_none();
        let head = words.iter().take(self.head).filter(is_path).cloned();
        let mut named = Named { paths: head.collect(), ..Named::default() };
        let mut rest = words.iter().skip(self.head);
        let runs_tests = words.iter().take(self.head).any(|word| publishing::names_tests(word));
        let mut rules = self;
        let mut is_there = false;
        while let Some(word) = rest.next() {
            let behind = rest.clone();
            if word == "--" && self.behind.is_some() && std::ptr::eq(rules, self) {
                rules = self.behind.as_deref().unwrap_or(self);
                continue;
            } else if word.len() > 1 && word.starts_with('-') {
                rules.option(word, &mut rest, &mut named)?;
            } else {
                if std::mem::replace(&mut is_there, true) && rules.one {
                    return Err(format!("with `{word}` it does more"));
                }
                rules.word(word, &mut named)?;
            }
            let taken = behind.len() - rest.len();
            rules.stays_in(std::iter::once(word).chain(behind.take(taken)), runs_tests)?;
        }
        Ok(named)
    }

    /// Whether no further words come from a file by these, and a script of the person's own would run nothing that reaches out by
    /// them. What the gate takes for the value of an option may be a word to the script, unless that runs tests.
    fn stays_in<'w>(
        &self,
        mut words: impl Iterator<Item = &'w String> + Clone,
        runs_tests: bool,
    ) -> Result<(), String> {
        if let Some(word) = words.clone().find(|word| word.starts_with('@') && !self.tags) {
            return Err(format!("`{word}` may stand for words that a file holds"));
        }
        // Older package managers hand them on between double quotes.
        let expands = |word: &&String| word.contains(['`', '$', '\\', '"']);
        if let Some(word) = words.clone().find(expands).filter(|_| self.scripts) {
            return Err(format!("`{word}` may be expanded by the shell that runs the script"));
        }
        let mut picks = false;
        let reaches = |word: &&String| {
            let is_text = std::mem::replace(&mut picks, PICKS_TESTS.contains(&word.as_str()));
            let (option, value) =
                word.split_once('=').map_or((word.as_str(), ""), |(option, value)| (option, value));
            let is_pick = is_text || PICKS_TESTS.contains(&option);
            let text = if is_text { word.as_str() } else { value };
            if runs_tests && is_pick && publishing::is_sentence(text) {
                return false;
            }
            let value = word.starts_with('-').then_some(value);
            publishing::reaches_out_of_a_script(value.unwrap_or(word))
        };
        match words.find(reaches).filter(|_| self.scripts) {
            Some(word) => Err(format!("`{word}` may be a script that publishes or installs something")),
            None => Ok(()),
        }
    }

    /// Whether a word makes it a command of another kind. Go's own commands count by the folder that holds them.
    fn is_another(&self, word: &str) -> bool {
        let named = if self.packages { word.split('/').next().unwrap_or(word) } else { word };
        self.not.iter().any(|not| match (not.strip_prefix('*'), not.strip_suffix('*')) {
            (Some(ending), _) => word.ends_with(ending),
            (_, Some(beginning)) => word.starts_with(beginning),
            _ => *not == named,
        })
    }

    fn publishes(&self, word: &str) -> bool {
        (self.acts && publishing::runs_what_publishes(word)) || (self.runs && runs_what_publishes(word))
    }

    fn word(&self, word: &str, named: &mut Named) -> Result<(), String> {
        if !self.words || self.is_another(word) {
            return Err(format!("`{word}` may make it do something else"));
        }
        if self.publishes(word) {
            return Err(format!("`{word}` may run something that publishes"));
        }
        if self.packages && words::turns_back(word) {
            return Err(format!("`{word}` may lead out of what it names first"));
        }
        if self.packages && words::is_remote_package(word) {
            return Err(format!("`{word}` may be a package of another host"));
        }
        named.add(match self {
            Self { packages: true, .. } => words::folder_of_packages(word),
            Self { tests: true, .. } => words::file_of_a_test(word),
            _ => word,
        })
    }

    fn option<'w>(&self, word: &'w str, rest: &mut Rest<'w>, named: &mut Named) -> Result<(), String> {
        let unknown = || format!("option `{word}` is not one that may follow it");
        if let Some((name, value)) = word.split_once('=') {
            let kinds: Vec<&str> = self.of_name(name).filter_map(|rule| rule.value).collect();
            return match kinds.as_slice() {
                [] => self.short(word, rest, named).ok_or_else(unknown),
                kinds => kinds
                    .iter()
                    .find_map(|kind| taken(kind, value, named))
                    .ok_or_else(|| unfit(name, value, kinds)),
            };
        }
        if self.of_name(word).filter(|rule| rule.next).any(|rule| takes_next(rule.value, rest, named)) {
            return Ok(());
        }
        let rules: Vec<_> = self.of_name(word).collect();
        if rules.is_empty() {
            return self.short(word, rest, named).ok_or_else(unknown);
        }
        let kinds: Vec<&str> = rules.iter().filter(|rule| rule.next).filter_map(|rule| rule.value).collect();
        let next = rest.clone().next().map_or("", String::as_str);
        match rules.iter().any(|rule| rule.value.is_none()) {
            true => Ok(()),
            false if kinds.is_empty() => Err(format!("`{word}` has its value behind `=` here")),
            false => Err(unfit(word, next, &kinds)),
        }
    }

    fn of_name<'r>(&'r self, name: &'r str) -> impl Iterator<Item = &'r OptionRule<'static>> {
        self.options.iter().filter(move |rule| rule.name == name)
    }

    fn of_letter<'r>(&'r self, letter: &'r str) -> impl Iterator<Item = &'r OptionRule<'static>> {
        self.options.iter().filter(move |rule| rule.name.strip_prefix('-') == Some(letter))
    }

    /// `-xvs`, where each letter is an option alone, and `-j8`; by getopt(3) also `-am TEXT` and `-pNAME`.
    fn short<'w>(&self, word: &str, rest: &mut Rest<'w>, named: &mut Named) -> Option<()> {
        let letters =
            word.strip_prefix('-').filter(|letters| !letters.starts_with('-') && letters.is_ascii())?;
        for at in 0..letters.len() {
            let (letter, value) = (letters.get(at..=at)?, letters.get(at + 1..)?);
            let Some(rule) = self.of_letter(letter).find(|rule| rule.value.is_some()) else {
                self.of_letter(letter).next()?;
                continue;
            };
            let counts = at == 0 && is_number(value);
            return match value {
                _ if counts => taken(rule.value?, value, named),
                _ if !self.getopt || value.starts_with('=') => None,
                "" if rule.next && takes_next(rule.value, rest, named) => Some(()),
                "" => self.of_letter(letter).any(|rule| rule.value.is_none()).then_some(()),
                value => taken(rule.value?, value, named),
            };
        }
        Some(())
    }
}

/// Options by which a runner behind a script picks tests by their names.
const PICKS_TESTS: &[&str] = &["-t", "--testNamePattern", "-g", "--grep"];

/// The words that are still to be held against the rules.
type Rest<'w> = std::iter::Skip<std::slice::Iter<'w, String>>;

/// Whether the next word is a value of this kind; it is taken then.
fn takes_next(kind: Option<&str>, rest: &mut Rest<'_>, named: &mut Named) -> bool {
    let next = rest.clone().next().filter(|next| !next.starts_with('-'));
    let is_value = kind.zip(next).is_some_and(|(kind, next)| taken(kind, next, named).is_some());
    if is_value {
        rest.next();
    }
    is_value
}

/// A whole number.
const NUMBER: &str = "<number>";

/// Where nothing is written to that anybody keeps: `/dev/null`, or a file right in `/tmp`.
const NULL: &str = "<null>";

/// What a runner runs, by its name.
const TARGET: &str = "<target>";

/// Files that are run, by a pattern of their names.
const RUN: &str = "<run>";

/// Takes a value that the table allows: `*` is a text, nothing is a text that may be a path, else one of these.
fn taken(kind: &str, value: &str, named: &mut Named) -> Option<()> {
    match kind {
        "*" => Some(()),
        NULL => is_lost(value).then_some(()),
        NUMBER => is_number(value).then_some(()),
        TARGET if publishing::reaches_out(value) || stands_for_more(value) => None,
        RUN if runs_what_publishes(value) => None,
        "" | TARGET | RUN => named.add(value).ok(),
        listed => listed.split('/').any(|one| one == value).then_some(()),
    }
}

fn is_lost(value: &str) -> bool {
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || "_-.".contains(sign);
    let in_scratch = value.strip_prefix("/tmp/");
    let is_file = |name: &str| !name.starts_with('.') && !name.is_empty() && name.chars().all(is_part);
    value == "/dev/null" || in_scratch.is_some_and(is_file)
}

/// Why a known option does not have this value.
fn unfit(name: &str, value: &str, kinds: &[&str]) -> String {
    if value.is_empty() {
        return format!("`{name}` has no value");
    }
    let why = match kinds {
        [.., TARGET] => "what it runs may publish or install something, or be more than one".to_owned(),
        [.., RUN] => "what it runs may publish something".to_owned(),
        [.., NULL] => "only what is written to /dev/null or right into /tmp is lost".to_owned(),
        [.., NUMBER] => "that is a whole number".to_owned(),
        [.., ""] => "that may stand for something else".to_owned(),
        kinds => format!("that is one of {}", kinds.join("/").replace('/', ", ")),
    };
    format!("`{value}` is no value of `{name}` here: {why}")
}

/// Whether one of the files that a word names, or of those that a pattern may name, publishes by its name.
fn runs_what_publishes(word: &str) -> bool {
    let all = words::alternatives(word).filter(|all| !all.is_empty());
    let mut files = all.unwrap_or_else(|| vec![word.to_owned()]).into_iter();
    files.any(|file| publishing::runs_what_publishes(&file) || publishing::may_name_any(&file))
}

/// Whether a target may stand for others: `tox -e ALL` runs all of them, and `rel{ease}` another.
fn stands_for_more(target: &str) -> bool {
    target.contains(['{', '}', '*', '?', '[']) || target.split([',', ' ']).any(|part| part == "ALL")
}

/// Every part of the words that could name a path, for commands whose options nobody knows.
pub(super) fn all_paths(words: &[String]) -> Vec<String> {
    let mut paths = Vec::new();
    let is_path = |word: &&String| (word.contains('/') || *word == "..") && *word != "/dev/null";
    for word in words.iter().skip(1).filter(is_path) {
        paths.push(word.trim_start_matches('-').to_owned());
        paths.extend(word.split_once('=').map(|(_, value)| value.to_owned()));
        // `-C/elsewhere`
        paths.extend(word.strip_prefix('-').and_then(|rest| rest.get(1..)).map(str::to_owned));
    }
    paths.retain(|path| !path.is_empty());
    paths
}

/// The other words, and values of options, that may name a file beside the command.
pub(super) fn plain_words(words: &[String]) -> Result<Named, String> {
    let values =
        words.iter().skip(1).map(|word| word.split_once('=').map_or(word.as_str(), |(_, value)| value));
    let paths: Vec<String> =
        values.filter(|word| !word.is_empty() && !word.contains(' ')).map(str::to_owned).collect();
    let patterns = paths.iter().flat_map(|word| words::patterns_of(word)).collect();
    words::are_few(&paths)?;
    Ok(Named { paths, patterns })
}

#[cfg(test)]
mod tests;
