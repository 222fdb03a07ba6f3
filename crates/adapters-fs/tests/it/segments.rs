//! Sealed segments: what they hold, how they follow each other, and every way to tamper with them (D-22, D-25).

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use bailiwick_adapters_fs::{FsLedger, FsLedgerReader, FsLedgerVerifier, Sealed};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    ContentHash, FindingKind, Ledger, LedgerQuery, LedgerReader, LedgerVerifier, Order, Origin, PortError,
    SegmentHistory, Severity, StoredEntry, Sync, Verification,
};
use pollster::block_on;

use crate::place::Place;

fn ledger(place: &Place) -> FsLedger {
    FsLedger::new(place.layout(), Sync::Os)
}

fn append(place: &Place, n: usize) {
    let id = format!("00000000-0000-4000-8000-{n:012}");
    let entry = sample::trace_entry(&id, &sample::intent("INT-001", &["src/**"]));
    block_on(ledger(place).append(&entry)).unwrap();
}

fn seal(place: &Place) -> Sealed {
    ledger(place).seal().unwrap().unwrap()
}

fn folder(place: &Place) -> PathBuf {
    place.layout().orchestration().join("trace")
}

fn verify(place: &Place) -> Verification {
    FsLedgerVerifier::new(place.layout()).verify().unwrap()
}

/// What git has, as far as the verifier is told.
#[derive(Debug)]
struct Has(BTreeSet<ContentHash>);

impl SegmentHistory for Has {
    fn names(&self) -> Result<BTreeSet<ContentHash>, PortError> {
        Ok(self.0.clone())
    }
}

/// Three entries, sealed as two and one.
fn sealed() -> (Place, Sealed, Sealed) {
    let place = Place::new();
    append(&place, 0);
    append(&place, 1);
    let first = seal(&place);
    append(&place, 2);
    let second = seal(&place);
    (place, first, second)
}

// D-22
#[test]
fn segments_hold_the_lines_as_they_are_and_follow_each_other() {
    let (place, first, second) = sealed();
    assert_eq!((first.entries, &first.follows), (2, &None));
    assert_eq!((second.entries, second.follows.as_ref()), (1, Some(&first.name)));
    assert_eq!(ledger(&place).seal().unwrap(), None, "nothing is left to seal");
    let live = fs::read_to_string(place.private("ledger/live.jsonl")).unwrap();
    let mut joined = String::new();
    for sealed in [&first, &second] {
        let bytes = fs::read(&sealed.path).unwrap();
        assert_eq!(sealed.path, folder(&place).join(format!("{}.jsonl", ContentHash::of(&bytes).digits())));
        joined.extend(String::from_utf8(bytes).unwrap().split_inclusive('\n').skip(1));
    }
    assert_eq!(joined, live);
    let found = verify(&place);
    assert!(found.is_clean(), "{found:#?}");
    assert_eq!((found.extent.sealed, found.extent.segments), (3, 2));
}

// K-19
#[test]
fn every_line_of_a_segment_is_a_valid_agent_trace_record() {
    let (_place, first, _) = sealed();
    let schema = serde_json::from_str(include_str!("../data/agent-trace-0.1.0.schema.json")).unwrap();
    let schema = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    for line in fs::read_to_string(&first.path).unwrap().lines() {
        let record = serde_json::from_str(line).unwrap();
        assert!(schema.is_valid(&record), "{line}");
    }
}

// D-22: the same entries make the same segment, so two branches that seal them never conflict.
#[test]
fn the_same_entries_make_the_same_segment() {
    let (place, first, _) = sealed();
    let bytes = fs::read(&first.path).unwrap();
    fs::remove_dir_all(folder(&place)).unwrap();
    let whole = seal(&place);
    assert_eq!((whole.entries, &whole.follows), (3, &None), "a tree without segments gets them all");
    fs::remove_dir_all(folder(&place)).unwrap();
    fs::create_dir_all(folder(&place)).unwrap();
    fs::write(&first.path, &bytes).unwrap();
    assert_eq!(seal(&place).follows, Some(first.name));
}

