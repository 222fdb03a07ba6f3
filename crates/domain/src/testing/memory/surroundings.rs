//! What surrounds a call: lock, human, clock, ids, version control and command reader, in memory.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use core::task::Poll;
use core::time::Duration;
use std::sync::Mutex;
use std::time::Instant;

use async_trait::async_trait;

use super::held;
use crate::calls::{CommandFault, CommandReading};
use crate::consents::{Answer, Approval};
use crate::evidence::VcsRevision;
use crate::ports::{Approver, Clock, CommandReader, IdSource, LockGuard, PortError, Vcs, WorkspaceLock};
use crate::values::{RepoPath, Timestamp};

/// An exclusive lock. Waiting gives way to other tasks of the same thread, so that one runtime cannot block itself.
#[derive(Clone, Debug)]
pub struct MemoryLock {
    taken: Arc<AtomicBool>,
    patience: Duration,
}

impl Default for MemoryLock {
    fn default() -> Self {
        Self { taken: Arc::default(), patience: Duration::from_secs(10) }
    }
}

impl MemoryLock {
    /// The same lock, seen by somebody who gives up after that long.
    #[must_use]
    pub fn with_patience(&self, patience: Duration) -> Self {
        Self { taken: Arc::clone(&self.taken), patience }
    }

    /// Whether somebody holds it now.
    pub fn is_held(&self) -> bool {
        self.taken.load(Ordering::Acquire)
    }
}

#[derive(Debug)]
struct Release(Arc<AtomicBool>);

