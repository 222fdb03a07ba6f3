//! What is shown: each folder of the window with its queue, grants, reviews and agents.

use serde::{Deserialize, Serialize};

use super::{Approval, Bounds};

/// Everything that is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[derive(Default)]
pub struct Snapshot {
    /// One for each folder of the window, in its order.
    pub folders: Vec<FolderSnapshot>,
}

/// A folder of the window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Folder {
    /// Its governed root, or the folder itself where there is none; names it in every other message.
    pub root: String,
    /// The last part of it.
    pub name: String,
    /// Whether the gate is there.
    pub state: State,
    /// What keeps calls from being judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub trouble: Option<Trouble>,
}

/// Whether the gate is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub enum State {
    /// Calls are judged.
    Governed,
    /// Nobody set it up here.
    NotSetUp,
    /// It was set up, and calls are not judged, or all of them are refused.
    Trouble,
}

/// What is wrong, and the one next step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Trouble {
    /// What happens, and why.
    pub what: String,
    /// What to do, as a sentence.
    pub next: String,
}

/// One folder as it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct FolderSnapshot {
    /// Its governed root, or the folder itself.
    pub root: String,
    /// The last part of it.
    pub name: String,
    /// Whether the gate is there.
    pub state: State,
    /// What keeps calls from being judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub trouble: Option<Trouble>,
    /// The pause in force: nobody is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub pause: Option<Pause>,
    /// What waits, oldest first.
    pub approvals: Vec<Approval>,
    /// The live grants.
    pub grants: Vec<Grant>,
    /// The grants that wait for a review.
    pub reviews: Vec<Reviewed>,
    /// The intents whose work an agent calls done. It completes nothing.
    #[serde(default)]
    pub done: Vec<Done>,
    /// The agents that acted lately.
    pub agents: Vec<Agent>,
    /// How many agents' processes run.
    pub running: u32,
    /// Other texts as soon as a query would answer otherwise.
    pub marks: Marks,
}

/// Opaque texts: another one means that queries about it answer otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[derive(Default)]
pub struct Marks {
    /// The ledger: `trace …`, `map`.
    pub ledger: String,
    /// The intents and the settings: `intent …`, `config …`.
    pub intents: String,
    /// The decision log: `log`.
    pub decisions: String,
    /// The requests and their answers: `history`, which the ledger is a part of as well.
    #[serde(default)]
    pub answered: String,
}

/// An agent calls the work of an intent done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Done {
    /// The intent's id.
    pub intent: String,
    /// Who says so.
    pub actor: String,
    /// What it says.
    pub summary: String,
}

/// A person's pause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Pause {
    /// Who.
    pub by: String,
    /// Since when.
    pub from: String,
    /// Until when at the latest.
    pub until: String,
}

/// A live grant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Grant {
    /// Such as `grant#3`.
    pub id: String,
    /// The request that it answered.
    pub approval: String,
    /// Who granted it.
    pub by: String,
    /// Whose calls it covers.
    pub actor: String,
    /// The intent.
    pub intent_id: String,
    /// How far it goes.
    pub bounds: Bounds,
    /// What was used.
    pub used: Used,
    /// What is left.
    pub left: Left,
    /// Since when.
    pub opened: String,
    /// Until when at the latest.
    pub expires: String,
}

/// What was used of a grant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Used {
    /// The files, in the order in which they were first changed.
    pub files: Vec<String>,
    /// Lines.
    pub lines: u32,
    /// Calls.
    pub calls: u32,
}

/// What is left of a grant; its time is `expires`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Left {
    /// Files.
    pub files: u32,
    /// Lines.
    pub lines: u32,
    /// Calls.
    pub calls: u32,
}

/// A grant that is over and waits for a review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Reviewed {
    /// Such as `grant#3`.
    pub grant: String,
    /// The intent.
    pub intent_id: String,
    /// Whose calls it covered.
    pub actor: String,
    /// Its files.
    pub files: Vec<ReviewFile>,
    /// Everything that was done under it, as one unified diff.
    pub diff: String,
    /// Names this change; `review/finish` takes it back.
    pub shown: String,
}

/// One file of a review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ReviewFile {
    /// Relative to the root.
    pub path: String,
    /// Why it cannot be put back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub obstacle: Option<String>,
}

/// An agent that acted lately.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Agent {
    /// Its name as one text.
    pub actor: String,
    /// Its host.
    pub host: String,
    /// Its session.
    pub session: String,
    /// Its sub-agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub agent: Option<String>,
    /// `REQUEST`, `REASONING` or `ACTION`.
    pub state: String,
    /// Its active intent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub intent: Option<String>,
    /// Whether its session is halted.
    pub halted: bool,
    /// Its last call.
    pub last: String,
}
