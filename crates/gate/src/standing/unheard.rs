//! Undelivered answers: the agent was told to wait for a person, and the turn is about to end.
//!
//! Remembered is what the agent was told, nothing is asked here and nobody is waited for: holding a host's stop event is
//! the hook's part. A request is told of once, so a turn goes on only as often as a human answers.

use bailiwick_domain::{Actor, ActorState, Approval, ApprovalId, ToolError};

use super::Standing;
use crate::closed;
use crate::judged::Refused;

impl Standing<'_> {
    /// Remembers what a refusal tells an agent about a request: to wait for it, or that it was rejected.
    ///
    /// The call is refused either way, so what cannot be remembered only costs the agent a word at its stop.
    pub(crate) async fn remember_told(&self, actor: &Actor, refused: &Refused) {
        let Ok(_held) = self.lock.acquire().await else { return };
        drop(self.change(actor, |state| refused.tell(state)).await);
    }

    /// The same where the caller holds the lock.
    pub(crate) async fn has_told(&self, actor: &Actor, refused: &Refused) {
        drop(self.change(actor, |state| refused.tell(state)).await);
    }

    /// The requests of this actor whose answer it has not heard, oldest first: open ones and answered ones. Those whose
    /// time is over and those whose yes was used are not among them.
    ///
    /// # Errors
    /// When private state cannot be read.
    pub async fn awaited(&self, actor: &Actor) -> Result<Vec<Approval>, ToolError> {
        let state = self.sessions.load(actor).await.map_err(closed)?.unwrap_or_default();
        let now = self.clock.now();
        let mut found = Vec::new();
        for id in &state.awaited {
            let approval = self.approvals.get(id).await.map_err(closed)?;
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
        let _held = self.lock.acquire().await.map_err(closed)?;
        let hear = |state: &mut ActorState| ids.iter().fold(false, |heard, id| state.hears_of(id) | heard);
        self.change(actor, hear).await?;
        let names: Vec<&str> = ids.iter().map(|id| id.0.as_str()).collect();
        let note = format!("the turn continues: a human answered {}", names.join(", "));
        let (state, _) = self.load_or_inherit(actor).await.map_err(closed)?;
        self.decisions.log_transition(actor, &state, "stop", &note).await
    }

    /// The caller holds the lock.
    async fn change(
        &self,
        actor: &Actor,
        change: impl FnOnce(&mut ActorState) -> bool,
    ) -> Result<(), ToolError> {
        let (mut state, _) = self.load_or_inherit(actor).await.map_err(closed)?;
        if change(&mut state) { self.save(actor, &state).await } else { Ok(()) }
    }
}
