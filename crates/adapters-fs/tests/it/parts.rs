//! A ledger that goes on in a new file when one is long, and is read as one (K-52, principle 4).

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use bailiwick_adapters_fs::{
    FsLedger, FsLedgerReader, FsLedgerVerifier, FsWorkspaceLock, Layout, read_ledger_line,
};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Actor, ContentHash, FindingKind, Ledger, LedgerQuery, LedgerReader, LedgerVerifier, Order, Origin,
    StoredEntry, Sync, TraceEntry, WorkspaceLock,
};
use pollster::block_on;
use proptest::prelude::*;

use crate::big::with_many_ranges;
use crate::forgery::lines_of;
use crate::place::{Place, childs_layout};

/// A file of three lines is closed.
const THREE_LINES: u64 = 4_000;

fn ledger(layout: Layout) -> FsLedger {
    FsLedger::new(layout, Sync::Os).with_rotation(THREE_LINES).with_signing(true)
}

fn uuid(n: usize) -> String {
    format!("00000000-0000-4000-8000-{n:012}")
}

fn entry(n: usize) -> TraceEntry {
    sample::trace_entry(&uuid(n), &sample::intent("INT-001", &["src/**"]))
}

fn append(place: &Place, n: usize) {
    block_on(ledger(place.layout()).append(&entry(n))).unwrap();
}

/// A ledger of that many entries, three in a file.
fn written(count: usize) -> Place {
    let place = Place::new();
    (0..count).for_each(|n| append(&place, n));
    place
}

fn live(place: &Place) -> PathBuf {
    place.private("ledger/live.jsonl")
}

fn part(place: &Place, first: usize) -> PathBuf {
    place.private(&format!("ledger/parts/{first:012}.jsonl"))
}

fn parts(place: &Place) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(place.private("ledger/parts")) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn read(place: &Place, order: Order) -> Vec<StoredEntry> {
    let mut found = Vec::new();
    let mut take = |stored| {
        found.push(stored);
        ControlFlow::Continue(())
    };
    let query = LedgerQuery { order, ..LedgerQuery::default() };
    FsLedgerReader::new(&place.layout()).visit(&query, &mut take).unwrap();
    found
}

fn seqs(found: &[StoredEntry]) -> Vec<u64> {
    found.iter().map(|stored| stored.seq).collect()
}

// K-42
#[test]
fn what_is_behind_an_entry_is_found_in_whichever_part_it_stands() {
    let place = written(11);
    assert!(parts(&place).len() > 2);
    for n in 0..11 {
        let reader = FsLedgerReader::new(&place.layout()).behind(&uuid(n), u64::try_from(n).unwrap());
        let mut found = Vec::new();
        let mut take = |stored: StoredEntry| {
            found.push(usize::try_from(stored.seq).unwrap());
            ControlFlow::Continue(())
        };
        reader.unwrap().unwrap().visit(&LedgerQuery::default(), &mut take).unwrap();
        assert_eq!(found, (0..n).rev().collect::<Vec<_>>());
    }
}

/// All lines of the ledger are one chain of that many entries, and every question finds each of them once.
#[track_caller]
fn assert_whole(place: &Place, count: usize) {
    let files = parts(place).into_iter().filter(|path| lines_of(path) != lines_of(&live(place)));
    let lines: Vec<Vec<u8>> = files.chain([live(place)]).flat_map(|path| lines_of(&path)).collect();
    assert_eq!(lines.len(), count);
    let mut prev = None;
    for (seq, line) in lines.iter().enumerate() {
        let line = read_ledger_line(line.strip_suffix(b"\n").unwrap()).unwrap();
        assert_eq!((line.seq, &line.prev), (seq as u64, &prev));
        prev = Some(line.checksum);
    }
    let forwards: Vec<u64> = (0..count as u64).collect();
    assert_eq!(seqs(&read(place, Order::OldestFirst)), forwards);
    assert_eq!(seqs(&read(place, Order::NewestFirst)), forwards.iter().rev().copied().collect::<Vec<_>>());
    let ledger = ledger(place.layout());
    let turn = block_on(ledger.of_session(&sample::actor(), sample::now(), 999)).unwrap();
    assert!(turn.is_complete);
    assert_eq!(turn.entries.len(), count);
    let recent = block_on(ledger.recent(&sample::intent_id("INT-001"), 999)).unwrap();
    assert_eq!(recent.len(), count);
}

