//! What the server shows beside its tools, as data: resources and prompts. They change nothing and need no intent.

use rmcp::model::{Prompt, PromptArgument, Resource, ResourceTemplate};

const INTENTS: &str = "bailiwick://intents";
const ACTIVE: &str = "bailiwick://intents/active";
const MAP: &str = "bailiwick://map";

/// What a client may ask to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    /// All intents, as JSON.
    Intents,
    /// State and active intent of this connection, as JSON.
    ActiveIntent,
    /// One intent by its id, as `<intent_context>`.
    Intent(String),
    /// Which intent changed which file, as Markdown.
    Map,
    /// What an agent reads at the start.
    Handshake,
    /// What an agent reads that shall work under this intent.
    WorkOn(String),
}

impl Page {
    /// The page of a resource.
    pub(crate) fn at(uri: &str) -> Option<Self> {
        match uri {
            INTENTS => Some(Self::Intents),
            ACTIVE => Some(Self::ActiveIntent),
            MAP => Some(Self::Map),
            other => {
                let id = other.strip_prefix(INTENTS)?.strip_prefix('/')?;
                (!id.is_empty() && !id.contains('/')).then(|| Self::Intent(id.to_owned()))
            }
        }
    }

    /// The page of a prompt, with the id that it may name.
    pub(crate) fn of_prompt(name: &str, intent_id: Option<&str>) -> Option<Self> {
        match (name, intent_id) {
            ("handshake", _) => Some(Self::Handshake),
            ("work_on_intent", Some(id)) if !id.is_empty() => Some(Self::WorkOn(id.to_owned())),
            _ => None,
        }
    }

    /// The form of its text.
    pub(crate) fn mime_type(&self) -> &'static str {
        match self {
            Self::Intents | Self::ActiveIntent => "application/json",
            Self::Map => "text/markdown",
            Self::Intent(_) | Self::Handshake | Self::WorkOn(_) => "text/plain",
        }
    }
}

pub(crate) fn resources() -> Vec<Resource> {
    [
        (
            INTENTS,
            "intents",
            "All intents",
            "Id, name, status and scope of each intent that a human approved.",
        ),
        (ACTIVE, "active_intent", "The active intent", "What the active intent of this connection allows."),
        (MAP, "intent_map", "The intent map", "Which intent changed which file and which symbol."),
    ]
    .into_iter()
    .map(|(uri, name, title, description)| {
        let page = Page::at(uri).map_or("text/plain", |page| page.mime_type());
        Resource::new(uri, name).with_title(title).with_description(description).with_mime_type(page)
    })
    .collect()
}

pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let intent = ResourceTemplate::new("bailiwick://intents/{id}", "intent")
        .with_title("One intent")
        .with_description("Scope, constraints and recent history of an intent; it is not selected by that.")
        .with_mime_type("text/plain");
    vec![intent]
}

pub(crate) fn prompts() -> Vec<Prompt> {
    let id =
        PromptArgument::new("intent_id").with_description("The intent, such as INT-001.").with_required(true);
    vec![
        Prompt::new("handshake", Some("How to work in this repository: what an agent reads first."), None),
        Prompt::new(
            "work_on_intent",
            Some("Select this intent and work on what it still needs."),
            Some(vec![id]),
        ),
    ]
}
