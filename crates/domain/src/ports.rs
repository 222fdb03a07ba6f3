//! The ports: what the rest of the program needs from the world, as traits of plain domain values.
//!
//! Reading and writing are apart: most of the gate's path never holds a writer.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::authoring::{IntentChange, IntentEdit, IntentEditError, TreeListing};
use crate::calls::{
    Actor, CallId, CommandFault, CommandReading, FileChange, Look, Mutation, Observation, Symbol,
};
use crate::consents::{
    Admitted, Allowance, AllowanceId, AllowanceTerms, Answer, Approval, ApprovalId, ApprovalRequest,
    CommandLine, Fingerprint, Grant, GrantEnd, GrantError, GrantId, GrantTerms, Pause, PauseLook,
    TrustedCommand,
};
use crate::evidence::{
    LedgerQuery, Lesson, LineHash, LinePlace, PendingCall, PutBack, PutBackError, SessionEntries,
    StoredEntry, TraceEntry, VcsRevision, Verification,
};
use crate::health::Health;
use crate::intents::{Accepted, IgnoreSource, Intent, IntentId, IntentSet, Revision, Tally};
use crate::state::{ActorState, DecisionRecord, Settings, Written};
use crate::values::{ContentHash, FileState, Location, RepoPath, Timestamp};

pub use crate::port_error::{ApprovalError, PortError};

/// Reads the intents that people wrote. Answers reflect the file as it is now, so that an edit counts from the next
/// call; repeated questions about an unchanged file do not read it again.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait IntentRepo: Send + Sync + fmt::Debug {
    /// All intents.
    async fn load(&self) -> Result<IntentSet, PortError>;
    /// The intent of that id, `None` when the file has no such intent.
    async fn get(&self, id: &IntentId) -> Result<Option<Intent>, PortError>;
    /// What a person accepted of that intent on this machine; what cannot be found out was not accepted. Where
    /// nobody but a person can put an intent into the repository, all that is there is accepted.
    async fn accepted(&self, id: &IntentId) -> Result<Accepted, PortError> {
        Ok(Accepted::of(self.get(id).await?.into_iter().collect()))
    }
    /// The ids of the first intents that an agent may select, at most [`NAMED_INTENTS`]: what a refusal names. An
    /// adapter answers this at the same cost for five intents and for five thousand.
    async fn first_selectable(&self) -> Result<Vec<IntentId>, PortError> {
        let set = self.load().await?;
        Ok(set.selectable().take(NAMED_INTENTS).map(|intent| intent.id().clone()).collect())
    }
}

/// How many intents a refusal names.
pub const NAMED_INTENTS: usize = 20;

/// Changes the intents file after a person approved. Comments and order of the file stay.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait IntentWriter: Send + Sync + fmt::Debug {
    /// What a change would make of the file as it is now; writes nothing.
    async fn draft(&self, change: &IntentChange) -> Result<IntentEdit, IntentEditError>;
    /// Makes the change, if the file is still the one that it was drafted for; `branch` is what `HEAD` names.
    async fn write(&self, edit: &IntentEdit, branch: &str) -> Result<(), IntentEditError>;
    /// Remembers that a person accepted the intent as it is on this machine, while `HEAD` named this branch.
    async fn accept(&self, _intent: &Intent, _branch: &str) -> Result<(), PortError> {
        Ok(())
    }
    /// Remembers that the intent was found narrowed or closed where `HEAD` names that.
    async fn note_taken(&self, _intent: &Intent, _branch: &str) -> Result<(), PortError> {
        Ok(())
    }
}

/// Lists the governed files, so that a scope can be measured. Looks at a bounded number of them; never on the
/// way of an ordinary call.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait ScopeMeter: Send + Sync + fmt::Debug {
    /// The files that are there now.
    async fn tree(&self) -> Result<TreeListing, PortError>;
    /// The files of each commit of the past, newest first, as far as they were looked up before: git is not asked.
    async fn past(&self) -> Vec<Vec<RepoPath>> {
        Vec::new()
    }
}

/// Lines that stand in more places than this tell nothing about where a block went.
pub const COMMON_LINE: usize = 64;

/// Finds lines anywhere in the working copy. It looks at every file that changed since the last question, so it is
/// never used while a call waits.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait LineIndex: Send + Sync + fmt::Debug {
    /// Where lines with these hashes stand now, by path and line; a hash with more than [`COMMON_LINE`] places is left
    /// out, and so are blank lines.
    async fn places(&self, wanted: &[LineHash]) -> Result<Vec<LinePlace>, PortError>;
}

