//! The state machine, exhaustively.

use bailiwick_domain::{ActiveIntent, ActorState, Classification, Intent, Reselect, Settings, State};
use bailiwick_policy::handshake::{Event, is_tool_allowed, step};

use crate::support::{draft, id};

const STATES: [State; 3] = [State::Request, State::Reasoning, State::Action];
const CLASSES: [Classification; 2] = [Classification::Safe, Classification::Destructive];

fn selection(name: &str, scope: &[&str]) -> ActiveIntent {
    let intent = Intent::new(draft(name, scope)).unwrap();
    ActiveIntent { id: intent.id().clone(), revision: intent.revision().clone() }
}

fn standing(state: State) -> ActorState {
    let active = (state == State::Action).then(|| selection("INT-001", &["src/**"]));
    let mut standing = ActorState { state, active, ..ActorState::default() };
    standing.count_block("call");
    standing
}

fn settings(reselect: Reselect) -> Settings {
    Settings { reselect, ..Settings::default() }
}

#[test]
fn req_106_req_107_states_by_classes_by_ownership() {
    for state in STATES {
        for class in CLASSES {
            for own in [false, true] {
                let expected = match (state, class, own) {
                    (State::Action, _, _) | (_, Classification::Safe, _) | (_, _, true) => true,
                    (State::Request | State::Reasoning, Classification::Destructive, false) => false,
                };
                assert_eq!(is_tool_allowed(state, class, own), expected, "{state:?} {class:?} {own}");
            }
        }
    }
}

#[test]
fn req_111_every_event_in_every_state_has_its_written_successor() {
    let other = selection("INT-002", &["lib/**"]);
    for reselect in [Reselect::Request, Reselect::Session] {
        for state in STATES {
            let looked = if state == State::Request { State::Reasoning } else { state };
            let prompted = match (reselect, state) {
                (Reselect::Session, State::Action) => State::Action,
                _ => State::Request,
            };
            let cases = [
                (Event::HumanPrompt, prompted),
                (Event::InjectedPrompt, state),
                (Event::ModelTurn, looked),
                (Event::ToolCall(Classification::Safe), looked),
                (Event::ToolCall(Classification::Destructive), looked),
                (Event::Selected(other.clone()), State::Action),
                (Event::SelectedByHuman(other.clone()), State::Action),
                (Event::SelectionFailed, state),
                (Event::Recorded, state),
                (Event::Halted("why".to_owned()), state),
            ];
            for (event, expected) in cases {
                let after = step(&standing(state), &event, &settings(reselect));
                assert_eq!(after.state, expected, "{state:?} {event:?} {reselect:?}");
                assert_eq!(after.active.is_some(), after.state == State::Action, "{state:?} {event:?}");
            }
        }
    }
}

#[test]
fn req_151_a_new_prompt_of_the_human_ends_the_selection_and_leaves_a_hint() {
    // K-28
    let after = step(&standing(State::Action), &Event::HumanPrompt, &settings(Reselect::Request));
    assert_eq!(after.active, None);
    assert_eq!(after.hint, Some(id("INT-001")));
    assert!(after.blocked.is_empty());
    let again = step(&after, &Event::HumanPrompt, &settings(Reselect::Request));
    assert_eq!(again.hint, Some(id("INT-001")), "a second prompt keeps the hint");
}

#[test]
fn a_prompt_keeps_the_selection_where_it_lasts_for_the_session() {
    let after = step(&standing(State::Action), &Event::HumanPrompt, &settings(Reselect::Session));
    assert_eq!(after.active, standing(State::Action).active);
    assert!(after.blocked.is_empty());
}

#[test]
fn a_prompt_of_the_host_changes_nothing() {
    // D-04
    for state in STATES {
        assert_eq!(step(&standing(state), &Event::InjectedPrompt, &Settings::default()), standing(state));
    }
}

#[test]
fn selecting_the_same_revision_again_is_free_and_clears_the_loop() {
    // D-04
    let same = Event::Selected(selection("INT-001", &["src/**"]));
    let cleared = ActorState { blocked: Default::default(), ..standing(State::Action) };
    assert_eq!(step(&standing(State::Action), &same, &Settings::default()), cleared);
}

#[test]
fn req_062_a_new_revision_or_another_intent_takes_effect_at_once() {
    for chosen in [selection("INT-001", &["lib/**"]), selection("INT-002", &["src/**"])] {
        let after = step(&standing(State::Action), &Event::Selected(chosen.clone()), &Settings::default());
        assert_eq!(after.active, Some(chosen));
        assert!(after.blocked.is_empty());
    }
}

#[test]
fn a_failed_selection_leaves_the_state_unchanged() {
    // REQ 111
    for state in STATES {
        assert_eq!(step(&standing(state), &Event::SelectionFailed, &Settings::default()), standing(state));
    }
}

#[test]
fn only_a_human_lifts_a_quarantine() {
    // K-45
    let halted = step(&standing(State::Action), &Event::Halted("it ran".to_owned()), &Settings::default());
    let chosen = selection("INT-002", &["src/**"]);
    let by_agent = step(&halted, &Event::Selected(chosen.clone()), &Settings::default());
    let prompted = step(&halted, &Event::HumanPrompt, &Settings::default());
    let by_human = step(&halted, &Event::SelectedByHuman(chosen), &Settings::default());
    assert_eq!(by_agent.quarantine.as_deref(), Some("it ran"));
    assert_eq!(prompted.quarantine.as_deref(), Some("it ran"));
    assert_eq!(by_human.quarantine, None);
}

#[test]
fn req_082_a_session_starts_without_an_intent() {
    assert_eq!(ActorState::default().state, State::Request);
    assert_eq!(ActorState::default().active, None);
}
