//! What came of checks, on the disk.

use bailiwick_adapters_fs::{FsVerifications, Layout};
use bailiwick_domain::{
    Check, CheckOf, CheckOutcome, CheckResult, ContentHash, IntentId, NamedCheck, PortError, Timestamp,
};

use crate::place::Place;

/// Results as form 1 stores them, without a seal; later versions must read them.
const SAMPLE: &str = include_str!("../fixtures/verified-1/results.json");

fn result(command: &str, outcome: CheckOutcome) -> CheckResult {
    let check = NamedCheck {
        of: CheckOf::Criterion,
        id: Some("AC-1".to_owned()),
        text: Some("A reused token is refused".to_owned()),
        check: Check::Run(command.to_owned()),
    };
    CheckResult {
        check,
        outcome,
        status: Some(0),
        revision: serde_json::from_value(format!("sha256:{}", "0".repeat(64)).into()).unwrap(),
        commit: Some("5d41402abc4b2a76b9719d911017c592ae1b2c3d".to_owned()),
        over: None,
        at: Timestamp::from_unix_ms(1_771_200_000_000),
        by: "dana".to_owned(),
        before_work: true,
    }
}

fn intent() -> IntentId {
    IntentId::new("INT-001").unwrap()
}

fn file(layout: &Layout) -> std::path::PathBuf {
    let name = ContentHash::of(b"INT-001");
    layout.private().join("verified").join(format!("{}.json", name.digits()))
}

fn put(layout: &Layout, text: &str) {
    std::fs::create_dir_all(layout.private().join("verified")).unwrap();
    std::fs::write(file(layout), text).unwrap();
}

// D-42
#[test]
fn the_newest_result_of_each_check_stays() {
    let place = Place::new();
    let layout = place.layout();
    let store = FsVerifications::new(&layout);
    assert_eq!(store.of(&intent()), Ok(Vec::new()));
    let (old, other) = (result("a", CheckOutcome::Failed), result("b", CheckOutcome::Passed));
    store.record(&intent(), &[old, other.clone()], |_| true).unwrap();
    let new = result("a", CheckOutcome::Passed);
    store.record(&intent(), std::slice::from_ref(&new), |_| true).unwrap();
    assert_eq!(store.of(&intent()), Ok(vec![other, new.clone()]));
    store.record(&intent(), &[], |old| old.check == new.check).unwrap();
    assert_eq!(store.of(&intent()), Ok(vec![new]), "a check that is gone goes");
}

// D-42, threat C4: what is not known is not passed
#[test]
fn what_a_newer_version_wrote_is_an_error() {
    let place = Place::new();
    let layout = place.layout();
    let store = FsVerifications::new(&layout);
    for text in
        [SAMPLE.replace("\"format\":1", "\"format\":2"), "{\"format\":2,\"what\":\"else\"}".to_owned()]
    {
        put(&layout, &text);
        assert!(matches!(store.of(&intent()), Err(PortError::Invalid(_))), "{text}");
        assert!(store.record(&intent(), &[], |_| true).is_err(), "and it is not written over");
    }
}

#[test]
fn form_1_is_read() {
    let place = Place::new();
    let layout = Layout::new(place.layout().root(), place.layout().private(), None);
    put(&layout, SAMPLE);
    let read = FsVerifications::new(&layout).of(&intent()).unwrap();
    assert_eq!(read, [result("cargo test reuse_refused", CheckOutcome::Passed)]);
}

// Threat C4: a result that was written by hand counts for nothing
#[test]
fn results_without_a_seal_of_this_store_count_for_nothing() {
    let place = Place::new();
    let layout = place.layout();
    put(&layout, SAMPLE);
    assert_eq!(FsVerifications::new(&layout).of(&intent()), Ok(Vec::new()));
    let store = FsVerifications::new(&layout);
    store.record(&intent(), &[result("a", CheckOutcome::Failed)], |_| true).unwrap();
    let forged = std::fs::read_to_string(file(&layout)).unwrap().replace("failed", "passed");
    put(&layout, &forged);
    assert_eq!(store.of(&intent()), Ok(Vec::new()));
}

// Damaged results are no results, and the next run begins again.
#[test]
fn damaged_results_prove_nothing_and_are_written_over() {
    let place = Place::new();
    let layout = place.layout();
    let store = FsVerifications::new(&layout);
    for text in ["{".to_owned(), SAMPLE.replace("INT-001", "INT-002"), "{\"format\":1}".to_owned()] {
        put(&layout, &text);
        assert_eq!(store.of(&intent()), Ok(Vec::new()), "{text}");
    }
    let new = result("a", CheckOutcome::Passed);
    store.record(&intent(), std::slice::from_ref(&new), |_| true).unwrap();
    assert_eq!(store.of(&intent()), Ok(vec![new]));
}
