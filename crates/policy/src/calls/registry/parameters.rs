//! What each parameter of each tool does: one table, as data, and what of a call it does not cover.
//!
//! A parameter that nobody looks at is one that the host may obey and the gate does not see. What a parameter's value
//! names is read elsewhere: paths and texts by [`targets`](crate::targets), commands by their reader.

use bailiwick_domain::{Params, Value};

mod table;

use crate::calls::params as keys;
use table::{COMMON, TABLE};

/// What a parameter is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    /// A path, or several.
    Path,
    /// Text that is written.
    Content,
    /// Text that is replaced, and how often.
    Edit,
    /// A pattern over file names.
    Names,
    /// A command, or words of one.
    Command,
    /// The folder that something runs in.
    Folder,
    /// An address, or what is sent there.
    Address,
    /// The environment of what runs.
    Environment,
    /// The program that reads the command, or what it reads besides.
    Interpreter,
    /// How the tool does its work.
    Mode,
    /// Where the work is done, or with which rights.
    Elsewhere,
    /// Nothing, if it had a value of its kind.
    Misshapen,
}

impl Meaning {
    /// What a parameter of this meaning does, as the end of a sentence.
    fn does(self) -> &'static str {
        match self {
            Self::Path | Self::Names | Self::Folder => "says where the call works",
            Self::Content | Self::Edit => "says what is written",
            Self::Command => "adds to the command",
            Self::Address => "says what is sent, and where",
            Self::Environment => "sets the environment of what runs",
            Self::Interpreter => "chooses what runs the command",
            Self::Mode => "changes how the call does its work",
            Self::Elsewhere => "changes where the work is done, or with which rights",
            Self::Misshapen => "has a value of another kind than it takes",
        }
    }
}

/// What a parameter does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It acts, and the targets of the call tell how.
    Acts(Meaning),
    /// It changes what the call does in a way that the targets do not tell, unless it has one of these values.
    Alters(Meaning, &'static [&'static str]),
    /// It changes nothing of what the call does to anything, with a value of that kind.
    Inert(Kind),
}

/// The values that a parameter takes which changes nothing. Of any other it is not known what a host makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anything: labels for people, what is looked for.
    Words,
    /// Numbers, yes or no, single words, and lists of these: limits of an answer, time limits, switches.
    Plain,
    /// An object, each of whose members is a parameter.
    Members,
}

impl Kind {
    fn takes(self, value: &Value) -> bool {
        match self {
            Self::Words => true,
            Self::Plain => is_plain(value),
            Self::Members => {
                value.is_object()
                    || value
                        .as_str()
                        .is_some_and(|text| text.parse().is_ok_and(|value: Value| value.is_object()))
            }
        }
    }
}

/// One line of the table: names of parameters that do the same.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    names: &'static [&'static str],
    role: Role,
    /// What the objects of a list under these names may hold; nothing is said of them where this is empty.
    entries: &'static [Parameter],
}

const fn acts(names: &'static [&'static str], meaning: Meaning) -> Parameter {
    Parameter { names, role: Role::Acts(meaning), entries: &[] }
}

const fn list(names: &'static [&'static str], meaning: Meaning, entries: &'static [Parameter]) -> Parameter {
    Parameter { names, role: Role::Acts(meaning), entries }
}

const fn alters(
    names: &'static [&'static str],
    meaning: Meaning,
    usual: &'static [&'static str],
) -> Parameter {
    Parameter { names, role: Role::Alters(meaning, usual), entries: &[] }
}

const fn inert(names: &'static [&'static str]) -> Parameter {
    Parameter { names, role: Role::Inert(Kind::Words), entries: &[] }
}

const fn plain(names: &'static [&'static str]) -> Parameter {
    Parameter { names, role: Role::Inert(Kind::Plain), entries: &[] }
}

const fn members(names: &'static [&'static str], entries: &'static [Parameter]) -> Parameter {
    Parameter { names, role: Role::Inert(Kind::Members), entries }
}

/// What of a call's parameters its targets do not tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// Names that the table does not have for this tool, as a person can be shown them.
    pub unknown: Vec<String>,
    /// Names of parameters that change what the call does, with what they are about.
    pub altering: Vec<(String, Meaning)>,
}

/// So many names are told; the rest is counted.
const MOST_TOLD: usize = 5;
/// The longest name that is told whole, in characters.
const LONGEST_NAME: usize = 60;

impl Extras {
    /// Whether the targets tell all that the call does.
    pub fn is_empty(&self) -> bool {
        self.unknown.is_empty() && self.altering.is_empty()
    }

