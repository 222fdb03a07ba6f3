//! What a door refuses by itself, as data: an event that cannot be read, a call that leads elsewhere, a request that is not
//! one, work that cannot be done. The `table` words it.
//!
//! Deliberately absent: what the rules and the gate refuse, which they word themselves.

mod table;

use std::path::Path;

use bailiwick_domain::{ApprovalId, PortError, RepoPath, ToolError};

/// Why a door refuses.
#[derive(Debug)]
pub(crate) enum Fault<'a> {
    /// The event of a hook.
    Event(EventFault<'a>),
    /// A request on the neutral wire.
    #[cfg(feature = "cli")]
    Request(RequestFault<'a>),
    /// A grant cannot be reviewed.
    #[cfg(feature = "cli")]
    Review(crate::restore::ReviewError),
    /// A call of a tool that a server of ours carries out, or passes on.
    #[cfg(feature = "cli")]
    Served(ServedFault<'a>),
}

/// What is wrong with the event of a hook.
#[derive(Debug)]
pub(crate) enum EventFault<'a> {
    /// The gate panicked.
    Panic,
    /// Standard input could not be read.
    Unread(std::io::Error),
    /// It cannot be recorded that the caller is an agent.
    AgentUnrecorded(PortError),
    /// Our own server cannot be told who acts.
    NoPass(PortError),
    /// No governed repository is around the place of the call.
    NoRoot { place: &'a str },
    /// The project is not governed, and the call reaches a repository that is.
    LeadsElsewhere { place: &'a Path, root: &'a Path },
    /// The host goes on without what asks before its tools.
    NotLoaded { host: &'a str, trust: Option<&'a str> },
    /// The host's settings would change.
    Settings { path: &'a str, why: &'a str },
}

/// What is wrong with a request on the wire.
#[cfg(feature = "cli")]
#[derive(Debug)]
pub(crate) enum RequestFault<'a> {
    /// The gate panicked.
    Panic,
    /// There was no answer after so many seconds.
    Late(u64),
    /// It is no JSON that has one reading.
    NoJson(String),
    /// It is JSON and no object.
    NoObject,
    /// Its phase is none.
    Phase(Option<&'a str>),
    /// A field is missing.
    Missing(&'static str),
    /// A field is not what it has to be.
    Not(&'static str, &'static str),
    /// A field is empty that needs a text.
    Empty(&'static str),
    /// A list holds something else.
    Holds(&'static str, &'static str),
    /// A field cannot be read as what it has to be.
    Unread(&'static str, serde_json::Error),
    /// A name is none.
    Name(String),
    /// A review is decided in two ways only.
    Decision(&'a str),
}

/// Why a server cannot carry out or pass on a call.
#[cfg(feature = "cli")]
#[derive(Debug)]
pub(crate) enum ServedFault<'a> {
    /// It cannot be recorded that the client is an agent.
    AgentUnrecorded(PortError),
    /// It is under way, or done.
    DoneAlready,
    /// A question is open, and nobody can answer it on this connection.
    Waits(&'a ApprovalId),
    /// Nobody waits for it any more.
    Unawaited,
    /// It says by itself for whom it is.
    SaysWho,
    /// There is no own tool of that name.
    NoTool(&'a str),
    /// Another end was expected of an own tool.
    NoAnswer,
    /// A folder or file that is not in the repository.
    Outside(Outside<'a>),
    /// A file cannot be shown.
    Unshown(&'a RepoPath, &'a PortError),
    /// It cannot be done as it was sent, for this reason.
    Malformed(String),
    /// What a person trusted cannot be read.
    TrustUnread(PortError),
    /// The map cannot be made.
    MapUnread(PortError),
    /// The ledger is too long to make the map of it.
    MapTooLarge,
}

/// What leads out of the repository.
#[cfg(feature = "cli")]
#[derive(Debug)]
pub(crate) enum Outside<'a> {
    /// The folder of a command.
    Folder(&'a str),
    /// What shall be shown.
    Shown(&'a str),
}

impl From<Fault<'_>> for ToolError {
    fn from(fault: Fault<'_>) -> Self {
        table::row(&fault)
    }
}

impl From<EventFault<'_>> for ToolError {
    fn from(fault: EventFault<'_>) -> Self {
        Fault::Event(fault).into()
    }
}

#[cfg(feature = "cli")]
impl From<RequestFault<'_>> for ToolError {
    fn from(fault: RequestFault<'_>) -> Self {
        Fault::Request(fault).into()
    }
}

#[cfg(feature = "cli")]
impl From<ServedFault<'_>> for ToolError {
    fn from(fault: ServedFault<'_>) -> Self {
        Fault::Served(fault).into()
    }
}
