//! One change at any byte of the ledger, its view or a segment: found, in that file and at that line (D-25).

use std::fs;
use std::path::PathBuf;

use bailiwick_adapters_fs::{FsLedger, FsLedgerVerifier};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{Ledger, LedgerVerifier, Severity, Sync};
use pollster::block_on;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;

use crate::place::Place;

const COUNT: usize = 5;

/// What is done to the bytes of a file.
#[derive(Clone, Debug)]
enum Change {
    Flip(Index, u8),
    Insert(Index, Vec<u8>),
    Delete(Index, Index),
    Cut(Index),
    Repeat(Index),
    Move(Index, Index),
}

impl Change {
    fn of(&self, bytes: &[u8]) -> Vec<u8> {
        let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        let line = |index: &Index| index.index(lines.len());
        let mut bytes = bytes.to_vec();
        match self {
            Self::Flip(at, bits) => {
                let at = at.index(bytes.len());
                bytes[at] ^= bits;
            }
            Self::Insert(at, more) => {
                let at = at.index(bytes.len());
                bytes.splice(at..at, more.iter().copied());
            }
            Self::Delete(from, to) => {
                let (from, to) = (from.index(bytes.len()), to.index(bytes.len()));
                bytes.drain(from.min(to)..=from.max(to));
            }
            Self::Cut(at) => bytes.truncate(at.index(bytes.len())),
            Self::Repeat(at) => {
                let at = line(at);
                bytes = [&lines[..=at], &lines[at..]].concat().concat();
            }
            Self::Move(from, to) => {
                let mut moved = lines.clone();
                let taken = moved.remove(line(from));
                moved.insert(to.index(lines.len()), taken);
                bytes = moved.concat();
            }
        }
        bytes
    }
}

fn change() -> impl Strategy<Value = Change> {
    let index = any::<Index>;
    prop_oneof![
        (index(), 1..=255_u8).prop_map(|(at, bits)| Change::Flip(at, bits)),
        (index(), prop::collection::vec(any::<u8>(), 1..40)).prop_map(|(at, more)| Change::Insert(at, more)),
        (index(), index()).prop_map(|(from, to)| Change::Delete(from, to)),
        index().prop_map(Change::Cut),
        index().prop_map(Change::Repeat),
        (index(), index()).prop_map(|(from, to)| Change::Move(from, to)),
    ]
}

/// A ledger whose first entries are sealed, and its three files.
fn written() -> (Place, [PathBuf; 3]) {
    let place = Place::new();
    let ledger = FsLedger::new(place.layout(), Sync::Os);
    let append = |n: usize| {
        let id = format!("00000000-0000-4000-8000-{n:012}");
        let entry = sample::trace_entry(&id, &sample::intent("INT-001", &["src/**"]));
        block_on(ledger.append(&entry)).unwrap();
    };
    (0..COUNT - 1).for_each(append);
    let segment = ledger.seal().unwrap().unwrap().path;
    append(COUNT);
    let files = [place.private("ledger/live.jsonl"), place.layout().ledger_view(), segment];
    (place, files)
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

/// The first line that is not what it was, counted from 1, with lines that lack their LF as what they are.
fn first_difference(before: &[u8], after: &[u8]) -> u64 {
    let (before, after) = (lines(before), lines(after));
    before.iter().zip(&after).take_while(|(before, after)| before == after).count() as u64 + 1
}

/// The last one, where the number of lines is the same.
fn last_difference(before: &[u8], after: &[u8]) -> u64 {
    let (before, after) = (lines(before), lines(after));
    let same = before.iter().rev().zip(after.iter().rev()).take_while(|(before, after)| before == after);
    (before.len() - same.count()) as u64
}

// REQ 147, REQ 122, D-25, threats H1, H2
#[test]
fn req_147_a_change_at_any_byte_is_found_in_its_file_and_at_its_line() {
    let (place, files) = written();
    let contents = files.each_ref().map(|file| fs::read(file).unwrap());
    let config = ProptestConfig { failure_persistence: None, cases: 256, ..ProptestConfig::default() };
    let check = |(which, change): (usize, Change)| {
        let (before, after) = (&contents[which], change.of(&contents[which]));
        prop_assume!(after != *before);
        fs::write(&files[which], &after).unwrap();
        let found = FsLedgerVerifier::new(place.layout()).verify().unwrap();
        prop_assert_eq!(&fs::read(&files[which]).unwrap(), &after, "looking changes nothing");
        fs::write(&files[which], before).unwrap();
        let line = first_difference(before, &after);
        let last = if let Change::Move(..) = change { last_difference(before, &after) } else { line + 1 };
        let lacks_only_its_last_lf = before.strip_suffix(b"\n") == Some(&after);
        let is_named = found.findings.iter().any(|finding| {
            finding.severity == Severity::Alarm
                && finding.file == files[which].display().to_string()
                && finding.line.is_none_or(|at| (line..=last).contains(&at))
        });
        prop_assert!(is_named || (which == 0 && lacks_only_its_last_lf), "line {line}: {found:#?}");
        let has_line = found.findings.iter().any(|finding| finding.line.is_some());
        prop_assert!(has_line || lacks_only_its_last_lf, "line {line}: {found:#?}");
        Ok(())
    };
    TestRunner::new(config).run(&(0..3_usize, change()), check).unwrap();
}