#[track_caller]
fn assert_clean(place: &Place, count: usize) {
    let found = FsLedgerVerifier::new(place.layout()).verify().unwrap();
    assert!(found.is_clean(), "{found:#?}");
    assert_eq!((found.extent.entries, found.extent.witnessed), (count as u64, Some(count as u64)));
}

// K-52, principle 4, D-22
#[test]
fn a_long_ledger_goes_on_in_a_new_file_and_stays_one() {
    let place = Place::new();
    for count in 1..=11 {
        append(&place, count - 1);
        assert_whole(&place, count);
        assert_clean(&place, count);
        let begun = (count - 1) / 3;
        let expected: Vec<PathBuf> = (0..begun).map(|nth| part(&place, nth * 3)).collect();
        assert_eq!(parts(&place), expected, "with {count} entries");
        assert_eq!(fs::read(place.layout().ledger_view()).unwrap(), fs::read(live(&place)).unwrap());
    }
    let all: u64 =
        parts(&place).iter().chain([&live(&place)]).map(|path| path.metadata().unwrap().len()).sum();
    assert_eq!(ledger(place.layout()).length().unwrap(), all);
}

// D-08: who knows one file alone would take back, seal and tell a piece for the whole.
#[test]
fn a_state_whose_ledger_has_parts_says_so() {
    let place = written(3);
    assert!(!place.private("lock").exists(), "any version reads it");
    append(&place, 3);
    assert_eq!(fs::read_to_string(place.private("lock")).unwrap(), "format 2\n");
}

// D-08: and a state of a form that is not known stays as it is.
#[test]
fn a_ledger_in_an_unknown_state_is_not_parted() {
    for form in ["format 3\n", "something else"] {
        let place = written(3);
        fs::write(place.private("lock"), form).unwrap();
        append(&place, 3);
        assert_whole(&place, 4);
        assert_eq!(fs::read_to_string(place.private("lock")).unwrap(), form);
        assert_eq!(parts(&place).len(), usize::from(form.starts_with("format")), "{form}");
    }
}

/// The files of a place as they are.
fn snapshot(place: &Place) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![place.dir.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path)
            } else {
                files.push((path.clone(), fs::read(&path).unwrap()))
            }
        }
    }
    files
}

