//! Signed entries: made with the key of this user, checked by `verify`, and never let through without a key (row 146).

use std::fs;

use bailiwick_adapters_fs::{
    FsLedger, FsLedgerVerifier, KnownKey, Layout, SignedBy, TraceKey, TraceKeys, read_ledger_line, signed_by,
};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    ContentHash, Finding, FindingKind, Ledger, LedgerVerifier, PortError, Severity, Sync, Value,
    Verification, json,
};
use pollster::block_on;

use crate::place::{Place, childs_layout};

fn ledger(layout: &Layout, signs: bool) -> FsLedger {
    FsLedger::new(layout.clone(), Sync::Os).with_signing(signs)
}

fn append(layout: &Layout, signs: bool) {
    let id = format!("00000000-0000-4000-8000-{:012}", lines(layout).len());
    let entry = sample::trace_entry(&id, &sample::intent("INT-001", &["src/**"]));
    block_on(ledger(layout, signs).append(&entry)).unwrap();
}

fn live(layout: &Layout) -> std::path::PathBuf {
    layout.private().join("ledger/live.jsonl")
}

fn lines(layout: &Layout) -> Vec<String> {
    fs::read_to_string(live(layout)).unwrap_or_default().lines().map(str::to_owned).collect()
}

fn key_file(place: &Place) -> std::path::PathBuf {
    place.layout().user_state().unwrap().join("trace.key")
}

fn verify(layout: &Layout) -> Verification {
    FsLedgerVerifier::new(layout.clone()).verify().unwrap()
}

fn found(verification: &Verification) -> Vec<(Severity, FindingKind)> {
    verification.findings.iter().map(|Finding { severity, kind, .. }| (*severity, *kind)).collect()
}

/// Puts another line in the place of one, in the ledger and in its view.
fn put(layout: &Layout, index: usize, line: &Value) {
    let mut all = lines(layout);
    all[index] = String::from_utf8(serde_json_canonicalizer::to_vec(line).unwrap()).unwrap();
    let text = all.join("\n") + "\n";
    fs::write(live(layout), &text).unwrap();
    fs::write(layout.orchestration().join("agent_trace.jsonl"), text).unwrap();
}

fn record(layout: &Layout, index: usize) -> Value {
    serde_json::from_str(&lines(layout)[index]).unwrap()
}

/// Makes a record agree with its checksum again, as somebody would who rewrites the ledger.
fn with_checksum(mut record: Value) -> Value {
    let members = record.as_object_mut().unwrap();
    let signature = members.remove("signature");
    members.remove("checksum");
    let checksum = ContentHash::of(&serde_json_canonicalizer::to_vec(&record).unwrap());
    record["checksum"] = json!(checksum);
    if let Some(signature) = signature {
        record["signature"] = signature;
    }
    record
}

// REQ 146, K-23
#[test]
fn req_146_a_signed_entry_verifies_and_names_its_key() {
    let place = Place::new();
    let layout = place.layout();
    append(&layout, true);
    append(&layout, true);
    let verification = verify(&layout);
    assert_eq!(found(&verification), []);
    assert_eq!((verification.extent.entries, verification.extent.signed), (2, 2));
    let keys = TraceKeys::open(&layout).unwrap();
    let key = keys.own().unwrap().clone();
    assert_eq!(keys.whose(&key, None, 1).name(), Some("you"));
    for line in lines(&layout) {
        let line = read_ledger_line(line.as_bytes()).unwrap();
        assert_eq!(signed_by(&line), SignedBy::Key(key.clone()));
    }
    assert_eq!(TraceKey::parse(key.as_str()), Some(key));
}

// REQ 146: off is the default, and then nothing is made.
#[test]
fn without_the_setting_nothing_is_signed_and_no_key_is_made() {
    let place = Place::new();
    let layout = place.layout();
    append(&layout, false);
    block_on(ledger(&layout, false).ready()).unwrap();
    assert!(!key_file(&place).exists());
    let line = read_ledger_line(lines(&layout)[0].as_bytes()).unwrap();
    assert_eq!((signed_by(&line), verify(&layout).extent.signed), (SignedBy::Nobody, 0));
    assert!(record(&layout, 0).get("signature").is_none());
    assert!(record(&layout, 0)["metadata"]["dev.bailiwick"].get("signed_by").is_none());
}

