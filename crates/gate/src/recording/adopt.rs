//! What an actor's own doing made of files beside what it was let through for, so that its memory follows:
//! files of the scope that its command changed, and what the host's chain behind a write (a formatter on save) made of
//! the written file.
//!
//! Only memory follows, for files that were as the actor knew them right before; nothing is attributed, and what
//! version control put there must be read again.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_domain::{
    Action, Actor, ActorState, Classification, ContentHash, DecisionRecord, Effect, FileState, Observation,
    PendingCall, PendingFile, RepoPath, Shown, ToolCall, ToolError, Written,
};
use bailiwick_policy::registry;
use bailiwick_policy::scope_match::ScopeMatcher;

use crate::gathering::case::{Case, in_folder, inside};
use crate::gathering::looked::MAX_LOOK;
use crate::{Gate, closed};

/// How many observations are looked through for files that a command may change.
const MOST_KNOWN: usize = 512;

/// How many bytes of them are hashed while others wait for the lock of the root.
const MOST_HASHED: u64 = 64 << 20;

/// How many words of a command are looked up as files that it may make.
const MOST_NAMED: usize = 128;

/// How many of the newest entries of an intent can hold the calls of one turn.
pub(crate) const LAST_ENTRIES: usize = 64;

/// How long after a write the host's chain behind it may still be at work, in milliseconds.
const CHAIN_MS: i64 = 30_000;

impl Gate {
    /// The files of the scope that the actor knows as they are, right before its command runs, and those that the
    /// command names and that are not there yet.
    pub(crate) async fn known_to(&self, case: &Case<'_>) -> Vec<(RepoPath, FileState)> {
        let Some(intent) = case.active_intent().filter(|_| case.facts.command.is_some()) else {
            return Vec::new();
        };
        let Ok(scope) = ScopeMatcher::new(intent.owned_scope()) else { return Vec::new() };
        let seen =
            self.ports.records.sessions.observations(&case.call.actor, MOST_KNOWN).await.unwrap_or_default();
        let mut known = Vec::new();
        let mut left = MOST_HASHED;
        for (path, seen) in seen.into_iter().filter(|(path, _)| scope.matches(path)) {
            let Ok(now) = self.ports.tree.workspace.read(&path, left).await else { continue };
            left = left.saturating_sub(now.as_ref().map_or(0, |bytes| bytes.len() as u64));
            let now = now.map_or(FileState::Absent, |bytes| FileState::Content(ContentHash::of(&bytes)));
            if now == seen.state && (now != FileState::Absent || self.is_not_there(&path).await) {
                known.push((path, seen.state));
            }
        }
        for path in self.named_and_absent(case, &scope).await {
            if !known.iter().any(|(other, _)| *other == path) {
                known.push((path, FileState::Absent));
            }
        }
        known
    }

    async fn is_not_there(&self, path: &RepoPath) -> bool {
        matches!(self.ports.tree.workspace.state(path).await, Ok(FileState::Absent))
    }

    /// What the command names in the scope and may make: the session then knows where it comes from.
    async fn named_and_absent(&self, case: &Case<'_>, scope: &ScopeMatcher) -> Vec<RepoPath> {
        let Some(command) = &case.facts.command else { return Vec::new() };
        let mut absent = Vec::new();
        for name in crate::gathering::dispatch::names(command).into_iter().take(MOST_NAMED) {
            let name = in_folder(case.targets.cwd.as_deref(), &name);
            let location = self.ports.tree.workspace.locate(&name, case.call.cwd.as_deref()).await;
            if let Some(path) = inside(&location).filter(|path| scope.matches(path))
                && self.is_not_there(path).await
            {
                absent.push(path.clone());
            }
        }
        absent
    }

