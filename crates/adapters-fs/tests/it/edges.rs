//! What the header of a segment says of the tree: its edge and the signed checkpoint, made of the entries and the key
//! alone; and proofs of entries in ledgers that others go on from (D-22, D-25, REQ 146).

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use bailiwick_adapters_fs::{
    Checkpoint, FsLedger, FsLedgerProver, FsLedgerReader, FsLedgerVerifier, Layout, Note, Sealed, TraceKeys,
};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    ContentHash, FindingKind, Ledger, LedgerQuery, LedgerReader, LedgerVerifier, Origin, Severity,
    StoredEntry, Sync, Value, Verification, json,
};
use pollster::block_on;

use crate::forgery::{Lines, lines_of, other_header, rechained_piece};
use crate::place::Place;

fn ledger(place: &Place, signs: bool) -> FsLedger {
    FsLedger::new(place.layout(), Sync::Os).with_signing(signs)
}

fn append_to(ledger: &FsLedger, n: usize) {
    let id = format!("00000000-0000-4000-8000-{n:012}");
    block_on(ledger.append(&sample::trace_entry(&id, &sample::intent("INT-001", &["src/**"])))).unwrap();
}

/// A ledger that is sealed after so many entries each.
fn sealed(signs: bool, sizes: &[usize]) -> (Place, Vec<Sealed>) {
    let place = Place::new();
    place.keeps_key(&[7; 32]);
    let ledger = ledger(&place, signs);
    let mut n = 0;
    let mut seal = |size: &usize| {
        for _ in 0..*size {
            append_to(&ledger, n);
            n += 1;
        }
        ledger.seal().unwrap().unwrap()
    };
    let segments = sizes.iter().map(&mut seal).collect();
    (place, segments)
}

fn header(path: &Path) -> Value {
    let record: Value = serde_json::from_slice(&lines_of(path)[0]).unwrap();
    record["metadata"]["dev.bailiwick"]["segment"].clone()
}

fn verify(place: &Place) -> Verification {
    FsLedgerVerifier::new(place.layout()).verify().unwrap()
}

fn checkpoint(place: &Place) -> String {
    FsLedgerProver::new(place.layout()).checkpoint().unwrap().to_text()
}

/// Writes these lines under the name that they have then, in place of that file.
fn renamed(path: &Path, lines: &Lines) -> PathBuf {
    fs::remove_file(path).unwrap();
    let name = ContentHash::of(&lines.concat());
    let path = path.with_file_name(format!("{}.jsonl", name.digits()));
    fs::write(&path, lines.concat()).unwrap();
    path
}

/// The segment with other members of its header.
fn with_header(path: &Path, change: impl FnOnce(&mut Value)) -> PathBuf {
    let mut lines = lines_of(path);
    lines[0] = other_header(&lines[0], change);
    renamed(path, &lines)
}

fn without_edges(header: &mut Value) {
    let members = header.as_object_mut().unwrap();
    assert!(members.remove("frontier").is_some());
    members.remove("checkpoint");
}

#[test]
fn a_header_has_the_edge_of_the_tree_and_the_checkpoint_that_the_prover_makes() {
    let (place, segments) = sealed(true, &[1, 2, 4]);
    assert_eq!(header(&segments[0].path)["frontier"], json!([]));
    assert_eq!(header(&segments[2].path)["frontier"].as_array().unwrap().len(), 2, "three are two and one");
    let last = header(&segments[2].path)["checkpoint"].as_str().unwrap().to_owned();
    assert_eq!(last, checkpoint(&place));
    let earlier = Note::parse(header(&segments[1].path)["checkpoint"].as_str().unwrap()).unwrap();
    let earlier = Checkpoint::parse(earlier.text()).unwrap();
    assert_eq!(earlier.size, 3);
    assert!(verify(&place).is_clean(), "{:#?}", verify(&place));
    let against = FsLedgerVerifier::new(place.layout()).against(earlier);
    assert!(against.verify().unwrap().is_clean(), "and it is one that a ledger is compared with");
}

// The same entries and key make the same segment, whatever was sealed before
#[test]
fn the_edges_are_the_same_however_they_are_come_by() {
    for signs in [true, false] {
        let (place, segments) = sealed(signs, &[2, 3]);
        let whole = fs::read(&segments[1].path).unwrap();
        fs::remove_file(&segments[1].path).unwrap();
        assert_eq!(fs::read(ledger(&place, signs).seal().unwrap().unwrap().path).unwrap(), whole);
        assert_eq!(
            header(&segments[1].path).get("checkpoint").is_some(),
            signs,
            "nobody signs what nobody signed"
        );
        // A segment of an earlier version says nothing of the tree: the chain is walked.
        let edge = header(&segments[1].path);
        fs::remove_file(&segments[1].path).unwrap();
        with_header(&segments[0].path, without_edges);
        let again = header(&ledger(&place, signs).seal().unwrap().unwrap().path);
        assert_eq!((&again["frontier"], &again["checkpoint"]), (&edge["frontier"], &edge["checkpoint"]));
        assert!(!verify(&place).has_alarm(), "{:#?}", verify(&place));
    }
}

