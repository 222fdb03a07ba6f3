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
        /// Only what is older: the page behind another.
        #[serde(default)]
        behind: Option<Place>,
    },
    /// Show what was answered.
    Answered {
        /// The last request of the page before.
        #[serde(default)]
        before: Option<String>,
    },
    /// Show what taking back a recorded change would do; nothing is done.
    Plan {
        /// Its entry.
        entry: String,
    },
    /// Take a recorded change back, exactly as it was shown.
    TakeBack {
        /// Its entry.
        entry: String,
        /// The plan as it was shown.
        shown: String,
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
        /// Behind which the older ones come, where there are any.
        next: Option<Place>,
    },
    /// What was answered.
    Answered {
        /// Newest first.
        answered: Vec<AnsweredRow>,
        /// Whether there are older answers.
        has_more: bool,
    },
    /// What taking back would do: all of it or, with an obstacle, nothing.
    Planned {
        /// The files that would change, each with what becomes of it.
        files: Vec<(String, String)>,
        /// The files that cannot be put back, each with why.
        obstacles: Vec<(String, String)>,
        /// From what is there to what will be.
        lines: Vec<ChangeLine>,
        /// Names this plan, for the answer.
        shown: String,
    },
}

/// The last entry of a page of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Its id.
    pub entry: String,
    /// Where it stands in its chain.
    pub seq: u64,
}

/// A request that was answered.
#[derive(Clone, Debug, Serialize)]
pub struct AnsweredRow {
    /// Its id.
    pub id: String,
    /// What was asked, in a few words.
    pub what: String,
    /// Who asked.
    pub agent: String,
    /// The intent that it served.
    pub intent: Option<String>,
    /// What was answered, and by whom, or what ended it.
    pub said: String,
    /// Why, or what the agent was told.
    pub feedback: Option<String>,
    /// When.
    pub at: i64,
    /// The recorded change that can be taken back.
    pub entry: Option<String>,
    /// How much was taken back, in words; empty for nothing.
    pub undone: &'static str,
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
