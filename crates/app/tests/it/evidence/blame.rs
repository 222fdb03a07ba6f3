//! Which entry wrote a line, against histories in which every line's writer is known.

use std::collections::BTreeSet;

use bailiwick::evidence::{Block, IndexedText, Owner, blame, written};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    ChangedFile, ChangedRange, ContentHash, Landmarks, LineHashes, Origin, StoredEntry, block_hash,
};
use proptest::prelude::*;
use proptest::sample::Index;

/// A line and who wrote it: an entry's number, or nobody that is in the ledger.
#[derive(Clone, Debug)]
struct Line {
    text: String,
    writer: Option<usize>,
}

#[derive(Clone, Debug)]
enum Step {
    /// An entry replaces some lines.
    Entry { at: Index, gone: usize, come: Vec<u16> },
    /// Something without an entry inserts lines.
    Insert { at: Index, lines: Vec<u16> },
    /// Something without an entry removes lines.
    Remove { at: Index, count: usize },
    /// Something without an entry moves the end of the file to its start.
    Rotate { at: Index },
    /// Something without an entry changes the indentation.
    Indent,
}

struct Claim {
    start: usize,
    len: usize,
    hash: ContentHash,
    lines: LineHashes,
    above: LineHashes,
    below: LineHashes,
}

#[derive(Default)]
struct History {
    file: Vec<Line>,
    claims: Vec<Claim>,
}

fn text_of(lines: &[Line]) -> String {
    lines.iter().map(|line| line.text.as_str()).collect()
}

impl History {
    fn take(&mut self, step: Step, word: impl Fn(u16, usize) -> String) {
        let at = |index: Index, file: &[Line]| index.index(file.len() + 1);
        match step {
            Step::Entry { at: place, gone, come } => {
                let writer = self.claims.len();
                let start = at(place, &self.file);
                let end = (start + gone).min(self.file.len());
                let new = come.iter().enumerate().map(|(place, seed)| Line {
                    text: word(*seed, writer * 1000 + place),
                    writer: Some(writer),
                });
                self.file.splice(start..end, new);
                self.claim(start, come.len());
            }
            Step::Insert { at: place, lines } => {
                let start = at(place, &self.file);
                let salt = self.file.len() * 7919 + start + 500_000;
                let new = lines
                    .iter()
                    .enumerate()
                    .map(|(place, seed)| Line { text: word(*seed, salt + place * 1_000_003), writer: None });
                self.file.splice(start..start, new);
            }
            Step::Remove { at: place, count } => {
                let start = at(place, &self.file);
                let end = (start + count).min(self.file.len());
                self.file.drain(start..end);
            }
            Step::Rotate { at: place } => {
                let middle = at(place, &self.file);
                self.file.rotate_left(middle);
            }
            Step::Indent => self.file.iter_mut().for_each(|line| line.text.insert_str(0, "    ")),
        }
    }

    fn claim(&mut self, start: usize, len: usize) {
        let end = start + len;
        let hashes = |lines: &[Line]| LineHashes::of(text_of(lines).as_bytes());
        self.claims.push(Claim {
            start,
            len,
            hash: block_hash(text_of(&self.file[start..end]).as_bytes()),
            lines: hashes(&self.file[start..end]),
            above: hashes(&self.file[start.saturating_sub(3)..start]),
            below: hashes(&self.file[end..self.file.len().min(end + 3)]),
        });
    }

    /// The claims as entries, the newest first; every third wrote another file.
    fn entries(&self) -> Vec<StoredEntry> {
        let entry = |(seq, claim): (usize, &Claim)| {
            let mut entry =
                sample::trace_entry(&format!("entry-{seq}"), &sample::intent("INT-001", &["src/**"]));
            let plain = entry.files.remove(0);
            let path = sample::path(if seq % 3 == 2 { "src/other.rs" } else { OWN });
            entry.files.push(ChangedFile { path, ranges: vec![claim.range()], ..plain });
            let seq = seq as u64;
            StoredEntry {
                origin: Origin::Live,
                trust: None,
                seq,
                checksum: ContentHash::of(b""),
                entry,
                record: String::new(),
                is_from_here: true,
            }
        };
        self.claims.iter().enumerate().map(entry).rev().collect()
    }

    /// The owners that blame finds, with claims counted as entries.
    fn blamed(&self) -> Vec<Option<Owner>> {
        let blocks: Vec<Block<'_>> = self.claims.iter().rev().map(Claim::block).collect();
        let newest = self.claims.len();
        let owners = blame(&IndexedText::new(text_of(&self.file).as_bytes()), &blocks);
        let counted = owners.into_iter().map(|owner| {
            owner.map(|Owner { claim, certainty }| Owner { claim: newest - 1 - claim, certainty })
        });
        counted.collect()
    }
}

