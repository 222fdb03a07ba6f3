//! What was answered, and what of it a person takes back.

use serde::{Deserialize, Serialize};

use super::{AskedBy, Draft, Kind};

/// A page of what was answered, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct History {
    /// The folder.
    pub root: String,
    /// The last request of the page before; the first page without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub before: Option<String>,
}

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct HistoryPage {
    /// The newest first.
    pub answered: Vec<Answered>,
    /// Whether there are older ones.
    pub more: bool,
}

/// A request that was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Answered {
    /// Its id.
    pub id: String,
    /// What kind of question it was.
    pub kind: Kind,
    /// The intent that was active.
    pub intent_id: Option<String>,
    /// Who asked.
    pub asked_by: AskedBy,
    /// The tool's canonical name.
    pub tool: String,
    /// What was drafted.
    pub draft: Option<Draft>,
    /// The paths that it was about, relative to the root.
    pub changed_paths: Vec<String>,
    /// Why a person was asked.
    pub reason: String,
    /// What was answered.
    pub outcome: Outcome,
    /// Who answered, or what ended it, where it is known.
    pub by: Option<String>,
    /// When, or when the yes was used, or when the time was over.
    pub at: String,
    /// What the agent was told with a no.
    pub feedback: Option<String>,
    /// The newest ledger entry of what was done with the yes that was not taken back whole; `undo/plan` takes it.
    pub entry: Option<String>,
    /// Whether all that was done with the yes was taken back.
    pub undone: bool,
    /// Whether some of it was.
    pub undone_in_part: bool,
}

/// What was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub enum Outcome {
    /// Yes, and the agent has not made the call.
    Approved,
    /// Yes, and the call was let through.
    Used,
    /// Yes, within bounds, and the agent has not made the call.
    Granted,
    /// Yes, and the agent did not make the call in time.
    Lapsed,
    /// Yes, when that could let nothing through any more: `feedback` says what had changed.
    Void,
    /// No.
    Rejected,
    /// No, and no person said so: `by` is what ended it, `feedback` why.
    Ended,
    /// Nobody answered in time.
    Unanswered,
    /// The host's own prompt asked, and nothing was run.
    NotRun,
}

/// A ledger entry that a person may take back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Undo {
    /// The folder.
    pub root: String,
    /// The id of the entry.
    pub entry: String,
}

/// What taking it back would do: all of it or, with an obstacle, nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct UndoPlan {
    /// The files that would change.
    pub files: Vec<UndoFile>,
    /// Those that are as they were before already.
    pub already: Vec<String>,
    /// Those that cannot be put back.
    pub obstacles: Vec<Obstacle>,
    /// Names this plan; `undo/finish` takes it back.
    pub shown: String,
}

/// One file of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct UndoFile {
    /// Relative to the root.
    pub path: String,
    /// `returns`, `goes` or `changes back`.
    pub what: String,
    /// From what is there to what will be, as a unified diff.
    pub diff: String,
}

/// A file that cannot be put back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Obstacle {
    /// Relative to the root.
    pub path: String,
    /// Why.
    pub why: String,
}

/// A person takes back what was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct UndoGiven {
    /// The folder.
    pub root: String,
    /// The id of the entry.
    pub entry: String,
    /// What `undo/plan` called the plan that the person saw.
    pub shown: String,
}
