//! Lets an approved call through: the pending record with predicted hashes is on disk before the tool runs, and
//! the approval is used up exactly once (ADR 0007).

use bailiwick_domain::{
    ContentHash, FileState, Fingerprint, PendingCall, PendingFile, PortError, RepoPath, ToolError,
};
use bailiwick_policy::{Access, TargetFact};

use super::Admission;
use crate::consent::authority::Authority;
use crate::consent::look_up::Consent;
use crate::gathering::case::{Case, inside};
use crate::refusals::Hindrance;
use crate::standing::acceptance::has_shown;
use crate::{Outcome, closed, no_ledger};

impl Admission<'_> {
    /// The consent fits: remember the call, use the consent up, let the call through. What is remembered of a call that
    /// does not get through is taken back.
    pub(crate) async fn admit(
        &self,
        mut case: Case<'_>,
        consent: Consent,
        fingerprint: Fingerprint,
    ) -> Result<Outcome, ToolError> {
        self.ledger.ready().await.map_err(no_ledger)?;
        if let Consent::Answer { approval, .. } = &consent {
            if !has_shown(approval, &case.unaccepted) {
                let refused = self.moved(&case, approval).await?;
                return self.refuse(case, refused).await;
            }
            self.grants.end_if_over(&case).await?;
        }
        if consent.is_outward() {
            self.consenting.spend(&mut case, &consent, &fingerprint).await?;
            return Ok(Outcome::Allow(consent.because()));
        }
        let pending = self.pending(&case, consent.authority(), fingerprint).await?;
        self.pendings.put(&pending).await.map_err(closed)?;
        if let Err(error) = self.consenting.spend(&mut case, &consent, &pending.fingerprint).await {
            // What cannot be removed is found unexecuted later, and passes nowhere without a record of its own.
            drop(self.pendings.remove(&pending.actor, &pending.call).await);
            return Err(error);
        }
        Ok(Outcome::Allow(consent.because()))
    }

    /// What is remembered of a call until its outcome is known; the pre-images of its files are kept.
    pub(crate) async fn pending(
        &self,
        case: &Case<'_>,
        authority: Authority,
        fingerprint: Fingerprint,
    ) -> Result<PendingCall, ToolError> {
        let Some(intent) = case.active_intent() else {
            return Err(Hindrance::NoIntentNow.error());
        };
        let (requirements, derived) = requirements_of(case, intent);
        Ok(PendingCall {
            call: case.call.id.clone(),
            actor: case.call.actor.clone(),
            tool: case.facts.tool.canonical.to_string(),
            at: self.clock.now(),
            fingerprint,
            intent: intent.id().clone(),
            revision: intent.revision().clone(),
            requirements,
            derived,
            files: self
                .pending_files(case, authority.approval.is_none() || self.gathering.carries_out())
                .await?,
            known: self.gathering.known_to(case).await,
            approval: authority.approval,
            asked: authority.asked,
            approved_by: authority.approved_by,
            approved_at: authority.approved_at,
            scope_override: authority.scope_override,
            claimed: case.call.claimed_class(),
            grant: authority.grant,
            counted: case.facts.count.as_ref().map(|count| count.adds.unwrap_or(1)),
            told: false,
            restores: None,
        })
    }

    /// What the call may change, with pre-images. What the call itself is to write is kept as well where the host's prompt
    /// asks, since a person may change the content there, and where the gate itself will write it.
    async fn pending_files(
        &self,
        case: &Case<'_>,
        keep_predicted: bool,
    ) -> Result<Vec<PendingFile>, ToolError> {
        let mut files = Vec::new();
        for (wanted, target) in case.requests().filter(|(wanted, _)| wanted.access.mutates()) {
            let Some(path) = inside(&target.location) else { continue };
            let before = match self.gathering.content(&case.looked, path, &target.current).await {
                // Passes in a pause alone: nobody is asked about what cannot be shown.
                Err(PortError::TooLarge { .. }) => None,
                read => read.map_err(closed)?,
            };
            if let Some(bytes) = &before {
                let kept = self.pendings.keep(bytes).await.map_err(closed)?;
                if matches!(target.access, Access::Delete | Access::MoveFrom) {
                    self.keep_executable(path, &kept).await?;
                }
            }
            let source = self.gathering.source_of(case, target).await;
            let after = crate::change::after(&case.targets, target, source.as_deref().or(before.as_deref()));
            if let Some(Some(bytes)) = after.as_ref().filter(|_| keep_predicted) {
                self.pendings.keep(bytes).await.map_err(closed)?;
            }
            files.push(PendingFile {
                path: path.clone(),
                effect: target.access.effect(),
                before: target.current.clone(),
                predicted: after
                    .map(|content| match content {
                        Some(bytes) => FileState::Content(ContentHash::of(&bytes)),
                        None => FileState::Absent,
                    })
                    .or_else(|| moved_as_it_is(case, target)),
                moved_to: case.moved_to(wanted).cloned(),
            });
        }
        Ok(files)
    }

    /// Keeps whether a file that goes could be run, so that it can return as it was.
    pub(crate) async fn keep_executable(&self, path: &RepoPath, kept: &ContentHash) -> Result<(), ToolError> {
        let is_executable = self.workspace.is_executable(path).await.map_err(closed)?;
        self.pendings.keep_executable(kept, is_executable).await.map_err(closed)
    }
}

/// What comes to a target that something is only moved to, also where nobody read it.
fn moved_as_it_is(case: &Case<'_>, target: &TargetFact) -> Option<FileState> {
    let is_moved = case.targets.patch.is_none() && case.is_moved_here(target);
    case.source_of(target).filter(|_| is_moved).map(|(_, state)| state.clone())
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
