//! What the page shows, as texts and numbers. Every text is made harmless by who fills it in; the page sets it as text.

use serde::{Deserialize, Serialize};

/// Everything on the page at one moment. Moments are milliseconds since 1970.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Board {
    /// The root of the repository.
    pub root: String,
    /// Who answers.
    pub by: String,
    /// What waits, oldest first.
    pub requests: Vec<Question>,
    /// The live grants.
    pub grants: Vec<GrantRow>,
    /// The grants that wait for a review.
    pub reviews: Vec<ReviewRow>,
    /// The intents whose work an agent calls done.
    pub done: Vec<DoneRow>,
    /// The agents that acted lately.
    pub agents: Vec<AgentRow>,
    /// How many agents' processes run.
    pub running: usize,
    /// The pause in force.
    pub pause: Option<PauseRow>,
    /// Why calls are not judged.
    pub trouble: Option<TroubleRow>,
}

/// An agent calls the work of an intent done. It completes nothing.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DoneRow {
    /// The intent's id.
    pub intent: String,
    /// Who says so.
    pub agent: String,
    /// What it says.
    pub summary: String,
}

/// A request.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Question {
    /// Its id.
    pub id: String,
    /// What an answer is bound to.
    pub fingerprint: String,
    /// What is asked, in a few words.
    pub what: String,
    /// What approving does where it does more than let one call through.
    pub banner: Option<String>,
    /// The word on the button that approves.
    pub approve: &'static str,
    /// What the person had asked the agent for, where it is known.
    pub prompt: Option<String>,
    /// Why a person is asked.
    pub reason: String,
    /// The class and effect of its tool.
    pub class: String,
    /// What the change means.
    pub change: Option<String>,
    /// Who asks.
    pub agent: String,
    /// The folder that the agent works in.
    pub folder: Option<String>,
    /// The intent that it serves.
    pub intent: Option<IntentOf>,
    /// The paths that will change.
    pub paths: Vec<String>,
    /// Only the host's own prompt can answer.
    pub with_host: bool,
    /// When it was asked.
    pub created: i64,
    /// When it lapses.
    pub expires: i64,
    /// The change, line by line.
    pub lines: Vec<ChangeLine>,
    /// The lines to look at first, as places in `lines`.
    pub first: Vec<usize>,
    /// How many lines come.
    pub added: usize,
    /// How many lines go.
    pub removed: usize,
    /// How many files the change has.
    pub files: usize,
    /// How wide the scope is, where it needs a key of its own.
    pub broad: Option<Breadth>,
    /// What of the change is not shown, where a yes needs a key of its own for that.
    pub unseen: Option<String>,
    /// The grant that may be given.
    pub offer: Option<Bounds>,
    /// The command that may be allowed, and what that means.
    pub allows: Option<Allows>,
    /// The draft as text that a person may edit.
    pub draft: Option<String>,
}

/// A command that may be allowed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Allows {
    /// The command.
    pub command: String,
    /// What allowing it means, each as a name and a text.
    pub means: Vec<(String, String)>,
}

/// The bounds of a grant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// How many files.
    pub files: u32,
    /// How many lines in all.
    pub lines: u32,
    /// How many lines in one call.
    pub lines_per_call: u32,
    /// How many calls.
    pub calls: u32,
    /// For how long.
    pub minutes: u32,
    /// Only there; everywhere in the scope where none is given.
    pub paths: Vec<String>,
}

/// How wide a scope is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Breadth {
    /// How many files.
    pub files: usize,
    /// Of how many.
    pub of: usize,
    /// In percent.
    pub percent: usize,
    /// How many of them can run code.
    pub can_run: usize,
}

/// The intent of a request.
#[derive(Clone, Debug, Default, Serialize)]
pub struct IntentOf {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its status.
    pub status: String,
    /// Why it is wanted.
    pub why: Option<String>,
    /// What it owns.
    pub scope: Vec<String>,
}

/// A line of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ChangeLine {
    /// `file`, `hunk`, `added`, `removed`, `context`, `command` or `note`.
    pub kind: &'static str,
    /// Its text without the sign.
    pub text: String,
    /// The file that it is of, where it is the head of its part, or marked.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// Its number in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// Why it deserves a look.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<&'static str>,
}

/// A live grant.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GrantRow {
    /// Its name.
    pub id: String,
    /// The intent that it serves.
    pub intent: String,
    /// Whose it is.
    pub agent: String,
    /// What is left of it, apart from time.
    pub left: String,
    /// When it ends.
    pub expires: i64,
}

/// A grant that waits for a review.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReviewRow {
    /// Its name.
    pub id: String,
    /// The intent that it served.
    pub intent: String,
    /// Whose it was.
    pub agent: String,
    /// Names this change, for the answer.
    pub shown: String,
    /// Its files.
    pub files: Vec<ReviewFileRow>,
    /// Its change.
    pub lines: Vec<ChangeLine>,
    /// How many lines came.
    pub added: usize,
    /// How many lines went.
    pub removed: usize,
}

/// A file of a review.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReviewFileRow {
    /// Its path, exactly: it is sent back.
    pub path: String,
    /// Its path as it is shown.
    pub shown: String,
    /// Why it cannot be put back.
    pub obstacle: Option<String>,
}

/// An agent that acted lately.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AgentRow {
    /// Who.
    pub name: String,
    /// Where it is in the handshake.
    pub state: String,
    /// Its active intent.
    pub intent: Option<String>,
    /// Whether it is halted.
    pub halted: bool,
    /// When it acted last.
    pub last: i64,
}

/// A pause.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PauseRow {
    /// Who paused.
    pub by: String,
    /// Until when.
    pub until: i64,
}

/// What keeps calls from being judged.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TroubleRow {
    /// What happens to calls.
    pub effect: String,
    /// Why.
    pub why: String,
    /// What to do.
    pub next: String,
}