// D-25, REQ 147
#[test]
fn req_147_every_change_of_a_segment_is_named() {
    let (place, first, _) = sealed();
    let whole = fs::read(&first.path).unwrap();
    let lines: Vec<Vec<u8>> = whole.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let check = |lines: &[Vec<u8>], kind: FindingKind, line: u64| {
        fs::write(&first.path, lines.concat()).unwrap();
        let found = verify(&place);
        let alarms: Vec<_> =
            found.findings.iter().filter(|finding| finding.severity == Severity::Alarm).collect();
        assert!(alarms.iter().any(|finding| finding.kind == FindingKind::SegmentDiffers), "{found:#?}");
        assert!(
            alarms.iter().any(|finding| finding.kind == kind && finding.line == Some(line)),
            "{kind:?} {line}: {found:#?}"
        );
        assert!(
            alarms.iter().all(|finding| finding.file == first.path.display().to_string()
                || finding.kind == FindingKind::NotLinked),
            "{found:#?}"
        );
    };
    for at in 0..lines.len() {
        let mut edit = lines.clone();
        edit[at] = String::from_utf8(edit[at].clone()).unwrap().replacen("0.1.0", "0.1.9", 1).into_bytes();
        check(&edit, FindingKind::Edited, at as u64 + 1);
        let mut more = lines.clone();
        more.insert(at + 1, b"{}\n".to_vec());
        let kind = if at + 1 == lines.len() { FindingKind::Edited } else { FindingKind::Inserted };
        check(&more, kind, at as u64 + 2);
    }
    check(&[lines[0].clone(), lines[2].clone()], FindingKind::Missing, 2);
    check(&lines[..2], FindingKind::Cut, 3);
    check(&[lines[0].clone(), lines[2].clone(), lines[1].clone()], FindingKind::Reordered, 3);
    check(&lines[1..], FindingKind::Edited, 1);
}

// D-25, threat H3: a segment anchors the ledger, also where the witness is gone.
#[test]
fn a_ledger_that_is_not_what_was_sealed_is_named() {
    let (place, ..) = sealed();
    fs::remove_dir_all(place.dir.path().join("user")).unwrap();
    let live = place.private("ledger/live.jsonl");
    let whole = fs::read(&live).unwrap();
    let first_two: Vec<u8> =
        whole.split_inclusive(|byte| *byte == b'\n').take(2).flatten().copied().collect();
    fs::write(&live, &first_two).unwrap();
    let found = verify(&place);
    let is_it = |finding: &bailiwick_domain::Finding| {
        finding.kind == FindingKind::Rechained && finding.entries == Some((2, 2))
    };
    assert!(found.findings.iter().any(is_it), "{found:#?}");
    append(&place, 9);
    assert!(verify(&place).findings.iter().any(is_it), "going on does not hide it");
    assert!(ledger(&place).seal().is_err(), "and nothing is sealed over it");
}

// D-25: what tells a segment that is gone is damaged
#[test]
fn a_damaged_list_of_what_was_sealed_is_an_alarm_and_is_made_again() {
    let (place, first, second) = sealed();
    let list = place.private("ledger/sealed.json");
    for damage in ["", "x", "[]"] {
        fs::write(&list, damage).unwrap();
        let found = verify(&place);
        let kinds: Vec<FindingKind> = found.findings.iter().map(|finding| finding.kind).collect();
        assert_eq!((found.has_alarm(), kinds), (true, vec![FindingKind::SealedListDamaged]), "{damage}");
        assert_eq!(ledger(&place).damaged_list_of_sealed().unwrap(), Some(list.clone()));
        assert!(ledger(&place).repair().unwrap().list_of_sealed);
        assert!(verify(&place).is_clean(), "{damage}");
        assert!(!ledger(&place).repair().unwrap().list_of_sealed, "{damage}");
    }
    append(&place, 3);
    assert_eq!(seal(&place).follows, Some(second.name));
    fs::remove_file(&first.path).unwrap();
    assert_eq!(verify(&place).findings[0].kind, FindingKind::SegmentGone, "the new list knows the first");
    let is_aside = |name: &str| name.starts_with("sealed.") && name.ends_with(".aside");
    let names = fs::read_dir(list.parent().unwrap()).unwrap().map(|file| file.unwrap().file_name());
    assert_eq!(names.filter(|name| is_aside(name.to_str().unwrap())).count(), 3, "each damaged one is kept");
}

// D-25: a referenced segment that exists nowhere.
#[test]
fn a_segment_that_another_one_follows_and_that_is_nowhere_is_an_alarm() {
    let (place, first, _) = sealed();
    fs::remove_file(&first.path).unwrap();
    let found = verify(&place);
    assert!(found.has_alarm() && found.findings[0].kind == FindingKind::SegmentGone, "{found:#?}");
    let history = Has([first.name.clone()].into());
    let found = FsLedgerVerifier::new(place.layout()).with_history(Arc::new(history)).verify().unwrap();
    assert!(!found.has_alarm() && !found.is_clean(), "git has it elsewhere: {found:#?}");
    ledger(&place).seen_in_git(&[first.name]).unwrap();
    let found = verify(&place);
    assert!(!found.has_alarm() && !found.is_clean(), "git had it once: {found:#?}");
}

// D-25: an ordinary deletion of what nobody committed, such as `git clean -fd`.
#[test]
fn a_segment_that_nothing_follows_is_a_note_when_it_is_gone() {
    let (place, _, second) = sealed();
    fs::remove_file(&second.path).unwrap();
    let found = verify(&place);
    assert!(!found.has_alarm() && found.findings[0].kind == FindingKind::SegmentElsewhere, "{found:#?}");
    assert_eq!(seal(&place).name, second.name, "and comes back the same");
}