const OWN: &str = "src/own.rs";

impl Claim {
    fn range(&self) -> ChangedRange {
        let Self { start, len, hash, lines, above, below } = self;
        let (lines, above, below) = (lines.clone(), above.clone(), below.clone());
        ChangedRange {
            start_line: start + 1,
            end_line: start + len,
            content_hash: hash.clone(),
            landmarks: Landmarks { lines, above, below },
            symbol: None,
        }
    }

    fn block(&self) -> Block<'_> {
        let (lines, above, below) = (self.lines.as_slice(), self.above.as_slice(), self.below.as_slice());
        Block { start: self.start, len: self.len, hash: &self.hash, lines, above, below }
    }
}

fn step() -> impl Strategy<Value = Step> {
    let words = || prop::collection::vec(any::<u16>(), 1..9);
    prop_oneof![
        6 => (any::<Index>(), 0..6_usize, words()).prop_map(|(at, gone, come)| Step::Entry { at, gone, come }),
        3 => (any::<Index>(), words()).prop_map(|(at, lines)| Step::Insert { at, lines }),
        2 => (any::<Index>(), 0..5_usize).prop_map(|(at, count)| Step::Remove { at, count }),
        1 => any::<Index>().prop_map(|at| Step::Rotate { at }),
        1 => Just(Step::Indent),
    ]
}

fn history(steps: Vec<Step>, word: impl Fn(u16, usize) -> String) -> History {
    let mut history = History::default();
    for step in steps {
        history.take(step, &word);
    }
    history
}

/// Every line is written once in all of the history.
fn unique(seed: u16, place: usize) -> String {
    format!("let value_{place}_{seed} = compute_{seed}();\n")
}

/// Lines as code has them: many alike.
fn common(seed: u16, place: usize) -> String {
    match seed % 6 {
        0 => "}\n".to_owned(),
        1 => "\n".to_owned(),
        2 => "    return None;\n".to_owned(),
        3 => "} else {\n".to_owned(),
        _ => unique(seed, place),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    // REQ 163
    #[test]
    fn no_line_is_given_to_a_wrong_entry(steps in prop::collection::vec(step(), 1..40)) {
        let history = history(steps, unique);
        for (line, owner) in history.file.iter().zip(history.blamed()) {
            prop_assert!(
                owner.is_none_or(|owner| Some(owner.claim) == line.writer),
                "{line:?} was given to {owner:?}"
            );
        }
    }

    // REQ 163
    #[test]
    fn no_line_that_stands_once_is_lost(steps in prop::collection::vec(step(), 1..40)) {
        let history = history(steps, unique);
        let found = history.file.iter().zip(history.blamed());
        for (line, owner) in found {
            prop_assert_eq!(owner.map(|owner| owner.claim), line.writer, "{:?}", line);
        }
    }

    // REQ 163
    #[test]
    fn lines_that_stand_everywhere_are_never_proof_for_a_stranger(steps in prop::collection::vec(step(), 1..40)) {
        let history = history(steps, common);
        for (line, owner) in history.file.iter().zip(history.blamed()) {
            let Some(owner) = owner else { continue };
            let claimed = &history.claims[owner.claim].lines;
            let hash = LineHashes::of(line.text.as_bytes());
            prop_assert!(hash.as_slice().iter().all(|hash| hash.is_blank() || claimed.as_slice().contains(hash)));
            let is_distinct = line.text.starts_with("let ") || line.text.contains(" let ");
            prop_assert!(!is_distinct || Some(owner.claim) == line.writer, "{line:?} was given to {owner:?}");
        }
    }

    // REQ 163
    #[test]
    fn entries_that_cannot_touch_a_text_change_nothing(steps in prop::collection::vec(step(), 1..40), is_common: bool) {
        let history = history(steps, if is_common { common } else { unique });
        let text = text_of(&history.file);
        let text = IndexedText::new(text.as_bytes());
        let own = sample::path(OWN);
        let touching = text.touching(BTreeSet::from([own.clone()]));
        let all = history.entries();
        let touches = |stored: &&StoredEntry| {
            let file = &stored.entry.files[0];
            let lines = file.ranges[0].landmarks.lines.as_slice().iter().copied();
            touching.may_hold(lines, file.path == own)
        };
        let some: Vec<StoredEntry> = all.iter().filter(touches).cloned().collect();
        let said = |entries: &[StoredEntry]| -> Vec<Option<(u64, &'static str)>> {
            let lines = written(&own, &text, entries).into_iter();
            lines.map(|line| line.map(|line| (line.claim.stored.seq, line.certainty.as_str()))).collect()
        };
        prop_assert_eq!(said(&some), said(&all));
    }
}
