//! Which revisions of intents count on this machine (D-18): remembered outside the tree, added to by humans only.

use std::fs;

use bailiwick_adapters_fs::{FsIntentRepo, FsIntentWriter, NewIntent, append_intent};
use bailiwick_domain::{
    Accepted, Intent, IntentChange, IntentId, IntentRepo, IntentStatus, IntentWriter, ScopePattern,
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

const MAIN: &str = "refs/heads/main";

fn known(place: &Place) -> Accepted {
    block_on(FsIntentRepo::new(place.layout()).accepted(&id())).unwrap()
}

fn accepted(place: &Place) -> Vec<Intent> {
    known(place).states
}

/// Everything that is kept of accepted intents.
fn files(place: &Place) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![place.layout().user_state().unwrap().join("accepted")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.path().is_dir() { folders.push(entry.path()) } else { found.push(entry.path()) }
        }
    }
    found
}

fn change(place: &Place, change: &IntentChange) {
    let writer = FsIntentWriter::new(place.layout());
    block_on(async { writer.write(&writer.draft(change).await.unwrap(), MAIN).await.unwrap() });
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
    assert!(!current(&place).is_open());
    assert_eq!(
        known(&place).taken.get(MAIN),
        Some(&current(&place)),
        "closed, on the branch where it was closed"
    );
    assert!(accepted(&place).iter().all(Intent::is_open));
    block_on(FsIntentWriter::new(place.layout()).accept(&accepted(&place)[0], MAIN)).unwrap();
    assert!(known(&place).taken.is_empty(), "a yes to it as it was opens it again");
}

// D-18: what version 0.1.0 kept goes on counting, and is taken out of its file when it changes
#[test]
fn what_an_older_version_accepted_still_counts() {
    let place = place(ONE);
    let folder = place.layout().user_state().unwrap().join("accepted");
    let key = bailiwick_domain::ContentHash::of(place.layout().private().as_os_str().as_encoded_bytes());
    let old = folder.join(format!("{}.intents.json", key.digits()));
    fs::create_dir_all(&folder).unwrap();
    let draft = r#"{"id":"INT-001","name":"Login","status":"IN_PROGRESS","owned_scope":["src/auth/"],"constraints":[],"acceptance_criteria":[],"requirements":[],"why":null,"parent":null,"frozen":false}"#;
    let text = format!(
        r#"{{"repository":"x","intents":{{"INT-001":[{draft}],"INT-002":[{}]}}}}"#,
        draft.replace("INT-001", "INT-002")
    );
    fs::write(&old, text).unwrap();
    assert_eq!(accepted(&place), [current(&place)]);
    block_on(FsIntentWriter::new(place.layout()).note_taken(&current(&place), MAIN)).unwrap();
    assert_eq!(accepted(&place), [current(&place)]);
    let left = fs::read_to_string(&old).unwrap();
    assert!(!left.contains("INT-001") && left.contains("INT-002"), "{left}");
}

// D-18, threat C14: what somebody else wrote does not ride on a human's own change
#[test]
fn an_edit_by_somebody_else_stays_to_be_shown() {
    let place = place(ONE);
    change(&place, &expand("docs/"));
    assert!(accepted(&place).is_empty());
    block_on(FsIntentWriter::new(place.layout()).accept(&current(&place), MAIN)).unwrap();
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
    block_on(writer.accept(&current(&place), MAIN)).unwrap();
    for file in files(&place) {
        fs::write(&file, "{").unwrap();
    }
    assert!(accepted(&place).is_empty());
    assert!(block_on(writer.accept(&current(&place), MAIN)).is_err());
}

// D-18
#[test]
fn the_last_eight_revisions_are_remembered() {
    let place = place(ONE);
    let writer = FsIntentWriter::new(place.layout());
    for number in 0..12 {
        let text = ONE.replace("src/auth/", &format!("src/{number}/"));
        fs::write(place.layout().intents_file(), text).unwrap();
        block_on(writer.accept(&current(&place), MAIN)).unwrap();
        block_on(writer.accept(&current(&place), MAIN)).unwrap();
    }
    let kept = accepted(&place);
    assert_eq!((kept.len(), kept.last()), (8, Some(&current(&place))));
}