/// Reads settings, ignore rules and the store's health.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait PolicySource: Send + Sync + fmt::Debug {
    /// Whether the store can be trusted. Never fails: what it cannot find out is a fault.
    async fn health(&self) -> Health;
    /// The settings in force, loosening ones only when accepted.
    async fn settings(&self) -> Result<Settings, PortError>;
    /// The ignore files' texts.
    async fn ignore(&self) -> IgnoreSource;
}

/// A person's off switch. It is read only where a call would be refused or asked about.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait Pauses: Send + Sync + fmt::Debug {
    /// What is known of a pause at this moment. Never fails: what cannot be read or believed is no pause.
    async fn look(&self, now: Timestamp) -> PauseLook;
    /// Forgets this pause, when it is the one that is kept.
    async fn forget(&self, pause: &Pause) -> Result<(), PortError>;
}

/// Looks at the governed files. Holds no writer.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait Workspace: Send + Sync + fmt::Debug {
    /// Where a path leads that an agent spelled, seen from `cwd` (absolute; the root when `None`).
    async fn locate<'a>(&self, requested: &str, cwd: Option<&'a str>) -> Location;
    /// Whether anything is at a place; yes where that cannot be told, as outside the root.
    async fn is_there(&self, place: &Location) -> bool {
        match place {
            Location::Inside(found) => !matches!(self.state(&found.path).await, Ok(FileState::Absent)),
            Location::Invalid(_) => false,
            Location::Root | Location::Scratch(_) | Location::ReadRoot(_) | Location::Outside(_) => true,
        }
    }
    /// What is on disk there now.
    async fn state(&self, path: &RepoPath) -> Result<FileState, PortError>;
    /// The bytes on disk, `None` when there is no regular file; at most `limit` bytes, else an error.
    async fn read(&self, path: &RepoPath, limit: u64) -> Result<Option<Vec<u8>>, PortError>;
    /// Whether the file there may be run; never where the file system does not say so.
    async fn is_executable(&self, _path: &RepoPath) -> Result<bool, PortError> {
        Ok(false)
    }
    /// The names in a folder of the root (`None`: in the root itself), in no order; at most so many, else an error. None
    /// where there is no such folder.
    async fn names_in<'a>(
        &self,
        folder: Option<&'a RepoPath>,
        limit: usize,
    ) -> Result<Vec<String>, PortError>;
    /// The root of the working copy, as a person can be shown it.
    fn root(&self) -> String;
    /// Whether the file system treats names that differ in case as the same.
    fn folds_case(&self) -> bool;
}

/// Writes governed files: what a person takes back or notes down, and what the MCP server was let through for. Nothing that
/// judges a call holds it.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait WorkspaceWriter: Send + Sync + fmt::Debug {
    /// Makes each file what is asked, or none of them: when one is not what is expected, cannot be reached without
    /// leaving the root, or cannot be written, all are as before. No symlink is followed; a file that stays keeps its
    /// mode, a file that moves back takes its mode along, and one that returns may be run if that is asked.
    async fn put_back(&self, files: &[PutBack]) -> Result<(), PutBackError>;
    /// Removes what a killed put-back left beside a file, when it is one of these contents.
    async fn clear_up(&self, _path: &RepoPath, _known: &[FileState]) -> Result<(), PutBackError> {
        Ok(())
    }
}

/// Remembers actors and what they have read.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait SessionStore: Send + Sync + fmt::Debug {
    /// The actor's state, `None` when it was never seen.
    async fn load(&self, actor: &Actor) -> Result<Option<ActorState>, PortError>;
    /// Replaces the actor's state.
    async fn save(&self, actor: &Actor, state: &ActorState) -> Result<(), PortError>;
    /// What the actor last read or wrote at that path. What a version wrote that knew no parts counts as whole.
    async fn observation(&self, actor: &Actor, path: &RepoPath) -> Result<Option<Observation>, PortError>;
    /// Remembers what the actor just read or wrote there.
    async fn observe(&self, actor: &Actor, path: &RepoPath, seen: &Observation) -> Result<(), PortError>;
    /// Remembers that a call of the actor left this there: an observation that also says whose it is.
    async fn observe_own(
        &self,
        actor: &Actor,
        path: &RepoPath,
        seen: &Observation,
        written: &Written,
    ) -> Result<(), PortError>;
    /// What the actor last saw at that path, when a call of its own had put it there.
    async fn own(&self, actor: &Actor, path: &RepoPath) -> Result<Option<(FileState, Written)>, PortError>;
    /// Remembers what a call of the actor is about to look at, until another call looks there.
    async fn look(&self, actor: &Actor, look: &Look) -> Result<(), PortError>;
    /// The last look of the actor at that path.
    async fn looked(&self, actor: &Actor, path: &RepoPath) -> Result<Option<Look>, PortError>;
    /// What the actor last saw at each path, at most `limit` of them in any order. What cannot be read is passed over.
    async fn observations(
        &self,
        actor: &Actor,
        limit: usize,
    ) -> Result<Vec<(RepoPath, Observation)>, PortError>;
}

