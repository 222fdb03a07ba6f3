//! Why the gate itself refuses, as data: a store that fails, an answer that does not fit, an own tool, a draft. The
//! `table` words it. What the rules refuse is the policy's `Violation`, which its own table words in the same way.
//!
//! Deliberately absent: what follows from a refusal beside words (`judged`).

mod details;
mod table;
#[cfg(test)]
mod tests;

use bailiwick_domain::{
    Approval, ApprovalError, ApprovalId, GrantError, GrantId, Intent, IntentEditError, IntentId, PortError,
    PutBackError, RepoPath, Revision, ScopeError, ScopePattern, ToolError,
};

#[cfg(feature = "schema")]
pub use details::details_schema;
pub(crate) use table::nothing_to_select;

/// What hinders a call beside the rules.
#[derive(Debug)]
pub(crate) enum Hindrance<'a> {
    /// A port fails.
    Port(PortError),
    /// The ledger cannot take an entry.
    Ledger(PortError),
    /// A grant cannot be changed in its store.
    Grant(GrantError),
    /// The parameters are more than is looked at, for this reason.
    TooMuch(String),
    /// The files that a command names have more bytes together than a yes is bound to.
    TooManyScripts(u64),
    /// A destructive call was judged without a question.
    Unjudged,
    /// No intent is active any more.
    NoIntentNow,
    /// The gate would carry the call out itself, and cannot.
    Unfit(Unfit<'a>),
    /// It carries out only what was let through, and knows of nothing.
    NotLetThrough,
    /// It could not write what was let through.
    NotWritten(&'a PutBackError),
    /// An answer: to a request, or of one.
    Answer(AnswerFault<'a>),
    /// An own tool cannot do what it was called for.
    OwnTool(OwnToolFault<'a>),
    /// A draft cannot be put to a person.
    Draft(DraftFault<'a>),
    /// The same of a drafted intent: shown with an example of one.
    Proposal(DraftFault<'a>),
}

/// Why the gate cannot carry a call out.
#[derive(Debug)]
pub(crate) enum Unfit<'a> {
    /// A patch changes the mode of a file.
    Mode,
    /// The call changes a path in two ways.
    Twice(&'a RepoPath),
    /// What is at the path is no file.
    NoFile(&'a RepoPath),
    /// Nothing is at the path.
    Absent(&'a RepoPath),
    /// Something is there already.
    Taken(&'a RepoPath),
    /// A file stands where the path needs a folder.
    NoFolder(&'a RepoPath),
    /// The folder of a command is not there.
    FolderAbsent(&'a RepoPath),
    /// The path is spelled through a symbolic link, to this file.
    Link(&'a RepoPath, &'a RepoPath),
    /// It cannot be told what the file will hold.
    NotTold(&'a RepoPath),
}

/// What stands between a call and a person's answer.
#[derive(Debug)]
pub(crate) enum AnswerFault<'a> {
    /// The approval cannot be used.
    Unusable(&'a ApprovalError),
    /// No call on this connection waits for it.
    NobodyWaits(&'a ApprovalId),
    /// Nobody waits for the call any more that this approval is for.
    Unawaited(&'a ApprovalId),
    /// Nobody has answered a draft.
    Nothing,
    /// Nobody has answered yet, for this reason.
    Open(&'a Approval, &'a str),
    /// A person said no, and perhaps why.
    No(&'a Approval, Option<&'a str>),
    /// What was approved is not what would run now, at this path.
    Moved(&'a Approval, String),
    /// A grant that was said as the answer does not fit.
    NoGrantFits(&'a ApprovalError),
    /// A grant cannot be reviewed, for this reason.
    NotReviewable(GrantId, &'static str),
    /// Another version wrote a change of the draft that this one cannot write.
    OtherVersion(&'a ApprovalId),
}

/// What an own tool cannot do.
#[derive(Debug)]
pub(crate) enum OwnToolFault<'a> {
    /// There is no tool of that name.
    NoTool(&'a str),
    /// There is no intent of that id.
    NoIntent {
        /// What was named.
        named: &'a str,
        /// What can be selected.
        valid: Vec<String>,
    },
    /// The intent cannot be selected.
    NotSelectable {
        /// The intent.
        intent: &'a Intent,
        /// What can be selected.
        valid: Vec<String>,
    },
    /// A sub-agent's parent does not work under it.
    NotOfParent {
        /// The intent.
        intent: &'a IntentId,
        /// What the parent works under.
        parents: Option<IntentId>,
    },
    /// Its scope overlaps that of an intent in progress.
    Overlaps {
        /// The intent.
        intent: &'a IntentId,
        /// The other one.
        other: &'a IntentId,
    },
    /// No intent of the drafted name was accepted.
    NotAccepted,
    /// Its work is called done by somebody who does not work under it.
    NotActive {
        /// What was named.
        named: &'a str,
        /// What the actor works under.
        active: Option<IntentId>,
    },
    /// Its work is called done, and a person changed the intent after it was selected.
    ChangedSince {
        /// The intent.
        intent: &'a IntentId,
        /// The revision that was selected.
        selected: &'a Revision,
        /// The revision as it is now.
        now: &'a Revision,
    },
}

/// What is wrong with a draft.
#[derive(Debug)]
pub(crate) enum DraftFault<'a> {
    /// There is no such parameter; there are these.
    UnknownParameter(&'a str, &'a [&'a str]),
    /// A parameter is no list of strings.
    NotAList(&'a str),
    /// A list holds that many strings, and may hold up to the second number.
    Count(&'a str, usize, usize),
    /// A text is missing.
    Missing(&'a str),
    /// A text is longer than that.
    TooLong(&'a str, usize),
    /// An expansion takes away.
    TakesAway(ScopePattern),
    /// What a person made of an expansion adds nothing.
    AddsNothing(&'a IntentId),
    /// A pattern or the list of them cannot be used.
    Scope(ScopeError),
    /// A pattern is no glob, for this reason.
    NoGlob(String),
    /// A pattern leads out of the repository, once links are followed.
    LeadsOut(&'a ScopePattern),
    /// A pattern reaches what only a person changes, which this names.
    Reaches(&'a ScopePattern, &'a str),
    /// The scope owns everything; a person can say so with this command.
    OwnsAll(&'a str),
    /// No intent is active that could have more scope.
    NothingToExpand,
    /// The active intent cannot be worked under any more.
    IntentOver(&'a IntentId),
    /// A sub-agent may not change its parent's intent.
    OfParent(&'a IntentId),
    /// The intents changed while a person was deciding, on this request where one is known.
    Changed(&'a str, Option<&'a ApprovalId>),
    /// The change of the intents cannot be made in the file.
    Edit(IntentEditError, &'a str),
}

impl Hindrance<'_> {
    /// What an agent is told of it.
    pub(crate) fn error(&self) -> ToolError {
        table::row(self)
    }
}

impl From<Hindrance<'_>> for ToolError {
    fn from(hindrance: Hindrance<'_>) -> Self {
        hindrance.error()
    }
}

/// A port that fails means: do not let the call through.
pub(crate) fn closed(error: PortError) -> ToolError {
    Hindrance::Port(error).error()
}

/// The ledger cannot take an entry: no change is let through. One that is not what was written is a person's to judge,
/// and no file of the store says why.
pub(crate) fn no_ledger(error: PortError) -> ToolError {
    Hindrance::Ledger(error).error()
}
