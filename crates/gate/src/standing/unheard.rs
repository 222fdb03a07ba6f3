//! Undelivered answers: the agent was told to wait for a person, and the turn is about to end.
//!
//! Remembered is what the agent was told, nothing is asked here and nobody is waited for: holding a host's stop event is
//! the hook's part. A request is told of once, so a turn goes on only as often as a human answers.

use bailiwick_domain::{Actor, Approval, ApprovalId, ErrorCode, ToolCall, ToolError};

use crate::{Gate, Outcome, closed};

impl Gate {
    /// Remembers what the answer to a call told its agent about a request: to wait for it, or that it was rejected.
    ///
    /// The call is refused either way, so what cannot be remembered only costs the agent a word at its stop.
    pub(crate) async fn remember_told(&self, call: &ToolCall, outcome: &Outcome) {
        let Outcome::Block(error) = outcome else { return };
        let waits = match error.code() {
            ErrorCode::ApprovalPending => true,
            ErrorCode::DestructiveActionRejected => false,
            _ => return,
        };
        let named = error.details().get("approval_id").and_then(|id| id.as_str());
        if let Some(id) = named.map(|id| ApprovalId(id.to_owned())) {
            drop(self.set_awaited(&call.actor, &[id], waits).await);
        }
    }

    /// The requests of this actor whose answer it has not heard, oldest first: open ones and answered ones. Those whose
    /// time is over and those whose yes was used are not among them.
    ///
    /// # Errors
    /// When private state cannot be read.
    pub async fn awaited(&self, actor: &Actor) -> Result<Vec<Approval>, ToolError> {
        let state = self.ports.records.sessions.load(actor).await.map_err(closed)?.unwrap_or_default();
        let now = self.ports.chance.clock.now();
        let mut found = Vec::new();
        for id in &state.awaited {
            let approval = self.ports.consents.approvals.get(id).await.map_err(closed)?;
            found.extend(approval.filter(|approval| approval.is_unheard(now)));
        }
        Ok(found)
    }

    /// The turn goes on because a human answered these requests; each is told of once.
    ///
    /// # Errors
    /// When private state cannot be written. The turn must then end, or it would go on for the same answer for ever.
    pub async fn turn_goes_on(&self, actor: &Actor, answered: &[Approval]) -> Result<(), ToolError> {
        let ids: Vec<ApprovalId> = answered.iter().map(|approval| approval.id.clone()).collect();
        let _held = self.ports.tree.lock.acquire().await.map_err(closed)?;
        self.change_awaited(actor, &ids, false).await?;
        let names: Vec<&str> = ids.iter().map(|id| id.0.as_str()).collect();
        let note = format!("the turn continues: a human answered {}", names.join(", "));
        let (state, _) = self.load_or_inherit(actor).await.map_err(closed)?;
        self.log_transition(actor, &state, "stop", &note).await
    }

    async fn set_awaited(&self, actor: &Actor, ids: &[ApprovalId], waits: bool) -> Result<(), ToolError> {
        let _held = self.ports.tree.lock.acquire().await.map_err(closed)?;
        self.change_awaited(actor, ids, waits).await
    }

    /// The caller holds the lock.
    async fn change_awaited(&self, actor: &Actor, ids: &[ApprovalId], waits: bool) -> Result<(), ToolError> {
        let (mut state, _) = self.load_or_inherit(actor).await.map_err(closed)?;
        let known = state.awaited.len();
        let changed = if waits {
            ids.iter().any(|id| state.wait_for(id))
        } else {
            state.awaited.retain(|id| !ids.contains(id));
            state.awaited.len() != known
        };
        if changed {
            self.ports.records.sessions.save(actor, &state).await.map_err(closed)?;
        }
        Ok(())
    }
}
