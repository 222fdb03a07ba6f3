//! Pending calls and pre-images on disk.

use std::fs;

use bailiwick_adapters_fs::FsPendingStore;
use bailiwick_domain::testing::{contract, sample};
use bailiwick_domain::{ContentHash, PendingStore, PortError};
use pollster::block_on;

use crate::place::Place;

// K-24, D-21
#[test]
fn pending_calls_keep_the_contract() {
    block_on(contract::pending_store(&FsPendingStore::new(Place::new().layout())));
}

// K-24: a call's record becomes an entry of the ledger, so nobody else may write one
#[test]
fn a_pending_call_that_nobody_here_wrote_is_none_and_is_named() {
    let place = Place::new();
    let store = FsPendingStore::new(place.layout());
    let pending = sample::pending("call", &sample::actor(), sample::now());
    block_on(store.put(&pending)).unwrap();
    let dir = place.private("pending").join(pending.actor.session_key().digits());
    let file = fs::read_dir(&dir).unwrap().next().unwrap().unwrap().path();
    let own = fs::read_to_string(&file).unwrap();
    let edited = own.replace(r#""scope_override":false"#, r#""scope_override":true"#);
    assert_ne!(edited, own);
    let bare = serde_json::to_string(&pending).unwrap();
    for forged in ["{", bare.as_str(), edited.as_str()] {
        fs::write(&file, forged).unwrap();
        assert_eq!(block_on(store.get(&pending.actor, &pending.call)), Ok(None), "{forged}");
        assert_eq!(block_on(store.list(&pending.actor)), Ok(Vec::new()), "{forged}");
        assert_eq!(block_on(store.all()), Ok(Vec::new()), "{forged}");
        assert_eq!(store.unread(), Ok(vec![file.clone()]), "{forged}");
    }
    fs::write(&file, &own).unwrap();
    assert_eq!(store.unread(), Ok(Vec::new()));
    assert_eq!(block_on(store.all()), Ok(vec![pending.clone()]));
    let elsewhere = dir.with_file_name("0".repeat(64)).join(file.file_name().unwrap());
    fs::create_dir_all(elsewhere.parent().unwrap()).unwrap();
    fs::rename(&file, &elsewhere).unwrap();
    assert_eq!(block_on(store.all()), Ok(Vec::new()), "it lies where another belongs");
    assert_eq!(store.unread(), Ok(vec![elsewhere]));
}

#[test]
fn a_file_that_a_killed_writer_left_is_no_pending_call() {
    let place = Place::new();
    let store = FsPendingStore::new(place.layout());
    let pending = sample::pending("call", &sample::actor(), sample::now());
    block_on(store.put(&pending)).unwrap();
    let dir = place.private("pending").join(pending.actor.session_key().digits());
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
