//! Lets an approved call through: the pending record with predicted hashes is on disk before the tool runs, and
//! the approval is used up exactly once (ADR 0007).

use bailiwick_domain::{
    Action, Approval, ApprovalKind, ContentHash, ErrorCode, FileState, Fingerprint, PendingCall, PendingFile,
    PortError, RepoPath, ToolCall, ToolError, Verdict,
};
use bailiwick_policy::Access;

use crate::consent::answer::{approval_error, moved_error, pending_error, still_fits};
use crate::consent::authority::Authority;
use crate::consent::look_up::Consent;
use crate::gathering::case::{Case, inside};
use crate::standing::acceptance::{NOT_SHOWN, has_shown};
use crate::{Gate, Outcome, closed, no_ledger};

impl Gate {
    /// The consent fits: remember the call, use the consent up, let the call through. What is remembered of a call that
    /// does not get through is taken back.
    pub(crate) async fn admit(
        &self,
        mut case: Case<'_>,
        consent: Consent,
        fingerprint: Fingerprint,
    ) -> Result<Outcome, ToolError> {
        self.ports.records.ledger.ready().await.map_err(no_ledger)?;
        if let Consent::Answer { approval, .. } = &consent {
            if !has_shown(approval, &case.unaccepted) {
                let error = moved_error(&case, approval);
                return self.refuse(case, error).await;
            }
            self.end_if_over(&case).await?;
        }
        if consent.is_outward() {
            self.spend(&mut case, &consent, &fingerprint).await?;
            return Ok(Outcome::Allow(consent.because()));
        }
        let pending = self.pending(&case, consent.authority(), fingerprint).await?;
        self.ports.records.pendings.put(&pending).await.map_err(closed)?;
        if let Err(error) = self.spend(&mut case, &consent, &pending.fingerprint).await {
            // What cannot be removed is found unexecuted later, and passes nowhere without a record of its own.
            drop(self.ports.records.pendings.remove(&pending.actor, &pending.call).await);
            return Err(error);
        }
        Ok(Outcome::Allow(consent.because()))
    }

    /// The host's prompt asks: the call must be remembered before the human can say yes there.
    pub(crate) async fn hand_to_host(
        &self,
        call: &ToolCall,
        approval: Approval,
    ) -> Result<Outcome, ToolError> {
        let _held = self.ports.tree.lock.acquire().await.map_err(closed)?;
        self.ports.records.ledger.ready().await.map_err(no_ledger)?;
        let mut case = self.gather_and_step(call).await?;
        let verdict = self.judge(&mut case).await;
        if let Verdict::Block(error) = verdict {
            return self.refuse(case, *error).await;
        }
        if !case.unaccepted.is_empty() {
            let error = pending_error(&approval, NOT_SHOWN);
            return self.refuse(case, error).await;
        }
        let dispatched = self.dispatched(&case).await?;
        let fingerprint = case.fingerprint(&dispatched);
        if !still_fits(&verdict, &fingerprint, &approval) {
            let error = moved_error(&case, &approval);
            return self.refuse(case, error).await;
        }
        if approval.request.kind == ApprovalKind::Outbound {
            // It changes no file, so that only the request itself waits for the outcome.
            self.hand_over(&mut case, &approval).await?;
            return Ok(Outcome::AskHost(Box::new(approval)));
        }
        let pending = self.pending(&case, Authority::of(&approval, None), fingerprint).await?;
        self.ports.records.pendings.put(&pending).await.map_err(closed)?;
        if let Err(error) = self.hand_over(&mut case, &approval).await {
            drop(self.ports.records.pendings.remove(&pending.actor, &pending.call).await);
            return Err(error);
        }
        Ok(Outcome::AskHost(Box::new(approval)))
    }

    /// From here on nobody but the host's own prompt can answer the request.
    async fn hand_over(&self, case: &mut Case<'_>, approval: &Approval) -> Result<(), ToolError> {
        let now = self.ports.chance.clock.now();
        let handed = self.ports.consents.approvals.hand_over(&approval.id, &case.call.id, now).await;
        handed.map_err(|error| approval_error(&error))?;
        if approval.request.kind == ApprovalKind::Outbound {
            case.actor_state.wait_for(&approval.id);
        }
        self.forget_refusals(case).await?;
        let note = "the host's own prompt asks".to_owned();
        let mut record = self.record(case, Action::WaitForApproval, note);
        record.approval = Some(approval.id.clone());
        self.ports.records.decisions.append(&record).await.map(drop).map_err(closed)
    }

