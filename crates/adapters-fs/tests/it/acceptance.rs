//! Which revisions of intents count on this machine (D-18): remembered outside the tree, added to by humans only.

use std::fs;

use bailiwick_adapters_fs::{FsIntentRepo, FsIntentWriter, NewIntent, append_intent};
use bailiwick_domain::{
    Intent, IntentChange, IntentId, IntentRepo, IntentStatus, IntentWriter, ScopePattern,
};
use pollster::block_on;

use crate::governed::Place;

const ONE: &str = "active_intents:\n  - id: INT-001\n    name: Login\n    status: IN_PROGRESS\n    owned_scope: [src/auth/]\n";

fn id() -> IntentId {
    IntentId::new("INT-001").unwrap()
}

fn place(text: &str) -> Place {
    let place = Place::new();
    fs::write(place.layout().intents_file(), text).unwrap();
    place
}

fn current(place: &Place) -> Intent {
    block_on(FsIntentRepo::new(place.layout()).get(&id())).unwrap().unwrap()
}

fn accepted(place: &Place) -> Vec<Intent> {
    block_on(FsIntentRepo::new(place.layout()).accepted(&id())).unwrap()
}

fn change(place: &Place, change: &IntentChange) {
    let writer = FsIntentWriter::new(place.layout());
    block_on(async { writer.write(&writer.draft(change).await.unwrap()).await.unwrap() });
}

fn expand(pattern: &str) -> IntentChange {
    IntentChange::Expand { id: id(), patterns: vec![ScopePattern::new(pattern).unwrap()] }
}

// D-18
#[test]
fn what_lies_in_the_tree_is_accepted_by_nobody() {
    assert!(accepted(&place(ONE)).is_empty());
}

// D-18
#[test]
fn what_bailiwick_writes_for_a_human_is_accepted() {
    let place = place("active_intents: []\n");
    let new = NewIntent {
        id: None,
        name: "Login".to_owned(),
        why: None,
        owned_scope: vec![ScopePattern::new("src/auth/").unwrap()],
        acceptance_criteria: Vec::new(),
        requirements: Vec::new(),
        allow_broad: false,
        expires: None,
    };
    append_intent(&place.layout(), &new).unwrap();
    assert_eq!(accepted(&place), [current(&place)]);
    change(&place, &expand("docs/"));
    assert_eq!(accepted(&place).last(), Some(&current(&place)));
    change(&place, &IntentChange::SetStatus { id: id(), status: IntentStatus::Completed });
    assert_eq!(accepted(&place).last(), Some(&current(&place)));
}

// D-18, threat C14: what somebody else wrote does not ride on a human's own change
#[test]
fn an_edit_by_somebody_else_stays_to_be_shown() {
    let place = place(ONE);
    change(&place, &expand("docs/"));
    assert!(accepted(&place).is_empty());
    block_on(FsIntentWriter::new(place.layout()).accept(&current(&place))).unwrap();
    let wider = fs::read_to_string(place.layout().intents_file()).unwrap().replace("src/auth/", "src/");
    fs::write(place.layout().intents_file(), wider).unwrap();
    let before = accepted(&place);
    change(&place, &expand("tests/"));
    assert_eq!(accepted(&place), before);
}

// D-18: damage accepts nothing, and a yes is not lost in silence
#[test]
fn a_memory_that_cannot_be_read_accepts_nothing() {
    let place = place(ONE);
    let writer = FsIntentWriter::new(place.layout());
    block_on(writer.accept(&current(&place))).unwrap();
    let folder = place.layout().user_state().unwrap().join("accepted");
    let file = fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    fs::write(&file, "{").unwrap();
    assert!(accepted(&place).is_empty());
    assert!(block_on(writer.accept(&current(&place))).is_err());
}

// D-18
#[test]
fn the_last_eight_revisions_are_remembered() {
    let place = place(ONE);
    let writer = FsIntentWriter::new(place.layout());
    for number in 0..12 {
        let text = ONE.replace("src/auth/", &format!("src/{number}/"));
        fs::write(place.layout().intents_file(), text).unwrap();
        block_on(writer.accept(&current(&place))).unwrap();
        block_on(writer.accept(&current(&place))).unwrap();
    }
    let kept = accepted(&place);
    assert_eq!((kept.len(), kept.last()), (8, Some(&current(&place))));
}
