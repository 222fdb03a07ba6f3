//! Questions about what leaves the machine that the host's own prompt asks. Such a call changes no file, so
//! no pending record waits for its outcome: the request itself does, among those that its actor waits for.
//!
//! Deliberately absent: what counts as leaving the machine, which is policy, and answers from anywhere else.

use bailiwick_domain::{
    Action, Actor, ActorState, Approval, ApprovalError, CallId, DecisionRecord, ToolError,
};

use super::Recording;
use super::reconcile::host_prompt;
use crate::closed;
use crate::gathering::case::Case;

impl Recording<'_> {
    /// The host told of the end of this call: if its prompt had asked about it, a person said yes there.
    pub(crate) async fn settle_outward(&self, case: &Case<'_>) -> Result<(), ToolError> {
        for request in self.with_host(&case.actor_state, Some(&case.call.id)).await? {
            let by = host_prompt(&case.call.actor);
            let note = "approved in the host's own prompt".to_owned();
            let record = self.gathering.record(case, Action::Approved, note);
            self.close_outward(&request, &case.call.id, Some(by), record).await?;
        }
        Ok(())
    }

    /// No call of the actor is under way any more: what its host's prompt asked about and nobody told of was not run.
    pub(crate) async fn settle_outward_of(&self, actor: &Actor) -> Result<(), ToolError> {
        let Some(state) = self.sessions.load(actor).await.map_err(closed)? else {
            return Ok(());
        };
        for request in self.with_host(&state, None).await? {
            let Some(call) = request.call_with_host().cloned() else { continue };
            let note = "the host did not report that it ran";
            let record = DecisionRecord {
                call: Some(call.clone()),
                action: Action::Recorded,
                ..self.decisions.transition(actor, &state, &request.request.tool, note)
            };
            self.close_outward(&request, &call, None, record).await?;
        }
        Ok(())
    }

    /// The requests that the host's prompt asks about, for one call or for any. Those about calls that change something
    /// are not among them any more: they are settled with their pending record.
    async fn with_host(&self, state: &ActorState, call: Option<&CallId>) -> Result<Vec<Approval>, ToolError> {
        let mut found = Vec::new();
        for id in &state.awaited {
            let request = self.approvals.get(id).await.map_err(closed)?;
            found.extend(request.filter(|request| {
                request.call_with_host().is_some_and(|asked| call.is_none_or(|call| call == asked))
            }));
        }
        Ok(found)
    }

    async fn close_outward(
        &self,
        request: &Approval,
        call: &CallId,
        by: Option<String>,
        record: DecisionRecord,
    ) -> Result<(), ToolError> {
        let settled = self.approvals.settle_host(&request.id, call, by, self.clock.now()).await;
        match settled {
            Ok(_) => {}
            Err(ApprovalError::Port(error)) => return Err(closed(error)),
            // Collected as too old, or closed by another hook.
            Err(_) => return Ok(()),
        }
        let record = DecisionRecord { approval: Some(request.id.clone()), ..record };
        self.decisions.log(&record).await
    }
}