/// A copy of a place, without what its files have in common.
fn restored(files: &[(PathBuf, Vec<u8>)], from: &Place) -> Place {
    let place = Place::new();
    for (path, bytes) in files {
        let target = place.dir.path().join(path.strip_prefix(from.dir.path()).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(target, bytes).unwrap();
    }
    place
}

/// Goes on after a writer was killed; `recorded` entries are there.
#[track_caller]
fn goes_on(place: &Place, recorded: usize) {
    let found = FsLedgerVerifier::new(place.layout()).verify().unwrap();
    assert!(!found.has_alarm(), "{found:#?}");
    assert_eq!(found.extent.entries, recorded as u64);
    assert_eq!(seqs(&read(place, Order::OldestFirst)).len(), recorded);
    block_on(ledger(place.layout()).ready()).unwrap();
    for n in 0..4 {
        append(place, 100 + n);
        assert_whole(place, recorded + n + 1);
    }
    let after = FsLedgerVerifier::new(place.layout()).verify().unwrap();
    assert!(!after.has_alarm(), "{after:#?}");
    assert_eq!(after.extent.entries, recorded as u64 + 4);
}

// K-24, D-26: every state that a writer leaves behind who is killed while it begins a new file.
#[test]
fn who_is_killed_while_a_new_file_begins_loses_nothing() {
    for before in [3, 6, 9] {
        let first = before - 3;
        let at = || written(before);
        // The folder, and what the state's form is.
        let place = at();
        fs::create_dir_all(place.private("ledger/parts")).unwrap();
        fs::write(place.private("lock"), "format 2\n").unwrap();
        goes_on(&place, before);
        // The same, within the words.
        for length in 0..8 {
            let place = at();
            fs::write(place.private("lock"), "format 2\n".get(..length).unwrap()).unwrap();
            block_on(FsWorkspaceLock::new(place.layout()).acquire()).unwrap();
            goes_on(&place, before);
            assert_eq!(fs::read_to_string(place.private("lock")).unwrap(), "format 2\n");
        }
        // The file has both names.
        let linked = || {
            let place = at();
            fs::create_dir_all(place.private("ledger/parts")).unwrap();
            fs::hard_link(live(&place), part(&place, first)).unwrap();
            place
        };
        goes_on(&linked(), before);
        // An older version, which knows nothing of it, went on in between.
        let place = linked();
        block_on(FsLedger::new(place.layout(), Sync::Os).with_signing(true).append(&entry(50))).unwrap();
        goes_on(&place, before + 1);
        // The next file is written and has no name yet, whole or in part.
        for length in [0, 9, 1_000] {
            let place = linked();
            let next = vec![b'x'; length];
            fs::write(place.private("ledger/.live.jsonl.1.2.3.tmp"), next).unwrap();
            goes_on(&place, before);
        }
        // It took its place, and nobody has seen it.
        let place = at();
        let heads = heads(&place);
        let (seen, view) = (fs::read(&heads).unwrap(), fs::read(place.layout().ledger_view()).unwrap());
        append(&place, before);
        fs::write(&heads, seen).unwrap();
        fs::write(place.layout().ledger_view(), view).unwrap();
        goes_on(&place, before + 1);
    }
}

// K-24: the same, and the folder was copied before anything else happened, so that the two names are two files.
#[test]
fn who_copies_a_ledger_between_two_files_loses_nothing() {
    for (recorded_since, missing) in [(0, 0), (1, 0), (0, 1)] {
        let place = written(6);
        let bytes: Vec<Vec<u8>> = lines_of(&live(&place));
        fs::write(part(&place, 3), bytes[..3 - missing].concat()).unwrap();
        let copy = restored(&snapshot(&place), &place);
        let key = fs::read(place.dir.path().join("user/trace.key")).unwrap();
        copy.keeps_key(&key.try_into().unwrap());
        for n in 0..recorded_since {
            block_on(FsLedger::new(copy.layout(), Sync::Os).with_signing(true).append(&entry(60 + n)))
                .unwrap();
        }
        for n in 0..4 {
            append(&copy, 100 + n);
            assert_continued(&copy, 6, recorded_since + n + 1);
        }
    }
}

// D-25: what has a part's name and is something else stays, is named, and keeps no entry from being recorded.
#[test]
fn a_file_in_the_place_of_the_next_part_is_named_and_stays() {
    for there in [&b"rubbish\n"[..], b"{}", &[0; 9_000]] {
        let place = written(6);
        fs::write(part(&place, 3), there).unwrap();
        let named = |place: &Place| {
            let found = FsLedgerVerifier::new(place.layout()).verify().unwrap();
            let file = part(place, 3).display().to_string();
            found.findings.iter().any(|it| it.kind == FindingKind::Inserted && it.file == file)
        };
        assert!(named(&place));
        append(&place, 6);
        append(&place, 7);
        assert_eq!(fs::read(part(&place, 3)).unwrap(), there);
        assert_eq!(seqs(&read(&place, Order::OldestFirst)), (0..8).collect::<Vec<u64>>());
        assert!(named(&place));
    }
}

// K-24: a file that cannot be closed goes on.
#[test]
fn a_ledger_that_cannot_be_parted_goes_on_in_one_file() {
    let place = written(3);
    fs::write(place.private("ledger/parts"), "no folder").unwrap();
    (3..9).for_each(|n| append(&place, n));
    fs::remove_file(place.private("ledger/parts")).unwrap();
    assert_eq!(lines_of(&live(&place)).len(), 9);
    assert_whole(&place, 9);
    append(&place, 9);
    assert_eq!((parts(&place).len(), lines_of(&live(&place)).len()), (1, 1));
    assert_clean(&place, 10);
}

// D-25, K-24: an empty file beside parts never begins a chain of its own.
#[test]
fn an_empty_file_beside_parts_goes_on_from_them_or_is_refused() {
    for is_gone in [false, true] {
        let place = written(8);
        let emptied = |place: &Place| {
            if is_gone {
                fs::remove_file(live(place)).unwrap();
            } else {
                fs::write(live(place), b"").unwrap();
            }
        };
        emptied(&place);
        block_on(ledger(place.layout()).ready()).unwrap_err();
        fs::remove_dir_all(place.dir.path().join("user")).unwrap();
        emptied_again(&place, is_gone);
        block_on(ledger(place.layout()).ready()).unwrap();
        append(&place, 20);
        assert_continued(&place, 6, 1);
    }
}

/// A new ledger with so many entries goes on from one with that many, and nothing is lost.
#[track_caller]
fn assert_continued(place: &Place, before: usize, since: usize) {
    let seqs = |count: usize| (0..count as u64).collect::<Vec<_>>();
    let all = read(place, Order::OldestFirst);
    let (ended, live): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|stored| stored.origin == Origin::Ended(1));
    let places = |stored: &[StoredEntry]| stored.iter().map(|stored| stored.seq).collect::<Vec<_>>();
    assert_eq!((places(&ended), places(&live)), (seqs(before), seqs(since)));
    let turn = block_on(ledger(place.layout()).of_session(&sample::actor(), sample::now(), 999)).unwrap();
    assert!(turn.is_complete);
    assert_eq!(turn.entries.len(), before + since, "the session goes on, too");
    let found = FsLedgerVerifier::new(place.layout()).verify().unwrap();
    let is_continued = found.findings.iter().any(|finding| finding.kind == FindingKind::Continued);
    assert!(is_continued && !found.has_alarm(), "{found:#?}");
}

