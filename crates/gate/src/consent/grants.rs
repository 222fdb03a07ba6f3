//! Grants at work: a call that one covers is not asked about, and an end that the rule finds is written down
//! here.
//!
//! The rule is `bailiwick_policy::coverage`; this gathers what it looks at, counts down under the lock of the root and
//! before the tool runs; `changes` tells what a call would do, `ending` what ends a grant, `reviewing` that a person
//! reviewed it. Deliberately absent: showing and putting back what was changed (`crate::undo`).

mod changes;
mod ending;
mod reviewing;

use bailiwick_domain::{
    Action, Approval, ApprovalError, ApprovalNeed, ApprovalStatus, DecisionRecord, Grant, GrantBounds,
    GrantCost, GrantEnd, GrantError, GrantId, GrantStatus, GrantTerms, Intent, PortError, State, Timestamp,
    ToolError, counted,
};
use bailiwick_policy::coverage::{Moment, Uncovered, covers};
use bailiwick_policy::within::outside;

use super::look_up::Consent;
use crate::closed;
use crate::decisions::Decisions;
use crate::gathering::Gathering;
use crate::gathering::case::Case;
use crate::gathering::explain::Explanations;
use crate::refusals::Hindrance;
use crate::standing::Standing;

part! {
    /// The grants of people.
    pub(crate) struct Grants {
        from tree: workspace, vcs, lock;
        from consents: grants;
        from records: sessions, pendings, ledger;
        from chance: clock;
        with gathering: Gathering, explanations: Explanations, standing: Standing, decisions: Decisions;
        keeps worktree: Option<&'g str>;
    }
}