// REQ 146, D-25
#[test]
fn a_signature_that_is_gone_wrong_or_borrowed_is_an_alarm() {
    let place = Place::new();
    let layout = place.layout();
    append(&layout, true);
    append(&layout, true);
    let whole = fs::read(live(&layout)).unwrap();
    let (first, last) = (record(&layout, 0), record(&layout, 1));
    let gone = |record: &Value| {
        let mut record = record.clone();
        record.as_object_mut().unwrap().remove("signature");
        record
    };
    let with = |signature: Value| {
        let mut record = last.clone();
        record["signature"] = signature;
        record
    };
    let digits = last["signature"].as_str().unwrap();
    let mut other_digit: Vec<char> = digits.chars().collect();
    other_digit[20] = if other_digit[20] == '0' { '1' } else { '0' };
    let other_digit: String = other_digit.into_iter().collect();
    let mut unnamed = last.clone();
    unnamed["metadata"]["dev.bailiwick"].as_object_mut().unwrap().remove("signed_by");
    for (record, kind) in [
        (gone(&last), FindingKind::SignatureMissing),
        (with(first["signature"].clone()), FindingKind::BadSignature),
        (with(json!(other_digit)), FindingKind::BadSignature),
        (with(json!(digits.to_uppercase())), FindingKind::BadSignature),
        (with(json!("")), FindingKind::BadSignature),
    ] {
        put(&layout, 1, &record);
        assert_eq!(found(&verify(&layout)), [(Severity::Alarm, kind)], "{:?}", record["signature"]);
        fs::write(live(&layout), &whole).unwrap();
    }
    put(&layout, 1, &with_checksum(unnamed));
    assert!(found(&verify(&layout)).contains(&(Severity::Alarm, FindingKind::BadSignature)));
}

// REQ 146, REQ 147: a line that was altered does not keep its signature, whatever else was made to fit.
#[test]
fn req_146_an_altered_entry_has_no_good_signature() {
    let place = Place::new();
    let layout = place.layout();
    append(&layout, true);
    let mut changed = record(&layout, 0);
    changed["metadata"]["dev.bailiwick"]["approved_by"] = json!("mallory");
    put(&layout, 0, &changed);
    assert!(found(&verify(&layout)).contains(&(Severity::Alarm, FindingKind::Edited)));
    put(&layout, 0, &with_checksum(changed));
    let verification = verify(&layout);
    assert!(found(&verification).contains(&(Severity::Alarm, FindingKind::BadSignature)), "{verification:?}");
    assert_eq!(verification.extent.signed, 0);
}

// REQ 146, D-25: a key that nobody named here is no alarm, and not believed either.
#[test]
fn a_key_of_somebody_else_counts_after_a_person_named_it_here() {
    let place = Place::new();
    let layout = place.layout();
    append(&layout, true);
    let theirs = TraceKeys::open(&layout).unwrap().own().unwrap().clone();
    fs::remove_file(key_file(&place)).unwrap();
    append(&layout, true);
    let verification = verify(&layout);
    let continued = (Severity::Note, FindingKind::Continued);
    let unknown = (Severity::Note, FindingKind::UnknownKey);
    assert_eq!(found(&verification), [unknown, continued], "one ledger has one key for ever");
    assert!(verification.findings[0].message.contains(theirs.as_str()), "{verification:?}");
    assert_eq!((verification.findings[0].entries, verification.extent.signed), (Some((0, 0)), 1));
    let mut keys = TraceKeys::open(&layout).unwrap();
    assert!(["  ", "a\nb"].iter().all(|name| keys.trust(KnownKey::new(theirs.clone(), name)).is_err()));
    keys.trust(KnownKey::new(theirs.clone(), "dana")).unwrap();
    let verification = verify(&layout);
    assert_eq!((found(&verification), verification.extent.signed), (vec![continued], 1));
    assert_eq!(TraceKeys::open(&layout).unwrap().whose(&theirs, None, 1).name(), Some("dana"));
    assert_eq!((keys.forget("nobody").unwrap(), keys.forget("dana").unwrap()), (0, 1));
    assert_eq!(found(&verify(&layout)), [unknown, continued]);
}

// D-25
#[test]
fn an_unsigned_entry_behind_a_signed_one_is_a_note() {
    let place = Place::new();
    let layout = place.layout();
    append(&layout, false);
    append(&layout, true);
    assert_eq!(found(&verify(&layout)), [], "signing was begun");
    assert_eq!(verify(&layout).extent.signed_from, Some(1));
    append(&layout, false);
    assert_eq!(found(&verify(&layout)), [(Severity::Note, FindingKind::Continued)], "another ledger begins");
    // Earlier versions went on in the same one.
    let place = Place::new();
    let layout = place.layout();
    append(&layout, false);
    append(&layout, true);
    let mut older = record(&layout, 0);
    older["prev"] = record(&layout, 1)["checksum"].clone();
    older["metadata"]["dev.bailiwick"]["seq"] = json!(2);
    let older = serde_json_canonicalizer::to_vec(&with_checksum(older)).unwrap();
    fs::remove_dir_all(layout.user_state().unwrap().join("witness")).unwrap();
    let text = lines(&layout).join("\n") + "\n" + std::str::from_utf8(&older).unwrap() + "\n";
    fs::write(live(&layout), &text).unwrap();
    let verification = verify(&layout);
    assert_eq!(found(&verification)[0], (Severity::Note, FindingKind::Unsigned), "{verification:?}");
    assert_eq!(verification.findings[0].entries, Some((2, 2)));
}

