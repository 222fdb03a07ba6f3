//! The decision log on disk.

use std::fs::{self, OpenOptions};
use std::io::Write;

use bailiwick_adapters_fs::FsDecisionLog;
use bailiwick_domain::testing::{contract, sample};
use bailiwick_domain::{Action, DecisionLog, DecisionRecord, PortError};
use pollster::block_on;

use crate::place::{Place, childs_layout};

fn append(log: &FsDecisionLog, note: &str) -> u64 {
    block_on(log.append(&sample::decision(note))).unwrap()
}

fn lines(place: &Place) -> Vec<DecisionRecord> {
    let text = fs::read_to_string(place.private("decisions.jsonl")).unwrap();
    assert!(text.ends_with('\n'));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

// K-25
#[test]
fn the_decision_log_keeps_the_contract() {
    block_on(contract::decision_log(&FsDecisionLog::new(Place::new().layout())));
}

// REQ 110, K-09
#[test]
fn req_025_fifty_writers_and_eight_processes_never_tear_or_reorder_a_line() {
    let place = Place::new();
    let meanwhile = || {
        std::thread::scope(|scope| {
            for writer in 0..50 {
                let log = FsDecisionLog::new(place.layout());
                scope.spawn(move || {
                    (0..4).for_each(|n| assert_ne!(append(&log, &format!("thread {writer}/{n}")), u64::MAX))
                });
            }
        });
    };
    place.beside_children(8, "decisions::writer_in_another_process", meanwhile);
    let seqs: Vec<u64> = lines(&place).iter().map(|record| record.seq).collect();
    assert_eq!(seqs, (0..50 * 4 + 8 * 25).collect::<Vec<u64>>());
}

#[test]
fn writer_in_another_process() {
    let Some(layout) = childs_layout() else { return };
    let log = FsDecisionLog::new(layout);
    for _ in 0..25 {
        append(&log, &"long ".repeat(200));
    }
}

// D-26
#[test]
fn a_torn_tail_is_set_aside_wherever_it_was_torn() {
    let place = Place::new();
    let log = FsDecisionLog::new(place.layout());
    append(&log, "whole");
    let path = place.private("decisions.jsonl");
    let whole = fs::read(&path).unwrap();
    for cut in [1, 2, 17, whole.len() - 1] {
        fs::write(&path, [&whole, &whole[..cut]].concat()).unwrap();
        assert_eq!(append(&log, "next"), 1, "cut at {cut}");
        assert_eq!(lines(&place).len(), 2, "cut at {cut}");
        let aside = fs::read(place.private("decisions.jsonl.torn")).unwrap();
        assert!(aside.ends_with(&[&whole[..cut], b"\n"].concat()), "the fragment is kept");
    }
    fs::write(&path, [&whole[..], &[0; 5000]].concat()).unwrap();
    assert_eq!(append(&log, "after zeros"), 1);
}

#[test]
fn a_log_of_one_torn_line_starts_anew() {
    let place = Place::new();
    fs::create_dir_all(place.layout().private()).unwrap();
    fs::write(place.private("decisions.jsonl"), b"{\"se").unwrap();
    assert_eq!(append(&FsDecisionLog::new(place.layout()), "first"), 0);
    assert_eq!(lines(&place).len(), 1);
}

// K-07
#[test]
fn a_whole_line_that_is_no_record_is_an_error() {
    let place = Place::new();
    let log = FsDecisionLog::new(place.layout());
    append(&log, "good");
    let mut file = OpenOptions::new().append(true).open(place.private("decisions.jsonl")).unwrap();
    file.write_all(b"nonsense\n").unwrap();
    assert!(matches!(block_on(log.append(&sample::decision("x"))), Err(PortError::Invalid(_))));
}

// K-52
#[test]
fn a_full_file_is_closed_and_counting_goes_on() {
    let place = Place::new();
    let log = FsDecisionLog::new(place.layout()).with_rotation(1000);
    let seqs: Vec<u64> = (0..20).map(|n| append(&log, &format!("note {n}"))).collect();
    assert_eq!(seqs, (0..20).collect::<Vec<u64>>());
    assert!(place.private("decisions.0.jsonl").exists());
    assert!(fs::metadata(place.private("decisions.jsonl")).unwrap().len() < 2000);

    let recent = log.read_recent(100, |_| true).unwrap();
    assert_eq!(recent.iter().map(|record| record.seq).collect::<Vec<_>>(), (0..20).rev().collect::<Vec<_>>());

    fs::remove_file(place.private("decisions.jsonl")).unwrap();
    let newest_closed = log.read_recent(1, |_| true).unwrap()[0].seq;
    assert_eq!(append(&log, "after a crash while closing"), newest_closed + 1);
}

// D-07
#[test]
fn recent_records_are_chosen_newest_first() {
    let place = Place::new();
    let log = FsDecisionLog::new(place.layout());
    assert_eq!(log.read_recent(5, |_| true).unwrap(), []);
    for n in 0..6 {
        let action = if n % 2 == 0 { Action::Block } else { Action::Allow };
        block_on(log.append(&DecisionRecord { action, ..sample::decision("x") })).unwrap();
    }
    let blocked = log.read_recent(2, |record| record.action == Action::Block).unwrap();
    assert_eq!(blocked.iter().map(|record| record.seq).collect::<Vec<_>>(), [4, 2]);
}

#[test]
fn a_line_longer_than_any_window_is_read_whole() {
    let place = Place::new();
    let log = FsDecisionLog::new(place.layout()).with_rotation(1);
    append(&log, &"x".repeat(300_000));
    assert_eq!(append(&log, "next"), 1);
    assert!(place.private("decisions.0.jsonl").exists());
}
