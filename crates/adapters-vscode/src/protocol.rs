//! What is said on the wire: JSON-RPC 2.0, names in snake case, the same shapes as `--json` of the command line.
//!
//! The TypeScript in `extension/src/protocol.ts` and the schema in `docs/protocol/editor.schema.json` are generated from
//! these types: `UPDATE_EXPECT=1 cargo test -p bailiwick-adapters-vscode`. Deliberately absent: what any of it does.

mod acts;
mod approval;
mod history;
mod snapshot;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub use acts::*;
pub use approval::*;
pub use history::*;
pub use snapshot::*;

/// The number of this protocol. An editor of another number is refused, with a word on which side to update.
pub const PROTOCOL: u32 = 1;

/// What either side may ask of the other, and tell.
pub mod method {
    /// Editor asks: the first message of all.
    pub const INITIALIZE: &str = "initialize";
    /// Editor asks: everything that is shown.
    pub const SNAPSHOT: &str = "snapshot";
    /// Editor asks: the folders of the window are others now.
    pub const FOLDERS: &str = "folders";
    /// Editor asks: the two sides of a request for a diff editor.
    pub const FILES: &str = "approval/files";
    /// Editor asks: a person's yes or no.
    pub const ANSWER: &str = "approval/answer";
    /// Editor asks: a yes to this and to edits like it, within bounds.
    pub const GRANT: &str = "approval/grant";
    /// Editor asks: a yes, and trust in its command from now on.
    pub const ALLOW: &str = "approval/allow";
    /// Editor asks: which change of the intents file an edited draft would be.
    pub const CHANGE: &str = "approval/change";
    /// Editor asks: a yes to a draft as the person edited it.
    pub const AMEND: &str = "approval/amend";
    /// Editor asks: the end of a grant.
    pub const REVOKE: &str = "grant/revoke";
    /// Editor asks: the end of a review.
    pub const REVIEW: &str = "review/finish";
    /// Editor asks: a page of what was answered.
    pub const HISTORY: &str = "history";
    /// Editor asks: what taking back a recorded change would do.
    pub const UNDO_PLAN: &str = "undo/plan";
    /// Editor asks: to take it back as it was shown.
    pub const UNDO: &str = "undo/finish";
    /// Editor asks: a reading command of the command line.
    pub const QUERY: &str = "query";
    /// Editor asks: what is wrong with an intents file that is not saved yet.
    pub const CHECK_TEXT: &str = "intent/check_text";
    /// Editor tells: whether somebody uses the window.
    pub const ATTENTION: &str = "attention";
    /// Sidecar asks: a question for the person, as a modal.
    pub const ASK: &str = "approval/ask";
    /// Sidecar tells: a question is answered or over.
    pub const OVER: &str = "approval/over";
    /// Sidecar tells: what is shown changed.
    pub const CHANGED: &str = "changed";
}

/// Error codes beyond those of JSON-RPC.
pub mod code {
    /// Nothing is answered before `initialize`.
    pub const NOT_INITIALIZED: i32 = -32002;
    /// The two sides speak other versions.
    pub const OTHER_PROTOCOL: i32 = -32010;
    /// This process may not answer for a person.
    pub const NOT_A_PERSON: i32 = -32011;
    /// What a person wanted to do was not done; the message is for the person.
    pub const NOT_DONE: i32 = -32012;
    /// Too many queries at once.
    pub const BUSY: i32 = -32013;
    /// The message is no JSON.
    pub const PARSE: i32 = -32700;
    /// The message is no request.
    pub const INVALID_REQUEST: i32 = -32600;
    /// No such method.
    pub const UNKNOWN_METHOD: i32 = -32601;
    /// The parameters are not those of the method.
    pub const INVALID_PARAMS: i32 = -32602;
    /// A fault of the sidecar.
    pub const INTERNAL: i32 = -32603;
}