/// The queue of approval requests.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait ApprovalQueue: Send + Sync + fmt::Debug {
    /// Puts a request in the queue; an open one with the same fingerprint is returned instead of a second.
    async fn open(&self, request: &ApprovalRequest, now: Timestamp) -> Result<Approval, PortError>;
    /// The request of that id.
    async fn get(&self, id: &ApprovalId) -> Result<Option<Approval>, PortError>;
    /// The newest request with this fingerprint.
    async fn find(&self, fingerprint: &Fingerprint) -> Result<Option<Approval>, PortError>;
    /// All that are kept, oldest first.
    async fn list(&self) -> Result<Vec<Approval>, PortError>;
    /// Writes a human's answer down; exactly one answer wins.
    async fn answer(
        &self,
        id: &ApprovalId,
        answer: &Answer,
        now: Timestamp,
    ) -> Result<Approval, ApprovalError>;
    /// Takes back a yes that no call has used.
    async fn take_back(&self, id: &ApprovalId, by: &str, now: Timestamp) -> Result<Approval, ApprovalError>;
    /// Hands an open request to the host's own prompt, which asks about this call.
    async fn hand_over(
        &self,
        id: &ApprovalId,
        call: &CallId,
        now: Timestamp,
    ) -> Result<Approval, ApprovalError>;
    /// Closes a request that was handed over for this call: `by` let it run, or nothing was run.
    async fn settle_host(
        &self,
        id: &ApprovalId,
        call: &CallId,
        by: Option<String>,
        now: Timestamp,
    ) -> Result<Approval, ApprovalError>;
    /// Uses up the yes for a call with this fingerprint; succeeds at most once.
    async fn consume(
        &self,
        id: &ApprovalId,
        fingerprint: &Fingerprint,
        now: Timestamp,
    ) -> Result<Approval, ApprovalError>;
}

/// The grants of one governed root. A file in the tree never grants: only what this store wrote counts.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait GrantStore: Send + Sync + fmt::Debug {
    /// Whether grants can be given here at all; where they cannot, none is offered.
    fn can_grant(&self) -> bool;
    /// Begins a grant under the next number, live and unused.
    async fn open(&self, terms: &GrantTerms) -> Result<Grant, PortError>;
    /// The grant of that number, `None` when there is none that counts here.
    async fn get(&self, id: GrantId) -> Result<Option<Grant>, PortError>;
    /// All grants that are remembered, oldest first.
    async fn list(&self) -> Result<Vec<Grant>, PortError>;
    /// Puts `after` in the place of `before` in one step: when that is what is there, and [`Grant::may_become`] says so.
    async fn replace(&self, before: &Grant, after: &Grant) -> Result<(), GrantError>;
    /// Ends a grant; one that has ended stays as it is.
    async fn end(&self, id: GrantId, why: &GrantEnd, at: Timestamp) -> Result<Grant, GrantError> {
        loop {
            let before = self.get(id).await?.ok_or(GrantError::Unknown(id))?;
            let after = before.ended(why.clone(), at);
            match self.replace(&before, &after).await {
                Err(GrantError::Changed(_)) => {}
                done => return done.map(|()| after),
            }
        }
    }
}

/// The commands that a person trusts in one governed root. A file in the tree never allows: only what this store
/// wrote counts.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait AllowanceStore: Send + Sync + fmt::Debug {
    /// All allowances that were not revoked, oldest first.
    async fn list(&self) -> Result<Vec<Allowance>, PortError>;
    /// Remembers one under the next number, in the place of one that allows the same. No more than
    /// [`MOST_ALLOWANCES`] are kept.
    async fn allow(&self, terms: &AllowanceTerms) -> Result<Allowance, PortError>;
    /// Forgets one; says what it was, `None` when it is not there.
    async fn revoke(&self, id: AllowanceId) -> Result<Option<Allowance>, PortError>;
}

