//! One request as an editor shows it: the object of `approval list --json`, and what a surface adds to it.

use serde::{Deserialize, Serialize};

/// A request that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Approval {
    /// The folder that it is of.
    pub root: String,
    /// Its id, such as `ap-3f9c2b7a`.
    pub id: String,
    /// Names what is asked; every answer takes it back, so that it is to the request as it was shown.
    pub fingerprint: String,
    /// Who can answer it.
    pub status: ApprovalStatus,
    /// What kind of question it is.
    pub kind: Kind,
    /// The active intent.
    pub intent_id: Option<String>,
    /// Who asks, as one text.
    pub actor: String,
    /// The same in parts.
    pub asked_by: AskedBy,
    /// The tool's canonical name.
    pub tool: String,
    /// What is drafted, where the question is whether to write it.
    pub draft: Option<Draft>,
    /// The grant that may be given in place of a single yes.
    pub offer: Option<Bounds>,
    /// How wide the drafted scope is, where a yes needs a second word.
    pub broad: Option<Breadth>,
    /// The command that may be allowed from now on.
    pub allows: Option<String>,
    /// The paths that will change, relative to the root.
    pub changed_paths: Vec<String>,
    /// A unified diff of what will change, or the command as text.
    pub diff_preview: String,
    /// Why a person is asked.
    pub reason: String,
    /// What changed since, so that a yes lets nothing through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub void: Option<String>,
    /// What the change means, where there is one to classify.
    pub mutation: Option<Mutation>,
    /// When it was asked.
    pub created: String,
    /// When it lapses.
    pub expires: String,
    /// The lines of the preview that deserve the first look, the gravest first.
    pub first_screen: Vec<FirstLine>,
    /// What of the change is in no preview; then a yes takes a second word, as for a broad scope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub unseen: Option<String>,
    /// How many lines come.
    pub added: u32,
    /// How many lines go.
    pub removed: u32,
    /// The class and effect of its tool, such as `DESTRUCTIVE · write`; empty for drafts.
    pub class: String,
    /// What the agent's person asked for last, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub prompt: Option<String>,
    /// The intent that it serves, as its own working copy has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub intent: Option<IntentFacts>,
}

/// Who can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub enum ApprovalStatus {
    /// Any surface.
    Open,
    /// Only the host's own prompt.
    WithHost,
}

/// What kind of question it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub enum Kind {
    /// A destructive call inside the rules.
    Destructive,
    /// A call outside of the scope, where the settings let a person override it.
    ScopeOverride,
    /// A new intent.
    IntentProposal,
    /// More paths in an intent's scope.
    ScopeExpansion,
    /// A call that sends something out.
    Outbound,
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct AskedBy {
    /// The agent's host.
    pub host: String,
    /// Its session.
    pub session: String,
    /// Its sub-agent.
    pub agent: Option<String>,
    /// The working copy.
    pub worktree: Option<String>,
    /// The folder that it works in.
    pub folder: Option<String>,
}

/// An intent that somebody drafted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Draft {
    /// The goal in one line.
    pub name: String,
    /// The reason.
    #[serde(default)]
    pub why: Option<String>,
    /// What it may change.
    pub owned_scope: Vec<String>,
    /// When it is done.
    #[serde(default)]
    pub acceptance_criteria: Vec<String>,
}

/// How far a grant goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Bounds {
    /// Only these paths of the scope; none means all of it.
    pub paths: Vec<String>,
    /// So many different files.
    pub max_files: u32,
    /// So many calls.
    pub max_calls: u32,
    /// So many lines, added and removed.
    pub max_lines: u32,
    /// So many lines in one call.
    pub max_lines_per_call: u32,
    /// So many seconds, and never longer than the turn.
    pub seconds: u32,
}

/// How wide a drafted scope is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Breadth {
    /// How many files it owns.
    pub files: u32,
    /// Of how many.
    pub of: u32,
    /// How many of its files can run code.
    pub can_run: u32,
}

/// The class of a change and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Mutation {
    /// `AST_REFACTOR` or `INTENT_EVOLUTION`.
    pub class: String,
    /// What proved it or stood against it.
    pub method: String,
    /// What the agent said it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub claimed: Option<String>,
    /// The first things to know.
    pub evidence: Vec<Evidence>,
}

/// One thing to know of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Evidence {
    /// The line, from 1.
    pub line: u32,
    /// The file.
    pub path: String,
    /// A short sentence.
    pub what: String,
}

/// A line that deserves the first look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct FirstLine {
    /// What it is.
    pub kind: LineKind,
    /// Its text, or the part of it that is marked; inert.
    pub text: String,
    /// Its file; empty for commands and notes.
    pub path: String,
    /// Its number: after the change, or before it where it goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub line: Option<u32>,
    /// Why it deserves a look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub mark: Option<String>,
}

/// What a line of a preview is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub enum LineKind {
    /// The head of a file.
    File,
    /// The head of a hunk.
    Hunk,
    /// It comes.
    Added,
    /// It goes.
    Removed,
    /// It stays.
    Context,
    /// A line of a command.
    Command,
    /// The gate's own words.
    Note,
}

/// What a person needs to know of an intent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct IntentFacts {
    /// The goal in one line.
    pub name: String,
    /// The reason.
    pub why: Option<String>,
    /// Such as `IN_PROGRESS`.
    pub status: String,
    /// What it owns.
    pub scope: Vec<String>,
}
