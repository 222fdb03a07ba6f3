//! The decision log, as every part writes it: the lines of calls and of what else moves an actor, each with its time.
//!
//! Deliberately absent: the facts of a call, which `gathering` adds to its line.

use bailiwick_domain::{
    Action, Actor, ActorState, CallId, Classification, DecisionRecord, Timestamp, ToolCall, ToolError,
};

use crate::closed;
use crate::presentation::redact::redact;

part! {
    /// Writes lines of the decision log.
    pub(crate) struct Decisions {
        from records: decisions;
        from chance: clock;
    }
}

impl Decisions<'_> {
    /// Writes a line and says which number it got. What cannot be written lets nothing through.
    pub(crate) async fn append(&self, record: &DecisionRecord) -> Result<u64, ToolError> {
        self.decisions.append(record).await.map_err(closed)
    }

    /// The same where the number does not matter.
    pub(crate) async fn log(&self, record: &DecisionRecord) -> Result<(), ToolError> {
        self.append(record).await.map(drop)
    }

    /// The lines from that number on, oldest first.
    pub(crate) async fn since(&self, number: u64) -> Result<Vec<DecisionRecord>, ToolError> {
        self.decisions.since(number).await.map_err(closed)
    }

    /// Whether the log tells of a call since that moment; `None` where it cannot tell.
    pub(crate) async fn tells_of(
        &self,
        actor: &Actor,
        call: &CallId,
        since: Timestamp,
    ) -> Result<Option<bool>, ToolError> {
        self.decisions.tells_of(actor, call, since).await.map_err(closed)
    }

    /// The line of a call of the gate's own tools, which are safe and touch no path; other calls build on it.
    pub(crate) fn record_of(
        &self,
        call: &ToolCall,
        state: &ActorState,
        action: Action,
        note: String,
    ) -> DecisionRecord {
        let (at, actor) = (self.clock.now(), call.actor.clone());
        DecisionRecord {
            call: Some(call.id.clone()),
            class: Some(Classification::Safe),
            intent: state.active.as_ref().map(|active| active.id.clone()),
            ..DecisionRecord::new(at, actor, &*call.tool, state.state, action, redact(&note))
        }
    }

    /// The line of what moved an actor, and was no call.
    pub(crate) fn transition(
        &self,
        actor: &Actor,
        state: &ActorState,
        event: &str,
        note: &str,
    ) -> DecisionRecord {
        DecisionRecord {
            intent: state.active.as_ref().map(|active| active.id.clone()),
            ..DecisionRecord::new(
                self.clock.now(),
                actor.clone(),
                event,
                state.state,
                Action::Transition,
                note,
            )
        }
    }

    pub(crate) async fn log_transition(
        &self,
        actor: &Actor,
        state: &ActorState,
        event: &str,
        note: &str,
    ) -> Result<(), ToolError> {
        self.log(&self.transition(actor, state, event, note)).await
    }
}