/// How many commands can be allowed in one root.
pub const MOST_ALLOWANCES: usize = 200;

/// Asks a person, by whatever channel. Dismissal, silence and a broken channel never approve.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait Approver: Send + Sync + fmt::Debug {
    /// Asks about a request that is open in the queue and waits at most `timeout_s` seconds.
    async fn ask(&self, approval: &Approval, timeout_s: u64) -> Answer;
    /// Whether the call that asks is still wanted. A yes is used up for no other.
    fn is_awaited(&self) -> bool {
        true
    }
}

/// The append-only ledger of mutations.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait Ledger: Send + Sync + fmt::Debug {
    /// Whether an append can be expected to work now; asked before a mutation is let through, so that no change stays
    /// without evidence.
    async fn ready(&self) -> Result<(), PortError>;
    /// Appends an entry to the chain, synced; returns its id.
    async fn append(&self, entry: &TraceEntry) -> Result<String, PortError>;
    /// The newest entries of an intent, newest first, at most `limit`, looking at a bounded part of the ledger.
    async fn recent(&self, intent: &IntentId, limit: usize) -> Result<Vec<TraceEntry>, PortError>;
    /// The same, looking at a far larger part when the newest entries are not of this intent: for a question that is asked
    /// now and then, not with each call.
    async fn history(&self, intent: &IntentId, limit: usize) -> Result<Vec<TraceEntry>, PortError> {
        self.recent(intent, limit).await
    }
    /// What all actors of this one's session recorded from that moment on, the oldest first; of more than `limit` the
    /// newest. Costs by how far back that is, not by how long the ledger is.
    async fn of_session(
        &self,
        actor: &Actor,
        since: Timestamp,
        limit: usize,
    ) -> Result<SessionEntries, PortError>;
}

/// Is told how far long work has come.
pub trait Progress: Send + Sync + fmt::Debug {
    /// So much is done, of so much where that is known; in one unit for each work, bytes or files.
    fn at(&self, done: u64, of: Option<u64>);
}

/// What a reader of the ledger is called with; `Break` ends the reading.
pub type Visit<'a> = dyn FnMut(StoredEntry) -> ControlFlow<()> + Send + 'a;

/// Reads the ledger back, entry by entry, however long it is. What is no entry is passed over: saying so is
/// [`LedgerVerifier`]'s work.
pub trait LedgerReader: Send + Sync + fmt::Debug {
    /// Calls `visit` with each entry that the query asks for.
    fn visit(&self, query: &LedgerQuery, visit: &mut Visit<'_>) -> Result<(), PortError>;
}

/// Finds out whether the ledger is still what was written.
pub trait LedgerVerifier: Send + Sync + fmt::Debug {
    /// Looks at everything, changes nothing. What is wrong with the evidence is a finding; an error means that it could
    /// not be looked at.
    fn verify(&self) -> Result<Verification, PortError>;
}

/// A segment that a commit has or had.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptSegment {
    /// Its name.
    pub name: ContentHash,
    /// The newest commit that put it where segments are, or took it away.
    pub commit: String,
    /// Whether that commit took it away.
    pub is_taken: bool,
    /// What its file held, as version control names contents, the newest first.
    pub contents: Vec<String>,
}

/// What version control remembers of sealed segments (ADR 0003).
pub trait SegmentHistory: Send + Sync + fmt::Debug {
    /// The commit of the working copy: as long as it is the same, so is what [`SegmentHistory::kept`] says. `None` where
    /// that is not known.
    fn head(&self) -> Option<String> {
        None
    }
    /// The segments that the commit of the working copy has, or one before it had. What cannot be known, as in a clone
    /// without the older commits, is left out.
    fn kept(&self) -> Result<Vec<KeptSegment>, PortError> {
        Ok(Vec::new())
    }
    /// What a segment's file held once; `None` where that is not there, or is more than so many bytes.
    fn content(&self, _segment: &str, _most: u64) -> Result<Option<Vec<u8>>, PortError> {
        Ok(None)
    }
    /// The names of all segments that any ref, any stash or the index has, or had as far as is remembered.
    fn names(&self) -> Result<BTreeSet<ContentHash>, PortError>;
    /// Whether the index, or the commit that the working copy stands on, has a file at that path, relative to the root.
    fn keeps(&self, _path: &str) -> bool {
        false
    }
}

