//! Actors and observations on disk.

use std::fs;

use bailiwick_adapters_fs::FsSessionStore;
use bailiwick_domain::testing::{contract, sample};
use bailiwick_domain::{
    Actor, ActorState, CallId, ContentHash, FileState, Observation, PortError, SessionStore, State, Value,
};
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
    let half = &whole[..whole.trim_ascii_end().len() / 2];
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

/// Two states of one actor, and the file as it is with either of them.
fn two_states(place: &Place, actor: &Actor) -> [(ActorState, Vec<u8>); 2] {
    let store = FsSessionStore::new(place.layout());
    let many = (0..20).map(|number| CallId(format!("toolu_{number:030}"))).collect();
    let long = ActorState { denied: many, quarantine: Some("why".into()), ..ActorState::default() };
    let short = ActorState { state: State::Reasoning, mutated: true, ..ActorState::default() };
    [long, short].map(|state| {
        block_on(store.save(actor, &state)).unwrap();
        (state, fs::read(state_file(place, actor)).unwrap())
    })
}

// D-26
#[cfg(unix)]
#[test]
fn a_state_is_written_over_the_one_before() {
    use std::os::unix::fs::MetadataExt;
    let (place, actor) = (Place::new(), sample::actor());
    let store = FsSessionStore::new(place.layout());
    let inode = || fs::metadata(state_file(&place, &actor)).unwrap().ino();
    block_on(store.save(&actor, &ActorState::default())).unwrap();
    let first = inode();
    for number in 0..5 {
        let mut state = block_on(store.load(&actor)).unwrap().unwrap();
        state.deny(&CallId(format!("c{number}")));
        block_on(store.save(&actor, &state)).unwrap();
        assert_eq!(block_on(store.load(&actor)).unwrap(), Some(state));
        assert_eq!(inode(), first);
    }
    let names = fs::read_dir(state_file(&place, &actor).parent().unwrap()).unwrap();
    assert_eq!(names.count(), 1, "nothing is left beside it");
}

// D-26: a machine that crashes leaves the old state or the new one, or what is refused.
#[test]
fn a_mixture_of_two_states_is_never_believed() {
    let (place, actor) = (Place::new(), sample::actor());
    let store = FsSessionStore::new(place.layout());
    let [(one, first), (other, second)] = two_states(&place, &actor);
    assert_eq!(first.len(), second.len());
    for (before, after) in [(&first, &second), (&second, &first)] {
        for cut in 0..=before.len() {
            for (start, end) in [(0, cut), (cut, before.len()), (cut, (cut + 512).min(before.len()))] {
                let mut mixed = before.clone();
                mixed[start..end].copy_from_slice(&after[start..end]);
                fs::write(state_file(&place, &actor), &mixed).unwrap();
                match block_on(store.load(&actor)) {
                    Ok(found) => assert!(found == Some(one.clone()) || found == Some(other.clone())),
                    Err(error) => assert!(matches!(error, PortError::Invalid(_)), "{error}"),
                }
            }
        }
    }
}

// D-26
#[test]
fn a_reader_without_the_lock_sees_a_whole_state() {
    let (place, actor) = (Place::new(), sample::actor());
    let [(one, _), (other, _)] = two_states(&place, &actor);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let store = FsSessionStore::new(place.layout());
            for _ in 0..500 {
                for state in [&one, &other] {
                    block_on(store.save(&actor, state)).unwrap();
                }
            }
        });
        let store = FsSessionStore::new(place.layout());
        for _ in 0..1_000 {
            let found = block_on(store.load(&actor)).unwrap().unwrap();
            assert!(found == one || found == other);
        }
    });
}

// D-08
#[test]
fn an_older_program_reads_the_file_and_what_it_writes_counts() {
    let (place, actor) = (Place::new(), sample::actor());
    let store = FsSessionStore::new(place.layout());
    let path = state_file(&place, &actor);
    block_on(store.save(&actor, &ActorState { mutated: true, ..ActorState::default() })).unwrap();
    let mut read: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(read["format"], 1);
    assert_eq!(read["mutated"], true);
    // It keeps the sum, which it does not know, and writes the file anew.
    read["state"] = "REASONING".into();
    fs::write(&path, read.to_string()).unwrap();
    let mut state = block_on(store.load(&actor)).unwrap().unwrap();
    assert_eq!(state.state, State::Reasoning);
    state.mutated = false;
    block_on(store.save(&actor, &state)).unwrap();
    assert_eq!(block_on(store.load(&actor)).unwrap(), Some(state));
    assert!(fs::read(&path).unwrap().ends_with(b"\n"));
}