impl Drop for Release {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

#[async_trait]
impl WorkspaceLock for MemoryLock {
    async fn acquire(&self) -> Result<LockGuard, PortError> {
        let deadline = Instant::now() + self.patience;
        while self.taken.swap(true, Ordering::AcqRel) {
            if Instant::now() >= deadline {
                return Err(PortError::Locked("the memory lock".to_owned()));
            }
            give_way().await;
        }
        Ok(LockGuard::new(Release(Arc::clone(&self.taken))))
    }
}

async fn give_way() {
    let mut yielded = false;
    core::future::poll_fn(|context| {
        if core::mem::replace(&mut yielded, true) {
            return Poll::Ready(());
        }
        std::thread::yield_now();
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// A human who gives prepared answers, one for each question, and is gone when they are used up.
#[derive(Clone, Debug, Default)]
pub struct ScriptedApprover(Arc<Script>);

#[derive(Debug, Default)]
struct Script {
    answers: Mutex<VecDeque<Answer>>,
    asked: Mutex<Vec<Approval>>,
}

impl ScriptedApprover {
    /// Gives these answers, in this order.
    pub fn new(answers: Vec<Answer>) -> Self {
        Self(Arc::new(Script { answers: Mutex::new(answers.into()), asked: Mutex::default() }))
    }

    /// Prepares one more answer.
    pub fn push(&self, answer: Answer) {
        held(&self.0.answers).push_back(answer);
    }

    /// What was asked so far, in order.
    pub fn asked(&self) -> Vec<Approval> {
        held(&self.0.asked).clone()
    }
}

#[async_trait]
impl Approver for ScriptedApprover {
    async fn ask(&self, approval: &Approval, _timeout_s: u64) -> Answer {
        held(&self.0.asked).push(approval.clone());
        let answer = held(&self.0.answers).pop_front();
        answer.unwrap_or_else(|| Answer::Unanswered { why: "nobody is there".to_owned() })
    }
}

/// A clock that stands until it is moved.
#[derive(Clone, Debug)]
pub struct FixedClock(Arc<AtomicI64>);

impl Default for FixedClock {
    /// 2026-02-18T12:00:00.000Z.
    fn default() -> Self {
        Self::new(Timestamp::from_unix_ms(1_771_416_000_000))
    }
}

impl FixedClock {
    /// Stands at that moment.
    pub fn new(now: Timestamp) -> Self {
        Self(Arc::new(AtomicI64::new(now.unix_ms())))
    }

    /// Moves to that moment.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.unix_ms(), Ordering::SeqCst);
    }

    /// Moves on.
    pub fn advance(&self, seconds: u64) {
        self.set(self.now().plus_seconds(seconds));
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix_ms(self.0.load(Ordering::SeqCst))
    }
}

/// Identifiers in the form of version 4 UUIDs that count from 1.
#[derive(Clone, Debug, Default)]
pub struct CountingIds(Arc<AtomicU64>);

impl IdSource for CountingIds {
    fn uuid(&self) -> String {
        let count = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        format!("00000000-0000-4000-8000-{count:012x}")
    }
}

/// A revision that is what the test says, and contents that it was told to keep.
#[derive(Clone, Debug)]
pub struct FixedVcs {
    revision: Arc<Mutex<VcsRevision>>,
    branch: Arc<Mutex<String>>,
    kept: Arc<Mutex<Vec<Vec<u8>>>>,
    untracked: Arc<Mutex<Vec<RepoPath>>>,
    distrusted: Arc<Mutex<Vec<(String, String)>>>,
    run: Arc<Mutex<Vec<RepoPath>>>,
    passes_over_modes: Arc<AtomicBool>,
}

impl FixedVcs {
    /// Stands on that revision.
    pub fn new(revision: VcsRevision) -> Self {
        Self {
            revision: Arc::new(Mutex::new(revision)),
            branch: Arc::new(Mutex::new("refs/heads/main".to_owned())),
            kept: Arc::default(),
            untracked: Arc::default(),
            distrusted: Arc::default(),
            run: Arc::default(),
            passes_over_modes: Arc::default(),
        }
    }

    /// Moves to another revision.
    pub fn set(&self, revision: VcsRevision) {
        *held(&self.revision) = revision;
    }

    /// Switches to another branch, at the same revision.
    pub fn switch(&self, branch: &str) {
        *held(&self.branch) = branch.to_owned();
    }

    /// Keeps this content from now on.
    pub fn keep(&self, content: &[u8]) {
        held(&self.kept).push(content.to_owned());
    }

    /// Believes no command in this folder and below it from now on, for that reason.
    pub fn distrust(&self, folder: &str, why: &str) {
        held(&self.distrusted).push((folder.to_owned(), why.to_owned()));
    }

    /// Takes no mode for something that somebody chose from now on.
    pub fn pass_over_modes(&self) {
        self.passes_over_modes.store(true, Ordering::SeqCst);
    }

    /// Runs the file at this path from now on.
    pub fn run(&self, path: &RepoPath) {
        held(&self.run).push(path.clone());
    }

    /// Tracks nothing at this path from now on.
    pub fn untrack(&self, path: &RepoPath) {
        held(&self.untracked).push(path.clone());
    }
}

impl Default for FixedVcs {
    fn default() -> Self {
        Self::new(VcsRevision::Commit("4b825dc642cb6eb9a060e54bf8d69288fbee4904".to_owned()))
    }
}

#[async_trait]
impl Vcs for FixedVcs {
    async fn revision(&self) -> VcsRevision {
        held(&self.revision).clone()
    }

    async fn branch(&self) -> String {
        held(&self.branch).clone()
    }

    async fn has_content(&self, content: &[u8]) -> bool {
        held(&self.kept).iter().any(|kept| kept == content)
    }

    async fn tracks(&self, path: &RepoPath) -> bool {
        !held(&self.untracked).contains(path)
    }

    async fn distrusted(&self, folder: &str) -> Option<String> {
        let known = held(&self.distrusted);
        let is_below = |top: &str| folder.strip_prefix(top).is_some_and(|rest| rest.starts_with('/'));
        let found = known.iter().find(|(top, _)| folder == top || is_below(top));
        found.map(|(_, why)| why.clone())
    }

    async fn runs(&self, path: &RepoPath) -> bool {
        held(&self.run).contains(path)
    }

    async fn heeds_modes(&self) -> bool {
        !self.passes_over_modes.load(Ordering::SeqCst)
    }
}

/// A command reader that knows exactly the commands it was told; every other one is unproved.
#[derive(Clone, Debug, Default)]
pub struct TableReader(Arc<Mutex<BTreeMap<String, CommandReading>>>);

impl TableReader {
    /// Adds a command.
    pub fn insert(&self, command: &str, reading: CommandReading) {
        held(&self.0).insert(command.to_owned(), reading);
    }
}

impl CommandReader for TableReader {
    fn read(&self, command: &str) -> CommandReading {
        let known = held(&self.0).get(command).cloned();
        known.unwrap_or_else(|| CommandReading::Unproved { why: "no table knows this command".to_owned() })
    }

    fn fault(&self, _command: &str) -> Option<CommandFault> {
        None
    }
}
