//! Actors, states and what is remembered of them.

use bailiwick_domain::testing::{arbitrary, sample};
use bailiwick_domain::{Actor, ActorState, State};
use proptest::prelude::*;

#[test]
fn req_114_states_are_named_exactly() {
    for (state, name) in
        [(State::Request, "REQUEST"), (State::Reasoning, "REASONING"), (State::Action, "ACTION")]
    {
        assert_eq!(serde_json::to_value(state).unwrap(), name);
        assert_eq!(serde_json::from_value::<State>(name.into()).unwrap(), state);
        assert_eq!(state.as_str(), name);
    }
    assert_eq!(State::default(), State::Request);
    assert!(serde_json::from_value::<State>("request".into()).is_err());
}

// D-12
#[test]
fn sub_agents_are_actors_of_their_own_in_one_session() {
    let (root, one, two) = (sample::actor(), sample::child("1"), sample::child("2"));
    assert!(!root.is_child() && one.is_child());
    assert_eq!(one.parent(), root);
    assert_eq!(root.parent(), root);
    assert_ne!(one.key(), two.key());
    assert_ne!(one.key(), root.key());
    assert_eq!(one.session_key(), two.session_key());
    assert_eq!(one.session_key(), root.key());
    assert_eq!(one.to_string(), "claude-code/s1/1");
}

proptest! {
    // D-12
    #[test]
    fn keys_are_plain_names_whatever_the_ids_are(actor in arbitrary::actor()) {
        prop_assert_eq!(actor.key().digits().len(), 64);
        prop_assert!(actor.key().digits().bytes().all(|b| b.is_ascii_hexdigit()));
    }

    #[test]
    fn an_actor_survives_its_json(actor in arbitrary::actor()) {
        let json = serde_json::to_string(&actor).unwrap();
        prop_assert_eq!(serde_json::from_str::<Actor>(&json).unwrap(), actor);
    }

    #[test]
    fn counted_blocks_stay_bounded(keys in prop::collection::vec("[a-z]{1,3}", 0..300)) {
        let mut state = ActorState::default();
        for key in &keys {
            prop_assert!(state.count_block(key) >= 1);
            prop_assert!(state.blocked.len() <= ActorState::MAX_BLOCKED);
            prop_assert!(state.blocked.contains_key(key.as_str()));
        }
    }
}

#[test]
fn repeated_blocks_are_counted_one_by_one() {
    let mut state = ActorState::default();
    assert_eq!([state.count_block("a"), state.count_block("b"), state.count_block("a")], [1, 1, 2]);
    state.blocked.insert("a".to_owned(), u32::MAX);
    assert_eq!(state.count_block("a"), u32::MAX);
}

#[test]
fn state_files_of_other_versions_are_read() {
    let old = serde_json::from_str::<ActorState>(r#"{"state":"REASONING"}"#).unwrap();
    assert_eq!(old, ActorState { state: State::Reasoning, ..ActorState::default() });
    let newer = serde_json::from_str::<ActorState>(r#"{"added_later":1}"#).unwrap();
    assert_eq!(newer, ActorState::default());
}