/// Neither is a call let through, nor is an entry written without a signature.
#[track_caller]
fn assert_closed(layout: &Layout) {
    let before = lines(layout);
    let refused = block_on(ledger(layout, true).ready());
    assert!(matches!(refused, Err(PortError::Invalid(_) | PortError::Unavailable(_))), "{refused:?}");
    let entry =
        sample::trace_entry("00000000-0000-4000-8000-0000000000ff", &sample::intent("INT-001", &["src/**"]));
    assert!(block_on(ledger(layout, true).append(&entry)).is_err());
    assert_eq!(lines(layout), before);
}

// REQ 146, K-24: fail closed
#[test]
fn where_no_key_can_be_had_the_ledger_is_not_ready() {
    let place = Place::new();
    let layout = place.layout();
    assert_closed(&Layout::new(layout.root(), layout.private(), None));
    fs::create_dir_all(layout.user_state().unwrap()).unwrap();
    for broken in [&b""[..], b"short", &[7; 33]] {
        fs::write(key_file(&place), broken).unwrap();
        assert_closed(&layout);
        assert_eq!(fs::read(key_file(&place)).unwrap(), broken, "it may be somebody's: it is not replaced");
    }
    fs::remove_file(key_file(&place)).unwrap();
    fs::create_dir(key_file(&place)).unwrap();
    assert_closed(&layout);
    fs::remove_dir(key_file(&place)).unwrap();
    block_on(ledger(&layout, true).ready()).unwrap();
    append(&layout, true);
}

// REQ 146
#[cfg(unix)]
#[test]
fn a_key_that_others_can_read_signs_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let layout = place.layout();
    append(&layout, true);
    let mode = || fs::metadata(key_file(&place)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    fs::set_permissions(key_file(&place), fs::Permissions::from_mode(0o640)).unwrap();
    assert_closed(&layout);
    let verification = verify(&layout);
    assert!(found(&verification).contains(&(Severity::Note, FindingKind::KeysBroken)), "{verification:?}");
    fs::set_permissions(key_file(&place), fs::Permissions::from_mode(0o600)).unwrap();
    append(&layout, true);
    assert_eq!(found(&verify(&layout)), []);
}

// D-25
#[test]
fn a_broken_list_of_known_keys_is_a_note_and_believes_nobody() {
    let place = Place::new();
    let layout = place.layout();
    append(&layout, true);
    fs::write(layout.user_state().unwrap().join("trace-keys"), "ed25519:00 mallory\n").unwrap();
    let kinds: Vec<FindingKind> = found(&verify(&layout)).into_iter().map(|(_, kind)| kind).collect();
    assert_eq!(kinds, [FindingKind::KeysBroken, FindingKind::UnknownKey]);
    assert!(TraceKeys::open(&layout).is_err());
}

// REQ 146, D-22: a segment carries the signatures of its lines.
#[test]
fn a_teammates_segment_is_checked_with_their_key() {
    let (place, theirs) = (Place::new(), Place::new());
    append(&theirs.layout(), true);
    let sealed = ledger(&theirs.layout(), true).seal().unwrap().unwrap();
    let folder = place.layout().orchestration().join("trace");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(&sealed.path, folder.join(sealed.path.file_name().unwrap())).unwrap();
    assert_eq!(found(&verify(&place.layout())), [(Severity::Note, FindingKind::UnknownKey)]);
    let key = TraceKeys::open(&theirs.layout()).unwrap().own().unwrap().clone();
    TraceKeys::open(&place.layout()).unwrap().trust(KnownKey::new(key, "dana")).unwrap();
    assert_eq!(found(&verify(&place.layout())), []);
}

// K-09
#[test]
fn two_processes_make_one_key() {
    let place = Place::new();
    place.beside_children(6, "signatures::signer_in_another_process", || {});
    let verification = verify(&place.layout());
    assert_eq!((found(&verification), verification.extent.signed), (Vec::new(), 6));
}

#[test]
fn signer_in_another_process() {
    let Some(layout) = childs_layout() else { return };
    let entry =
        sample::trace_entry("00000000-0000-4000-8000-00000000000a", &sample::intent("INT-001", &["src/**"]));
    block_on(ledger(&layout, true).append(&entry)).unwrap();
}

#[test]
fn only_the_one_spelling_is_a_key() {
    let place = Place::new();
    append(&place.layout(), true);
    let key = TraceKeys::open(&place.layout()).unwrap().own().unwrap().to_string();
    let digits = key.strip_prefix("ed25519:").unwrap();
    let weak = format!("ed25519:01{}", "0".repeat(62));
    for text in
        ["", "ed25519:", digits, &key.to_uppercase(), key.get(..70).unwrap(), &format!("{key}0"), &weak]
    {
        assert_eq!(TraceKey::parse(text), None, "{text}");
    }
}