/// The append-only log of decisions.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait DecisionLog: Send + Sync + fmt::Debug {
    /// Appends a record and returns the sequence number that it got.
    async fn append(&self, record: &DecisionRecord) -> Result<u64, PortError>;
    /// The records from that number on, oldest first. Costs by how far back that is, not by how long the log is.
    async fn since(&self, seq: u64) -> Result<Vec<DecisionRecord>, PortError>;
    /// Whether the log tells of this call of the actor's session from that moment on; `None` where it does not go back so
    /// far. For a question that is asked now and then: it costs by how long the log is.
    async fn tells_of(
        &self,
        actor: &Actor,
        call: &CallId,
        since: Timestamp,
    ) -> Result<Option<bool>, PortError>;
}

/// Calls between the yes and their outcome, and the files' contents from before.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait PendingStore: Send + Sync + fmt::Debug {
    /// Remembers a call; the pre-image of each of its files is kept with it.
    async fn put(&self, pending: &PendingCall) -> Result<(), PortError>;
    /// The call of that id in the actor's session.
    async fn get(&self, actor: &Actor, call: &CallId) -> Result<Option<PendingCall>, PortError>;
    /// Forgets a call.
    async fn remove(&self, actor: &Actor, call: &CallId) -> Result<(), PortError>;
    /// All calls of the session (every actor of it), oldest first.
    async fn list(&self, actor: &Actor) -> Result<Vec<PendingCall>, PortError>;
    /// All calls of every session, oldest first.
    async fn all(&self) -> Result<Vec<PendingCall>, PortError>;
    /// Keeps content under its hash.
    async fn keep(&self, content: &[u8]) -> Result<ContentHash, PortError>;
    /// Keeps with that content whether the file that had it may be run; what was said last of a content counts.
    async fn keep_executable(&self, _hash: &ContentHash, _is_executable: bool) -> Result<(), PortError> {
        Ok(())
    }
    /// Whether the file that had that content may be run, as far as was said.
    async fn was_executable(&self, _hash: &ContentHash) -> Result<bool, PortError> {
        Ok(false)
    }
    /// Before which moment contents may have been collected as too old; `None` when none ever was.
    async fn collected_before(&self) -> Result<Option<Timestamp>, PortError> {
        Ok(None)
    }
    /// The content of that hash, when it was kept.
    async fn kept(&self, hash: &ContentHash) -> Result<Option<Vec<u8>>, PortError>;
}

/// What was changed so far under each revision of an intent that has a bound which counts. One count for each clone.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait Tallies: Send + Sync + fmt::Debug {
    /// The count; nothing was counted of a revision that is not known.
    async fn of(&self, intent: &IntentId, revision: &Revision) -> Result<Tally, PortError>;
    /// Puts the count in the place of the one before.
    async fn keep(&self, intent: &IntentId, revision: &Revision, tally: &Tally) -> Result<(), PortError>;
}

/// The lessons of one clone.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait LessonReader: Send + Sync + fmt::Debug {
    /// Those that were told to agents, the oldest first. One that waits to come back is not among them.
    async fn lessons(&self) -> Result<Vec<Lesson>, PortError>;
}

/// The lock of one governed root, held around deciding and around recording, never while a person thinks: other calls
/// continue meanwhile.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait WorkspaceLock: Send + Sync + fmt::Debug {
    /// Waits a bounded time for the lock; it is released when the guard is dropped or the process ends.
    async fn acquire(&self) -> Result<LockGuard, PortError>;
}

