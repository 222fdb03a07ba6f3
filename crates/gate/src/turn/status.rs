//! Where an actor stands, for `status` on the wire and on the command line.

use bailiwick_domain::{Actor, ActorState, Approval, Health, Intent, Pause, ToolError};

use super::Turns;
use crate::closed;

/// What is known of an actor right now.
#[derive(Clone, Debug)]
pub struct Status {
    /// Whether the store can be trusted.
    pub health: Health,
    /// The actor's state.
    pub actor: ActorState,
    /// The active intent as the file says it now.
    pub intent: Option<Intent>,
    /// Requests that wait for an answer, here or at the host's own prompt, oldest first.
    pub open: Vec<Approval>,
    /// The pause that is in force.
    pub pause: Option<Pause>,
}

impl Turns<'_> {
    /// Where this actor stands.
    pub(crate) async fn status(&self, actor: &Actor) -> Result<Status, ToolError> {
        let (state, _) = self.standing.load_or_inherit(actor).await.map_err(closed)?;
        let intent = match &state.active {
            Some(active) => self.intents.get(&active.id).await.unwrap_or_default(),
            None => None,
        };
        let now = self.clock.now();
        let mut open = self.approvals.list().await.map_err(closed)?;
        open.retain(|approval| approval.is_waiting(now));
        let pause = self.pausing.pause_in_force().await;
        Ok(Status { health: self.policy.health().await, actor: state, intent, open, pause })
    }
}
