//! Records as they were once written, one file for each form. They are never edited: every later version reads them.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use bailiwick_adapters_fs::{FsDecisionLog, SignedBy, TraceKey, read_ledger_line, signed_by};
use bailiwick_domain::{Action, DecisionRecord};

use super::{agent_trace, assert_valid, forms, record, schema, seed, validator, written, written_by};
use crate::place::Place;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/records")
}

fn golden() -> Vec<(String, String)> {
    let files = fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
    let lines = files.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    lines
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect()
}

// K-19, D-08, D-23
#[test]
fn records_of_every_version_are_read_and_valid_for_ever() {
    let (agent_trace, seed, own) = (agent_trace(), seed(), validator(&schema::published()));
    let golden = golden();
    assert!(golden.len() >= forms::all().len());
    for (name, text) in &golden {
        let line = text.strip_suffix('\n').unwrap();
        let read = read_ledger_line(line.as_bytes()).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let record = record(line);
        assert_valid(&agent_trace, &record);
        assert_valid(&seed, &record);
        assert_valid(&own, &record);
        if let Some((_, entry)) = forms::all().into_iter().find(|(form, _)| form == name) {
            assert_eq!(read.entry, entry, "{name} says what it said");
        }
    }
}

/// A key that is no secret.
const KEY: &[u8; 32] = &[7; 32];

// REQ 146: the signature that was once made is the one that is made today, and still fits.
#[test]
fn req_146_a_signed_record_is_believed_for_ever() {
    let signed = written_by(&[forms::named("edit")], Some(KEY)).remove(0);
    let path = folder().join("signed.json");
    if !path.exists() {
        fs::write(&path, format!("{signed}\n")).unwrap();
        panic!("written for the first time, look at it and keep it");
    }
    let kept = fs::read_to_string(&path).unwrap();
    let line = read_ledger_line(kept.trim_end().as_bytes()).unwrap();
    let key = TraceKey::parse("ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c");
    assert_eq!(signed_by(&line), SignedBy::Key(key.unwrap()));
    let (kept, signed) = (record(&kept), record(&signed));
    assert_eq!(
        kept["metadata"]["dev.bailiwick"]["signed_by"],
        signed["metadata"]["dev.bailiwick"]["signed_by"]
    );
    assert_valid(&validator(&schema::closed()), &signed);
}

/// A form without a file gets one, once, and the test says that it is to be looked at and kept.
#[test]
fn every_form_has_a_record_that_is_kept() {
    let kept: BTreeSet<String> = golden().into_iter().map(|(name, _)| name).collect();
    let mut fresh = Vec::new();
    for (name, entry) in forms::all() {
        if !kept.contains(name) {
            let path = folder().join(format!("{name}.json"));
            fs::write(&path, format!("{}\n", written(&[entry]).remove(0))).unwrap();
            fresh.push(name);
        }
    }
    assert!(fresh.is_empty(), "written for the first time, look at them and keep them: {fresh:?}");
}

// K-25, D-09, D-10, D-02: what is no mutation is a line of the decision log, and such lines are read for ever as well.
#[test]
fn decision_lines_of_every_version_are_read_for_ever() {
    let place = Place::new();
    let log = place.private("decisions.jsonl");
    fs::create_dir_all(log.parent().unwrap()).unwrap();
    fs::copy(folder().join("decisions.jsonl"), &log).unwrap();
    let mut read = FsDecisionLog::new(place.layout()).read_recent(100, |_| true).unwrap();
    read.sort_by_key(|record: &DecisionRecord| record.seq);
    let actions: Vec<Action> = read.iter().map(|record| record.action).collect();
    let all = [
        Action::Allow,
        Action::Block,
        Action::WaitForApproval,
        Action::Approved,
        Action::Rejected,
        Action::Transition,
        Action::Recorded,
        Action::Drift,
        Action::Paused,
        Action::Imported,
        Action::Adopted,
        Action::HumanAmended,
        Action::Granted,
        Action::GrantEnded,
        Action::GrantReviewed,
    ];
    assert_eq!(actions, all);
}
