//! What ends a grant, and what a call turned out to have done under one. Every end is written down with its reason.

use bailiwick_domain::{
    Action, Actor, FileState, Grant, GrantEnd, GrantId, GrantStatus, PendingCall, PendingFile, RepoPath,
    ToolError, TraceEntry,
};
use bailiwick_policy::IntentFact;
use bailiwick_policy::coverage::fuse;

use super::{Grants, grant_error};
use crate::change::{is_text, line_count};
use crate::closed;
use crate::gathering::case::{Case, inside};
use crate::gathering::looked::MAX_LOOK;
use crate::standing::chain::LAST_ENTRIES;

impl Grants<'_> {
    /// A call of the actor was refused; the second time ends its grant, and so does a file that nobody explains.
    pub(crate) async fn count_refusal(
        &self,
        case: &Case<'_>,
        id: GrantId,
        seq: u64,
    ) -> Result<(), ToolError> {
        let Some(grant) = self.grants.get(id).await.map_err(closed)? else { return Ok(()) };
        if grant.status != GrantStatus::Live {
            return Ok(());
        }
        if let Some(why) = self.over_by_now(case, &grant).await? {
            return self.end_grant(id, &why).await;
        }
        let blocked = grant.blocked(seq, self.clock.now());
        self.grants.replace(&grant, &blocked).await.map_err(grant_error)?;
        match &blocked.status {
            GrantStatus::Ended { why, .. } => self.log_end(&blocked, why).await,
            GrantStatus::Live => Ok(()),
        }
    }

    /// The actor's grant, unless it is known to be over.
    pub(crate) async fn live_grant(&self, case: &Case<'_>) -> Option<GrantId> {
        let id = case.actor_state.grant?;
        match self.grants.get(id).await {
            Ok(found) => found.filter(|grant| grant.status == GrantStatus::Live).map(|grant| grant.id),
            Err(_) => Some(id),
        }
    }

    /// Ends the actor's grant if this look finds it over, whatever lets the call through or stops it: what comes back to
    /// be as it was does not bring the grant back.
    pub(crate) async fn end_if_over(&self, case: &Case<'_>) -> Result<(), ToolError> {
        let Some(id) = case.actor_state.grant else { return Ok(()) };
        let Some(grant) = self.grants.get(id).await.map_err(closed)? else { return Ok(()) };
        match self.over_by_now(case, &grant).await? {
            Some(why) => self.end_grant(id, &why).await,
            None => Ok(()),
        }
    }

    /// Why a grant is over, by what this look has found. A look that had no need of the intent says nothing of it.
    async fn over_by_now(&self, case: &Case<'_>, grant: &Grant) -> Result<Option<GrantEnd>, ToolError> {
        if matches!(case.facts.intent, IntentFact::None) && case.actor_state.active.is_some() {
            return Ok(None);
        }
        let branch = self.vcs.branch().await;
        match fuse(grant, &case.facts, &self.moment(case, &branch)) {
            None if self.has_drifted_elsewhere(case, grant).await? => Ok(Some(GrantEnd::Drift)),
            why => Ok(why),
        }
    }

    /// Whether a file of the grant that this call does not change is not what a call left there. The files are as many as
    /// the grant's bounds allow; what explains a change is looked for only where there is one.
    pub(super) async fn has_drifted_elsewhere(
        &self,
        case: &Case<'_>,
        grant: &Grant,
    ) -> Result<bool, ToolError> {
        let is_target = |path: &RepoPath| {
            let mut changed = case.facts.targets.iter().filter(|target| target.access.mutates());
            changed.any(|target| inside(&target.location) == Some(path))
        };
        for file in grant.used.files.iter().filter(|file| !is_target(&file.path)) {
            let now = self.workspace.state(&file.path).await.map_err(closed)?;
            if now != file.after && !self.is_accounted_for(grant, &file.path, &now).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a file of a grant is under a call that has not ended, was just written by one so that the host's chain
    /// behind it may be at work, or holds what a recorded call, version control or a person put there.
    async fn is_accounted_for(
        &self,
        grant: &Grant,
        path: &RepoPath,
        now: &FileState,
    ) -> Result<bool, ToolError> {
        let actor = &grant.terms.actor;
        let pending = self.pendings.list(actor).await.map_err(closed)?;
        if pending.iter().any(|call| call.files.iter().any(|file| file.path == *path)) {
            return Ok(true);
        }
        if self.standing.is_in_chain(actor, path, now).await? {
            return Ok(true);
        }
        let session = self.ledger.of_session(actor, grant.terms.opened, LAST_ENTRIES).await;
        let others = self.ledger.recent(&grant.terms.intent, LAST_ENTRIES).await.map_err(closed)?;
        let left =
            |entry: &TraceEntry| entry.files.iter().any(|file| file.path == *path && file.after == *now);
        if session.map_err(closed)?.entries.iter().chain(&others).any(left) {
            return Ok(true);
        }
        Ok(self.explanations.explanation(actor, Some(&grant.terms.intent), path, now).await.is_some())
    }

    /// Ends the grant of this actor, if it has one.
    pub(crate) async fn end_grant_of(&self, actor: &Actor, why: &GrantEnd) -> Result<(), ToolError> {
        let state = self.sessions.load(actor).await.map_err(closed)?;
        match state.and_then(|state| state.grant) {
            Some(id) => self.end_grant(id, why).await,
            None => Ok(()),
        }
    }

    /// Ends every grant of the session, those of its sub-agents too.
    pub(crate) async fn end_grants_of_session(&self, actor: &Actor, why: &GrantEnd) -> Result<(), ToolError> {
        for grant in self.grants.list().await.map_err(closed)? {
            if grant.terms.actor.parent() == actor.parent() {
                self.end_grant(grant.id, why).await?;
            }
        }
        Ok(())
    }

    /// Ends a live grant and writes down why; one that is not live stays as it is.
    pub(crate) async fn end_grant(&self, id: GrantId, why: &GrantEnd) -> Result<(), ToolError> {
        let found = self.grants.get(id).await.map_err(closed)?;
        if !found.is_some_and(|grant| grant.status == GrantStatus::Live) {
            return Ok(());
        }
        let ended = self.grants.end(id, why, self.clock.now()).await.map_err(grant_error)?;
        self.log_end(&ended, why).await
    }

    pub(super) async fn log_end(&self, grant: &Grant, why: &GrantEnd) -> Result<(), ToolError> {
        let note = format!("{} ended: {}", grant.id, why.because());
        let record = self.record_of_grant(grant, Action::GrantEnded, note);
        self.decisions.log(&record).await
    }

    /// Compares what a call under a grant did with what was counted before: files that hold something else are known as
    /// they are, lines that were not counted are.
    pub(crate) async fn compare_with_grant(
        &self,
        pending: &PendingCall,
        changed: &[(PendingFile, FileState)],
    ) -> Result<(), ToolError> {
        let Some(charge) = pending.grant else { return Ok(()) };
        let as_predicted = |file: &PendingFile| file.predicted.as_ref() == Some(&state_after(file, changed));
        if pending.files.iter().all(as_predicted) {
            return Ok(());
        }
        let Some(grant) = self.grants.get(charge.grant).await.map_err(closed)? else {
            return Ok(());
        };
        let left: Vec<(RepoPath, FileState)> =
            pending.files.iter().map(|file| (file.path.clone(), state_after(file, changed))).collect();
        let more = self.lines_of(changed).await.saturating_sub(charge.lines);
        let amended = grant.amended(&left, more, self.clock.now());
        self.grants.replace(&grant, &amended).await.map_err(grant_error)?;
        match (&grant.status, &amended.status) {
            (GrantStatus::Live, GrantStatus::Ended { why, .. }) => self.log_end(&amended, why).await,
            _ => Ok(()),
        }
    }

    /// What ran behind the actor's own call changed a file as well: the grant knows it as it is now.
    pub(crate) async fn follow_in_grant(
        &self,
        actor: &Actor,
        path: &RepoPath,
        now: &FileState,
    ) -> Result<(), ToolError> {
        let state = self.sessions.load(actor).await.map_err(closed)?;
        let Some(id) = state.and_then(|state| state.grant) else { return Ok(()) };
        let Some(grant) = self.grants.get(id).await.map_err(closed)? else { return Ok(()) };
        if grant.file(path).is_none_or(|file| file.after == *now) {
            return Ok(());
        }
        let amended = grant.amended(&[(path.clone(), now.clone())], 0, self.clock.now());
        self.grants.replace(&grant, &amended).await.map_err(grant_error)
    }

    /// The lines that were really changed; what cannot be counted is more than any grant allows.
    async fn lines_of(&self, changed: &[(PendingFile, FileState)]) -> u32 {
        let mut lines = 0_u32;
        for (file, _) in changed {
            let before = match &file.before {
                FileState::Content(hash) => self.pendings.kept(hash).await.ok().flatten(),
                FileState::Absent | FileState::Other => None,
            };
            let after = self.workspace.read(&file.path, MAX_LOOK).await.ok().flatten();
            let known = before.is_some() || file.before == FileState::Absent;
            lines = lines.saturating_add(match after.filter(|after| known && is_text(after)) {
                Some(after) => line_count(before.as_deref(), &after),
                None => u32::MAX,
            });
        }
        lines
    }
}

fn state_after(file: &PendingFile, changed: &[(PendingFile, FileState)]) -> FileState {
    let found = changed.iter().find(|(other, _)| other.path == file.path);
    found.map_or_else(|| file.before.clone(), |(_, now)| now.clone())
}
