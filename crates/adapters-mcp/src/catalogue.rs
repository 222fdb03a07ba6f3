//! The list of the tools with their schemas and hints, as data. It is the same for every client and in every state.

mod entries;
mod holds;

use std::sync::Arc;
use std::time::Duration;

use bailiwick_domain::{Map, Params, Value};
use rmcp::model::{Tool, ToolAnnotations};

use entries::ENTRIES;
use holds::Holds;

/// The server's name in every client's settings.
pub const SERVER_NAME: &str = "bailiwick";

/// The parameter that a hook adds, so that the call counts for the right session; never the agent's to fill in.
pub const SESSION: &str = "session";

/// How long a command may run that does not say it, and how long at most, in milliseconds.
pub const COMMAND_MS: (u64, u64) = (120_000, 600_000);

/// What a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    /// Nothing changes, whatever comes of the call.
    Looks,
    /// A person is asked for something new.
    Drafts,
    /// Files change, or a command runs.
    Changes,
}

/// One parameter.
struct Parameter {
    name: &'static str,
    holds: Holds,
    required: bool,
    description: &'static str,
}

const SESSION_PARAMETER: Parameter = Parameter {
    name: SESSION,
    holds: Holds::Text,
    required: false,
    description: "Filled in by the gate; leave it out.",
};

/// One tool; each may get a [`SESSION`].
struct Entry {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    parameters: &'static [Parameter],
    does: Does,
    /// Whether it is one of the gate's own tools, which move an agent's state and no file.
    own: bool,
}

/// The names of all tools that are served.
pub fn tool_names() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().map(|entry| entry.name)
}

/// The names of those that work on files and run commands.
pub fn governed_names() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().filter(|entry| !entry.own).map(|entry| entry.name)
}

/// All tools, as the protocol lists them.
pub(crate) fn tools() -> Vec<Tool> {
    ENTRIES.iter().map(Entry::tool).collect()
}

/// The gate's own tools, as a proxy lists them beside another server's.
pub(crate) fn own_tools() -> Vec<Tool> {
    ENTRIES.iter().filter(|entry| entry.own).map(Entry::tool).collect()
}

/// Whether that is the name of one of the gate's own tools.
pub(crate) fn is_own(name: &str) -> bool {
    ENTRIES.iter().any(|entry| entry.own && entry.name == name)
}

/// How long the work of a call may take beside being judged: a command says it itself.
pub fn command_time(name: &str, params: &Params) -> Duration {
    if name != "execute_command" {
        return Duration::ZERO;
    }
    let (usual, most) = COMMAND_MS;
    Duration::from_millis(params.get("timeout_ms").and_then(Value::as_u64).unwrap_or(usual).min(most))
}

/// Whether a tool of that name changes nothing, so that it asks nobody.
pub(crate) fn only_looks(name: &str) -> bool {
    ENTRIES.iter().any(|entry| entry.name == name && entry.does == Does::Looks)
}

/// Why the parameters do not fit the tool of that name; `None` when they do, or there is no such tool.
pub(crate) fn misfit(name: &str, params: &Params) -> Option<String> {
    let entry = ENTRIES.iter().find(|entry| entry.name == name)?;
    let unknown = params.keys().find(|key| entry.parameter(key).is_none());
    if let Some(key) = unknown {
        return Some(format!("`{name}` has no parameter `{}`", key.escape_debug()));
    }
    let fits = |parameter: &&Parameter| match params.get(parameter.name) {
        None | Some(Value::Null) => !parameter.required,
        Some(value) => parameter.holds.fits(value),
    };
    let wrong = entry.parameters.iter().find(|parameter| !fits(parameter))?;
    let verb = if wrong.required { "needs" } else { "may have" };
    Some(format!("`{name}` {verb} the parameter `{}`, {}", wrong.name, wrong.holds.name()))
}

impl Entry {
    fn parameter(&self, key: &str) -> Option<&Parameter> {
        self.parameters.iter().chain([&SESSION_PARAMETER]).find(|parameter| parameter.name == key)
    }

    fn tool(&self) -> Tool {
        let hints = ToolAnnotations::with_title(self.title)
            .read_only(self.does == Does::Looks)
            .destructive(self.does == Does::Changes)
            .idempotent(self.own)
            .open_world(self.name == "execute_command");
        Tool::new(self.name, self.description, Arc::new(self.schema())).with_annotations(hints)
    }

    fn schema(&self) -> Map<String, Value> {
        let property = |parameter: &Parameter| {
            (parameter.name.to_owned(), parameter.holds.schema(parameter.description))
        };
        let properties: Map<String, Value> =
            self.parameters.iter().chain([&SESSION_PARAMETER]).map(property).collect();
        let required = self.parameters.iter().filter(|parameter| parameter.required);
        let required: Vec<&str> = required.map(|parameter| parameter.name).collect();
        let mut schema = Map::new();
        schema.insert("type".to_owned(), "object".into());
        schema.insert("properties".to_owned(), properties.into());
        schema.insert("required".to_owned(), required.into());
        schema.insert("additionalProperties".to_owned(), false.into());
        schema
    }
}
