//! What becomes of each method: one table for each direction. A method that is not here is refused, and a notification that
//! is not here goes nowhere.

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// It goes on as it is.
    Passed,
    /// The list of tools goes on, with what the server says of them held against what it said before.
    Listed,
    /// A call of a tool: judged.
    Called,
    /// The content of a resource: judged as reading.
    Shown,
}

/// What clients ask.
const OF_CLIENTS: &[(&str, Way)] = &[
    ("initialize", Way::Passed),
    ("ping", Way::Passed),
    ("tools/list", Way::Listed),
    ("tools/call", Way::Called),
    ("resources/list", Way::Passed),
    ("resources/templates/list", Way::Passed),
    ("resources/read", Way::Shown),
    ("resources/subscribe", Way::Shown),
    ("resources/unsubscribe", Way::Passed),
    // Text that the server holds ready, chosen by the client's person.
    ("prompts/list", Way::Passed),
    ("prompts/get", Way::Passed),
    ("completion/complete", Way::Passed),
    ("logging/setLevel", Way::Passed),
];

/// What servers ask. The client and its person say yes or no to these, as without the proxy; whatever a model does about
/// them is a call of its own, and judged.
const OF_SERVERS: &[&str] = &["ping", "roots/list", "sampling/createMessage", "elicitation/create"];

/// What clients tell.
const TOLD_BY_CLIENTS: &[&str] = &[
    "notifications/initialized",
    "notifications/cancelled",
    "notifications/progress",
    "notifications/roots/list_changed",
];

/// What servers tell.
const TOLD_BY_SERVERS: &[&str] = &[
    "notifications/cancelled",
    "notifications/progress",
    "notifications/message",
    "notifications/resources/updated",
    "notifications/resources/list_changed",
    "notifications/prompts/list_changed",
    "notifications/tools/list_changed",
    "notifications/elicitation/complete",
];

pub(crate) fn of_client(method: &str) -> Option<Way> {
    OF_CLIENTS.iter().find(|(name, _)| *name == method).map(|(_, way)| *way)
}

pub(crate) fn of_server(method: &str) -> bool {
    OF_SERVERS.contains(&method)
}

pub(crate) fn told_by_client(method: &str) -> bool {
    TOLD_BY_CLIENTS.contains(&method)
}

pub(crate) fn told_by_server(method: &str) -> bool {
    TOLD_BY_SERVERS.contains(&method)
}
