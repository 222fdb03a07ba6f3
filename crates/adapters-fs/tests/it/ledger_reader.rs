//! Reading the ledger back.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use bailiwick_adapters_fs::{FsLedger, FsLedgerReader, FsLedgerVerifier};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Change, ChangedFile, ChangedRange, Landmarks, Ledger, LedgerQuery, LedgerReader, LedgerVerifier,
    LineHashes, Order, Origin, Progress, StoredEntry, Sync, Touching, block_hash,
};
use pollster::block_on;
use proptest::prelude::*;

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
    let without_records = LedgerQuery { without_records: true, ..LedgerQuery::default() };
    let mut lean = read(&place, &without_records, 9);
    assert!(lean.iter().all(|stored| stored.record.is_empty()));
    lean.reverse();
    let but_for_records = |mut stored: StoredEntry| {
        stored.record.clear();
        stored
    };
    assert_eq!(lean, found.into_iter().map(but_for_records).collect::<Vec<_>>());
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

// D-25: whoever damages a ledger so that a person ends it takes nothing away that was sealed.
#[test]
fn what_an_ended_ledger_lost_is_read_from_its_segments_and_nothing_comes_twice() {
    let place = Place::new();
    (0..3).for_each(|n| append(&place, n, "INT-001"));
    FsLedger::new(place.layout(), Sync::Os).seal().unwrap().unwrap();
    (3..5).for_each(|n| append(&place, n, "INT-001"));
    let live = place.private("ledger/live.jsonl");
    let whole = std::fs::read_to_string(&live).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let edited = lines[2].replace("INT-001", "INT-666");
    std::fs::write(&live, [lines[0], &edited, lines[3], lines[4]].concat()).unwrap();
    FsLedger::new(place.layout(), Sync::Os).end_chain().unwrap();
    append(&place, 7, "INT-001");
    let oldest_first = LedgerQuery { order: Order::OldestFirst, ..LedgerQuery::default() };
    for query in [LedgerQuery::default(), oldest_first] {
        let found = read(&place, &query, 9);
        let ids: BTreeSet<&str> = found.iter().map(|stored| &*stored.entry.id).collect();
        assert_eq!((found.len(), ids.len()), (6, 6), "{ids:?}");
        let sealed = found.iter().filter(|stored| matches!(stored.origin, Origin::Segment(_)));
        assert_eq!(sealed.map(|stored| stored.seq).collect::<BTreeSet<_>>(), BTreeSet::from([1, 2]));
        assert!(found.iter().all(|stored| stored.entry.context.intent.as_str() == "INT-001"));
    }
}

/// What was told of how far the work is.
#[derive(Debug, Default)]
struct Told(Mutex<Vec<(u64, Option<u64>)>>);

impl Progress for Told {
    fn at(&self, done: u64, of: Option<u64>) {
        self.0.lock().unwrap().push((done, of));
    }
}

#[test]
fn long_work_tells_how_far_it_is() {
    let place = Place::new();
    (0..520).for_each(|n| append(&place, n, "INT-001"));
    let length = std::fs::metadata(place.private("ledger/live.jsonl")).unwrap().len();
    let told = [(); 3].map(|()| Arc::new(Told::default()));
    let mut all = |_| ControlFlow::Continue(());
    for (told, order) in told.iter().zip([Order::NewestFirst, Order::OldestFirst]) {
        let reader = FsLedgerReader::new(&place.layout()).with_progress(told.clone());
        reader.visit(&LedgerQuery { order, ..LedgerQuery::default() }, &mut all).unwrap();
    }
    FsLedgerVerifier::new(place.layout()).with_progress(told[2].clone()).verify().unwrap();
    for told in told {
        let steps = told.0.lock().unwrap();
        assert_eq!(steps.len(), 1, "{steps:?}");
        assert!(steps[0].0 < length && steps[0].0 > length / 2 && steps[0].1 == Some(length), "{steps:?}");
    }
}

/// How far a reading was told to be that stops at the end of one page.
fn steps_of_a_page(place: &Place, page: usize) -> usize {
    steps(FsLedgerReader::new(&place.layout()), page)
}

