//! What an actor's own doing made of files beside what it was let through for, so that its memory follows:
//! files of the scope that its command changed, and what the host's chain behind a write (a formatter on save) made of
//! the written file.
//!
//! Only memory follows, for files that were as the actor knew them right before; nothing is attributed, and what
//! version control put there must be read again.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_domain::{
    Action, Actor, Classification, DecisionRecord, Effect, FileState, Observation, PendingCall, PendingFile,
    RepoPath, Shown, ToolCall, ToolError,
};
use bailiwick_policy::registry;

use super::Recording;
use crate::closed;
use crate::gathering::case::inside;
use crate::gathering::explain::IMPORTED;
use crate::gathering::looked::MAX_LOOK;
use crate::standing::chain::LAST_ENTRIES;

impl Recording<'_> {
    /// Lets the actor's memory follow what its command made of files that it knew. A command that the host's own prompt
    /// asked about waited for a person meanwhile, who may have changed them too: there nothing follows.
    pub(crate) async fn adopt_effects(&self, pending: &PendingCall) -> Result<(), ToolError> {
        if pending.approval.is_none() || pending.asked.is_some() {
            return Ok(());
        }
        let (mut adopted, mut imported) = (BTreeMap::new(), BTreeMap::new());
        for (path, before) in &pending.known {
            let now = self.workspace.state(path).await.map_err(closed)?;
            if now == *before || now == FileState::Other {
                continue;
            }
            if self.explanations.is_kept(path, &now).await {
                imported.insert(path.to_string(), now);
                continue;
            }
            self.follow(&pending.actor, path, &now).await?;
            adopted.insert(path.to_string(), now);
        }
        self.log_followed(pending, Action::Adopted, adopted, "changed by this command").await?;
        self.log_followed(pending, Action::Imported, imported, IMPORTED).await
    }

    /// The actor knows as much of what is there now as it knew of what was there.
    async fn follow(&self, actor: &Actor, path: &RepoPath, now: &FileState) -> Result<(), ToolError> {
        let known = self.sessions.observation(actor, path).await.map_err(closed)?;
        let shown = known.map_or(Shown::Whole, |seen| seen.shown);
        let seen = Observation::new(now.clone(), shown);
        self.sessions.observe(actor, path, &seen).await.map_err(closed)?;
        self.grants.follow_in_grant(actor, path, now).await
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
        self.decisions.log(&record).await
    }

    /// Lets the actor's memory follow what the host ran behind its writes, once all calls of a turn and everything behind
    /// them are over. Followed is a file that such a call was recorded for a moment ago and that no other call under the
    /// same intent was recorded for since.
    pub(crate) async fn adopt_behind(&self, calls: &[ToolCall]) -> Result<(), ToolError> {
        let writes = |call: &&ToolCall| {
            let tool = registry::classify(&call.tool, &Default::default());
            tool.class == Classification::Destructive && matches!(tool.effect, Effect::Write | Effect::Delete)
        };
        let calls: Vec<&ToolCall> = calls.iter().filter(writes).collect();
        if calls.is_empty() {
            return Ok(());
        }
        let _held = self.lock.acquire().await.map_err(closed)?;
        for call in &calls {
            let adopted = self.changed_behind(call).await?;
            if !adopted.is_empty() {
                self.log_behind(call, adopted).await?;
            }
        }
        self.standing.end_chains(&calls).await
    }

    /// The files of a recorded call that were changed since, with the memory of its actor brought up to date.
    async fn changed_behind(&self, call: &ToolCall) -> Result<BTreeMap<String, FileState>, ToolError> {
        let mut adopted = BTreeMap::new();
        for path in self.targets_of(call).await {
            if !self.wrote_last(call, &path).await? {
                continue;
            }
            let Some((seen, written)) = self.sessions.own(&call.actor, &path).await.map_err(closed)? else {
                continue;
            };
            if written.call != call.id || !self.standing.is_chain_alive(&written) {
                continue;
            }
            let now = self.workspace.state(&path).await.map_err(closed)?;
            if matches!(now, FileState::Content(_))
                && now != seen
                && !self.explanations.is_kept(&path, &now).await
            {
                self.follow(&call.actor, &path, &now).await?;
                adopted.insert(path.to_string(), now);
            }
        }
        Ok(adopted)
    }

    /// Whether no call under the actor's intent was recorded for the file after this one.
    async fn wrote_last(&self, call: &ToolCall, path: &RepoPath) -> Result<bool, ToolError> {
        let (state, _) = self.standing.load_or_inherit(&call.actor).await.map_err(closed)?;
        let Some(active) = state.active else { return Ok(false) };
        let entries = self.ledger.recent(&active.id, LAST_ENTRIES).await.map_err(closed)?;
        let newest = entries.iter().find(|entry| entry.changes(path));
        Ok(newest.is_some_and(|entry| entry.context.call == call.id && entry.context.actor == call.actor))
    }

    async fn targets_of(&self, call: &ToolCall) -> BTreeSet<RepoPath> {
        let tool = registry::classify(&call.tool, &Default::default());
        let mut paths = BTreeSet::new();
        for target in bailiwick_policy::targets(&tool, &call.params).unwrap_or_default().paths {
            let location = self.workspace.locate(&target.requested, call.cwd.as_deref()).await;
            paths.extend(inside(&location).filter(|_| target.access.mutates()).cloned());
        }
        paths
    }

    async fn log_behind(&self, call: &ToolCall, left: BTreeMap<String, FileState>) -> Result<(), ToolError> {
        let (state, _) = self.standing.load_or_inherit(&call.actor).await.map_err(closed)?;
        let note = "changed by what the host ran behind this call".to_owned();
        let record = DecisionRecord {
            class: Some(Classification::Destructive),
            paths: left.keys().cloned().collect(),
            left,
            ..self.decisions.record_of(call, &state, Action::Adopted, note)
        };
        self.decisions.log(&record).await
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
        if let Ok(Some(kept)) = self.pendings.kept(hash).await {
            return Some(kept);
        }
        let case = self.gathering.gather(call).await.ok()?;
        let is_it = |target: &&bailiwick_policy::TargetFact| {
            target.access.mutates() && inside(&target.location) == Some(&file.path)
        };
        let target = case.facts.targets.iter().find(is_it)?;
        let bytes = crate::change::after(&case.targets, target, before)??;
        (bytes.len() as u64 <= MAX_LOOK && hash.is_of(&bytes)).then_some(bytes)
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
