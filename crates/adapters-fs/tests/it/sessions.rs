//! Actors and observations on disk.

use std::fs;

use bailiwick_adapters_fs::FsSessionStore;
use bailiwick_domain::testing::{contract, sample};
use bailiwick_domain::{Actor, ActorState, CallId, FileState, PortError, SessionStore, State, Value};
use pollster::block_on;

use crate::place::Place;

fn state_file(place: &Place, actor: &Actor) -> std::path::PathBuf {
    place.private("actors").join(actor.key().digits()).join("state.json")
}

// D-12
#[test]
fn sessions_keep_the_contract() {
    block_on(contract::session_store(&FsSessionStore::new(Place::new().layout())));
}

// D-12
#[test]
fn names_of_files_are_hashes_only() {
    let place = Place::new();
    let hostile = Actor::root("../../host", "a/../../b");
    block_on(FsSessionStore::new(place.layout()).save(&hostile, &ActorState::default())).unwrap();
    let names: Vec<_> =
        fs::read_dir(place.private("actors")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, [hostile.key().digits()]);
}

// D-15
#[test]
fn an_old_writer_keeps_what_a_newer_one_wrote() {
    let (place, actor) = (Place::new(), sample::actor());
    let store = FsSessionStore::new(place.layout());
    block_on(store.save(&actor, &ActorState::default())).unwrap();
    let path = state_file(&place, &actor);
    let mut newer: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    newer["format"] = 2.into();
    newer["from_the_future"] = serde_json::json!({"a": [1, 2]});
    fs::write(&path, newer.to_string()).unwrap();

    let mut state = block_on(store.load(&actor)).unwrap().unwrap();
    state.state = State::Reasoning;
    block_on(store.save(&actor, &state)).unwrap();

    let rewritten: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(rewritten["from_the_future"], newer["from_the_future"]);
    assert_eq!(rewritten["format"], 2);
    assert_eq!(rewritten["state"], "REASONING");
}

// D-15
#[test]
fn a_file_in_another_order_is_the_same_state() {
    let (place, actor) = (Place::new(), sample::actor());
    let store = FsSessionStore::new(place.layout());
    let denied = ActorState { denied: vec![CallId("c1".into())], mutated: true, ..ActorState::default() };
    block_on(store.save(&actor, &denied)).unwrap();
    let path = state_file(&place, &actor);
    let sorted: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    fs::write(&path, format!(" {sorted} ")).unwrap();

    let mut state = block_on(store.load(&actor)).unwrap().unwrap();
    assert_eq!(state, denied);
    state.quarantine = Some("why".into());
    block_on(store.save(&actor, &state)).unwrap();
    assert_eq!(block_on(store.load(&actor)).unwrap(), Some(state));
}

#[test]
fn a_new_reader_takes_what_an_older_one_wrote() {
    let (place, actor) = (Place::new(), sample::actor());
    let store = FsSessionStore::new(place.layout());
    block_on(store.save(&actor, &ActorState { mutated: true, ..ActorState::default() })).unwrap();
    let path = state_file(&place, &actor);
    let mut older: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    older.as_object_mut().unwrap().remove("model");
    fs::write(&path, older.to_string()).unwrap();
    assert!(block_on(store.load(&actor)).unwrap().unwrap().mutated);
}

// K-07
#[test]
fn a_state_that_cannot_be_understood_is_an_error_and_stays() {
    let (place, actor) = (Place::new(), sample::actor());
    let store = FsSessionStore::new(place.layout());
    block_on(store.save(&actor, &ActorState { quarantine: Some("why".into()), ..ActorState::default() }))
        .unwrap();
    let path = state_file(&place, &actor);
    let whole = fs::read(&path).unwrap();
    let other = format!(r#"{{"format":1,"actor":{}}}"#, serde_json::to_string(&sample::child("x")).unwrap());
    let unknown = String::from_utf8(whole.clone()).unwrap().replace("REQUEST", "ALMIGHTY");
    let half = &whole[..whole.len() / 2];
    for broken in [&b""[..], b"{}", b"null", b"\0\0\0\0", half, other.as_bytes(), unknown.as_bytes()] {
        fs::write(&path, broken).unwrap();
        let loaded = block_on(store.load(&actor));
        assert!(
            matches!(loaded, Err(PortError::Invalid(_))),
            "{:?}: {loaded:?}",
            String::from_utf8_lossy(broken)
        );
    }
    fs::write(&path, half).unwrap();
    assert!(block_on(store.save(&actor, &ActorState::default())).is_err());
    assert_eq!(fs::read(&path).unwrap(), half, "a broken state is never overwritten");
}

#[test]
fn an_observation_that_cannot_be_understood_is_an_error() {
    let (place, actor, path) = (Place::new(), sample::actor(), sample::path("a.rs"));
    let store = FsSessionStore::new(place.layout());
    block_on(store.observe(&actor, &path, &FileState::Absent)).unwrap();
    let seen = place.private("actors").join(actor.key().digits()).join("seen");
    let file = fs::read_dir(&seen).unwrap().next().unwrap().unwrap().path();
    for broken in ["", "{}", r#"{"path":"b.rs","state":"absent"}"#] {
        fs::write(&file, broken).unwrap();
        assert!(block_on(store.observation(&actor, &path)).is_err(), "{broken:?}");
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_when_nothing_changed() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let (place, actor, path) = (Place::new(), sample::actor(), sample::path("a.rs"));
    let store = FsSessionStore::new(place.layout());
    let inodes = || -> Vec<u64> {
        block_on(store.save(&actor, &ActorState::default())).unwrap();
        block_on(store.observe(&actor, &path, &FileState::Absent)).unwrap();
        let dir = place.private("actors").join(actor.key().digits());
        let files = fs::read_dir(&dir).unwrap().chain(fs::read_dir(dir.join("seen")).unwrap());
        files.map(|entry| entry.unwrap().metadata().unwrap().ino()).collect()
    };
    assert_eq!(inodes(), inodes());
    let mode = fs::metadata(state_file(&place, &actor)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(fs::metadata(place.private("actors")).unwrap().permissions().mode() & 0o777, 0o700);
}
