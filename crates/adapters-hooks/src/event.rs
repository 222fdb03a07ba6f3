//! What a host tells: its events in words that all hosts share.
//!
//! Parameters stay as the host sent them; looking up tools and resolving paths is not done here.

use bailiwick_domain::{Actor, CallId, ErrorCode, Params, Showed, ToolCall, ToolError};

use crate::json::JsonFault;

/// One event of a host.
#[derive(Clone, Debug, PartialEq)]
pub struct HostEvent {
    /// The host's name of the event, needed to answer it.
    pub name: String,
    /// Who acts.
    pub actor: Actor,
    /// Where the host stands, as it says.
    pub cwd: Option<String>,
    /// The project's folder, on hosts whose events carry it; others tell it in the environment.
    pub project_dir: Option<String>,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// Somebody asked for something.
    Prompt {
        /// The text.
        prompt: String,
        /// Whether the host wrote it itself: then it is no new request of the person.
        injected: bool,
    },
    /// A tool is about to run.
    Pre {
        /// The call.
        call: ToolCall,
        /// How the host treats permissions now.
        permission_mode: PermissionMode,
    },
    /// A tool ran. A hint, never needed: hosts lose such events.
    Post {
        /// The call's id; the same as in [`EventKind::Pre`].
        call_id: CallId,
        /// The tool's name as the host says it.
        tool: String,
        /// The parameters as the host sent them.
        params: Params,
        /// Whether the tool says that it worked.
        ok: bool,
        /// What the tool showed, where the host tells.
        showed: Option<Showed>,
        /// What it said where it failed by itself, where the host tells.
        failure: Option<String>,
        /// Whether the host says that a person changed the content before it was written.
        amended_by_human: bool,
    },
    /// The calls of one model turn are over, and so is everything that the host ran behind them.
    PostBatch {
        /// The calls.
        calls: Vec<ToolCall>,
    },
    /// A conversation begins or goes on.
    SessionStart {
        /// The model, when the host tells it.
        model: Option<String>,
        /// Why, in the host's word.
        source: Option<String>,
    },
    /// A sub-agent begins; the actor is the sub-agent.
    SubagentStart,
    /// A sub-agent wants to end; the actor is the sub-agent.
    SubagentStop {
        /// Whether it goes on only because a hook said so before.
        already_continued: bool,
    },
    /// The turn wants to end.
    Stop {
        /// Whether it goes on only because a hook said so before.
        already_continued: bool,
    },
    /// The conversation ends.
    SessionEnd,
    /// The host's settings changed.
    ConfigChange {
        /// The changed file, when the host tells it.
        path: Option<String>,
    },
    /// The host asks by another way whether what asks before its tools is loaded in this session.
    LoadCheck,
    /// Anything else; there is no opinion on it.
    Other,
}

/// How the host treats permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PermissionMode {
    /// It asks as its own rules say.
    Default,
    /// It plans and changes nothing.
    Plan,
    /// It accepts edits without asking.
    AcceptEdits,
    /// It decides by itself when to ask.
    Auto,
    /// It refuses instead of asking.
    DontAsk,
    /// It asks nothing.
    Bypass,
    /// Not told, or a word that is not known here.
    Unknown,
}

/// Why an event cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The bytes are not one unambiguous JSON value.
    #[error(transparent)]
    Json(#[from] JsonFault),
    /// A JSON value, but no object.
    #[error("the event is not a JSON object")]
    NotAnObject,
    /// A field that must be there is not, or is empty.
    #[error("the event has no `{0}`")]
    Missing(&'static str),
    /// A field has another type than the host documents.
    #[error("the event's `{0}` has the wrong type")]
    WrongType(&'static str),
}

impl ParseError {
    /// The error for the agent: nothing that cannot be parsed may run.
    pub fn tool_error(&self) -> ToolError {
        ToolError::new(ErrorCode::MalformedCall, format!("Malformed call: {self}"))
    }
}
