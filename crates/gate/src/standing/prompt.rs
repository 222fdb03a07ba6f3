//! Prompts: a new request of the person starts over, one that the host injected does not.

use bailiwick_domain::{Action, Actor, ActorState, DecisionRecord, GrantEnd, ToolError};
use bailiwick_policy::handshake::{Event, step};

use crate::{Gate, closed};

impl Gate {
    /// A prompt arrived. `injected` prompts come from the host, not from the human.
    ///
    /// # Errors
    /// When the state cannot be read or written; the old state then stays, which is never looser for a mutation than
    /// what the human had before, and every later call fails closed on the same state.
    pub async fn prompt(&self, actor: &Actor, injected: bool) -> Result<ActorState, ToolError> {
        let _held = self.ports.tree.lock.acquire().await.map_err(closed)?;
        let settings = self.ports.rules.policy.settings().await.unwrap_or_default();
        let (state, _) = self.load_or_inherit(actor).await.map_err(closed)?;
        let event = if injected { Event::InjectedPrompt } else { Event::HumanPrompt };
        let mut stepped = step(&state, &event, &settings);
        if !injected {
            stepped.prompted = Some(self.ports.chance.clock.now());
        }
        if !injected {
            self.end_grants_of_session(actor, &GrantEnd::TurnOver).await?;
        }
        self.ports.records.sessions.save(actor, &stepped).await.map_err(closed)?;
        let note = if injected { "prompt of the host" } else { "prompt of the human" };
        self.log_transition(actor, &stepped, "prompt", note).await?;
        Ok(stepped)
    }

    /// The session is over, and all of its grants with it.
    ///
    /// # Errors
    /// As for [`Gate::turn_over`].
    pub async fn session_over(&self, actor: &Actor) -> Result<(), ToolError> {
        let _held = self.ports.tree.lock.acquire().await.map_err(closed)?;
        self.end_grants_of_session(actor, &GrantEnd::TurnOver).await
    }

    /// Remembers the model that a session runs on, when the host tells it.
    ///
    /// # Errors
    /// When the state cannot be read or written.
    pub async fn session_started(&self, actor: &Actor, model: Option<String>) -> Result<(), ToolError> {
        let _held = self.ports.tree.lock.acquire().await.map_err(closed)?;
        let (mut state, _) = self.load_or_inherit(actor).await.map_err(closed)?;
        if model.is_some() {
            state.model = model;
        }
        state.started.get_or_insert(self.ports.chance.clock.now());
        self.ports.records.sessions.save(actor, &state).await.map_err(closed)
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
        let _held = self.ports.tree.lock.acquire().await.map_err(closed)?;
        let (state, _) = self.load_or_inherit(actor).await.map_err(closed)?;
        let record = DecisionRecord {
            action: Action::Block,
            code: Some(error.code()),
            paths: vec![path.to_owned()],
            ..self.transition(actor, &state, "settings", error.message())
        };
        self.ports.records.decisions.append(&record).await.map(drop).map_err(closed)
    }

    pub(crate) async fn log_transition(
        &self,
        actor: &Actor,
        state: &ActorState,
        event: &str,
        note: &str,
    ) -> Result<(), ToolError> {
        let record = self.transition(actor, state, event, note);
        self.ports.records.decisions.append(&record).await.map(drop).map_err(closed)
    }

    pub(crate) fn transition(
        &self,
        actor: &Actor,
        state: &ActorState,
        event: &str,
        note: &str,
    ) -> DecisionRecord {
        let at = self.ports.chance.clock.now();
        DecisionRecord {
            intent: state.active.as_ref().map(|active| active.id.clone()),
            ..DecisionRecord::new(at, actor.clone(), event, state.state, Action::Transition, note)
        }
    }
}
