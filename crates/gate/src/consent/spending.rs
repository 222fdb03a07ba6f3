//! Uses a consent up: what it is bound to counts down, and the log says that the call goes through.
//!
//! Deliberately absent: what is remembered of the call (`admission`), which is there before.

use bailiwick_domain::{Action, Allowance, Approval, Fingerprint, ToolError};

use super::Consenting;
use super::look_up::Consent;
use crate::gathering::case::Case;

impl Consenting<'_> {
    /// Uses the consent up, before the tool runs.
    ///
    /// # Errors
    /// It is used up already, or a store fails; the call must not run then.
    pub(crate) async fn spend(
        &self,
        case: &mut Case<'_>,
        consent: &Consent,
        fingerprint: &Fingerprint,
    ) -> Result<(), ToolError> {
        match consent {
            Consent::Answer { approval, by } => self.spend_answer(case, approval, by, fingerprint).await,
            Consent::Grant { grant, cost } => self.grants.spend_grant(case, grant, cost).await,
            Consent::Commands { first, others } => self.spend_allowances(case, first, others).await,
        }
    }

    /// The yes is used first, so that it lets nothing else through whatever fails behind it.
    async fn spend_answer(
        &self,
        case: &mut Case<'_>,
        approval: &Approval,
        by: &str,
        fingerprint: &Fingerprint,
    ) -> Result<(), ToolError> {
        self.answers.consume(&approval.id, fingerprint).await?;
        self.standing.accept_shown(std::mem::take(&mut case.unaccepted)).await;
        case.actor_state.blocked.remove(&case.key);
        self.grants.begin_grant(case, approval).await?;
        case.forget_refusals(&self.standing).await?;
        let mut record = self.gathering.record(case, Action::Allow, format!("approved by {by}"));
        record.approval = Some(approval.id.clone());
        self.decisions.log(&record).await
    }

    /// Nothing counts down; the log names each allowance.
    async fn spend_allowances(
        &self,
        case: &mut Case<'_>,
        first: &Allowance,
        others: &[Allowance],
    ) -> Result<(), ToolError> {
        let named: Vec<String> = std::iter::once(first)
            .chain(others)
            .map(|one| format!("{} `{}` by {}", one.id, one.terms.command, one.terms.by))
            .collect();
        let mut record = self.gathering.record(case, Action::Allow, format!("allowed: {}", named.join(", ")));
        record.approval = Some(first.id.as_approval());
        self.decisions.append(&record).await?;
        case.actor_state.blocked.remove(&case.key);
        case.forget_refusals(&self.standing).await
    }
}
