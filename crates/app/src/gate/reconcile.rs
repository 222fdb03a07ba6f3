//! Finds what became of calls whose post event never came (D-21): equal to the prediction = recorded late, unchanged =
//! not executed, anything else = drift, which is never attributed.

use std::collections::BTreeMap;

use bailiwick_domain::{
    Action, Actor, DecisionRecord, GrantEnd, PendingCall, PendingFile, Timestamp, ToolError,
};

use super::post::Told;
use super::{Gate, PostReport, closed};

impl Gate {
    /// Settles every pending call of exactly this actor. Called when no call of it can be under way: at its stop, a
    /// prompt, and after a batch of its calls. A sub-agent may work on meanwhile, so its calls are left alone.
    ///
    /// # Errors
    /// When the evidence cannot be written; what is not settled stays pending.
    pub async fn settle(&self, actor: &Actor) -> Result<Vec<PostReport>, ToolError> {
        self.settle_those(actor, |pending| pending.actor == *actor).await
    }

    /// Settles every pending call of the actor's session, with those of its sub-agents. Called when the session is over.
    ///
    /// # Errors
    /// As for [`Gate::settle`].
    pub async fn settle_session(&self, actor: &Actor) -> Result<Vec<PostReport>, ToolError> {
        self.settle_those(actor, |_| true).await
    }

    /// Settles calls of every session, when a person asks for it. One whose files are all as they were may still run, so
    /// it is left alone unless it was let through before that moment.
    ///
    /// # Errors
    /// As for [`Gate::settle`].
    pub async fn settle_abandoned(&self, before: Timestamp) -> Result<Vec<PostReport>, ToolError> {
        let _held = self.ports.lock.acquire().await.map_err(closed)?;
        let mut reports = Vec::new();
        for pending in self.ports.pendings.all().await.map_err(closed)? {
            if pending.at < before || !self.is_untouched(&pending).await? {
                reports.push(self.settle_one(&pending, Told::Nothing).await?);
            }
        }
        Ok(reports)
    }

    /// The entry of a call whose writer was killed after recording it and before forgetting the call, so that a change is
    /// never recorded twice (K-24). Looks no further back than the call.
    pub(super) async fn recorded_before(&self, pending: &PendingCall) -> Result<Option<String>, ToolError> {
        const LOOKED_AT: usize = 1024;
        let since = self.ports.ledger.of_session(&pending.actor, pending.at, LOOKED_AT).await;
        let is_it = |entry: &&bailiwick_domain::TraceEntry| {
            let context = &entry.context;
            context.call == pending.call
                && context.actor == pending.actor
                && context.fingerprint == pending.fingerprint
        };
        Ok(since.map_err(closed)?.entries.iter().find(is_it).map(|entry| entry.id.clone()))
    }

    async fn is_untouched(&self, pending: &PendingCall) -> Result<bool, ToolError> {
        for file in &pending.files {
            if self.ports.workspace.state(&file.path).await.map_err(closed)? != file.before {
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
        let _held = self.ports.lock.acquire().await.map_err(closed)?;
        let mut reports = Vec::new();
        for pending in self.ports.pendings.list(actor).await.map_err(closed)? {
            if is_over(&pending) {
                reports.push(self.settle_one(&pending, Told::Nothing).await?);
            }
        }
        Ok(reports)
    }

    pub(super) async fn log_settled(
        &self,
        pending: &PendingCall,
        report: &PostReport,
        late: bool,
    ) -> Result<(), ToolError> {
        let outcome = match (report.trace_ids.is_empty(), pending.files.is_empty()) {
            (false, _) => "recorded",
            (true, true) => "ran",
            (true, false) => "not executed",
        };
        let mut note =
            if late { format!("{outcome}, found without a post event") } else { outcome.to_owned() };
        if let Some(restores) = &pending.restores {
            note.push_str(&format!(": put back what was before {}", restores.entries.join(", ")));
        }
        self.log_outcome(pending, Action::Recorded, pending.files.iter(), note).await
    }

    pub(super) async fn log_drift(&self, pending: &PendingCall, file: &PendingFile) -> Result<(), ToolError> {
        self.end_grant_of(&pending.actor, &GrantEnd::Drift).await?;
        let note = "changed otherwise than approved, not attributed".to_owned();
        self.log_outcome(pending, Action::Drift, std::iter::once(file), note).await
    }

    pub(super) async fn log_outcome<'a>(
        &self,
        pending: &PendingCall,
        action: Action,
        files: impl Iterator<Item = &'a PendingFile>,
        note: String,
    ) -> Result<(), ToolError> {
        let paths = files.map(|file| file.path.to_string()).collect();
        self.log_outcome_of(pending, action, paths, note).await
    }

    pub(super) async fn log_outcome_of(
        &self,
        pending: &PendingCall,
        action: Action,
        paths: Vec<String>,
        note: String,
    ) -> Result<(), ToolError> {
        let record = DecisionRecord { paths, ..self.outcome_record(pending, action, note) };
        self.ports.decisions.append(&record).await.map(drop).map_err(closed)
    }

    /// The line of what became of a call, without paths.
    pub(super) fn outcome_record(
        &self,
        pending: &PendingCall,
        action: Action,
        note: String,
    ) -> DecisionRecord {
        DecisionRecord {
            seq: 0,
            at: self.ports.clock.now(),
            actor: pending.actor.clone(),
            call: Some(pending.call.clone()),
            tool: pending.tool.clone(),
            class: Some(bailiwick_domain::Classification::Destructive),
            state: bailiwick_domain::State::Action,
            intent: Some(pending.intent.clone()),
            action,
            code: None,
            paths: Vec::new(),
            approval: pending.approval.clone(),
            note,
            left: BTreeMap::new(),
            turn: None,
            command: None,
        }
    }
}