    /// The top-level names, unknown ones first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.unknown.iter().chain(self.altering.iter().map(|(name, _)| name)).map(String::as_str)
    }

    /// Sentences about them, for a person or an agent.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        if !self.unknown.is_empty() {
            let told = listed(&self.unknown);
            sentences.push(format!(
                "It carries {told}, which the gate does not know; what that does is not known."
            ));
        }
        for (name, meaning) in self.altering.iter().take(MOST_TOLD) {
            sentences.push(format!("`{name}` {}.", meaning.does()));
        }
        sentences
    }

    fn look(&mut self, known: &[Parameter], params: &Params, within: &str, is_call: bool) {
        for (key, value) in params.iter().filter(|(_, value)| !value.is_null()) {
            let among =
                |known: &[Parameter]| known.iter().find(|one| one.names.contains(&key.as_str())).copied();
            let found = among(known).or_else(|| among(COMMON).filter(|_| is_call));
            let name = || shown(within, key);
            match found.map(|one| one.role) {
                None => self.unknown.push(name()),
                Some(Role::Alters(meaning, usual)) if !is_usual(value, usual) => {
                    self.altering.push((name(), meaning));
                }
                Some(Role::Inert(kind)) if !kind.takes(value) => {
                    self.altering.push((name(), Meaning::Misshapen));
                }
                Some(Role::Acts(_) | Role::Alters(..) | Role::Inert(_)) => {}
            }
            let entries = found.map_or(&[][..], |one| one.entries);
            if !entries.is_empty() {
                self.look_into(entries, params, key);
            }
        }
    }

    fn look_into(&mut self, entries: &[Parameter], params: &Params, key: &str) {
        for item in keys::list(params, key).unwrap_or_default() {
            if let Value::Object(entry) = item {
                self.look(entries, &entry, key, false);
            }
        }
    }

    fn tidy(mut self) -> Self {
        self.unknown.sort();
        self.unknown.dedup();
        self.altering.sort();
        self.altering.dedup();
        self
    }
}

/// What the parameters say beyond the targets of the tool with this canonical name. Of a tool whose targets cannot be
/// told at all nothing is said: all of its parameters are shown as they are.
///
/// ```
/// use bailiwick_domain::json;
/// use bailiwick_policy::registry::extras;
/// let params = json!({"path": "a", "start_line": 1, "turbo": true});
/// assert_eq!(extras("read_file", params.as_object().unwrap()).unknown, ["turbo"]);
/// ```
pub fn extras(canonical: &str, params: &Params) -> Extras {
    let mut extras = Extras::default();
    if let Some((_, known)) = TABLE.iter().find(|(tool, _)| *tool == canonical) {
        extras.look(known, params, "", true);
    }
    extras.tidy()
}

/// Whether the table lists the parameters of the tool with this canonical name.
pub fn lists_parameters(canonical: &str) -> bool {
    TABLE.iter().any(|(tool, _)| *tool == canonical)
}

/// Values that say nothing: a person wrote none, or what the tool does anyway.
fn is_usual(value: &Value, usual: &[&str]) -> bool {
    let is_on_anyway = usual.contains(&"true");
    match value {
        Value::Null => true,
        Value::Bool(flag) => *flag == is_on_anyway,
        Value::String(text) if usual.contains(&text.as_str()) => true,
        Value::String(text) => text.is_empty() && !is_on_anyway,
        Value::Array(items) => items.is_empty() && !is_on_anyway,
        Value::Object(members) => members.is_empty() && !is_on_anyway,
        Value::Number(_) => false,
    }
}

/// The longest text that is one word, in bytes.
const LONGEST_WORD: usize = 100;

/// Whether a value names nothing that a host could read, write or run, whatever it takes it for.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
        Value::Array(items) => items.iter().all(is_plain),
        Value::Object(members) => members.values().all(is_plain),
        Value::String(json) if json.starts_with(['[', '{']) => {
            json.parse().is_ok_and(|value: Value| is_plain(&value))
        }
        Value::String(text) => is_word(text) || text.split([',', ' ']).all(is_range),
    }
}

fn is_word(text: &str) -> bool {
    let is_letter = |sign: char| sign.is_ascii_alphanumeric() || "-_:#.".contains(sign);
    text.len() <= LONGEST_WORD && !text.starts_with('.') && text.chars().all(is_letter)
}

fn is_range(text: &str) -> bool {
    text.bytes().all(|sign| sign.is_ascii_digit() || sign == b'-')
}

fn shown(within: &str, key: &str) -> String {
    let whole = if within.is_empty() { key.to_owned() } else { format!("{within}.{key}") };
    let mut short: String = whole.chars().take(LONGEST_NAME).flat_map(char::escape_debug).collect();
    if whole.chars().count() > LONGEST_NAME {
        short.push('…');
    }
    short
}

fn listed(names: &[String]) -> String {
    let told: Vec<String> = names.iter().take(MOST_TOLD).map(|name| format!("`{name}`")).collect();
    match names.len().checked_sub(told.len()) {
        None | Some(0) => told.join(", "),
        Some(more) => format!("{} and {more} more", told.join(", ")),
    }
}
