//! Lines that somebody appends by hand behind what the witness saw: correctly chained, and nobody's (threats H1, H3).

use std::fs;
use std::path::PathBuf;

use bailiwick_adapters_fs::{FsLedger, FsLedgerVerifier, FsPendingStore, RepairError};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    ContentHash, FindingKind, Ledger, LedgerVerifier, PendingCall, PendingFile, PendingStore, Sync,
    TraceEntry, Value, Verification, json,
};
use pollster::block_on;

use crate::place::Place;

fn entry(n: usize) -> TraceEntry {
    let id = format!("00000000-0000-4000-8000-{n:012}");
    sample::trace_entry(&id, &sample::intent("INT-001", &["src/**"]))
}

fn ledger(place: &Place, signs: bool) -> FsLedger {
    FsLedger::new(place.layout(), Sync::Os).with_signing(signs)
}

fn written(signs: bool) -> Place {
    let place = Place::new();
    (0..3).for_each(|n| drop(block_on(ledger(&place, signs).append(&entry(n))).unwrap()));
    place
}

fn live(place: &Place) -> PathBuf {
    place.layout().private().join("ledger/live.jsonl")
}

fn lines(place: &Place) -> Vec<String> {
    fs::read_to_string(live(place)).unwrap().lines().map(str::to_owned).collect()
}

fn put(place: &Place, lines: &[String], end: &str) {
    let text = lines.join("\n") + end;
    fs::write(live(place), &text).unwrap();
    fs::write(place.layout().orchestration().join("agent_trace.jsonl"), text).unwrap();
}

/// The line that anyone can compute who reads the format: it follows the last one, and says what they like.
fn forged(last: &str) -> String {
    let last: Value = serde_json::from_str(last).unwrap();
    let mut record = last.clone();
    let members = record.as_object_mut().unwrap();
    members.remove("signature");
    members.remove("checksum");
    let own = &mut record["metadata"]["dev.bailiwick"];
    own.as_object_mut().unwrap().remove("signed_by");
    own["seq"] = json!(own["seq"].as_u64().unwrap() + 1);
    own["approved_by"] = json!("ceo");
    own["call"] = json!("forged");
    record["prev"] = last["checksum"].clone();
    let checksum = ContentHash::of(&serde_json_canonicalizer::to_vec(&record).unwrap());
    record["checksum"] = json!(checksum);
    String::from_utf8(serde_json_canonicalizer::to_vec(&record).unwrap()).unwrap()
}

fn verify(place: &Place) -> Verification {
    FsLedgerVerifier::new(place.layout()).verify().unwrap()
}

fn is_alarm_of_a_stranger(place: &Place) -> bool {
    let found = verify(place);
    found.has_alarm() && found.findings.iter().any(|finding| finding.kind == FindingKind::Unaccounted)
}

// threat H3, D-25
#[test]
fn a_line_that_anyone_appended_is_an_alarm_and_nothing_goes_on_behind_it() {
    for (signs, end) in [(true, "\n"), (false, "\n"), (true, ""), (false, "")] {
        let place = written(signs);
        let mut all = lines(&place);
        all.push(forged(all.last().unwrap()));
        put(&place, &all, end);
        let before = fs::read(live(&place)).unwrap();
        assert!(is_alarm_of_a_stranger(&place), "signs {signs}, end {end:?}: {:#?}", verify(&place));
        let ledger = ledger(&place, signs);
        assert!(block_on(ledger.ready()).is_err(), "no call is let through");
        assert!(ledger.look_at_end().is_err() && (end.is_empty() || ledger.seal().is_err()));
        assert!(block_on(ledger.append(&entry(9))).is_err(), "nor recorded behind it");
        assert!(fs::read(live(&place)).unwrap().starts_with(&before), "and nothing is lost");
        assert!(matches!(ledger.repair(), Err(RepairError::Unaccounted(_))), "repairing does not adopt it");
        assert!(is_alarm_of_a_stranger(&place));
    }
}

// D-25: only a person takes it as written
#[test]
fn a_person_can_adopt_what_nobody_accounts_for() {
    let place = written(true);
    let mut all = lines(&place);
    all.push(forged(all.last().unwrap()));
    put(&place, &all, "\n");
    let ledger = ledger(&place, true);
    ledger.adopt("dana", sample::now()).unwrap();
    assert!(!verify(&place).has_alarm());
    block_on(ledger.ready()).unwrap();
    let edited = fs::read_to_string(live(&place)).unwrap().replacen("claude", "crude", 1);
    fs::write(live(&place), edited).unwrap();
    assert!(
        matches!(ledger.adopt("dana", sample::now()), Err(RepairError::Tampered(_))),
        "an edit is never adopted"
    );
}

// D-21: a writer that was killed before the witness saw its line
#[test]
fn a_line_whose_call_predicted_exactly_it_is_ours_without_a_signature() {
    let place = Place::new();
    (0..2).for_each(|n| drop(block_on(ledger(&place, false).append(&entry(n))).unwrap()));
    let heads = fs::read_dir(place.layout().user_state().unwrap().join("witness")).unwrap().next().unwrap();
    let heads = heads.unwrap().path().join("heads");
    let seen = fs::read(&heads).unwrap();
    fs::write(&heads, &seen[..33]).unwrap();
    assert!(is_alarm_of_a_stranger(&place), "no call was let through that did this");
    let store = FsPendingStore::new(place.layout());
    let pending = pending(&entry(1));
    block_on(store.put(&pending)).unwrap();
    assert!(!verify(&place).has_alarm(), "{:#?}", verify(&place));
    block_on(ledger(&place, false).ready()).unwrap();
    let mut other = pending.clone();
    other.files[0].predicted = Some(other.files[0].before.clone());
    block_on(store.put(&other)).unwrap();
    assert!(is_alarm_of_a_stranger(&place), "another content was predicted");
    block_on(store.put(&pending)).unwrap();
    fs::write(&heads, b"").unwrap();
    assert!(is_alarm_of_a_stranger(&place), "one line at the most is known by its call alone");
}

fn pending(entry: &TraceEntry) -> PendingCall {
    let context = &entry.context;
    let files = entry.files.iter().map(|file| PendingFile {
        path: file.path.clone(),
        effect: bailiwick_domain::Effect::Write,
        before: file.before.clone(),
        predicted: Some(file.after.clone()),
        moved_to: None,
    });
    PendingCall {
        call: context.call.clone(),
        actor: context.actor.clone(),
        intent: context.intent.clone(),
        revision: context.revision.clone(),
        fingerprint: context.fingerprint.clone(),
        approval: context.approval.clone(),
        approved_by: context.approved_by.clone(),
        files: files.collect(),
        ..sample::pending("x", &context.actor, entry.timestamp)
    }
}

// threat H2
#[test]
fn a_witness_that_was_turned_to_garbage_is_an_alarm() {
    let place = written(true);
    let heads = fs::read_dir(place.layout().user_state().unwrap().join("witness")).unwrap().next().unwrap();
    let heads = heads.unwrap().path().join("heads");
    let garbage = fs::read(&heads).unwrap().iter().map(|_| b'#').collect::<Vec<u8>>();
    fs::write(&heads, garbage).unwrap();
    assert!(verify(&place).has_alarm());
    assert!(block_on(ledger(&place, true).ready()).is_err());
}
