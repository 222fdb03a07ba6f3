//! Prompts: a new request of the person starts over, one that the host injected does not.

use bailiwick_domain::{Action, Actor, ActorState, DecisionRecord, GrantEnd, ToolError};
use bailiwick_policy::handshake::{Event, step};

use super::Turns;
use crate::closed;

impl Turns<'_> {
    /// A prompt arrived. `injected` prompts come from the host, not from the human.
    pub(crate) async fn prompt(&self, actor: &Actor, injected: bool) -> Result<ActorState, ToolError> {
        let _held = self.lock.acquire().await.map_err(closed)?;
        let settings = self.policy.settings().await.unwrap_or_default();
        let (state, _) = self.standing.load_or_inherit(actor).await.map_err(closed)?;
        let event = if injected { Event::InjectedPrompt } else { Event::HumanPrompt };
        let mut stepped = step(&state, &event, &settings);
        if !injected {
            stepped.prompted = Some(self.clock.now());
        }
        if !injected {
            self.grants.end_grants_of_session(actor, &GrantEnd::TurnOver).await?;
        }
        self.standing.save(actor, &stepped).await?;
        let note = if injected { "prompt by the host" } else { "prompt by a person" };
        self.decisions.log_transition(actor, &stepped, "prompt", note).await?;
        Ok(stepped)
    }

    /// The session is over, and all of its grants with it.
    pub(crate) async fn session_over(&self, actor: &Actor) -> Result<(), ToolError> {
        let _held = self.lock.acquire().await.map_err(closed)?;
        self.grants.end_grants_of_session(actor, &GrantEnd::TurnOver).await
    }

    /// Remembers the model that a session runs on, when the host tells it.
    pub(crate) async fn session_started(
        &self,
        actor: &Actor,
        model: Option<String>,
    ) -> Result<(), ToolError> {
        let _held = self.lock.acquire().await.map_err(closed)?;
        let (mut state, _) = self.standing.load_or_inherit(actor).await.map_err(closed)?;
        if model.is_some() {
            state.model = model;
        }
        state.started.get_or_insert(self.clock.now());
        self.standing.save(actor, &state).await
    }

    /// Writes down that a change of the host's settings was not taken over.
    ///
    /// # Errors
    /// When the log cannot be written.
    pub async fn settings_refused(
        &self,
        actor: &Actor,
        path: &str,
        error: &ToolError,
    ) -> Result<(), ToolError> {
        let _held = self.lock.acquire().await.map_err(closed)?;
        let (state, _) = self.standing.load_or_inherit(actor).await.map_err(closed)?;
        let record = DecisionRecord {
            action: Action::Block,
            code: Some(error.code()),
            paths: vec![path.to_owned()],
            ..self.decisions.transition(actor, &state, "settings", error.message())
        };
        self.decisions.log(&record).await
    }
}