/// What looking at the ledger may have brought back is taken away again.
fn emptied_again(place: &Place, is_gone: bool) {
    if is_gone && live(place).exists() {
        fs::remove_file(live(place)).unwrap();
    }
}

fn heads(place: &Place) -> PathBuf {
    let folder = fs::read_dir(place.dir.path().join("user/witness")).unwrap().next().unwrap().unwrap();
    folder.path().join("heads")
}

// D-25
#[test]
fn a_witness_that_is_behind_catches_up_across_files() {
    for seen in 0..8 {
        let place = written(8);
        let heads = heads(&place);
        let all = fs::read(&heads).unwrap();
        fs::write(&heads, &all[..seen * 33]).unwrap();
        append(&place, 8);
        assert_clean(&place, 9);
    }
}

// D-25, K-24
#[test]
fn a_ledger_of_several_files_without_a_witness_is_gone_on_from() {
    let place = written(8);
    fs::remove_dir_all(place.dir.path().join("user/witness")).unwrap();
    let repaired = ledger(place.layout()).repair().unwrap();
    assert!(!repaired.witness, "nobody but the ledger says what its entries are");
    append(&place, 8);
    assert_continued(&place, 8, 1);
}

// D-22
#[test]
fn a_view_is_made_again_from_the_newest_file_alone() {
    let place = written(8);
    let view = place.layout().ledger_view();
    fs::remove_file(&view).unwrap();
    block_on(ledger(place.layout()).ready()).unwrap();
    assert_eq!(fs::read(&view).unwrap(), fs::read(live(&place)).unwrap());
    fs::write(&view, b"rubbish").unwrap();
    assert!(ledger(place.layout()).repair().unwrap().view);
    assert!(!ledger(place.layout()).repair().unwrap().view);
    assert_clean(&place, 8);
}

// D-14, D-25: another working copy records, and this one's view stays with an older part.
#[test]
fn a_view_that_stayed_with_an_older_part_is_a_note() {
    let place = written(2);
    let there = place.dir.path().join("worktree");
    fs::create_dir_all(there.join(".orchestration")).unwrap();
    let layout = Layout::new(&there, place.private(""), place.layout().user_state().map(Into::into));
    for n in 2..9 {
        block_on(ledger(layout.clone()).append(&entry(n))).unwrap();
        assert!(FsLedgerVerifier::new(layout.clone()).verify().unwrap().is_clean());
        let found = FsLedgerVerifier::new(place.layout()).verify().unwrap();
        assert!(!found.has_alarm() && found.findings[0].kind == FindingKind::ViewBehind, "{n}: {found:#?}");
    }
    append(&place, 9);
    assert_clean(&place, 10);
}

// D-25: what was recorded from here was in the view; an older one was put back.
#[test]
fn an_older_view_that_is_put_back_is_named() {
    let place = written(1);
    let view = place.layout().ledger_view();
    let mut older = vec![fs::read(&view).unwrap()];
    for n in 1..8 {
        append(&place, n);
        older.push(fs::read(&view).unwrap());
    }
    let newest = older.pop().unwrap();
    for bytes in older {
        fs::write(&view, bytes).unwrap();
        let found = FsLedgerVerifier::new(place.layout()).verify().unwrap();
        assert!(found.findings.iter().any(|it| it.kind == FindingKind::ViewDiffers), "{found:#?}");
    }
    fs::write(&view, newest).unwrap();
    assert_clean(&place, 8);
}

