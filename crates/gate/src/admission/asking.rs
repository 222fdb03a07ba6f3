//! Asks a person without holding the lock, and takes the answer to the next look: on the spot, or when it comes on this same
//! connection.

use bailiwick_domain::{
    Action, ActorState, Answer, Approval, ApprovalError, ApprovalId, DecisionRecord, ErrorCode, GrantBounds,
    ToolCall, ToolError,
};

use super::Admission;
use crate::Outcome;
use crate::authoring::drafting::NOT_THERE;
use crate::consent::answer::{is_used, unanswered};
use crate::consent::grants::fits;
use crate::outcome::Look;
use crate::refusals::{AnswerFault, Hindrance};

impl Admission<'_> {
    /// Judges a call before it runs. Every failure of the gate itself comes out as a refusal.
    pub(crate) async fn pre(&self, call: &ToolCall) -> Outcome {
        let outcome = match self.look(call, None).await {
            Ok(Look::Settled(outcome)) => Ok(outcome),
            Ok(Look::Ask(approval, timeout_s)) => self.ask(call, *approval, timeout_s).await,
            Err(error) => Err(error),
        };
        self.or_logged(call, outcome).await
    }

    /// Brings a person's answer to a call that waits on this connection.
    pub(crate) async fn resolve(&self, id: &ApprovalId, answer: Answer) -> Outcome {
        let Some(call) = self.take_waiting(id) else {
            return Outcome::block(Hindrance::Answer(AnswerFault::NobodyWaits(id)).error());
        };
        if let Some(error) = self.no_grant_fits(id, &answer).await {
            self.put_waiting(id, &call);
            return Outcome::block(error);
        }
        let outcome = self.look_again(&call, id, &answer).await;
        self.or_logged(&call, outcome).await
    }

    /// Asks, and acts on the answer; asks once more where the answer was none for this call.
    async fn ask(
        &self,
        call: &ToolCall,
        mut approval: Approval,
        mut timeout_s: u64,
    ) -> Result<Outcome, ToolError> {
        loop {
            let answer = self.approver.ask(&approval, timeout_s).await;
            match self.acted(call, &approval, answer).await? {
                Look::Settled(outcome) => return Ok(outcome),
                Look::Ask(next, seconds) => (approval, timeout_s) = (*next, seconds),
            }
        }
    }

    async fn acted(&self, call: &ToolCall, approval: &Approval, answer: Answer) -> Result<Look, ToolError> {
        let outcome = match answer {
            Answer::Deferred => {
                self.put_waiting(&approval.id, call);
                Outcome::WaitForApproval(Box::new(approval.clone()))
            }
            Answer::AskHost if approval.request.kind.writes_intents() => {
                self.leave_open(call, approval, NOT_THERE).await
            }
            Answer::AskHost => self.hand_to_host(call, approval.clone()).await?,
            Answer::Unanswered { why } => self.leave_open(call, approval, &why).await,
            answer => return self.answered(call, &approval.id, &answer).await,
        };
        Ok(Look::Settled(outcome))
    }

    /// Acts on what a person said. A yes that another call like this one has used is none for this one, which is then judged
    /// as if it came now.
    async fn answered(&self, call: &ToolCall, id: &ApprovalId, answer: &Answer) -> Result<Look, ToolError> {
        let outcome = self.look_again(call, id, answer).await;
        let refused = match &outcome {
            Ok(Outcome::Block(error)) => Some(error.code()),
            Err(error) => Some(error.code()),
            Ok(_) => None,
        };
        if refused == Some(ErrorCode::ApprovalTimeout) && self.was_used(id).await {
            return self.look(call, None).await;
        }
        outcome.map(Look::Settled)
    }

    async fn was_used(&self, id: &ApprovalId) -> bool {
        matches!(self.approvals.get(id).await, Ok(Some(approval)) if is_used(&approval))
    }

    /// Tells the agent to wait for a person.
    async fn leave_open(&self, call: &ToolCall, approval: &Approval, why: &str) -> Outcome {
        let refused = unanswered(approval, why);
        self.standing.remember_told(&call.actor, &refused).await;
        Outcome::block(refused.error)
    }

    /// Looks with an answer, which leaves no question open.
    async fn look_again(
        &self,
        call: &ToolCall,
        id: &ApprovalId,
        answer: &Answer,
    ) -> Result<Outcome, ToolError> {
        self.look(call, Some((id, answer))).await.map(|look| match look {
            Look::Settled(outcome) => outcome,
            Look::Ask(approval, _) => Outcome::WaitForApproval(approval),
        })
    }

    /// A call that could not be decided is refused, and the log has that too where it can be written.
    async fn or_logged(&self, call: &ToolCall, outcome: Result<Outcome, ToolError>) -> Outcome {
        match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                let note = error.message().to_owned();
                let record = DecisionRecord {
                    class: None,
                    code: Some(error.code()),
                    ..self.decisions.record_of(call, &ActorState::default(), Action::Block, note)
                };
                drop(self.decisions.append(&record).await);
                Outcome::block(error)
            }
        }
    }

    /// Why a grant cannot answer this request, where one shall; the request then stays open.
    async fn no_grant_fits(&self, id: &ApprovalId, answer: &Answer) -> Option<ToolError> {
        let Answer::Grant { bounds, .. } = answer else { return None };
        let not_offered = || ApprovalError::NotOffered(id.0.clone());
        let found = match self.approvals.get(id).await {
            Ok(Some(approval)) if approval.request.offer.is_some() => {
                self.grant_fits(&approval, bounds).await
            }
            Ok(_) => Err(not_offered()),
            Err(error) => Err(error.into()),
        };
        match found {
            Ok(()) => None,
            Err(why) => Some(Hindrance::Answer(AnswerFault::NoGrantFits(&why)).error()),
        }
    }

    /// Whether the bounds of a grant stay in the scope of the intent that the request is under.
    ///
    /// # Errors
    /// They do not, or the intents cannot be read.
    async fn grant_fits(&self, approval: &Approval, bounds: &GrantBounds) -> Result<(), ApprovalError> {
        let Some(id) = &approval.request.intent_id else { return Ok(()) };
        match self.intents.get(id).await? {
            Some(intent) => fits(&intent, bounds),
            None => Ok(()),
        }
    }

    fn put_waiting(&self, id: &ApprovalId, call: &ToolCall) {
        if let Ok(mut waiting) = self.waiting.lock() {
            waiting.insert(id.clone(), call.clone());
        }
    }

    fn take_waiting(&self, id: &ApprovalId) -> Option<ToolCall> {
        self.waiting.lock().ok()?.remove(id)
    }
}