    /// What goes through is not refused any more, whatever its host called it before.
    pub(crate) async fn forget_refusals(&self, case: &mut Case<'_>) -> Result<(), ToolError> {
        case.actor_state.denied.retain(|id| *id != case.call.id);
        case.state_changed = true;
        self.save_if_changed(case).await
    }

    /// What is remembered of a call until its outcome is known; the pre-images of its files are kept.
    pub(crate) async fn pending(
        &self,
        case: &Case<'_>,
        authority: Authority,
        fingerprint: Fingerprint,
    ) -> Result<PendingCall, ToolError> {
        let Some(intent) = case.active_intent() else {
            return Err(ToolError::new(ErrorCode::MissingIntent, "no intent is active now"));
        };
        let (requirements, derived) = requirements_of(case, intent);
        Ok(PendingCall {
            call: case.call.id.clone(),
            actor: case.call.actor.clone(),
            tool: case.facts.tool.canonical.to_string(),
            at: self.ports.chance.clock.now(),
            fingerprint,
            intent: intent.id().clone(),
            revision: intent.revision().clone(),
            requirements,
            derived,
            files: self.pending_files(case, authority.approval.is_none()).await?,
            known: self.known_to(case).await,
            approval: authority.approval,
            asked: authority.asked,
            approved_by: authority.approved_by,
            approved_at: authority.approved_at,
            scope_override: authority.scope_override,
            claimed: case.call.claimed_class(),
            grant: authority.grant,
            counted: case.facts.count.as_ref().map(|count| count.adds.unwrap_or(1)),
            restores: None,
        })
    }

    /// What the call may change, with pre-images. Where the host's prompt asks, a person may change the content there, so
    /// that what the call itself was to write is kept as well.
    async fn pending_files(
        &self,
        case: &Case<'_>,
        keep_predicted: bool,
    ) -> Result<Vec<PendingFile>, ToolError> {
        let mut files = Vec::new();
        for target in case.facts.targets.iter().filter(|target| target.access.mutates()) {
            let Some(path) = inside(&target.location) else { continue };
            let before = match self.content(&case.looked, path, &target.current).await {
                // Passes in a pause alone: nobody is asked about what cannot be shown.
                Err(PortError::TooLarge { .. }) => None,
                read => read.map_err(closed)?,
            };
            if let Some(bytes) = &before {
                let kept = self.ports.records.pendings.keep(bytes).await.map_err(closed)?;
                if matches!(target.access, Access::Delete | Access::MoveFrom) {
                    self.keep_executable(path, &kept).await?;
                }
            }
            let source = self.source_of(case, target).await;
            let after = crate::change::after(&case.targets, target, source.as_deref().or(before.as_deref()));
            if let Some(Some(bytes)) = after.as_ref().filter(|_| keep_predicted) {
                self.ports.records.pendings.keep(bytes).await.map_err(closed)?;
            }
            files.push(PendingFile {
                path: path.clone(),
                effect: target.access.effect(),
                before: target.current.clone(),
                predicted: after.map(|content| match content {
                    Some(bytes) => FileState::Content(ContentHash::of(&bytes)),
                    None => FileState::Absent,
                }),
                moved_to: case.moved_to(target).cloned(),
            });
        }
        Ok(files)
    }

    /// Keeps whether a file that goes could be run, so that it can return as it was.
    pub(crate) async fn keep_executable(&self, path: &RepoPath, kept: &ContentHash) -> Result<(), ToolError> {
        let is_executable = self.ports.tree.workspace.is_executable(path).await.map_err(closed)?;
        self.ports.records.pendings.keep_executable(kept, is_executable).await.map_err(closed)
    }
}

/// Declared requirements, narrowed by the call; without any, one derived from the intent's id.
fn requirements_of(case: &Case<'_>, intent: &bailiwick_domain::Intent) -> (Vec<String>, bool) {
    if intent.requirements().is_empty() {
        return (vec![format!("REQ-{}", intent.id())], true);
    }
    if !case.facts.requirement_ids.is_empty() {
        return (case.facts.requirement_ids.clone(), false);
    }
    (intent.requirements().to_vec(), false)
}