// D-22
#[test]
fn a_segment_is_sealed_from_all_files() {
    let place = written(8);
    let sealed = ledger(place.layout()).seal().unwrap().unwrap();
    assert_eq!((sealed.entries, &sealed.follows), (8, &None));
    append(&place, 8);
    append(&place, 9);
    let next = ledger(place.layout()).seal().unwrap().unwrap();
    assert_eq!((next.entries, &next.follows), (2, &Some(sealed.name)));
    let all: Vec<Vec<u8>> =
        [sealed.path, next.path].iter().flat_map(|path| lines_of(path).split_off(1)).collect();
    let files = parts(&place).into_iter().chain([live(&place)]);
    assert_eq!(all, files.flat_map(|path| lines_of(&path)).collect::<Vec<_>>());
    let found = FsLedgerVerifier::new(place.layout()).verify().unwrap();
    assert!(found.is_clean() && found.extent.sealed == 10, "{found:#?}");
    assert_eq!(read(&place, Order::NewestFirst).len(), 10, "one's own segments are not read twice");
}

// K-24, D-25
#[test]
fn an_ended_ledger_keeps_its_parts() {
    let place = written(8);
    assert_eq!(ledger(place.layout()).end_chain().unwrap(), 1);
    assert!(parts(&place).is_empty());
    (20..25).for_each(|n| append(&place, n));
    assert_eq!(ledger(place.layout()).end_chain().unwrap(), 2);
    append(&place, 30);
    let found = read(&place, Order::OldestFirst);
    assert_eq!(seqs(&found), [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 0]);
    assert_eq!((&found[7].origin, &found[12].origin), (&Origin::Ended(1), &Origin::Ended(2)));
    let verified = FsLedgerVerifier::new(place.layout()).verify().unwrap();
    assert!(!verified.has_alarm() && verified.extent.entries == 1, "{verified:#?}");
}

// K-24: a person's ending was interrupted behind its first step; asked for once more it is complete.
#[test]
fn an_ending_that_was_interrupted_is_completed() {
    let place = written(8);
    end_half(&place);
    assert!(FsLedgerVerifier::new(place.layout()).verify().unwrap().has_alarm());
    assert_eq!(ledger(place.layout()).end_chain().unwrap(), 1);
    assert_eq!(seqs(&read(&place, Order::OldestFirst)), (0..8).collect::<Vec<u64>>());
}

/// As a kill leaves an ending between its two steps: the older parts are moved, the newest file is not.
fn end_half(place: &Place) {
    fs::create_dir_all(place.private("ledger/ended")).unwrap();
    fs::rename(place.private("ledger/parts"), place.private("ledger/ended/1.parts")).unwrap();
}

/// The next ending completes the interrupted one: all entries are there under one number, and the new ledger is clean.
#[track_caller]
fn assert_ends(place: &Place, entries: u64) {
    assert_eq!(ledger(place.layout()).end_chain().unwrap(), 1);
    let found = read(place, Order::OldestFirst);
    assert_eq!(seqs(&found), (0..entries).collect::<Vec<u64>>());
    assert!(found.iter().all(|stored| stored.origin == Origin::Ended(1)));
    append(place, 99);
    let verified = FsLedgerVerifier::new(place.layout()).verify().unwrap();
    assert!(!verified.has_alarm() && verified.extent.entries == 1, "{verified:#?}");
    assert_eq!(ledger(place.layout()).end_chain().unwrap(), 2, "and the one after that is another");
}

// K-24: the rest of an interrupted ending is appended to until it is parted itself, before it is ended once more.
#[test]
fn an_ending_that_was_interrupted_is_completed_after_a_rotation() {
    let place = written(8);
    end_half(&place);
    (8..14).for_each(|n| append(&place, n));
    assert_eq!(parts(&place), [part(&place, 6), part(&place, 9)]);
    assert_ends(&place, 14);
}

// K-24: a rotation was interrupted before the ending was, so that both have made a part of the same file.
#[test]
fn an_ending_keeps_once_what_was_parted_twice() {
    for is_copied in [false, true] {
        let place = written(6);
        let twice = part(&place, 3);
        match is_copied {
            true => drop(fs::copy(live(&place), &twice).unwrap()),
            false => fs::hard_link(live(&place), &twice).unwrap(),
        }
        end_half(&place);
        (6..8).for_each(|n| append(&place, n));
        assert_eq!(parts(&place), [twice]);
        assert_ends(&place, 8);
    }
}

