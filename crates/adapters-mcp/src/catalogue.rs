//! The list of the tools with their schemas and hints, as data.

use std::sync::Arc;

use bailiwick_domain::{Map, Value, json};
use rmcp::model::{Tool, ToolAnnotations};

/// The server's name in every client's settings.
pub const SERVER_NAME: &str = "bailiwick";

/// The parameter that the hook adds so that the answer is about the right session; never the agent's to fill in.
const SESSION: (&str, &str) = ("session", "Filled in by the gate; leave it out.");

/// What a parameter holds.
#[derive(Clone, Copy)]
enum Holds {
    Text,
    Texts,
}

impl Holds {
    fn schema(self, description: &str) -> Value {
        match self {
            Self::Text => json!({"type": "string", "description": description}),
            Self::Texts => {
                json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "description": description})
            }
        }
    }

    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Texts => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Texts => "a list of strings",
        }
    }
}

/// One tool: all of its parameters are required, and each may get a [`SESSION`].
struct Entry {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    parameters: &'static [(&'static str, Holds, &'static str)],
    /// Whether nothing changes, whatever comes of the call.
    only_reads: bool,
}

const ENTRIES: [Entry; 5] = [
    Entry {
        name: "select_active_intent",
        title: "Select the active intent",
        description: "Declares under which intent the following changes are made. Required before any write or \
                      command. Returns the intent's scope, constraints and recent history.",
        parameters: &[("intent_id", Holds::Text, "The id of an intent from list_intents, such as INT-001.")],
        only_reads: true,
    },
    Entry {
        name: "list_intents",
        title: "List the intents",
        description: "Lists the intents that a human approved, with id, name, status and scope.",
        parameters: &[],
        only_reads: true,
    },
    Entry {
        name: "current_intent",
        title: "Show the active intent",
        description: "Shows which intent is active and what it allows.",
        parameters: &[],
        only_reads: true,
    },
    Entry {
        name: "propose_intent",
        title: "Propose a new intent",
        description: "Drafts an intent when none of list_intents covers the task. A human sees the draft with the \
                      files that its scope matches, and accepts or rejects it. Keep owned_scope narrow. After the \
                      yes, call select_active_intent with the id in the answer.",
        parameters: &[
            ("name", Holds::Text, "The goal in one line."),
            ("why", Holds::Text, "The reason, for the human who decides."),
            ("owned_scope", Holds::Texts, "Globs of the files that it may change, such as src/auth/**."),
            ("acceptance_criteria", Holds::Texts, "How everybody can tell that it is done."),
        ],
        only_reads: false,
    },
    Entry {
        name: "request_scope_expansion",
        title: "Ask for more scope",
        description: "Asks a human to add paths to the scope of the active intent, after a SCOPE_VIOLATION. The \
                      expansion counts from the next call on.",
        parameters: &[
            ("paths", Holds::Texts, "Globs of the files that are needed as well."),
            ("reason", Holds::Text, "Why the intent needs them, for the human who decides."),
        ],
        only_reads: false,
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
    let fits =
        |(name, holds, _): &&(&str, Holds, &str)| params.get(*name).is_some_and(|value| holds.fits(value));
    let missing = entry.parameters.iter().find(|parameter| !fits(parameter));
    missing.map(|(key, holds, _)| format!("`{name}` needs the parameter `{key}`, {}", holds.name()))
}

impl Entry {
    fn accepts(&self, key: &str) -> bool {
        key == SESSION.0 || self.parameters.iter().any(|(name, _, _)| *name == key)
    }

    fn tool(&self) -> Tool {
        let hints = ToolAnnotations::with_title(self.title)
            .read_only(self.only_reads)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        Tool::new(self.name, self.description, Arc::new(self.schema())).with_annotations(hints)
    }

    fn schema(&self) -> Map<String, Value> {
        let session = (SESSION.0, Holds::Text, SESSION.1);
        let property = |(name, holds, description): &(&str, Holds, &str)| {
            ((*name).to_owned(), holds.schema(description))
        };
        let properties: Map<String, Value> = self.parameters.iter().chain([&session]).map(property).collect();
        let required: Vec<&str> = self.parameters.iter().map(|(name, _, _)| *name).collect();
        let mut schema = Map::new();
        schema.insert("type".to_owned(), "object".into());
        schema.insert("properties".to_owned(), properties.into());
        schema.insert("required".to_owned(), required.into());
        schema.insert("additionalProperties".to_owned(), false.into());
        schema
    }
}
