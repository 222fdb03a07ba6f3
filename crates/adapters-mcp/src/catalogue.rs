//! The list of the tools with their schemas and hints, as data.

use std::sync::Arc;

use bailiwick_domain::{Map, Value, json};
use rmcp::model::{Tool, ToolAnnotations};

/// The server's name in every client's settings (design §6).
pub const SERVER_NAME: &str = "bailiwick";

/// The parameter that the hook adds so that the answer is about the right session; never the agent's to fill in.
const SESSION: (&str, &str) = ("session", "Filled in by the gate; leave it out.");

/// One tool: all of its parameters are required texts, and each may get a [`SESSION`].
struct Entry {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    parameters: &'static [(&'static str, &'static str)],
}

const ENTRIES: [Entry; 3] = [
    Entry {
        name: "select_active_intent",
        title: "Select the active intent",
        description: "Declares under which intent the following changes are made. Required before any write or \
                      command. Returns the intent's scope, constraints and recent history.",
        parameters: &[("intent_id", "The id of an intent from list_intents, such as INT-001.")],
    },
    Entry {
        name: "list_intents",
        title: "List the intents",
        description: "Lists the intents that a human approved, with id, name, status and scope.",
        parameters: &[],
    },
    Entry {
        name: "current_intent",
        title: "Show the active intent",
        description: "Shows which intent is active and what it allows.",
        parameters: &[],
    },
];

/// The names of all tools that are served.
pub fn tool_names() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().map(|entry| entry.name)
}

/// All tools, as the protocol lists them.
pub(crate) fn tools() -> Vec<Tool> {
    ENTRIES.iter().map(Entry::tool).collect()
}

/// Why the parameters do not fit the tool of that name; `None` when they do, or there is no such tool.
pub(crate) fn misfit(name: &str, params: &Map<String, Value>) -> Option<String> {
    let entry = ENTRIES.iter().find(|entry| entry.name == name)?;
    let unknown = params.keys().find(|key| !entry.accepts(key));
    if let Some(key) = unknown {
        return Some(format!("`{name}` has no parameter `{key}`"));
    }
    let missing = entry.parameters.iter().find(|(name, _)| !params.get(*name).is_some_and(Value::is_string));
    missing.map(|(key, _)| format!("`{name}` needs the parameter `{key}`, a text"))
}

impl Entry {
    fn accepts(&self, key: &str) -> bool {
        key == SESSION.0 || self.parameters.iter().any(|(name, _)| *name == key)
    }

    fn tool(&self) -> Tool {
        let hints = ToolAnnotations::with_title(self.title)
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        Tool::new(self.name, self.description, Arc::new(self.schema())).with_annotations(hints)
    }

    fn schema(&self) -> Map<String, Value> {
        let property = |(name, description): &(&str, &str)| {
            ((*name).to_owned(), json!({"type": "string", "description": description}))
        };
        let properties: Map<String, Value> = self.parameters.iter().chain([&SESSION]).map(property).collect();
        let required: Vec<&str> = self.parameters.iter().map(|(name, _)| *name).collect();
        let mut schema = Map::new();
        schema.insert("type".to_owned(), "object".into());
        schema.insert("properties".to_owned(), properties.into());
        schema.insert("required".to_owned(), required.into());
        schema.insert("additionalProperties".to_owned(), false.into());
        schema
    }
}