    /// Lets the actor's memory follow what its command made of files that it knew. A command that the host's own prompt
    /// asked about waited for a person meanwhile, who may have changed them too: there nothing follows.
    pub(crate) async fn adopt_effects(&self, pending: &PendingCall) -> Result<(), ToolError> {
        if pending.approval.is_none() || pending.asked.is_some() {
            return Ok(());
        }
        let (mut adopted, mut imported) = (BTreeMap::new(), BTreeMap::new());
        for (path, before) in &pending.known {
            let now = self.ports.tree.workspace.state(path).await.map_err(closed)?;
            if now == *before || now == FileState::Other {
                continue;
            }
            if self.is_kept(path, &now).await {
                imported.insert(path.to_string(), now);
                continue;
            }
            self.follow(&pending.actor, path, &now).await?;
            adopted.insert(path.to_string(), now);
        }
        self.log_followed(pending, Action::Adopted, adopted, "changed by this command").await?;
        self.log_followed(pending, Action::Imported, imported, super::explain::IMPORTED).await
    }

    /// The actor knows as much of what is there now as it knew of what was there.
    async fn follow(&self, actor: &Actor, path: &RepoPath, now: &FileState) -> Result<(), ToolError> {
        let known = self.ports.records.sessions.observation(actor, path).await.map_err(closed)?;
        let shown = known.map_or(Shown::Whole, |seen| seen.shown);
        let seen = Observation { state: now.clone(), shown };
        self.ports.records.sessions.observe(actor, path, &seen).await.map_err(closed)?;
        self.follow_in_grant(actor, path, now).await
    }

    async fn log_followed(
        &self,
        pending: &PendingCall,
        action: Action,
        left: BTreeMap<String, FileState>,
        note: &str,
    ) -> Result<(), ToolError> {
        if left.is_empty() {
            return Ok(());
        }
        let record = DecisionRecord {
            paths: left.keys().cloned().collect(),
            left,
            ..self.outcome_record(pending, action, note.to_owned())
        };
        self.ports.records.decisions.append(&record).await.map(drop).map_err(closed)
    }

    /// Lets the actor's memory follow what the host ran behind its writes, once all calls of a turn and everything behind
    /// them are over. Followed is a file that such a call was recorded for a moment ago and that no other call under the
    /// same intent was recorded for since.
    ///
    /// # Errors
    /// When private state cannot be read or written.
    pub async fn adopt_behind(&self, calls: &[ToolCall]) -> Result<(), ToolError> {
        let writes = |call: &&ToolCall| {
            let tool = registry::classify(&call.tool, &Default::default());
            tool.class == Classification::Destructive && matches!(tool.effect, Effect::Write | Effect::Delete)
        };
        let calls: Vec<&ToolCall> = calls.iter().filter(writes).collect();
        if calls.is_empty() {
            return Ok(());
        }
        let _held = self.ports.tree.lock.acquire().await.map_err(closed)?;
        for call in &calls {
            let adopted = self.changed_behind(call).await?;
            if !adopted.is_empty() {
                self.log_behind(call, adopted).await?;
            }
        }
        self.end_chains(&calls).await
    }

    /// The files of a recorded call that were changed since, with the memory of its actor brought up to date.
    async fn changed_behind(&self, call: &ToolCall) -> Result<BTreeMap<String, FileState>, ToolError> {
        let mut adopted = BTreeMap::new();
        for path in self.targets_of(call).await {
            if !self.wrote_last(call, &path).await? {
                continue;
            }
            let Some((seen, written)) =
                self.ports.records.sessions.own(&call.actor, &path).await.map_err(closed)?
            else {
                continue;
            };
            if written.call != call.id || !self.is_chain_alive(&written) {
                continue;
            }
            let now = self.ports.tree.workspace.state(&path).await.map_err(closed)?;
            if matches!(now, FileState::Content(_)) && now != seen && !self.is_kept(&path, &now).await {
                self.follow(&call.actor, &path, &now).await?;
                adopted.insert(path.to_string(), now);
            }
        }
        Ok(adopted)
    }

    fn is_chain_alive(&self, written: &Written) -> bool {
        let age = self.ports.chance.clock.now().unix_ms() - written.at.unix_ms();
        (0..=CHAIN_MS).contains(&age)
    }

    /// Whether what the host runs behind a write of this actor may be what changed the file: until the batch of the write
    /// is over, when memory follows.
    pub(crate) async fn is_in_chain(
        &self,
        actor: &Actor,
        path: &RepoPath,
        now: &FileState,
    ) -> Result<bool, ToolError> {
        if !matches!(now, FileState::Content(_)) {
            return Ok(false);
        }
        let Some((_, written)) = self.ports.records.sessions.own(actor, path).await.map_err(closed)? else {
            return Ok(false);
        };
        let state = self.ports.records.sessions.load(actor).await.map_err(closed)?.unwrap_or_default();
        Ok(self.is_chain_alive(&written) && state.batch_over.is_none_or(|over| over < written.at))
    }