// K-07: a file that grew beyond a page, and one that somebody cut short meanwhile, are replaced.
#[test]
fn a_state_that_does_not_fit_is_written_all_the_same() {
    let (place, actor) = (Place::new(), sample::actor());
    let store = FsSessionStore::new(place.layout());
    for length in [0, 900, 2_000, 3_900, 4_500, 9_000, 10] {
        block_on(store.load(&actor)).unwrap();
        let state = ActorState { quarantine: Some("x".repeat(length)), ..ActorState::default() };
        block_on(store.save(&actor, &state)).unwrap();
        assert_eq!(block_on(store.load(&actor)).unwrap(), Some(state));
    }
    let path = state_file(&place, &actor);
    fs::write(&path, &fs::read(&path).unwrap()[..100]).unwrap();
    block_on(store.save(&actor, &ActorState::default())).unwrap();
    assert_eq!(block_on(store.load(&actor)).unwrap(), Some(ActorState::default()));
}

#[test]
fn an_observation_that_cannot_be_understood_is_an_error() {
    let (place, actor, path) = (Place::new(), sample::actor(), sample::path("a.rs"));
    let store = FsSessionStore::new(place.layout());
    block_on(store.observe(&actor, &path, &Observation::whole(FileState::Absent))).unwrap();
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
        block_on(store.observe(&actor, &path, &Observation::whole(FileState::Absent))).unwrap();
        let dir = place.private("actors").join(actor.key().digits());
        let files = fs::read_dir(&dir).unwrap().chain(fs::read_dir(dir.join("seen")).unwrap());
        files.map(|entry| entry.unwrap().metadata().unwrap().ino()).collect()
    };
    assert_eq!(inodes(), inodes());
    let mode = fs::metadata(state_file(&place, &actor)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(fs::metadata(place.private("actors")).unwrap().permissions().mode() & 0o777, 0o700);
}

// D-44: an older hook beside this one has a file read again that was shown in part
#[test]
fn what_was_shown_in_part_is_no_content_for_an_older_version_and_what_it_wrote_is_whole() {
    let (place, actor, path) = (Place::new(), sample::actor(), sample::path("a.rs"));
    let store = FsSessionStore::new(place.layout());
    let there = FileState::Content(ContentHash::of(b"there"));
    block_on(store.observe(&actor, &path, &Observation::part(there.clone()))).unwrap();
    let seen = place.private("actors").join(actor.key().digits()).join("seen");
    let file = fs::read_dir(&seen).unwrap().next().unwrap().unwrap().path();
    let read_by_an_older_version = |bytes: &[u8]| -> FileState {
        let written: Value = serde_json::from_slice(bytes).unwrap();
        serde_json::from_value(written["state"].clone()).unwrap()
    };
    assert_eq!(read_by_an_older_version(&fs::read(&file).unwrap()), FileState::Other);
    let old = serde_json::json!({"path": "a.rs", "state": there});
    fs::write(&file, old.to_string()).unwrap();
    assert_eq!(block_on(store.observation(&actor, &path)).unwrap(), Some(Observation::whole(there)));
}

// Time: nobody writes into a pipe that stands in place of a file, and nobody waits for it
#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_state_or_an_observation_is_an_error_at_once() {
    let (place, actor, path) = (Place::new(), sample::actor(), sample::path("a.rs"));
    let store = FsSessionStore::new(place.layout());
    block_on(store.save(&actor, &ActorState::default())).unwrap();
    block_on(store.observe(&actor, &path, &Observation::whole(FileState::Absent))).unwrap();
    let state = state_file(&place, &actor);
    let seen = state.with_file_name("seen");
    let seen = fs::read_dir(seen).unwrap().next().unwrap().unwrap().path();
    for file in [&state, &seen] {
        fs::remove_file(file).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(file).status().unwrap().success());
    }
    assert!(block_on(store.load(&actor)).is_err());
    assert!(block_on(store.observation(&actor, &path)).is_err());
}
