//! Reading the ledger back.

use std::ops::ControlFlow;

use bailiwick_adapters_fs::{FsLedger, FsLedgerReader};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{Ledger, LedgerQuery, LedgerReader, Order, Origin, StoredEntry, Sync};
use pollster::block_on;

use crate::place::Place;

fn append(place: &Place, n: usize, intent: &str) {
    let id = format!("00000000-0000-4000-8000-{n:012}");
    let entry = sample::trace_entry(&id, &sample::intent(intent, &["src/**"]));
    block_on(FsLedger::new(place.layout(), Sync::Os).append(&entry)).unwrap();
}

fn read(place: &Place, query: &LedgerQuery, limit: usize) -> Vec<StoredEntry> {
    let mut found = Vec::new();
    let mut take = |stored: StoredEntry| {
        found.push(stored);
        if found.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    FsLedgerReader::new(&place.layout()).visit(query, &mut take).unwrap();
    found
}

fn seqs(found: &[StoredEntry]) -> Vec<u64> {
    found.iter().map(|stored| stored.seq).collect()
}

#[test]
fn entries_come_in_either_order_and_stop_when_enough() {
    let place = Place::new();
    assert!(read(&place, &LedgerQuery::default(), 9).is_empty());
    (0..5).for_each(|n| append(&place, n, "INT-001"));
    assert_eq!(seqs(&read(&place, &LedgerQuery::default(), 9)), [4, 3, 2, 1, 0]);
    assert_eq!(seqs(&read(&place, &LedgerQuery::default(), 2)), [4, 3]);
    let oldest_first = LedgerQuery { order: Order::OldestFirst, ..LedgerQuery::default() };
    let found = read(&place, &oldest_first, 9);
    assert_eq!(seqs(&found), [0, 1, 2, 3, 4]);
    let live = std::fs::read_to_string(place.private("ledger/live.jsonl")).unwrap();
    assert_eq!(found.iter().map(|stored| format!("{}\n", stored.record)).collect::<String>(), live);
}

#[test]
fn only_records_with_the_wanted_text_are_understood() {
    let place = Place::new();
    (0..4).for_each(|n| append(&place, n, if n % 2 == 0 { "INT-001" } else { "INT-002" }));
    let query = LedgerQuery { containing: Some("INT-002".into()), ..LedgerQuery::default() };
    assert_eq!(seqs(&read(&place, &query, 9)), [3, 1]);
}

#[test]
fn what_is_no_entry_is_passed_over_and_an_ended_ledger_is_read_too() {
    let place = Place::new();
    (0..2).for_each(|n| append(&place, n, "INT-001"));
    let live = place.private("ledger/live.jsonl");
    let whole = std::fs::read(&live).unwrap();
    std::fs::write(&live, [b"{}\n\n", &whole[..], b"{\"half"].concat()).unwrap();
    assert_eq!(seqs(&read(&place, &LedgerQuery::default(), 9)), [1, 0]);
    FsLedger::new(place.layout(), Sync::Os).end_chain().unwrap();
    append(&place, 7, "INT-001");
    let found = read(&place, &LedgerQuery::default(), 9);
    assert_eq!(seqs(&found), [0, 1, 0]);
    assert_eq!((&found[0].origin, &found[1].origin), (&Origin::Live, &Origin::Ended(1)));
}
