//! The state of an actor as it is stored, whether its session is halted, and whether the store can be trusted.

use bailiwick_domain::{Actor, ActorState, Health, IntentId, PortError, ToolError};

use super::Standing;
use crate::closed;

impl Standing<'_> {
    pub(crate) async fn load_or_inherit(&self, actor: &Actor) -> Result<(ActorState, bool), PortError> {
        if let Some(state) = self.sessions.load(actor).await? {
            return Ok((state, false));
        }
        if !actor.is_child() {
            return Ok((ActorState::default(), true));
        }
        let parent = self.sessions.load(&actor.parent()).await?.unwrap_or_default();
        let state = ActorState {
            blocked: Default::default(),
            mutated: false,
            quarantine: None,
            grant: None,
            awaited: Vec::new(),
            ..parent
        };
        Ok((state, true))
    }

    /// Why the session is halted: with all of its sub-agents, until a person lifts it for the session.
    pub(crate) async fn halted(
        &self,
        actor: &Actor,
        state: &ActorState,
    ) -> Result<Option<String>, PortError> {
        if !actor.is_child() {
            return Ok(state.quarantine.clone());
        }
        Ok(self.sessions.load(&actor.parent()).await?.and_then(|session| session.quarantine))
    }

    /// Puts the state in the place of the one before.
    pub(crate) async fn save(&self, actor: &Actor, state: &ActorState) -> Result<(), ToolError> {
        self.sessions.save(actor, state).await.map_err(closed)
    }

    /// Ids that could be selected, for the suggestions of a refusal; looked up only then.
    pub(crate) async fn selectable_ids(&self) -> Vec<IntentId> {
        self.intents.first_selectable().await.unwrap_or_default()
    }

    pub(crate) async fn healthy(&self) -> Result<(), ToolError> {
        match self.policy.health().await {
            Health::Ok => Ok(()),
            Health::Broken(fault) => Err(bailiwick_policy::health_error(&fault)),
        }
    }
}
