//! What a port could not do. The ports themselves are in `ports`.

use alloc::string::String;

use crate::health::Diagnostic;
use crate::intents::IntentId;

/// What a port could not do. Every case means: do not let the call through.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PortError {
    /// The store or a file of it could not be reached or written; names the path and the cause.
    #[error("{0}")]
    Unavailable(String),
    /// Something is there that does not have the form it must have.
    #[error("{0}")]
    Invalid(Diagnostic),
    /// There is more of it than may be looked at.
    #[error("{what} is larger than {limit} bytes")]
    TooLarge {
        /// What it is, by its path.
        what: String,
        /// In bytes.
        limit: u64,
    },
    /// Another process holds the lock for too long.
    #[error("another process holds the lock on {0}")]
    Locked(String),
}

/// What happened to an approval that a call wanted to use or a human wanted to answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApprovalError {
    /// No request of that id.
    #[error("there is no approval request `{0}`")]
    Unknown(String),
    /// Answered before.
    #[error("approval request `{0}` was already answered")]
    Answered(String),
    /// The host's own prompt asks about it.
    #[error("approval request `{0}` is with the host's own prompt: answer it there")]
    WithHost(String),
    /// Its ten minutes are over.
    #[error("approval request `{0}` has lapsed")]
    Lapsed(String),
    /// A yes to it would let nothing through.
    #[error("approval request `{id}` is void: {why}")]
    Void {
        /// The request.
        id: String,
        /// Why.
        why: String,
    },
    /// A changed draft was accepted where none was drafted.
    #[error("approval request `{0}` has no draft to edit")]
    NoDraft(String),
    /// Answered with a grant although none was offered.
    #[error("approval request `{0}` cannot be answered by a grant")]
    NotOffered(String),
    /// The bounds of a grant name something that the intent does not own.
    #[error(
        "`{pattern}` names something outside the scope of {intent}: a grant covers only what the intent owns"
    )]
    OutsideScope {
        /// The pattern.
        pattern: String,
        /// The intent.
        intent: IntentId,
    },
    /// The store failed.
    #[error(transparent)]
    Port(#[from] PortError),
}
