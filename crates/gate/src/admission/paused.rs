//! While a pause is in force, what would be refused or asked about passes and is recorded. Protected paths and the commands
//! that are for people stay closed.

use bailiwick_domain::{Action, ApprovalId, Pause, ToolError};
use bailiwick_policy::held_in_pause;

use super::Admission;
use crate::consent::authority::Authority;
use crate::gathering::case::Case;
use crate::judged::{Judged, Refused};
use crate::{Because, Outcome};

impl Admission<'_> {
    /// Lets through what was not allowed, after it is written down. What cannot be logged does not pass; what cannot be
    /// prepared for the ledger does, since a broken ledger is one reason to pause.
    pub(crate) async fn let_paused_through(
        &self,
        mut case: Case<'_>,
        verdict: &Judged,
        pause: Pause,
    ) -> Result<Outcome, ToolError> {
        if let Some(refusal) = held_in_pause(&case.facts) {
            let refused = Refused::by_rules(Box::new(refusal), &case.facts, &[]);
            return self.refuse(case, refused).await;
        }
        self.grants.end_if_over(&case).await?;
        case.forget_refusals(&self.standing).await?;
        let is_traced = self.remember_paused(&case, verdict).await;
        let (code, what) = match verdict {
            Judged::Refused(refused) => (Some(refused.error.code()), "would be refused"),
            Judged::Asks(_) => (None, "would be asked about"),
            Judged::Passes => (None, "allowed"),
        };
        let traced = if is_traced { "" } else { ", not for the ledger" };
        let note = format!("paused by {} until {}: {what}{traced}", pause.by, pause.until);
        let mut record = self.gathering.record(&case, Action::Paused, note);
        record.code = code;
        record.approval = Some(ApprovalId(Pause::MARK.to_owned()));
        if let Err(error) = self.decisions.append(&record).await {
            drop(self.pendings.remove(&case.call.actor, &case.call.id).await);
            return Err(error);
        }
        Ok(Outcome::Allow(Because::Paused(pause)))
    }

    /// Remembers the call for the ledger, where it serves an intent and changes something; whether that was done.
    async fn remember_paused(&self, case: &Case<'_>, verdict: &Judged) -> bool {
        if case.active_intent().is_none() {
            return false;
        }
        let authority = Authority {
            approval: Some(ApprovalId(Pause::MARK.to_owned())),
            asked: None,
            approved_by: None,
            approved_at: None,
            scope_override: matches!(verdict, Judged::Refused(refused) if refused.leaves_scope()),
            grant: None,
        };
        let Ok(runs) = self.gathering.dispatched(case).await else { return false };
        match self.pending(case, authority, case.fingerprint(runs)).await {
            Ok(pending) => self.pendings.put(&pending).await.is_ok(),
            Err(_) => false,
        }
    }
}