impl Grants<'_> {
    /// The actor's grant, if it covers the call. Else the human who is asked hears why it does not.
    pub(super) async fn covering_grant(
        &self,
        case: &mut Case<'_>,
        need: &mut ApprovalNeed,
    ) -> Result<Option<Consent>, ToolError> {
        let Some(id) = case.actor_state.grant else { return Ok(None) };
        let Some(grant) = self.grants.get(id).await.map_err(closed)? else {
            self.let_go_of(case);
            return Ok(None);
        };
        let branch = self.vcs.branch().await;
        let covered = covers(&grant, &case.facts, &self.changes(case).await, &self.moment(case, &branch));
        match covered {
            Ok(_) if self.has_drifted_elsewhere(case, &grant).await? => {
                self.when_over(case, need, &grant, &GrantEnd::Drift).await?;
            }
            Ok(cost) if self.is_current(&grant).await? => {
                return Ok(Some(Consent::Grant { grant: Box::new(grant), cost }));
            }
            Ok(_) => self.when_over(case, need, &grant, &GrantEnd::Doubtful).await?,
            Err(Uncovered::Over(why)) => self.when_over(case, need, &grant, &why).await?,
            Err(Uncovered::Never(why)) => {
                need.reason.push_str(&format!(" {id} does not cover this: {why}."));
            }
            Err(Uncovered::Beyond(bound)) => {
                need.reason.push_str(&format!(" This goes beyond {bound} of {id} ({}).", left(&grant)));
            }
        }
        Ok(None)
    }

    pub(crate) fn moment<'a>(&'a self, case: &'a Case<'_>, branch: &'a str) -> Moment<'a> {
        Moment {
            now: self.clock.now(),
            actor: &case.call.actor,
            worktree: self.worktree,
            branch,
            prompted: case.actor_state.prompted,
        }
    }

    async fn when_over(
        &self,
        case: &mut Case<'_>,
        need: &mut ApprovalNeed,
        grant: &Grant,
        why: &GrantEnd,
    ) -> Result<(), ToolError> {
        self.end_grant(grant.id, why).await?;
        self.let_go_of(case);
        let how_far = if *why == GrantEnd::UsedUp { format!(" ({})", left(grant)) } else { String::new() };
        need.reason.push_str(&format!(" {} ended: {}{how_far}.", grant.id, why.because()));
        Ok(())
    }

    fn let_go_of(&self, case: &mut Case<'_>) {
        case.actor_state.grant = None;
        case.state_changed = true;
    }

    /// The line in the log comes first: a count that is smaller than what the log tells counts no more.
    pub(super) async fn spend_grant(
        &self,
        case: &mut Case<'_>,
        grant: &Grant,
        cost: &GrantCost,
    ) -> Result<(), ToolError> {
        let now = self.clock.now();
        let spent = grant.spent(cost, grant.log_seq, now);
        let note = format!("covered by {}, given by {}: {}", grant.id, grant.terms.by, left(&spent));
        let mut record = self.gathering.record(case, Action::Allow, note);
        record.approval = Some(grant.id.as_approval());
        let seq = self.decisions.append(&record).await?;
        let spent = grant.spent(cost, seq, now);
        self.grants.replace(grant, &spent).await.map_err(grant_error)?;
        if let GrantStatus::Ended { why, .. } = &spent.status {
            // The actor keeps it, so that the next question can say why it is asked.
            self.log_end(&spent, why).await?;
        }
        case.actor_state.blocked.remove(&case.key);
        case.forget_refusals(&self.standing).await
    }

    /// Whether the log tells nothing later about the grant than the grant itself does. An old copy of it is told by the
    /// lines that were written since, a log that was cut by the line that is not there.
    async fn is_current(&self, grant: &Grant) -> Result<bool, ToolError> {
        let records = self.decisions.since(grant.log_seq).await?;
        let id = Some(grant.id.as_approval());
        let tells = |record: &&DecisionRecord| {
            let counts =
                matches!(record.action, Action::Granted | Action::Allow | Action::Block | Action::GrantEnded);
            counts && record.approval == id
        };
        let mut told = records.iter().filter(tells);
        let is_last = told.next().is_some_and(|first| first.seq == grant.log_seq) && told.next().is_none();
        Ok(is_last)
    }

    /// Begins the grant that a human gave with a yes, when the yes is used.
    pub(crate) async fn begin_grant(
        &self,
        case: &mut Case<'_>,
        approval: &Approval,
    ) -> Result<(), ToolError> {
        let ApprovalStatus::Approved { by, grant: Some(bounds), .. } = &approval.status else {
            return Ok(());
        };
        if !case.facts.settings.grants || approval.request.offer.is_none() {
            return Ok(());
        }
        let Some(intent) = case.active_intent() else { return Ok(()) };
        let terms = GrantTerms {
            approval: approval.id.clone(),
            by: by.clone(),
            actor: case.call.actor.clone(),
            intent: intent.id().clone(),
            revision: intent.revision().clone(),
            status: Some(intent.status()),
            worktree: self.worktree.map(str::to_owned),
            branch: self.vcs.branch().await,
            bounds: bounds.clone(),
            opened: self.clock.now(),
        };
        if let Some(older) = case.actor_state.grant {
            self.end_grant(older, &GrantEnd::Replaced).await?;
        }
        let grant = self.grants.open(&terms).await.map_err(closed)?;
        let mut record = self.record_of_grant(&grant, Action::Granted, format!("{by} granted {bounds}"));
        record.call = Some(case.call.id.clone());
        let log_seq = self.decisions.append(&record).await?;
        let begun = Grant { log_seq, ..grant.clone() };
        self.grants.replace(&grant, &begun).await.map_err(grant_error)?;
        case.actor_state.grant = Some(grant.id);
        case.state_changed = true;
        Ok(())
    }

    /// All grants, oldest first.
    pub(crate) async fn all(&self) -> Result<Vec<Grant>, PortError> {
        self.grants.list().await
    }

    /// The grant of that number.
    pub(crate) async fn find(&self, id: GrantId) -> Result<Option<Grant>, PortError> {
        self.grants.get(id).await
    }

    fn record_of_grant(&self, grant: &Grant, action: Action, note: String) -> DecisionRecord {
        grant_record(grant, action, self.clock.now(), note)
    }
}

/// Whether the bounds of a grant stay in what the intent owns.
///
/// # Errors
/// Names the pattern that does not.
pub fn fits(intent: &Intent, bounds: &GrantBounds) -> Result<(), ApprovalError> {
    match outside(&bounds.limits().paths, intent.owned_scope()) {
        None => Ok(()),
        Some(pattern) => {
            Err(ApprovalError::OutsideScope { pattern: pattern.to_string(), intent: intent.id().clone() })
        }
    }
}

/// The decision-log line about a grant itself, its beginning, its end or its review.
pub fn grant_record(grant: &Grant, action: Action, at: Timestamp, note: String) -> DecisionRecord {
    DecisionRecord {
        intent: Some(grant.terms.intent.clone()),
        approval: Some(grant.id.as_approval()),
        ..DecisionRecord::new(at, grant.terms.actor.clone(), "grant", State::Action, action, note)
    }
}

/// What was used of a grant, for people.
fn left(grant: &Grant) -> String {
    let (used, limits) = (&grant.used, grant.terms.bounds.limits());
    format!(
        "{} of {}, {} of {}, {} of {} used",
        used.calls,
        counted(limits.max_calls, "call", "calls"),
        used.lines,
        counted(limits.max_lines, "line", "lines"),
        used.files.len(),
        counted(limits.max_files, "file", "files")
    )
}

fn grant_error(error: GrantError) -> ToolError {
    Hindrance::Grant(error).error()
}
