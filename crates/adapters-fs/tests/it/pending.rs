//! Pending calls and pre-images on disk.

use std::fs;
use std::path::PathBuf;

use bailiwick_adapters_fs::FsPendingStore;
use bailiwick_domain::testing::{contract, sample};
use bailiwick_domain::{ContentHash, PendingCall, PendingStore, PortError};
use pollster::block_on;

use crate::place::Place;

// K-24, D-21
#[test]
fn pending_calls_keep_the_contract() {
    block_on(contract::pending_store(&FsPendingStore::new(Place::new().layout())));
}

/// Where the calls of a session lie.
fn session_folder(place: &Place, pending: &PendingCall) -> PathBuf {
    place.layout().remembered().unwrap().join("pending").join(pending.actor.session_key().digits())
}

// K-24, D-17: a call's record becomes an entry of the ledger, and lets it run again, so a stranger can neither write nor put
// back one
#[test]
fn nothing_in_gits_folder_is_an_open_call() {
    let place = Place::new();
    let store = FsPendingStore::new(place.layout());
    let pending = sample::pending("call", &sample::actor(), sample::now());
    block_on(store.put(&pending)).unwrap();
    assert!(!place.private("pending").exists());
    let record = fs::read_dir(session_folder(&place, &pending)).unwrap().next().unwrap().unwrap();
    let strange = place.private("pending").join(pending.actor.session_key().digits());
    fs::create_dir_all(&strange).unwrap();
    fs::copy(record.path(), strange.join(record.file_name())).unwrap();
    block_on(store.remove(&pending.actor, &pending.call)).unwrap();
    assert_eq!(block_on(store.get(&pending.actor, &pending.call)), Ok(None));
    assert_eq!(block_on(store.list(&pending.actor)), Ok(Vec::new()));
    assert_eq!(block_on(store.all()), Ok(Vec::new()));
}

#[test]
fn what_is_no_record_among_the_calls_is_named_and_stops_none_of_them() {
    let place = Place::new();
    let store = FsPendingStore::new(place.layout());
    let other = sample::pending("other", &sample::actor(), sample::now());
    let pending = sample::pending("call", &sample::actor(), sample::now());
    block_on(store.put(&pending)).unwrap();
    let folder = session_folder(&place, &pending);
    let file = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let own = fs::read_to_string(&file).unwrap();
    block_on(store.put(&other)).unwrap();
    for damaged in ["{", "", r#"{"format":2}"#] {
        fs::write(&file, damaged).unwrap();
        assert_eq!(block_on(store.get(&pending.actor, &pending.call)), Ok(None), "{damaged}");
        assert_eq!(block_on(store.all()), Ok(vec![other.clone()]), "{damaged}");
        assert_eq!(store.unread(), Ok(vec![file.clone()]), "{damaged}");
    }
    fs::write(&file, &own).unwrap();
    assert_eq!(store.unread(), Ok(Vec::new()));
    let elsewhere = folder.with_file_name("0".repeat(64)).join(file.file_name().unwrap());
    fs::create_dir_all(elsewhere.parent().unwrap()).unwrap();
    fs::rename(&file, &elsewhere).unwrap();
    let odd = folder.join("odd.json");
    fs::create_dir(&odd).unwrap();
    assert_eq!(block_on(store.all()), Ok(vec![other.clone()]), "one lies where another belongs");
    assert_eq!(store.set_aside_unread(), Ok(2));
    assert!(!elsewhere.exists() && !odd.exists());
    assert_eq!(store.unread(), Ok(Vec::new()));
    assert_eq!(block_on(store.all()).unwrap(), [other]);
}

#[test]
fn a_file_that_a_killed_writer_left_is_no_pending_call() {
    let place = Place::new();
    let store = FsPendingStore::new(place.layout());
    let pending = sample::pending("call", &sample::actor(), sample::now());
    block_on(store.put(&pending)).unwrap();
    let dir = session_folder(&place, &pending);
    fs::write(dir.join(".x.json.1.2.3.tmp"), b"{").unwrap();
    assert_eq!(block_on(store.list(&pending.actor)).unwrap(), [pending]);
}

// REQ 75: what was said last of a content counts, and the content stays what it was
#[test]
#[cfg(unix)]
fn a_pre_image_says_whether_its_file_could_be_run() {
    let store = FsPendingStore::new(Place::new().layout());
    let none = ContentHash::of(b"never");
    assert_eq!(block_on(store.was_executable(&none)), Ok(false));
    assert!(block_on(store.keep_executable(&none, true)).is_err(), "there is nothing to keep it with");
    assert_eq!(block_on(store.kept(&none)), Ok(None));
    let hash = block_on(store.keep(b"#!/bin/sh\n")).unwrap();
    assert_eq!(block_on(store.was_executable(&hash)), Ok(false));
    for said in [false, true, true, false, true] {
        block_on(store.keep_executable(&hash, said)).unwrap();
        assert_eq!(block_on(store.was_executable(&hash)), Ok(said));
        assert_eq!(block_on(store.keep(b"#!/bin/sh\n")).unwrap(), hash);
        assert_eq!(block_on(store.kept(&hash)).unwrap().as_deref(), Some(&b"#!/bin/sh\n"[..]));
    }
}

#[test]
fn a_pre_image_that_does_not_match_its_name_is_an_error() {
    let place = Place::new();
    let store = FsPendingStore::new(place.layout());
    let hash = block_on(store.keep(b"before")).unwrap();
    let file = place.private("preimages").join(hash.digits().get(..2).unwrap()).join(hash.digits());
    fs::write(&file, b"forged").unwrap();
    assert!(matches!(block_on(store.kept(&hash)), Err(PortError::Invalid(_))));
    assert_eq!(block_on(store.kept(&ContentHash::of(b"never"))).unwrap(), None);
}
