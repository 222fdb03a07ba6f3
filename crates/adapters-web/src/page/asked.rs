//! What a person does at the page, and what they are told of it.

use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use super::board::{Bounds, Breadth, ChangeLine};
use crate::report::{Change, Intent};

/// What a person did. An answer names the request and the fingerprint that was shown: what changed meanwhile is not
/// answered.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Approve exactly this call.
    Approve {
        /// The request.
        id: String,
        /// As it was shown.
        fingerprint: String,
        /// A broad scope was confirmed with its own key.
        #[serde(default)]
        broad: bool,
    },
    /// Reject it.
    Reject {
        /// The request.
        id: String,
        /// As it was shown.
        fingerprint: String,
        /// What the agent shall know.
        #[serde(default)]
        feedback: String,
    },
    /// Approve it, and edits like it within bounds.
    Grant {
        /// The request.
        id: String,
        /// As it was shown.
        fingerprint: String,
        /// How far it goes.
        bounds: Bounds,
    },
    /// Approve it, and let its command pass from now on.
    Allow {
        /// The request.
        id: String,
        /// As it was shown.
        fingerprint: String,
        /// The command as it was shown.
        command: String,
    },
    /// Show what a draft would be as it was edited; nothing is accepted.
    Draft {
        /// The request.
        id: String,
        /// As it was shown.
        fingerprint: String,
        /// The draft as text.
        text: String,
    },
    /// Accept a draft as it was edited.
    Amend {
        /// The request.
        id: String,
        /// As it was shown.
        fingerprint: String,
        /// The draft as text.
        text: String,
        /// The change that was shown for this text.
        shown: String,
        /// A broad scope was confirmed with its own key.
        #[serde(default)]
        broad: bool,
    },
    /// Show the intents.
    Intents {},
    /// Show the newest changes of the ledger.
    Changes {
        /// Only of files whose path holds this.
        #[serde(default)]
        path: String,
        /// Only under this intent.
        #[serde(default)]
        intent: String,
    },
    /// End a grant.
    Revoke {
        /// Its name, such as `grant#3`.
        grant: String,
    },
    /// Say what becomes of the files of a grant that is over: these go back, the others stay.
    Review {
        /// Its name.
        grant: String,
        /// The change as it was shown.
        shown: String,
        /// The files that go back.
        back: Vec<String>,
    },
}

/// What a person is told.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Reply {
    /// It is done.
    Done {
        /// What was done.
        says: String,
    },
    /// Nothing was done.
    Refused {
        /// Why.
        says: String,
    },
    /// A draft as the change that it would be.
    Drafted {
        /// The change of the intents file.
        lines: Vec<ChangeLine>,
        /// Names this change, for the answer.
        shown: String,
        /// How wide it is, if broad.
        broad: Option<Breadth>,
    },
    /// The intents.
    Intents {
        /// In the order of their file.
        intents: Vec<Intent>,
    },
    /// Changes of the ledger.
    Changes {
        /// Newest first.
        changes: Vec<ChangeRow>,
        /// Whether older ones are left out.
        has_more: bool,
    },
}

/// One change of one file.
#[derive(Clone, Debug, Serialize)]
pub struct ChangeRow {
    /// The file.
    pub path: String,
    /// What was done to it.
    #[serde(flatten)]
    pub change: Change,
}

/// Something that a person did, which waits to be told what came of it.
#[derive(Debug)]
pub struct Asked {
    /// What they did.
    pub action: Action,
    pub(super) reply: oneshot::Sender<Reply>,
}

impl Asked {
    /// Tells them.
    pub fn answer(self, reply: Reply) {
        // A page that hung up is told nothing; the board shows what became of it.
        let _ = self.reply.send(reply);
    }
}
