//! Entries that are longer than what is written or read at once.

use bailiwick_domain::testing::sample;
use bailiwick_domain::{Change, ChangedFile, ChangedRange, Landmarks, TraceEntry, block_hash};

/// The same entry with one file of 2 399 ranges: about 300 KB.
pub(crate) fn with_many_ranges(entry: TraceEntry) -> TraceEntry {
    let range = |line: usize| ChangedRange {
        start_line: line,
        end_line: line,
        content_hash: block_hash(b"x"),
        symbol: None,
        landmarks: Landmarks::default(),
    };
    let plain = sample::trace_entry(&entry.id, &sample::intent("INT-001", &["src/**"])).files.remove(0);
    let file = ChangedFile {
        path: sample::path("src/big.rs"),
        change: Change::Modified,
        ranges: (1..2_400).map(|line| range(line * 2)).collect(),
        ..plain
    };
    TraceEntry { files: vec![file], ..entry }
}