// D-22: a teammate's segments are read and verified beside one's own, each entry once.
#[test]
fn a_teammates_segments_are_read_and_verified() {
    let (theirs, first, second) = sealed();
    let mine = Place::new();
    append(&mine, 7);
    seal(&mine);
    for sealed in [&first, &second] {
        fs::copy(&sealed.path, folder(&mine).join(sealed.path.file_name().unwrap())).unwrap();
    }
    fs::remove_dir_all(folder(&theirs)).unwrap();
    let all_of_theirs = seal(&theirs);
    fs::copy(&all_of_theirs.path, folder(&mine).join(all_of_theirs.path.file_name().unwrap())).unwrap();
    let found = verify(&mine);
    let kinds: Vec<FindingKind> = found.findings.iter().map(|finding| finding.kind).collect();
    assert_eq!(kinds, [FindingKind::Unvouched], "nobody signed them: {found:#?}");
    assert_eq!((found.extent.sealed, found.extent.segments), (1, 4));
    for order in [Order::NewestFirst, Order::OldestFirst] {
        let mut read: Vec<StoredEntry> = Vec::new();
        let mut take = |stored: StoredEntry| {
            read.push(stored);
            ControlFlow::Continue(())
        };
        FsLedgerReader::new(&mine.layout())
            .visit(&LedgerQuery { order, ..LedgerQuery::default() }, &mut take)
            .unwrap();
        let others = read.iter().filter(|stored| stored.origin != Origin::Live).count();
        assert_eq!((read.len(), others), (4, 3), "{order:?}");
    }
    fs::remove_file(folder(&mine).join(first.path.file_name().unwrap())).unwrap();
    let found = verify(&mine);
    assert!(!found.has_alarm(), "what was never here may be on a ref that was not fetched: {found:#?}");
}

// D-25: what is not what was written is not sealed.
#[test]
fn a_ledger_that_was_put_back_is_not_sealed() {
    let place = Place::new();
    (0..3).for_each(|n| append(&place, n));
    let live = place.private("ledger/live.jsonl");
    let whole = fs::read(&live).unwrap();
    let one: Vec<u8> = whole.split_inclusive(|byte| *byte == b'\n').take(1).flatten().copied().collect();
    fs::write(&live, one).unwrap();
    assert!(matches!(ledger(&place).seal(), Err(PortError::Invalid(_))));
    assert!(!folder(&place).exists());
}

/// A file of zeros, which takes no room on the disk.
fn zeros(path: &std::path::Path, length: u64) {
    fs::File::create(path).unwrap().set_len(length).unwrap();
}

// D-22: a commit can bring a file of any size, which is small in git
#[test]
fn a_segment_that_is_too_large_is_named_and_read_by_nobody() {
    let (place, ..) = sealed();
    let huge = folder(&place).join(format!("{}.jsonl", "0".repeat(64)));
    zeros(&huge, 1 << 42);
    let found = verify(&place);
    let [alarm] = found.findings.as_slice() else { panic!("{found:#?}") };
    assert_eq!((alarm.kind, alarm.severity), (FindingKind::SegmentDiffers, Severity::Alarm));
    assert!(alarm.message.contains("too large for a segment"), "{alarm:?}");
    assert_eq!(alarm.file, huge.display().to_string());
    assert_eq!(bailiwick_adapters_fs::damaged_segments(&place.layout()).unwrap(), [huge]);
    append(&place, 3);
    assert_eq!(seal(&place).entries, 1, "and sealing goes on");
    let mut count = 0;
    FsLedgerReader::new(&place.layout())
        .visit(&LedgerQuery::default(), &mut |_| {
            count += 1;
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(count, 4);
}

// D-22: what is sealed can be read again, however much it is
#[test]
fn a_long_ledger_is_sealed_in_pieces_that_follow_each_other() {
    let place = Place::new();
    for n in 0..5 {
        let id = format!("00000000-0000-4000-8000-{n:012}");
        let mut entry = sample::trace_entry(&id, &sample::intent("INT-001", &["src/**"]));
        entry.context.tool = "x".repeat(7 << 20);
        block_on(ledger(&place).append(&entry)).unwrap();
    }
    let last = seal(&place);
    assert_eq!(last.entries, 1, "two, two and one");
    assert!(last.follows.is_some());
    let files = fs::read_dir(folder(&place)).unwrap().flatten().map(|file| file.path());
    let segments: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|end| end == "jsonl")).collect();
    assert_eq!(segments.len(), 3);
    let found = verify(&place);
    assert!(found.is_clean(), "{:?}", found.findings.iter().map(|one| &one.message).collect::<Vec<_>>());
    assert_eq!((found.extent.sealed, ledger(&place).seal().unwrap()), (5, None));
}
