//! The decision log: one line for every call, allowed or not.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::calls::{Actor, CallId, Classification, ErrorCode, Mutation};
use crate::consents::ApprovalId;
use crate::intents::{IntentId, Revision};
use crate::state::State;
use crate::values::{FileState, Timestamp};

/// What was decided or what happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Let through.
    Allow,
    /// Refused.
    Block,
    /// A human is asked.
    WaitForApproval,
    /// A human answered yes.
    Approved,
    /// A human answered no.
    Rejected,
    /// A state changed: prompt, selection.
    Transition,
    /// A call's outcome was recorded.
    Recorded,
    /// Something happened on disk that no call explains.
    Drift,
    /// Let through because a person paused the gate.
    Paused,
    /// Version control wrote content that it stores: a switch, merge, rebase or stash. Not attributed to anybody.
    Imported,
    /// What ran after the actor's own write or command, such as a formatter, changed the file too; the actor's
    /// observation follows.
    Adopted,
    /// A person changed or took back what the actor wrote.
    HumanAmended,
    /// A grant began.
    Granted,
    /// A grant ended.
    GrantEnded,
    /// A human looked at what was changed under a grant.
    GrantReviewed,
}

/// One line of the decision log. It keeps paths and hashes, never contents, so that no secret gets into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRecord {
    /// Position in the log, counted from 0; set when appended, strictly rising.
    pub seq: u64,
    /// When.
    pub at: Timestamp,
    /// Who acted.
    pub actor: Actor,
    /// Which call; `None` for prompts and human commands.
    pub call: Option<CallId>,
    /// The tool's name as the host said it, or the event.
    pub tool: String,
    /// Its class.
    pub class: Option<Classification>,
    /// The state when it was decided.
    pub state: State,
    /// The active intent.
    pub intent: Option<IntentId>,
    /// What was decided.
    pub action: Action,
    /// The error code of a refusal.
    pub code: Option<ErrorCode>,
    /// The paths, relative to the root.
    pub paths: Vec<String>,
    /// The approval or the grant that was used, asked for or counted on.
    pub approval: Option<ApprovalId>,
    /// One sentence for people; no contents of files.
    pub note: String,
    /// The text of a command, without the secrets of known forms, and no longer than a person reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// What a call was judged in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Box<DecisionContext>>,
    /// Where the line explains a change that no ledger entry records: what the change left at its paths.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left: BTreeMap<String, FileState>,
    /// What the calls of a turn meant together, at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Box<TurnMeaning>>,
    /// Where an agent asks a person to close an intent: what it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<Box<DoneReport>>,
}

/// An agent says that the work under an intent is done. That completes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoneReport {
    /// The revision that it worked under.
    pub revision: Revision,
    /// What it did, in its own words, without the secrets of known forms.
    pub summary: String,
}

impl DecisionRecord {
    /// A line that says only this; all else is empty and is added where there is more to say.
    pub fn new(
        at: Timestamp,
        actor: Actor,
        tool: impl Into<String>,
        state: State,
        action: Action,
        note: impl Into<String>,
    ) -> Self {
        Self {
            seq: 0,
            at,
            actor,
            call: None,
            tool: tool.into(),
            class: None,
            state,
            intent: None,
            action,
            code: None,
            paths: Vec::new(),
            approval: None,
            note: note.into(),
            command: None,
            context: None,
            left: BTreeMap::new(),
            turn: None,
            done: None,
        }
    }
}

/// What a call was judged in: with the record's intent, what the scope was at that moment, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionContext {
    /// The root of the working copy.
    pub root: String,
    /// The revision of the active intent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
    /// What that revision owns; empty where that is more than a line of the log takes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scope: Vec<String>,
}

/// What all changes of a turn mean taken together: what is an evolution call by call may be a refactor as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnMeaning {
    /// The entries of its calls in the ledger, oldest first; the newest ones where there are too many.
    pub entries: Vec<String>,
    /// The class of the whole.
    pub mutation: Mutation,
}

impl TurnMeaning {
    /// One line for a person. It stands beside any entry of the turn, so it names the files.
    pub fn in_a_line(&self) -> String {
        format!("{} calls together: {}", self.entries.len(), self.mutation.in_a_line_with_files())
    }
}