/// Holds the lock until it is dropped.
#[derive(Debug)]
pub struct LockGuard(#[expect(dead_code, reason = "dropping it is what it is for")] Box<dyn Held>);

impl LockGuard {
    /// Wraps whatever releases the lock when dropped.
    pub fn new(held: impl Held + 'static) -> Self {
        Self(Box::new(held))
    }
}

/// Something that holds a lock while it lives.
pub trait Held: Send + Sync + fmt::Debug {}
impl<T: Send + Sync + fmt::Debug> Held for T {}

/// Reads a shell command. Never runs anything: a reader that executed what it reads would be a way in.
#[cfg_attr(feature = "testing", mockall::automock)]
pub trait CommandReader: Send + Sync + fmt::Debug {
    /// How the command is read.
    fn read(&self, command: &str) -> CommandReading;
    /// Why the command is refused whatever the intent is, if it is.
    fn fault(&self, command: &str) -> Option<CommandFault>;
    /// The simple commands of a line that do more than read, when all else around them is understood.
    ///
    /// # Errors
    /// Why it is not understood.
    fn line(&self, _command: &str) -> Result<CommandLine, String> {
        Err("this reader takes no line apart".into())
    }
    /// The command that a person wrote down to allow it: `cargo test`, or `cargo test …` with further words. Its folder is
    /// left to the caller.
    ///
    /// # Errors
    /// Why it is no simple command.
    fn written(&self, text: &str) -> Result<(CommandLine, bool), String> {
        let bare = ["…", " ..."].iter().find_map(|sign| text.trim_end().strip_suffix(sign));
        self.line(bare.unwrap_or(text).trim()).map(|line| (line, bare.is_some()))
    }
    /// Whether a person can allow this command. `Ok` names the script that it runs, which must be a file of the root.
    ///
    /// # Errors
    /// Why nobody can.
    fn can_allow(&self, _command: &TrustedCommand) -> Result<Option<String>, String> {
        Err("this reader allows no command".into())
    }
    /// Whether an allowed command is this one. `Ok` holds what its words name; nothing where it is another command.
    ///
    /// # Errors
    /// Why it does not take further words of this one.
    fn admits(&self, _allowed: &TrustedCommand, _words: &[String]) -> Result<Option<Admitted>, String> {
        Err("this reader allows no command".into())
    }
    /// How much of a command a person would allow with it: its words up to where harmless ones may follow, else all.
    fn offer(&self, _words: &[String]) -> Option<(Vec<String>, bool)> {
        None
    }
}

/// Says whether a set of changes is a proved refactor. Pure and bounded: what takes too long is an
/// evolution of intent.
pub trait MutationClassifier: Send + Sync + fmt::Debug {
    /// The class of these changes taken together: one tool call, or a whole turn.
    fn classify(&self, changes: &[FileChange<'_>]) -> Mutation;
}

/// Finds the syntactic units around changed lines.
pub trait SymbolFinder: Send + Sync + fmt::Debug {
    /// The innermost named unit around each run of lines (1-based, inclusive) of a text; `None` where there is none, or
    /// where the text is not understood.
    fn enclosing(&self, path: &RepoPath, text: &str, lines: &[(usize, usize)]) -> Vec<Option<Symbol>>;
}

/// The version control system.
#[cfg_attr(feature = "testing", mockall::automock)]
#[async_trait]
pub trait Vcs: Send + Sync + fmt::Debug {
    /// The commit that the working copy stands on.
    async fn revision(&self) -> VcsRevision;
    /// Whether this content is one that it keeps, so that a switch, merge, rebase or stash may have put it into a
    /// file. Asked only about changes that nothing else explains; what cannot be found out is a no.
    async fn has_content(&self, _content: &[u8]) -> bool {
        false
    }
    /// Whether it tracks a file at this path in the working copy as it stands; what cannot be found out is a yes.
    async fn tracks(&self, _path: &RepoPath) -> bool {
        true
    }
    /// What `HEAD` of the working copy names: the branch, or the commit where there is none. Equal exactly as long as
    /// nobody switches.
    async fn branch(&self) -> String;
    /// Why a command of it that only reads is not believed in a folder, given relative to the root (empty for the root
    /// itself): its configuration could make it run something that an agent may write. Asked only about such commands.
    async fn distrusted(&self, _folder: &str) -> Option<String> {
        None
    }
    /// Whether its configuration makes it run the file at this path, or is continued there.
    async fn runs(&self, _path: &RepoPath) -> bool {
        false
    }
    /// Whether it takes the modes of files for something that somebody chose.
    async fn heeds_modes(&self) -> bool {
        true
    }
}

/// The time.
#[cfg_attr(feature = "testing", mockall::automock)]
pub trait Clock: Send + Sync + fmt::Debug {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// Fresh identifiers.
#[cfg_attr(feature = "testing", mockall::automock)]
pub trait IdSource: Send + Sync + fmt::Debug {
    /// A version 4 UUID in lower case.
    fn uuid(&self) -> String;
}