// K-24: the same again when it is interrupted between two parts of the second attempt.
#[test]
fn an_ending_that_was_interrupted_twice_is_completed() {
    let place = written(8);
    end_half(&place);
    (8..14).for_each(|n| append(&place, n));
    fs::rename(part(&place, 6), place.private(&format!("ledger/ended/1.parts/{:012}.jsonl", 6))).unwrap();
    assert_ends(&place, 14);
}

// K-24: both files are moved, and neither the view nor the witness knows of it yet.
#[test]
fn an_ending_that_was_interrupted_behind_its_last_step_is_completed() {
    let place = written(8);
    end_half(&place);
    fs::rename(live(&place), place.private("ledger/ended/1.jsonl")).unwrap();
    assert!(FsLedgerVerifier::new(place.layout()).verify().unwrap().has_alarm());
    ledger(place.layout()).end_chain().unwrap();
    append(&place, 99);
    let found = read(&place, Order::OldestFirst);
    assert_eq!(seqs(&found), [0, 1, 2, 3, 4, 5, 6, 7, 0]);
    let verified = FsLedgerVerifier::new(place.layout()).verify().unwrap();
    assert!(!verified.has_alarm() && verified.extent.entries == 1, "{verified:#?}");
}

// K-24: a part of that name with other entries is evidence too, and neither is lost for the other.
#[test]
fn an_ending_writes_over_no_other_part() {
    let place = written(8);
    end_half(&place);
    (8..11).for_each(|n| append(&place, n));
    let other = place.private(&format!("ledger/ended/1.parts/{:012}.jsonl", 6));
    fs::write(&other, "something else\n").unwrap();
    let before = fs::read(part(&place, 6)).unwrap();
    let error = ledger(place.layout()).end_chain().unwrap_err().to_string();
    assert!(error.contains("1.parts"), "{error}");
    assert_eq!(fs::read(part(&place, 6)).unwrap(), before);
    assert_eq!(fs::read(&other).unwrap(), b"something else\n");
}

// K-09, D-22
#[test]
fn many_writers_begin_files_of_one_chain() {
    let place = Place::new();
    let meanwhile = || {
        std::thread::scope(|scope| {
            for n in 0..20 {
                let ledger = ledger(place.layout());
                scope.spawn(move || block_on(ledger.append(&entry(n))).unwrap());
            }
            for _ in 0..20 {
                let found = seqs(&read(&place, Order::OldestFirst));
                let expected: Vec<u64> = (0..found.len() as u64).collect();
                assert_eq!(found, expected, "a reader sees no gap and nothing twice");
            }
        });
    };
    place.beside_children(4, "parts::writer_in_another_process", meanwhile);
    assert_whole(&place, 20 + 4 * 5);
    assert_clean(&place, 20 + 4 * 5);
}

#[test]
fn writer_in_another_process() {
    let Some(layout) = childs_layout() else { return };
    (0..5).for_each(|n| drop(block_on(ledger(layout.clone()).append(&entry(n))).unwrap()));
}

/// An entry of about 300 KB, of another intent.
fn big(n: usize) -> TraceEntry {
    with_many_ranges(sample::trace_entry(&uuid(n), &sample::intent("INT-002", &["src/**"])))
}

// REQ 153: the history of an intent that was not worked on lately is found, within bounds.
#[test]
fn the_history_of_an_intent_goes_far_back_but_not_for_ever() {
    let place = Place::new();
    let ledger = FsLedger::new(place.layout(), Sync::Os).with_rotation(1_000_000);
    let intent = sample::intent_id("INT-001");
    block_on(ledger.append(&entry(0))).unwrap();
    let mut found = Vec::new();
    for n in 1..16 {
        block_on(ledger.append(&big(n))).unwrap();
        let recent = block_on(ledger.recent(&intent, 9)).unwrap();
        assert_eq!(recent.len(), 0, "with each call only the end is looked at");
        found.push(block_on(ledger.history(&intent, 9)).unwrap().len());
    }
    assert!(parts(&place).len() > 2);
    assert_eq!((found[0], found[9], found[14]), (1, 1, 0), "{found:?}");
    assert!(found.is_sorted_by(|near, far| near >= far), "{found:?}");
    assert_eq!(block_on(ledger.history(&sample::intent_id("INT-002"), 2)).unwrap().len(), 2);
}

