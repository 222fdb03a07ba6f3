//! Requests, notifications and their answers.

use serde::{Deserialize, Serialize};

use super::{Approval, Breadth, Draft, Folder, Snapshot};

/// The first message of an editor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Initialize {
    /// The protocol that the editor speaks.
    pub protocol: u32,
    /// Who it is.
    pub client: Client,
    /// The folders of the window, absolute.
    pub folders: Vec<String>,
}

/// An editor's extension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Client {
    /// The name of the editor.
    pub name: String,
    /// The version of the extension.
    pub version: String,
}

/// What the sidecar answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Initialized {
    /// The protocol that it speaks.
    pub protocol: u32,
    /// The version of the program.
    pub version: String,
    /// What is known of each folder, in the order in which they were named.
    pub folders: Vec<Folder>,
}

/// The window has these folders now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Folders {
    /// Absolute.
    pub folders: Vec<String>,
}

/// What is known of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct FoldersAre {
    /// In the order in which they were named.
    pub folders: Vec<Folder>,
}

/// No parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Nothing {}

/// One request of the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Named {
    /// The folder, as `snapshot` names it.
    pub root: String,
    /// The id of the request.
    pub id: String,
}

/// The two sides of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Files {
    /// The files that it changes, as far as its preview shows them.
    pub files: Vec<DiffFile>,
    /// Everything else that the preview says, line by line as it came: a command, parameters, moves, modes, what was cut.
    /// Whoever asks for a yes shows this as well.
    pub beside: String,
}

/// One file of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct DiffFile {
    /// Relative to the root.
    pub path: String,
    /// The text before; `null` where there is no file.
    pub before: Option<String>,
    /// The text after; `null` where there will be no file.
    pub after: Option<String>,
    /// Whether these are the whole texts; else only what the preview shows of them.
    pub whole: bool,
}

/// Yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub enum Decision {
    /// Exactly this, once.
    Approve,
    /// No.
    Reject,
}

/// A person's answer to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct AnswerGiven {
    /// The folder.
    pub root: String,
    /// The request.
    pub id: String,
    /// Its fingerprint, as it was shown.
    pub fingerprint: String,
    /// Yes or no.
    pub decision: Decision,
    /// The second word that a yes to a broad scope needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub broad: Option<bool>,
    /// What the agent shall be told with a no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub feedback: Option<String>,
}

/// What was done, for the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Said {
    /// One sentence.
    pub message: String,
}

/// A yes within bounds; those that are not given are as offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct GrantGiven {
    /// The folder.
    pub root: String,
    /// The request.
    pub id: String,
    /// Its fingerprint, as it was shown.
    pub fingerprint: String,
    /// How far it goes.
    #[serde(default)]
    pub bounds: LessBounds,
}

/// A yes, and trust in the command from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Allowed {
    /// The folder.
    pub root: String,
    /// The request.
    pub id: String,
    /// Its fingerprint, as it was shown.
    pub fingerprint: String,
}

/// What of an offer the person made smaller, or larger within what any grant may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[derive(Default)]
pub struct LessBounds {
    /// So many different files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub files: Option<u32>,
    /// So many calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub calls: Option<u32>,
    /// So many lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub lines: Option<u32>,
    /// So many minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub minutes: Option<u32>,
}

/// A draft as the person edited it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct DraftEdited {
    /// The folder.
    pub root: String,
    /// The request.
    pub id: String,
    /// The draft; of more scope for an intent, only its `owned_scope` counts.
    pub draft: Draft,
}

/// A yes to a draft as the person edited it, and saw its change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct DraftAccepted {
    /// The folder.
    pub root: String,
    /// The request.
    pub id: String,
    /// Its fingerprint, as it was shown.
    pub fingerprint: String,
    /// The draft that was sent with `approval/change`.
    pub draft: Draft,
    /// What `approval/change` called the change that the person saw.
    pub shown: String,
    /// The second word that a broad scope needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub broad: Option<bool>,
}

/// What accepting it would write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Change {
    /// The change of the intents file as a unified diff.
    pub diff: String,
    /// Names this change; `approval/amend` takes it back.
    pub shown: String,
    /// How wide its scope is, where that needs a second word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub broad: Option<Breadth>,
}

/// A grant to end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Revoke {
    /// The folder.
    pub root: String,
    /// The grant, such as `grant#3`.
    pub grant: String,
}

/// The end of a review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Review {
    /// The folder.
    pub root: String,
    /// The grant.
    pub grant: String,
    /// Names the change that was shown.
    pub shown: String,
    /// The files to put back; none keeps everything.
    pub back: Vec<String>,
}

/// A reading command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Query {
    /// The folder.
    pub root: String,
    /// Its words without the program's name, such as `["trace", "blame", "src/x.rs"]`; `--json` is added.
    pub args: Vec<String>,
}

/// What it printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Queried {
    /// The status it ended with: 0 done, 1 found something wrong, 2 usage or environment.
    pub exit: i32,
    /// Its JSON; `null` when it printed none.
    #[cfg_attr(test, ts(type = "unknown"))]
    pub value: serde_json::Value,
    /// What it said on standard error, where it printed no JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub trouble: Option<String>,
}

/// An intents file that is not saved yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct CheckText {
    /// The folder.
    pub root: String,
    /// The whole text.
    pub text: String,
}

/// What is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Checked {
    /// The findings, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

/// One finding, as `intent check --json` has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Diagnostic {
    /// The line, from 1; 0 when the whole file is meant.
    pub line: u32,
    /// The column, from 1; 0 when the whole line is meant.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// What to do about it, such as the likely word; empty when there is nothing to say.
    pub fix: String,
    /// Whether the gate refuses everything because of it, or only a person should know.
    pub severity: Severity,
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub enum Severity {
    /// The file is invalid.
    Error,
    /// The file is valid, and something in it is odd.
    Warning,
}

/// Whether somebody uses the window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Attention {
    /// Whether it has the focus.
    pub focused: bool,
}

/// A question for the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Ask {
    /// The request.
    pub approval: Approval,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct AskAnswer {
    /// The person's answer. Anything but `approve` and `view` is a no.
    pub decision: AskDecision,
    /// The second word that a yes to a broad scope needs; without it such a yes answers nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub broad: Option<bool>,
    /// What the agent shall be told with a no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub feedback: Option<String>,
}

/// Yes, no, or in the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub enum AskDecision {
    /// Exactly this, once.
    Approve,
    /// No.
    Reject,
    /// The person answers in the Approvals view, or the question was over before they did.
    View,
}

/// A question that needs no answer any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Over {
    /// The folder.
    pub root: String,
    /// The request.
    pub id: String,
    /// Why, as a sentence for the person.
    pub why: String,
}

/// What is shown changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Changed {
    /// Everything that is shown now.
    pub snapshot: Snapshot,
}
