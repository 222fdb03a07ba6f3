//! Allowed commands on disk: the contract, and what of a file counts (D-16, D-32).

use std::fs;

use bailiwick_adapters_fs::{FsAllowanceStore, Layout};
use bailiwick_domain::AllowanceStore;
use bailiwick_domain::testing::{contract, sample};
use pollster::block_on;

use crate::place::Place;

fn store(place: &Place) -> FsAllowanceStore {
    FsAllowanceStore::new(&place.layout())
}

// D-32
#[test]
fn allowances_keep_the_contract() {
    block_on(contract::allowance_store(&store(&Place::new())));
}

// D-16, D-32
#[test]
fn a_file_that_this_store_did_not_write_allows_nothing() {
    let (place, other) = (Place::new(), Place::new());
    block_on(store(&place).allow(&sample::allowance_terms("test"))).unwrap();
    let file = place.private("allowances").join("allowed.json");
    let written = fs::read_to_string(&file).unwrap();
    let theirs = other.private("allowances");
    fs::create_dir_all(&theirs).unwrap();
    fs::write(theirs.join("allowed.json"), &written).unwrap();
    assert!(block_on(store(&other).list()).unwrap().is_empty(), "copied from another root");
    assert_eq!(block_on(store(&place).list()).unwrap().len(), 1);
    for edited in [written.replace("\"test\"", "\"publish\""), "{}".to_owned(), String::new()] {
        fs::write(&file, &edited).unwrap();
        assert!(block_on(store(&place).list()).unwrap().is_empty(), "{edited}");
    }
    fs::write(&file, &written).unwrap();
    assert_eq!(block_on(store(&place).list()).unwrap().len(), 1);
}

// D-16
#[test]
fn without_the_user_state_folder_nothing_is_allowed() {
    let place = Place::new();
    block_on(store(&place).allow(&sample::allowance_terms("test"))).unwrap();
    let layout = Layout::new(place.layout().root(), place.layout().private(), None);
    let keyless = FsAllowanceStore::new(&layout);
    assert!(block_on(keyless.list()).unwrap().is_empty());
    assert!(block_on(keyless.allow(&sample::allowance_terms("build"))).is_err());
}
