//! Settles calls whose post event never came: equal to the prediction = recorded late, unchanged =
//! not executed, anything else = drift, which is never attributed. `settle_one` in `post` compares.

use bailiwick_domain::{
    Action, Actor, ApprovalError, DecisionRecord, FileState, GrantEnd, PendingCall, PendingFile, Timestamp,
    ToolError, ToolResult,
};

use super::Recording;
use super::own_change::call_of;
use super::post::Told;
use crate::{PostReport, closed};

/// So many of the session's newest entries are looked through for what became of a call.
const LOOKED_AT: usize = 1024;

impl Recording<'_> {
    /// Settles every pending call of exactly this actor. Called when no call of it can be under way: at its stop, a
    /// prompt, and after a batch of its calls. A sub-agent may work on meanwhile, so its calls are left alone.
    pub(crate) async fn settle(&self, actor: &Actor) -> Result<Vec<PostReport>, ToolError> {
        self.settle_those(actor, |pending| pending.actor == *actor).await
    }

    /// Settles every pending call of the actor's session, with those of its sub-agents. Called when the session is over.
    pub(crate) async fn settle_session(&self, actor: &Actor) -> Result<Vec<PostReport>, ToolError> {
        self.settle_those(actor, |_| true).await
    }

    /// Settles calls of every session, when a person asks for it. One whose files are all as they were may still run, so
    /// it is left alone unless it was let through before that moment.
    ///
    /// # Errors
    /// As for [`crate::Gate::settle`].
    pub async fn settle_abandoned(&self, before: Timestamp) -> Result<Vec<PostReport>, ToolError> {
        let _held = self.lock.acquire().await.map_err(closed)?;
        let mut reports = Vec::new();
        for pending in self.pendings.all().await.map_err(closed)? {
            if pending.at < before || !self.is_untouched(&pending).await? {
                reports.push(self.settle_over(&pending).await?);
            }
        }
        Ok(reports)
    }

    /// The entry of a call whose writer was killed after recording it and before forgetting the call, so that a change is
    /// never recorded twice. Looks no further back than the call.
    pub(crate) async fn recorded_before(&self, pending: &PendingCall) -> Result<Option<String>, ToolError> {
        let since = self.ledger.of_session(&pending.actor, pending.at, LOOKED_AT).await;
        let is_it = |entry: &&bailiwick_domain::TraceEntry| {
            let context = &entry.context;
            context.call == pending.call
                && context.actor == pending.actor
                && context.fingerprint == pending.fingerprint
        };
        Ok(since.map_err(closed)?.entries.iter().find(is_it).map(|entry| entry.id.clone()))
    }

    /// Whether a file of a call without a post event holds what another call of the session left there: a hook that was
    /// killed leaves a call that never ran, and its retry is recorded once.
    pub(crate) async fn is_another_calls(
        &self,
        pending: &PendingCall,
        file: &PendingFile,
        now: &FileState,
    ) -> Result<bool, ToolError> {
        let since = self.ledger.of_session(&pending.actor, pending.at, LOOKED_AT).await;
        let is_predicted = file.predicted.as_ref() == Some(now);
        let left_it = |entry: &bailiwick_domain::TraceEntry| {
            let mut files = entry.files.iter().filter(|other| other.path == file.path && other.after == *now);
            let is_other = entry.context.call != pending.call || entry.context.actor != pending.actor;
            is_other && files.any(|other| !is_predicted || other.before == file.before)
        };
        Ok(since.map_err(closed)?.entries.iter().any(left_it))
    }

    /// Settles the actor's calls that the host told of too early, and whose files were written since. What cannot be
    /// recorded now stays pending, and is found at the end of the turn.
    pub(crate) async fn settle_told_early(&self, actor: &Actor) {
        if self.host.tells_early {
            drop(self.settle_written(actor).await);
        }
    }

    async fn settle_written(&self, actor: &Actor) -> Result<(), ToolError> {
        let _held = self.lock.acquire().await.map_err(closed)?;
        for pending in self.pendings.list(actor).await.map_err(closed)? {
            if pending.told && pending.actor == *actor && self.is_written(&pending).await? {
                self.settle_over(&pending).await?;
            }
        }
        Ok(())
    }

    /// Settles a call that is over by now.
    async fn settle_over(&self, pending: &PendingCall) -> Result<PostReport, ToolError> {
        let call = call_of(pending);
        let told = if pending.told { Told::Ran { call: &call, amended: false } } else { Told::Nothing };
        self.settle_one(pending, told).await
    }

    /// Whether the host says that a call ran, and its files are not written yet.
    pub(crate) async fn is_told_early(
        &self,
        pending: &PendingCall,
        result: &ToolResult,
    ) -> Result<bool, ToolError> {
        let may_be = self.host.tells_early && result.ok && !pending.files.is_empty();
        Ok(may_be && !self.is_written(pending).await?)
    }

    /// Whether each of its files is another than before.
    async fn is_written(&self, pending: &PendingCall) -> Result<bool, ToolError> {
        for file in &pending.files {
            if self.workspace.state(&file.path).await.map_err(closed)? == file.before {
                return Ok(false);
            }
        }
        Ok(!pending.files.is_empty())
    }

    async fn is_untouched(&self, pending: &PendingCall) -> Result<bool, ToolError> {
        for file in &pending.files {
            if self.workspace.state(&file.path).await.map_err(closed)? != file.before {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn settle_those(
        &self,
        actor: &Actor,
        is_over: impl Fn(&PendingCall) -> bool,
    ) -> Result<Vec<PostReport>, ToolError> {
        let _held = self.lock.acquire().await.map_err(closed)?;
        let mut reports = Vec::new();
        for pending in self.pendings.list(actor).await.map_err(closed)? {
            if is_over(&pending) {
                reports.push(self.settle_over(&pending).await?);
            }
        }
        self.settle_outward_of(actor).await?;
        Ok(reports)
    }

    pub(crate) async fn log_settled(
        &self,
        pending: &PendingCall,
        report: &PostReport,
        told: Told<'_>,
    ) -> Result<(), ToolError> {
        let mut note = match (told, report.trace_ids.is_empty(), pending.files.is_empty()) {
            (Told::Ran { .. } | Told::Failed, false, _) => "recorded",
            (Told::Nothing | Told::NotRun, false, _) => "recorded, found without a post event",
            (Told::NotRun, true, _) => "never begun",
            (Told::Ran { .. }, true, false) => "ran; the named files are as before",
            (Told::Failed, true, false) => "ended without success; the named files are as before",
            (Told::Nothing, true, false) => "not executed, found without a post event",
            (Told::Ran { .. } | Told::Failed, true, true) => "ran",
            (Told::Nothing, true, true) => "the host did not report that it ran",
        }
        .to_owned();
        if let Some(restores) = &pending.restores {
            note.push_str(&format!(": put back what was before {}", restores.entries.join(", ")));
        }
        self.log_outcome(pending, Action::Recorded, pending.files.iter(), note).await
    }

    /// Closes the request of a call that the host's own prompt asked about: approved there if the call ran, else not run.
    /// The call as it is then, approved where it ran.
    pub(crate) async fn settle_host(
        &self,
        pending: &PendingCall,
        ran: bool,
    ) -> Result<Option<PendingCall>, ToolError> {
        let Some(id) = pending.asked.as_ref().filter(|_| pending.approval.is_none()) else { return Ok(None) };
        let by = ran.then(|| host_prompt(&pending.actor));
        let now = self.clock.now();
        let settled = self.approvals.settle_host(id, &pending.call, by.clone(), now).await;
        // What else it says: collected as too old, or closed by a hook that was killed before it could forget the call.
        if let Err(ApprovalError::Port(error)) = settled {
            return Err(closed(error));
        }
        if by.is_none() {
            return Ok(None);
        }
        let answered = PendingCall { approval: Some(id.clone()), approved_by: by, ..pending.clone() };
        self.pendings.put(&answered).await.map_err(closed)?;
        let note = "approved in the host's own prompt".to_owned();
        self.log_outcome(&answered, Action::Approved, pending.files.iter(), note).await?;
        Ok(Some(answered))
    }

    pub(crate) async fn log_drift(&self, pending: &PendingCall, file: &PendingFile) -> Result<(), ToolError> {
        self.grants.end_grant_of(&pending.actor, &GrantEnd::Drift).await?;
        let note = "changed otherwise than approved, not attributed".to_owned();
        self.log_outcome(pending, Action::Drift, std::iter::once(file), note).await
    }

    pub(crate) async fn log_outcome<'a>(
        &self,
        pending: &PendingCall,
        action: Action,
        files: impl Iterator<Item = &'a PendingFile>,
        note: String,
    ) -> Result<(), ToolError> {
        let paths = files.map(|file| file.path.to_string()).collect();
        self.log_outcome_of(pending, action, paths, note).await
    }

    pub(crate) async fn log_outcome_of(
        &self,
        pending: &PendingCall,
        action: Action,
        paths: Vec<String>,
        note: String,
    ) -> Result<(), ToolError> {
        let record = DecisionRecord { paths, ..self.outcome_record(pending, action, note) };
        self.decisions.log(&record).await
    }

    /// The line of what became of a call, without paths.
    pub(crate) fn outcome_record(
        &self,
        pending: &PendingCall,
        action: Action,
        note: String,
    ) -> DecisionRecord {
        let (at, actor) = (self.clock.now(), pending.actor.clone());
        DecisionRecord {
            call: Some(pending.call.clone()),
            class: Some(bailiwick_domain::Classification::Destructive),
            intent: Some(pending.intent.clone()),
            approval: pending.approval.clone(),
            ..DecisionRecord::new(at, actor, &*pending.tool, bailiwick_domain::State::Action, action, note)
        }
    }
}

/// Who said yes in the host's own prompt, as far as anybody knows.
pub(crate) fn host_prompt(actor: &Actor) -> String {
    format!("the prompt of {}", actor.host)
}