    /// The calls of a batch and all that ran behind them are over: what changes from now on is not their chain's.
    async fn end_chains(&self, calls: &[&ToolCall]) -> Result<(), ToolError> {
        let actors: BTreeSet<&Actor> = calls.iter().map(|call| &call.actor).collect();
        for actor in actors {
            let state = self.ports.records.sessions.load(actor).await.map_err(closed)?;
            if let Some(state) = state.filter(|state| state.grant.is_some()) {
                let state = ActorState { batch_over: Some(self.ports.chance.clock.now()), ..state };
                self.ports.records.sessions.save(actor, &state).await.map_err(closed)?;
            }
        }
        Ok(())
    }

    /// Whether no call under the actor's intent was recorded for the file after this one.
    async fn wrote_last(&self, call: &ToolCall, path: &RepoPath) -> Result<bool, ToolError> {
        let (state, _) = self.load_or_inherit(&call.actor).await.map_err(closed)?;
        let Some(active) = state.active else { return Ok(false) };
        let entries = self.ports.records.ledger.recent(&active.id, LAST_ENTRIES).await.map_err(closed)?;
        let newest = entries.iter().find(|entry| entry.files.iter().any(|file| file.path == *path));
        Ok(newest.is_some_and(|entry| entry.context.call == call.id && entry.context.actor == call.actor))
    }

    async fn targets_of(&self, call: &ToolCall) -> BTreeSet<RepoPath> {
        let tool = registry::classify(&call.tool, &Default::default());
        let mut paths = BTreeSet::new();
        for target in bailiwick_policy::targets(&tool, &call.params).unwrap_or_default().paths {
            let location = self.ports.tree.workspace.locate(&target.requested, call.cwd.as_deref()).await;
            paths.extend(inside(&location).filter(|_| target.access.mutates()).cloned());
        }
        paths
    }

    async fn log_behind(&self, call: &ToolCall, left: BTreeMap<String, FileState>) -> Result<(), ToolError> {
        let (state, _) = self.load_or_inherit(&call.actor).await.map_err(closed)?;
        let note = "changed by what the host ran behind this call".to_owned();
        let record = DecisionRecord {
            class: Some(Classification::Destructive),
            paths: left.keys().cloned().collect(),
            left,
            ..self.record_of(call, &state, Action::Adopted, note)
        };
        self.ports.records.decisions.append(&record).await.map(drop).map_err(closed)
    }

    /// The content that a call was to leave, where it can still be told: kept when the host's prompt asked, else computed
    /// again from what the call said.
    pub(crate) async fn predicted_content(
        &self,
        call: &ToolCall,
        file: &PendingFile,
        before: Option<&[u8]>,
    ) -> Option<Vec<u8>> {
        let FileState::Content(hash) = file.predicted.as_ref()? else { return None };
        if let Ok(Some(kept)) = self.ports.records.pendings.kept(hash).await {
            return Some(kept);
        }
        let case = self.gather(call).await.ok()?;
        let is_it = |target: &&bailiwick_policy::TargetFact| {
            target.access.mutates() && inside(&target.location) == Some(&file.path)
        };
        let target = case.facts.targets.iter().find(is_it)?;
        let bytes = crate::change::after(&case.targets, target, before)??;
        (bytes.len() as u64 <= MAX_LOOK && ContentHash::of(&bytes) == *hash).then_some(bytes)
    }

    /// Says that a recorded call left something else than it was let through for.
    pub(crate) async fn log_amended(
        &self,
        pending: &PendingCall,
        paths: Vec<String>,
        by_human: bool,
    ) -> Result<(), ToolError> {
        let (action, note) = if by_human {
            (Action::HumanAmended, "a human changed it before it was written")
        } else {
            (Action::Adopted, "changed on the way to the disk")
        };
        self.log_outcome_of(pending, action, paths, note.to_owned()).await
    }
}
