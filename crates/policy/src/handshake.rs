//! The handshake: REQUEST → REASONING → ACTION.
//!
//! Pure steps over [`ActorState`]; whether an id may be selected is decided by the one who sends
//! [`Event::Selected`], and so is what counts as a human's prompt.

use bailiwick_domain::{ActiveIntent, ActorState, Classification, Reselect, Settings, State};

/// What happens to an actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A human asked for something new.
    HumanPrompt,
    /// The host put a prompt in by itself: a task finished, a stop hook continued the turn. Nobody asked for anything
    /// new, so the selection stays.
    InjectedPrompt,
    /// The model began to answer.
    ModelTurn,
    /// The actor called a tool of this class, let through or not.
    ToolCall(Classification),
    /// The actor selected an intent that exists and is selectable.
    Selected(ActiveIntent),
    /// A human selected for the actor; lifts a quarantine.
    SelectedByHuman(ActiveIntent),
    /// A selection was refused.
    SelectionFailed,
    /// A mutation was recorded.
    Recorded,
    /// The host ran a call that was denied: why the session is halted.
    Halted(String),
}

/// The actor's state after an event. Total: every event is legal in every state.
pub fn step(before: &ActorState, event: &Event, settings: &Settings) -> ActorState {
    let mut after = before.clone();
    take(&mut after, event, settings);
    after
}

/// The same in place.
pub fn take(after: &mut ActorState, event: &Event, settings: &Settings) {
    match event {
        Event::HumanPrompt => prompted(after, settings),
        Event::ModelTurn | Event::ToolCall(_) => {
            if after.state == State::Request {
                after.state = State::Reasoning;
            }
        }
        Event::Selected(intent) => selected(after, intent),
        Event::SelectedByHuman(intent) => {
            after.quarantine = None;
            selected(after, intent);
        }
        Event::Recorded => after.mutated = true,
        Event::Halted(why) => after.quarantine = Some(why.clone()),
        Event::InjectedPrompt | Event::SelectionFailed => {}
    }
}

/// Whether a tool of this class may run in this state as far as the handshake is concerned: everything in `ACTION`,
/// before it what is safe and what is the gate's own.
///
/// ```
/// use bailiwick_domain::{Classification::*, State::*};
/// use bailiwick_policy::handshake::is_tool_allowed;
/// assert!(is_tool_allowed(Request, Safe, false));
/// assert!(!is_tool_allowed(Reasoning, Destructive, false));
/// ```
pub fn is_tool_allowed(state: State, class: Classification, own: bool) -> bool {
    own || state == State::Action || class == Classification::Safe
}

fn prompted(after: &mut ActorState, settings: &Settings) {
    after.blocked.clear();
    after.awaited.clear();
    if settings.reselect == Reselect::Session && after.state == State::Action {
        return;
    }
    after.state = State::Request;
    if let Some(active) = after.active.take() {
        after.hint = Some(active.id);
    }
}

fn selected(after: &mut ActorState, intent: &ActiveIntent) {
    after.blocked.clear();
    after.state = State::Action;
    after.active = Some(intent.clone());
    after.hint = None;
}
