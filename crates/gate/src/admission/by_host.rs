//! Hands a question to the host's own prompt, which shows the call and cannot be asked a second time.

use bailiwick_domain::{Action, Approval, ApprovalKind, ToolCall, ToolError};

use super::Admission;
use crate::consent::answer::{approval_error, still_fits, unanswered};
use crate::consent::authority::Authority;
use crate::gathering::case::Case;
use crate::judged::Judged;
use crate::standing::acceptance::NOT_SHOWN;
use crate::{Outcome, closed, no_ledger};

impl Admission<'_> {
    /// The host's prompt asks: the call must be remembered before the human can say yes there.
    pub(crate) async fn hand_to_host(
        &self,
        call: &ToolCall,
        approval: Approval,
    ) -> Result<Outcome, ToolError> {
        let _held = self.lock.acquire().await.map_err(closed)?;
        self.ledger.ready().await.map_err(no_ledger)?;
        let mut case = self.gather(call).await?;
        let need = match self.judge(&case).await {
            Judged::Refused(refused) => return self.refuse(case, *refused).await,
            Judged::Asks(need) => Some(need),
            Judged::Passes => None,
        };
        if !case.unaccepted.is_empty() {
            return self.refuse(case, unanswered(&approval, NOT_SHOWN)).await;
        }
        let fingerprint = self.fingerprint(&case).await?;
        if !need.is_some_and(|need| still_fits(need.kind, &fingerprint, &approval)) {
            let refused = self.moved(&case, &approval).await?;
            return self.refuse(case, refused).await;
        }
        if approval.request.kind == ApprovalKind::Outbound {
            // It changes no file, so that only the request itself waits for the outcome.
            self.hand_over(&mut case, &approval).await?;
            return Ok(Outcome::AskHost(Box::new(approval)));
        }
        let pending = self.pending(&case, Authority::of(&approval, None), fingerprint).await?;
        self.pendings.put(&pending).await.map_err(closed)?;
        if let Err(error) = self.hand_over(&mut case, &approval).await {
            drop(self.pendings.remove(&pending.actor, &pending.call).await);
            return Err(error);
        }
        Ok(Outcome::AskHost(Box::new(approval)))
    }

    /// From here on nobody but the host's own prompt can answer the request.
    async fn hand_over(&self, case: &mut Case<'_>, approval: &Approval) -> Result<(), ToolError> {
        let now = self.clock.now();
        let handed = self.approvals.hand_over(&approval.id, &case.call.id, now).await;
        handed.map_err(|error| approval_error(&error))?;
        if approval.request.kind == ApprovalKind::Outbound {
            case.actor_state.wait_for(&approval.id);
        }
        case.forget_refusals(&self.standing).await?;
        let note = "the host's own prompt asks".to_owned();
        let mut record = self.gathering.record(case, Action::WaitForApproval, note);
        record.approval = Some(approval.id.clone());
        self.decisions.log(&record).await
    }
}
