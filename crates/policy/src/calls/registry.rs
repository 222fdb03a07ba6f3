//! What is known of each tool: one table, exact names, unknown means destructive.
//!
//! Reading the parameters is [`targets`](crate::targets)'s work. Whether a command is harmless and whether a name that looks
//! like one of our own tools really leads to our server is found out by `app`, which adjusts the [`ToolEntry`].

use std::collections::BTreeMap;

use bailiwick_domain::{Classification, Effect, OwnTool, Params, State, Value};

pub mod addresses;
mod parameters;
mod table;

pub use parameters::{Extras, Meaning, Parameter, Role, extras, lists_parameters};
pub use table::COMMAND_CLASSIFICATION;

use crate::calls::params::COMMAND;
use crate::handshake::is_tool_allowed;

/// The canonical name of the tool that starts a sub-agent beside its caller. Parameters that put it elsewhere or give it
/// other rights are known as such in the table of parameters.
pub const SPAWNS: &str = "new_task";

/// How the targets of a call are found in its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extractor {
    /// The tool touches no path.
    Nothing,
    /// What the tool touches cannot be told from its parameters.
    Unknown,
    /// Shows one file or several; a path is required.
    ReadFile,
    /// Looks below a directory; without a path below the call's directory.
    ReadTree,
    /// Like [`Extractor::ReadTree`], and the pattern itself is a path that can lead elsewhere.
    ReadGlob,
    /// Replaces a whole file.
    Write,
    /// Replaces quoted text.
    Edit,
    /// Replaces quoted text in several files.
    MultiFileEdit,
    /// Inserts or rewrites without quoting.
    Insert,
    /// One file, `SEARCH`/`REPLACE` blocks.
    Blocks,
    /// A patch over any number of files.
    Patch,
    /// Removes files.
    Delete,
    /// Takes a file to another name.
    Move,
    /// A cell of a notebook.
    Notebook,
    /// Writes an image; may read one.
    Image,
    /// Views, creates, replaces or inserts, as a parameter says.
    Editor,
    /// A shell command.
    Command,
}

/// One line of [`COMMAND_CLASSIFICATION`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The canonical name.
    pub name: &'static str,
    /// Other names of the same tool, each exact.
    pub aliases: &'static [&'static str],
    /// Its class.
    pub class: Classification,
    /// What it does.
    pub effect: Effect,
    /// How its targets are found.
    pub extractor: Extractor,
    /// Whether it is one of the gate's own tools.
    pub own: bool,
}

impl Row {
    /// Whether the row is about the tool of that name.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }
}

/// What the gate knows of the tool of one call. The fields are open, so that `app` can adjust them by what it proves:
/// a read-only command becomes safe, and so does spawning where the child is governed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolEntry {
    /// The canonical name; the given name when the tool is unknown.
    pub canonical: String,
    /// The class in force, overrides included.
    pub class: Classification,
    /// What it does.
    pub effect: Effect,
    /// How its targets are found.
    pub extractor: Extractor,
    /// Whether it is one of the gate's own tools.
    pub own: bool,
    /// Whether the table has it.
    pub known: bool,
}

impl ToolEntry {
    /// The entry of a tool that nothing is known of: destructive, with unknown targets.
    pub fn unknown(name: &str) -> Self {
        Self {
            canonical: name.to_owned(),
            class: Classification::Destructive,
            effect: Effect::Execute,
            extractor: Extractor::Unknown,
            own: false,
            known: false,
        }
    }

    /// The tool in a call whose targets do not tell all that it does: what was safe is not any more.
    #[must_use]
    pub fn beyond_its_targets(self) -> Self {
        let effect = match self.effect {
            Effect::Read | Effect::Interact => Effect::Execute,
            effect => effect,
        };
        match self.class {
            Classification::Safe => Self { class: Classification::Destructive, effect, ..self },
            Classification::Destructive => self,
        }
    }
}

/// What the table and the overrides say of a tool. Names are compared exactly: another case, a blank or a look-alike
/// is another, unknown tool. An override counts by the given name, else by the canonical one, else by any
/// alias, the strictest first; the gate's own tools cannot be overridden.
///
/// ```
/// use bailiwick_domain::Classification;
/// use bailiwick_policy::registry::classify;
/// let none = Default::default();
/// assert_eq!(classify("read_file", &none).class, Classification::Safe);
/// assert_eq!(classify("Read_File", &none).class, Classification::Destructive);
/// ```
pub fn classify(name: &str, overrides: &BTreeMap<String, Classification>) -> ToolEntry {
    match entries().find(|row| row.is_called(name)) {
        Some(row) => ToolEntry {
            canonical: row.name.to_owned(),
            class: class_of(row, Some(name), overrides),
            effect: row.effect,
            extractor: row.extractor,
            own: row.own,
            known: true,
        },
        None => {
            let unknown = ToolEntry::unknown(name);
            ToolEntry { class: overrides.get(name).copied().unwrap_or(unknown.class), ..unknown }
        }
    }
}

/// What a tool is in one call. Ending a task may come with a command that the host runs: it is a command then.
pub fn in_call(entry: ToolEntry, params: &Params) -> ToolEntry {
    let is_told = |value: &&Value| !value.is_null() && value.as_str() != Some("");
    let runs = COMMAND.iter().filter_map(|key| params.get(*key)).any(|value| is_told(&value));
    if entry.canonical != "attempt_completion" || !runs {
        return entry;
    }
    let class = Classification::Destructive;
    ToolEntry { class, effect: Effect::Execute, extractor: Extractor::Command, ..entry }
}

/// Whether a person has given the tool of that name a class in the settings. Then its parameters are not looked
/// through: the person knows the tool.
pub fn is_classed(name: &str, overrides: &BTreeMap<String, Classification>) -> bool {
    if overrides.is_empty() {
        return false;
    }
    match entries().find(|row| row.is_called(name)) {
        Some(row) => {
            !row.own
                && std::iter::once(&row.name).chain(row.aliases).any(|name| overrides.contains_key(*name))
        }
        None => overrides.contains_key(name),
    }
}

/// Whether the name says that the tool is one of our own behind an MCP server. That the server is ours is not proved
/// by the name: `app` makes the entry [unknown](ToolEntry::unknown) where it cannot prove it.
pub fn is_remote_name(name: &str) -> bool {
    OwnTool::remotely_named(name).is_some()
}

/// The whole table, in its order.
pub fn entries() -> impl Iterator<Item = &'static Row> {
    COMMAND_CLASSIFICATION.iter()
}

/// The tools that a model is offered in a state: without an intent all safe ones and none other.
pub fn offered(state: State, overrides: &BTreeMap<String, Classification>) -> Vec<&'static Row> {
    entries().filter(|row| is_tool_allowed(state, class_of(row, None, overrides), row.own)).collect()
}

fn class_of(row: &Row, given: Option<&str>, overrides: &BTreeMap<String, Classification>) -> Classification {
    if row.own {
        return row.class;
    }
    let by_name = given.and_then(|name| overrides.get(name)).or_else(|| overrides.get(row.name));
    let by_alias = || row.aliases.iter().filter_map(|alias| overrides.get(*alias)).max();
    by_name.or_else(by_alias).copied().unwrap_or(row.class)
}
