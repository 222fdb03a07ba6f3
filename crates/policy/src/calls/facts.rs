//! The facts that a verdict is made of. Gathering them is the gate's work; they are plain values, so that every rule can
//! be tested without a world.

use std::collections::BTreeSet;

use bailiwick_domain::{
    CommandFault, ContentHash, FileState, Health, Intent, IntentId, Location, Observation, OwnedScope,
    RepoPath, Settings, State,
};

use crate::calls::registry::{Extras, ToolEntry};
use crate::calls::terms::{Access, AnchorFact, Unreadable};
use crate::globs::ignore_match::IgnoreRules;

/// All that a verdict depends on.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The settings in force.
    pub settings: Settings,
    /// Whether the store can be trusted.
    pub health: Health,
    /// What the registry says of the tool, after argument-aware reading of commands.
    pub tool: ToolEntry,
    /// The tool's name as the host said it.
    pub tool_name: String,
    /// Where the actor stands.
    pub state: State,
    /// Why the session is halted, if it is.
    pub quarantine: Option<String>,
    /// The intent that the call would run under.
    pub intent: IntentFact,
    /// Intents of the call whose revision nobody accepted on this machine; the approval must have shown them.
    pub unaccepted: Vec<IntentId>,
    /// The intent id that came with the call, when it names another one than the active intent.
    pub foreign_intent: Option<IntentId>,
    /// The scope that a sub-agent's parent works under; a child's targets must lie in both.
    pub parent_scope: Option<OwnedScope>,
    /// Everything that the call would touch, in the order of the parameters.
    pub targets: Vec<TargetFact>,
    /// Why the parameters cannot be understood, if they cannot.
    pub malformed: Option<Unreadable>,
    /// What the parameters say beyond the targets.
    pub extras: Extras,
    /// The ignore rules.
    pub ignore: IgnoreFact,
    /// Whether the file system treats names that differ in case as the same.
    pub folds_case: bool,
    /// Requirement ids that came with the call.
    pub requirement_ids: Vec<String>,
    /// How often this same call was blocked before, since the last prompt or selection.
    pub blocked_before: u32,
    /// The command's text, for commands.
    pub command: Option<String>,
    /// Whether the command looks through what is in the files of a folder, and not only at the folder.
    pub searches: bool,
    /// Why a person is asked about what a safe call sends out.
    pub outbound: Option<String>,
    /// Why a command, or a reader of files, was not proved read-only.
    pub unproved: Option<String>,
    /// What was counted under the intent's revision, where one of its constraints counts.
    pub count: Option<CountFact>,
    /// Why a command is refused whatever the intent is.
    pub command_fault: Option<CommandFault>,
}

impl Facts {
    /// What is said where the call was not proved to only read.
    pub(crate) fn doubt(&self) -> Option<String> {
        let what = if self.command.is_some() { "command" } else { "call" };
        self.unproved.as_ref().map(|why| format!("The {what} was not proved read-only: {why}."))
    }
}

/// The intent that a call would run under.
#[derive(Clone, Debug, PartialEq)]
pub enum IntentFact {
    /// None is active.
    None,
    /// One is active, but the file has no such intent any more.
    Gone(IntentId),
    /// It is there.
    Active(Box<Intent>),
}

/// What was changed so far under the revision of an intent, and what a call would add.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountFact {
    /// The files, those of calls under way with them.
    pub files: BTreeSet<RepoPath>,
    /// The lines, those of calls under way with them.
    pub lines: u64,
    /// How many lines the call itself adds and removes; `None` when that shows only after it ran.
    pub adds: Option<u32>,
}

/// One path of a call, with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetFact {
    /// As the agent spelled it.
    pub requested: String,
    /// What happens to it.
    pub access: Access,
    /// Where it leads.
    pub location: Location,
    /// What is on disk.
    pub current: FileState,
    /// What the actor last read or wrote there, and how much of it was shown.
    pub observed: Option<Observation>,
    /// What explains that the disk is not what the actor saw, looked up only where it is not.
    pub explained: Option<Explained>,
    /// The hash that the agent claims to have read.
    pub claimed: Option<ContentHash>,
    /// Whether the quoted text is there, for anchored changes, and for patches of what was not shown whole.
    pub anchor: AnchorFact,
}

/// Who put something else there than what the actor saw, without being accused of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explained {
    /// Version control: what is there is one of the states that it stores.
    Imported,
    /// A person, who took back what the actor wrote: what is there was there before one of its own calls.
    TakenBack,
}

/// The ignore rules, as understood.
#[derive(Clone, Debug)]
pub enum IgnoreFact {
    /// There are none.
    Absent,
    /// These.
    Rules(IgnoreRules),
    /// They cannot be understood: file, line and why.
    Invalid(String),
}