fn steps(reader: FsLedgerReader, page: usize) -> usize {
    let (told, mut left) = (Arc::new(Told::default()), page);
    let mut take = |_| {
        left -= 1;
        if left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    reader.with_progress(told.clone()).visit(&LedgerQuery::default(), &mut take).unwrap();
    told.0.lock().unwrap().len()
}

/// A reader behind the entry of that number, where it stands at that place.
fn behind(place: &Place, n: usize, seq: u64) -> Option<FsLedgerReader> {
    let id = format!("00000000-0000-4000-8000-{n:012}");
    FsLedgerReader::new(&place.layout()).behind(&id, seq).unwrap()
}

// What views of a long ledger ask for: the newest page costs the same, however much lies behind it.
#[test]
fn a_page_is_read_without_the_rest_of_the_ledger() {
    let place = Place::new();
    (0..600).for_each(|n| append(&place, n, "INT-001"));
    let short = steps_of_a_page(&place, 50);
    (600..3_000).for_each(|n| append(&place, n, "INT-001"));
    let long = steps_of_a_page(&place, 50);
    let whole = steps_of_a_page(&place, 3_000);
    assert!(long == short && whole >= 5, "a page: {short}, then {long}; all of it: {whole}");
    let old = steps(behind(&place, 60, 60).unwrap(), 50);
    assert_eq!(old, short, "an old page");
    for n in (0..3_000).step_by(41) {
        let mut found = Vec::new();
        let mut take = |stored: StoredEntry| {
            found.push(stored.seq);
            if found.len() < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let reader = behind(&place, usize::try_from(n).unwrap(), n).unwrap();
        reader.visit(&LedgerQuery::default(), &mut take).unwrap();
        assert_eq!(found, (0..n).rev().take(3).collect::<Vec<_>>());
    }
}

#[test]
fn an_entry_is_only_taken_for_the_one_that_stands_there() {
    let place = Place::new();
    assert!(behind(&place, 0, 0).is_none(), "there is no ledger");
    (0..4).for_each(|n| append(&place, n, "INT-001"));
    assert!(behind(&place, 3, 2).is_none() && behind(&place, 2, 4).is_none());
    let oldest_first = LedgerQuery { order: Order::OldestFirst, ..LedgerQuery::default() };
    let asked = behind(&place, 2, 2).unwrap().visit(&oldest_first, &mut |_| ControlFlow::Continue(()));
    assert!(asked.is_err(), "there is nothing behind the oldest");
    // Whatever stands in a damaged file, the search ends.
    let live = place.private("ledger/live.jsonl");
    let whole = std::fs::read(&live).unwrap();
    std::fs::write(&live, [b"{}\n", &whole[..], b"{\"half"].concat()).unwrap();
    assert!(behind(&place, 2, 2).is_none());
    std::fs::write(&live, &whole).unwrap();
    FsLedger::new(place.layout(), Sync::Os).end_chain().unwrap();
    append(&place, 7, "INT-001");
    assert!(behind(&place, 2, 2).is_none(), "an ended ledger is searched from its end");
    assert_eq!(steps(behind(&place, 7, 0).unwrap(), 9), 0);
}

#[test]
fn many_entries_come_each_once_and_in_their_order() {
    let place = Place::new();
    (0..400).for_each(|n| append(&place, n, if n % 3 == 0 { "INT-001" } else { "INT-002" }));
    let found = seqs(&read(&place, &LedgerQuery::default(), 999));
    assert_eq!(found, (0..400).rev().collect::<Vec<u64>>());
    let query = LedgerQuery { containing: Some("INT-001".into()), ..LedgerQuery::default() };
    assert_eq!(
        seqs(&read(&place, &query, 100)),
        (0..400).rev().filter(|n| n % 3 == 0).take(100).collect::<Vec<u64>>()
    );
}

const LINES: [&str; 6] = ["fn a() {\n", "    call();\n", "}\n", "\n", "let \"x\" = 1;\n", "let y = 2;\n"];
const FILES: [&str; 3] = ["src/a.rs", "src/b.rs", "src/\"lines\":\"c.rs"];

fn text(lines: &[usize]) -> String {
    lines.iter().map(|line| LINES[*line]).collect()
}

fn hashes(lines: &[usize]) -> LineHashes {
    LineHashes::of(text(lines).as_bytes())
}

/// A file with a block, or one that is gone.
fn changed(file: usize, lines: &[usize], is_gone: bool, has_landmarks: bool) -> ChangedFile {
    let plain = sample::trace_entry("x", &sample::intent("INT-001", &["src/**"])).files.remove(0);
    let landmarks = Landmarks { lines: hashes(lines), ..Landmarks::default() };
    let range = ChangedRange {
        start_line: 1,
        end_line: lines.len(),
        content_hash: block_hash(text(lines).as_bytes()),
        landmarks: if has_landmarks { landmarks } else { Landmarks::default() },
        symbol: None,
    };
    let ranges = if is_gone || lines.is_empty() { Vec::new() } else { vec![range] };
    let change = if is_gone { Change::Deleted } else { Change::Modified };
    let moved_from = (!is_gone && lines.len() == 3).then(|| sample::path("src/before.rs"));
    ChangedFile { path: sample::path(FILES[file]), change, ranges, moved_from, ..plain }
}

/// What a query for a text may not pass over, by the entry itself.
fn touches(files: &[ChangedFile], touching: &Touching) -> bool {
    let is_own = files.iter().any(|file| touching.names().any(|name| *name == file.path));
    let is_renamed =
        is_own && files.iter().any(|file| file.change == Change::Deleted || file.moved_from.is_some());
    let ranges = files.iter().flat_map(|file| &file.ranges);
    let mut blocks = ranges.map(|range| range.landmarks.lines.as_slice().iter().copied());
    is_renamed || blocks.any(|block| touching.may_hold(block, is_own))
}

type Sketch = Vec<(usize, Vec<usize>, bool, bool)>;

fn sketch() -> impl Strategy<Value = Sketch> {
    prop::collection::vec(
        (
            0..3_usize,
            prop::collection::vec(0..6_usize, 0..4),
            prop::bool::weighted(0.2),
            prop::bool::weighted(0.8),
        ),
        1..3,
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    // REQ 163
    #[test]
    fn what_may_have_written_a_line_is_never_passed_over(
        entries in prop::collection::vec(sketch(), 1..12), today in prop::collection::vec(0..6_usize, 0..6), name in 0..3_usize,
    ) {
        let place = Place::new();
        let ledger = FsLedger::new(place.layout(), Sync::Os);
        let touching = Touching::new(BTreeSet::from([sample::path(FILES[name])]), hashes(&today).as_slice().iter().copied());
        let mut expected = Vec::new();
        for (seq, files) in entries.iter().enumerate() {
            let mut entry = sample::trace_entry(&format!("00000000-0000-4000-8000-{seq:012}"), &sample::intent("INT-001", &["src/**"]));
            entry.files = files.iter().map(|(file, lines, gone, landmarks)| changed(*file, lines, *gone, *landmarks)).collect();
            if touches(&entry.files, &touching) {
                expected.push(seq as u64);
            }
            block_on(ledger.append(&entry)).unwrap();
        }
        expected.reverse();
        let query = LedgerQuery { touching: Some(touching), ..LedgerQuery::default() };
        let found = seqs(&read(&place, &query, 99));
        prop_assert!(expected.iter().all(|seq| found.contains(seq)), "{expected:?} of {found:?}");
    }
}

// REQ 163
#[test]
fn what_cannot_have_written_a_line_is_not_understood() {
    let place = Place::new();
    let ledger = FsLedger::new(place.layout(), Sync::Os);
    let blocks: [&[usize]; 5] = [&[0, 1, 2, 3], &[4], &[4, 2], &[2], &[0, 5]];
    for (seq, lines) in blocks.iter().enumerate() {
        let mut entry = sample::trace_entry(
            &format!("00000000-0000-4000-8000-{seq:012}"),
            &sample::intent("INT-001", &["src/**"]),
        );
        entry.files = vec![changed(seq % 2, lines, false, true)];
        block_on(ledger.append(&entry)).unwrap();
    }
    let today = hashes(&[2, 5, 2]);
    let found = |name: usize| {
        let names = BTreeSet::from([sample::path(FILES[name])]);
        let touching = Some(Touching::new(names, today.as_slice().iter().copied()));
        seqs(&read(&place, &LedgerQuery { touching, ..LedgerQuery::default() }, 9))
    };
    assert_eq!(
        found(0),
        [4, 3],
        "a line that stands once, of the file's own block; and a block that is there whole"
    );
    assert_eq!(found(1), [3], "a part of another file's block is no evidence");
}