/// What happens to a ledger.
#[derive(Clone, Debug)]
enum Step {
    /// An entry of one of three intents and one of two sessions.
    Append(usize, usize),
    /// A writer was killed within its write.
    Tear(usize),
    /// A writer was killed when the file had both names.
    Link,
    Repair,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0..3_usize, 0..2_usize).prop_map(|(intent, session)| Step::Append(intent, session)),
        1 => (1..900_usize).prop_map(Step::Tear),
        1 => Just(Step::Link),
        1 => Just(Step::Repair),
    ]
}

fn actor(session: usize) -> Actor {
    Actor::root("claude-code", &format!("s{session}"))
}

fn of(n: usize, intent: usize, session: usize) -> TraceEntry {
    let plain = sample::trace_entry(&uuid(n), &sample::intent(&format!("INT-00{intent}"), &["src/**"]));
    TraceEntry { context: bailiwick_domain::TraceContext { actor: actor(session), ..plain.context }, ..plain }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    // K-52, K-24, D-25: a ledger of many files says what a list of the entries says.
    #[test]
    fn a_ledger_of_many_files_is_one_list(steps in prop::collection::vec(step(), 1..24), bound in 1..6_000_u64) {
        let place = Place::new();
        let ledger = FsLedger::new(place.layout(), Sync::Os).with_rotation(bound);
        let mut model: Vec<TraceEntry> = Vec::new();
        for (n, step) in steps.into_iter().enumerate() {
            match step {
                Step::Append(intent, session) => {
                    let entry = of(n, intent, session);
                    block_on(ledger.append(&entry)).unwrap();
                    model.push(entry);
                }
                Step::Tear(length) if !model.is_empty() => {
                    let line = lines_of(&live(&place)).pop().unwrap();
                    let torn = [fs::read(live(&place)).unwrap(), line[..length.min(line.len() - 2)].to_vec()];
                    fs::write(live(&place), torn.concat()).unwrap();
                }
                Step::Link if !model.is_empty() => {
                    let first = read_ledger_line(lines_of(&live(&place))[0].strip_suffix(b"\n").unwrap()).unwrap().seq;
                    fs::create_dir_all(place.private("ledger/parts")).unwrap();
                    drop(fs::hard_link(live(&place), part(&place, usize::try_from(first).unwrap())));
                }
                Step::Repair => drop(ledger.repair().unwrap()),
                Step::Tear(_) | Step::Link => {}
            }
            check(&place, &ledger, &model)?;
        }
    }
}

fn check(place: &Place, ledger: &FsLedger, model: &[TraceEntry]) -> Result<(), TestCaseError> {
    let entries = |order| read(place, order).into_iter().map(|stored| stored.entry).collect::<Vec<_>>();
    prop_assert_eq!(entries(Order::OldestFirst), model);
    let backwards: Vec<TraceEntry> = model.iter().rev().cloned().collect();
    prop_assert_eq!(entries(Order::NewestFirst), backwards.clone());
    for session in 0..2 {
        let of_session = |entry: &&TraceEntry| entry.context.actor == actor(session);
        let expected: Vec<TraceEntry> = model.iter().filter(of_session).cloned().collect();
        let found = block_on(ledger.of_session(&actor(session), sample::now(), 99)).unwrap();
        prop_assert_eq!(found.entries, expected);
    }
    for intent in 0..3 {
        let intent = sample::intent_id(&format!("INT-00{intent}"));
        let expected: Vec<TraceEntry> =
            backwards.iter().filter(|entry| entry.context.intent == intent).take(3).cloned().collect();
        prop_assert_eq!(block_on(ledger.recent(&intent, 3)).unwrap(), expected.clone());
        prop_assert_eq!(block_on(ledger.history(&intent, 3)).unwrap(), expected);
    }
    let found = FsLedgerVerifier::new(place.layout()).verify().unwrap();
    prop_assert!(!found.has_alarm(), "{:#?}", found);
    let ordinary = [FindingKind::TornTail, FindingKind::ViewBehind];
    prop_assert!(found.findings.iter().all(|finding| ordinary.contains(&finding.kind)), "{:#?}", found);
    prop_assert_eq!(found.extent.entries, model.len() as u64);
    let last = model.last().map(|entry| ContentHash::of(entry.id.as_bytes()));
    prop_assert_eq!(last.is_some(), found.extent.head.is_some());
    Ok(())
}