// What somebody put into the repository is never signed
#[test]
fn an_edge_that_a_stranger_wrote_is_not_gone_on_from() {
    let (place, segments) = sealed(true, &[3, 2]);
    let other = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    with_header(&segments[1].path, |header| header["frontier"] = json!([other, other]));
    append_to(&ledger(&place, true), 10);
    let next = ledger(&place, true).seal().unwrap().unwrap();
    assert_eq!(header(&next.path)["checkpoint"], json!(checkpoint(&place)));
}

// REQ 147: what a header says of the tree is checked
#[test]
fn an_edge_or_checkpoint_of_other_entries_is_an_alarm() {
    type Changes = fn(&mut Value);
    let changes: [Changes; 5] = [
        |header| header["frontier"] = json!([]),
        |header| header["frontier"][0] = json!("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
        |header| header["frontier"] = json!(["x", "y"]),
        |header| header["checkpoint"] = json!("no note"),
        |header| {
            let note = header["checkpoint"].as_str().unwrap().replacen("\n5\n", "\n4\n", 1);
            header["checkpoint"] = json!(note);
        },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let (place, segments) = sealed(true, &[3, 2]);
        with_header(&segments[1].path, change);
        let found = verify(&place);
        let alarm = found.findings.iter().find(|one| one.severity == Severity::Alarm);
        assert_eq!(alarm.map(|one| one.kind), Some(FindingKind::CheckpointDiffers), "{number}: {found:#?}");
    }
}

/// A repository in which a container of the same person goes on, and then the host again.
fn continued() -> (Place, Layout) {
    let place = Place::new();
    place.keeps_key(&[7; 32]);
    let inside = Layout::new(
        place.layout().root(),
        place.layout().private(),
        Some(place.dir.path().join("container")),
    );
    (0..3).for_each(|n| append_to(&ledger(&place, true), n));
    (place, inside)
}

fn entries(place: &Place) -> Vec<StoredEntry> {
    let mut found = Vec::new();
    let mut take = |stored| {
        found.push(stored);
        ControlFlow::Continue(())
    };
    FsLedgerReader::new(&place.layout()).visit(&LedgerQuery::default(), &mut take).unwrap();
    found
}

// Entries of a ledger that another goes on from are proved; those that somebody else wrote here are not signed
#[test]
fn an_entry_of_a_ledger_that_is_gone_on_from_is_proved() {
    let (place, inside) = continued();
    let there = FsLedger::new(inside.clone(), Sync::Os).with_signing(true);
    (10..12).for_each(|n| append_to(&there, n));
    let refused = FsLedgerProver::new(place.layout()).checkpoint().unwrap_err().to_string();
    assert!(refused.contains("somebody else's"), "{refused}");
    (20..22).for_each(|n| append_to(&ledger(&place, true), n));
    let own = TraceKeys::open(&place.layout()).unwrap().own().unwrap().clone();
    let prover = FsLedgerProver::new(place.layout());
    let mut proved = 0;
    for stored in entries(&place) {
        match (prover.prove(&stored, None, true), &stored.origin) {
            (Err(error), Origin::Ended(2)) => {
                assert!(error.to_string().contains("somebody else's"), "{error}")
            }
            (Ok(proof), Origin::Ended(1) | Origin::Live) => {
                proof.check_inclusion().unwrap();
                assert_eq!(proof.note().is_checkpoint_of(proof.checkpoint(), &own), Some(true));
                assert_eq!((proof.index(), proof.checksum().unwrap()), (stored.seq, stored.checksum.clone()));
                proved += 1;
            }
            (other, origin) => panic!("{origin:?}: {other:?}"),
        }
    }
    assert_eq!(proved, 5);
    // The container's own checkpoint proves its entries on the host.
    let theirs = FsLedgerProver::new(inside);
    let strange = entries(&place).into_iter().find(|stored| stored.origin == Origin::Ended(2)).unwrap();
    let given = theirs.prove(&strange, None, false).unwrap().note().clone();
    prover.prove(&strange, Some(given), false).unwrap().check_inclusion().unwrap();
}

// D-25: a note from before a continuation
#[test]
fn a_ledger_that_goes_on_from_another_is_compared_with_a_note_of_that_one() {
    let (place, inside) = continued();
    let note = Note::parse(&checkpoint(&place)).unwrap();
    let then = Checkpoint::parse(note.text()).unwrap();
    append_to(&ledger(&place, true), 3);
    append_to(&FsLedger::new(inside, Sync::Os).with_signing(true), 10);
    append_to(&ledger(&place, true), 20);
    let compare = || FsLedgerVerifier::new(place.layout()).against(then.clone()).verify().unwrap();
    let differs =
        |found: &Verification| found.findings.iter().any(|one| one.kind == FindingKind::CheckpointDiffers);
    assert!(!compare().has_alarm() && !differs(&compare()), "{:#?}", compare());
    let ended = place.private("ledger/ended/1.jsonl");
    let lines = lines_of(&ended);
    fs::write(&ended, lines[..2].concat()).unwrap();
    assert!(differs(&compare()), "{:#?}", compare());
    fs::remove_file(&ended).unwrap();
    assert!(differs(&compare()), "{:#?}", compare());
}

/// The folder of a clone: the segments of that place and nothing private.
fn clone_of(segments: &[&Sealed]) -> Place {
    let clone = Place::new();
    let folder = clone.layout().orchestration().join("trace");
    fs::create_dir_all(&folder).unwrap();
    for one in segments {
        fs::copy(&one.path, folder.join(one.path.file_name().unwrap())).unwrap();
    }
    clone
}

fn kinds_against(place: &Place, then: &Checkpoint) -> Vec<FindingKind> {
    let found = FsLedgerVerifier::new(place.layout()).against(then.clone()).verify().unwrap();
    let wanted = [FindingKind::CheckpointDiffers, FindingKind::CheckpointAhead];
    found.findings.iter().map(|one| one.kind).filter(|kind| wanted.contains(kind)).collect()
}

fn now(place: &Place) -> Checkpoint {
    Checkpoint::parse(Note::parse(&checkpoint(place)).unwrap().text()).unwrap()
}

// D-25: what segments prove of a ledger that the clone does not have
#[test]
fn a_clone_is_compared_with_a_checkpoint_by_what_segments_hold() {
    let (place, all) = sealed(true, &[2, 3, 1]);
    let then = now(&place);
    let whole: Vec<&Sealed> = all.iter().collect();
    assert_eq!(kinds_against(&clone_of(&whole), &then), []);
    // Behind a gap the edge of the next segment counts, because a wrong one leads to another root; what it stands for is
    // not here, and nothing is proved.
    let gaps = [(vec![whole[1], whole[2]], 2), (vec![whole[2]], 5), (vec![whole[0], whole[2]], 3)];
    for (segments, missing) in gaps {
        let found =
            FsLedgerVerifier::new(clone_of(&segments).layout()).against(then.clone()).verify().unwrap();
        let ahead: Vec<_> =
            found.findings.iter().filter(|one| one.kind == FindingKind::CheckpointAhead).collect();
        let [one] = ahead[..] else { panic!("{found:#?}") };
        let wanted = format!("{missing} of the signed entries are not here");
        assert!(one.message.ends_with(&wanted), "{}", one.message);
        assert!(!found.findings.iter().any(|one| one.kind == FindingKind::CheckpointDiffers), "{found:#?}");
    }
    let forged = clone_of(&whole[1..]);
    let path = forged.layout().orchestration().join("trace").join(all[1].path.file_name().unwrap());
    with_header(&path, |header| {
        header.as_object_mut().unwrap().remove("checkpoint");
        header["frontier"] = json!(["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]);
    });
    let found = kinds_against(&forged, &then);
    assert_eq!(found, [FindingKind::CheckpointDiffers]);
    assert_eq!(kinds_against(&clone_of(&whole[..2]), &then), [FindingKind::CheckpointAhead]);
    assert_eq!(kinds_against(&clone_of(&[]), &then), [FindingKind::CheckpointAhead]);
}

// threat H2: the newest entries written anew, by whoever has no checkpoint of them
#[test]
fn a_clone_with_other_entries_than_the_checkpoint_signed_is_an_alarm() {
    let (place, all) = sealed(false, &[2, 2]);
    let then = now(&place);
    let clone = clone_of(&all.iter().collect::<Vec<_>>());
    let path = clone.layout().orchestration().join("trace").join(all[1].path.file_name().unwrap());
    let mut lines = lines_of(&path);
    let anew = rechained_piece(&lines[1..], 1, 2);
    lines.splice(1.., anew);
    renamed(&path, &lines);
    assert_eq!(kinds_against(&clone, &then), [FindingKind::CheckpointDiffers]);
}

// threat H2: segments have what was cut from one's own ledger
#[test]
fn a_ledger_that_was_cut_is_not_proved_by_its_own_segments() {
    let (place, _) = sealed(true, &[2, 3]);
    let then = now(&place);
    assert_eq!(kinds_against(&place, &then), []);
    let live = place.private("ledger/live.jsonl");
    let lines = lines_of(&live);
    fs::write(&live, lines[..4].concat()).unwrap();
    fs::remove_dir_all(place.layout().user_state().unwrap().join("witness")).unwrap();
    let found = FsLedgerVerifier::new(place.layout()).against(then).verify().unwrap();
    let differs = found.findings.iter().find(|one| one.kind == FindingKind::CheckpointDiffers);
    let differs = differs.unwrap_or_else(|| panic!("{found:#?}"));
    assert_eq!(differs.severity, Severity::Alarm);
    assert!(differs.message.contains("entry 4 is missing"), "{}", differs.message);
}
