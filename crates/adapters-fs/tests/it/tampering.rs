//! Every way to tamper with the ledger and its view, at every position: found, and said where (D-25, threats H1 to H3).

use std::fs;
use std::path::PathBuf;

use bailiwick_adapters_fs::{FsLedger, FsLedgerVerifier, RepairError};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Finding, FindingKind, Ledger, LedgerVerifier, PortError, Severity, Sync, Verification,
};
use pollster::block_on;

use crate::forgery::{Lines, checksum, edited, forged, lines_of, rechained};
use crate::place::Place;

const COUNT: usize = 6;

fn append(place: &Place, n: usize) {
    append_with(place, n, false);
}

/// As a gate does that signs: whatever the witness did not see is known by its signature.
fn append_signed(place: &Place, n: usize) {
    append_with(place, n, true);
}

fn append_with(place: &Place, n: usize, signs: bool) {
    let id = format!("00000000-0000-4000-8000-{n:012}");
    let entry = sample::trace_entry(&id, &sample::intent("INT-001", &["src/**"]));
    block_on(FsLedger::new(place.layout(), Sync::Os).with_signing(signs).append(&entry)).unwrap();
}

/// A ledger of six entries.
fn written() -> Place {
    let place = Place::new();
    (0..COUNT).for_each(|n| append(&place, n));
    place
}

fn live(place: &Place) -> PathBuf {
    place.private("ledger/live.jsonl")
}

fn view(place: &Place) -> PathBuf {
    place.layout().orchestration().join("agent_trace.jsonl")
}

fn verify(place: &Place) -> Verification {
    FsLedgerVerifier::new(place.layout()).verify().unwrap()
}

/// Writes the lines, and expects an alarm of that kind in that line and about that entry.
#[track_caller]
fn check(place: &Place, lines: &Lines, kind: FindingKind, line: usize, entry: Option<usize>) {
    fs::write(live(place), lines.concat()).unwrap();
    fs::write(view(place), lines.concat()).unwrap();
    let found = verify(place);
    let is_it = |finding: &&Finding| {
        finding.severity == Severity::Alarm
            && finding.kind == kind
            && finding.line == Some(line as u64)
            && entry.is_none_or(|entry| finding.entries.is_some_and(|(first, _)| first == entry as u64))
    };
    assert!(found.findings.iter().any(|finding| is_it(&finding)), "{kind:?} in line {line}: {found:#?}");
}

// REQ 147, D-25
#[test]
fn what_nobody_touched_is_clean_and_anchored() {
    let place = Place::new();
    assert!(verify(&place).is_clean(), "nothing recorded yet");
    for n in 0..COUNT {
        append(&place, n);
        let found = verify(&place);
        assert!(found.is_clean(), "{found:#?}");
        assert_eq!((found.extent.entries, found.extent.witnessed), (n as u64 + 1, Some(n as u64 + 1)));
    }
}

// D-25, threat C6: nothing that stands in the place of a file is followed, waited for, or taken for an empty one.
#[cfg(unix)]
#[test]
fn a_link_a_pipe_or_a_folder_in_the_place_of_a_file_is_found() {
    let place = written();
    let segment = FsLedger::new(place.layout(), Sync::Os).seal().unwrap().unwrap().path;
    let heads = fs::read_dir(place.dir.path().join("user/witness")).unwrap().next().unwrap().unwrap();
    for file in [live(&place), view(&place), segment, heads.path().join("heads")] {
        let kept = place.dir.path().join("kept");
        fs::rename(&file, &kept).unwrap();
        for what in ["link", "pipe", "folder"] {
            let name = format!("{what} for {}", file.display());
            match what {
                "link" => std::os::unix::fs::symlink(&kept, &file).unwrap(),
                "pipe" => {
                    assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success())
                }
                _ => fs::create_dir(&file).unwrap(),
            }
            match FsLedgerVerifier::new(place.layout()).verify() {
                Ok(found) => assert!(!found.is_clean(), "{name}"),
                Err(error) => assert!(error.to_string().contains("live.jsonl"), "{name}: {error}"),
            }
            let is_let_through = FsLedger::new(place.layout(), Sync::Os).look_at_end().is_ok();
            assert!(!is_let_through || !(file == live(&place) || file.ends_with("heads")), "{name}");
            match what {
                "folder" => fs::remove_dir(&file).unwrap(),
                _ => fs::remove_file(&file).unwrap(),
            }
        }
        fs::rename(&kept, &file).unwrap();
    }
    assert!(verify(&place).is_clean());
}

// D-25: an auditor may look where writing is not allowed, for instance at a mounted backup.
#[cfg(target_os = "linux")]
#[test]
fn verifying_needs_no_right_to_write() {
    let place = written();
    let lock = place.private("ledger/lock");
    // The file of a running program is one that not even the superuser may open for writing.
    let copied =
        std::process::Command::new("cp").args(["--force", "/bin/sleep"]).arg(&lock).status().unwrap();
    assert!(copied.success());
    fs::set_permissions(&lock, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut running = std::process::Command::new(&lock).arg("60").spawn().unwrap();
    let may_write = fs::OpenOptions::new().append(true).open(&lock).is_ok();
    let found = FsLedgerVerifier::new(place.layout()).verify();
    running.kill().unwrap();
    running.wait().unwrap();
    assert!(!may_write && found.unwrap().is_clean());
}

// K-24, D-25: before a change is asked for, a person can find out whether it would be let through
#[test]
fn looking_at_the_end_says_what_a_change_would_meet_and_changes_nothing() {
    type Change = fn(Lines) -> Option<Lines>;
    let changes: [(Change, bool); 6] = [
        (Some, true),
        (|lines| Some([lines, vec![b"{\"torn".to_vec()]].concat()), true),
        (|lines| Some([&lines[..COUNT - 1], &[edited(&lines[COUNT - 1])]].concat()), false),
        (|lines| Some(lines[..COUNT - 1].to_vec()), false),
        (|_| Some(Lines::new()), false),
        (|_| None, false),
    ];
    for (at, (change, is_well)) in changes.into_iter().enumerate() {
        let place = written();
        let state = change(lines_of(&live(&place))).map(|lines| lines.concat());
        match &state {
            Some(bytes) => fs::write(live(&place), bytes).unwrap(),
            None => fs::remove_file(live(&place)).unwrap(),
        }
        let ledger = FsLedger::new(place.layout(), Sync::Os);
        let looked = ledger.look_at_end();
        assert_eq!(fs::read(live(&place)).ok(), state, "{at}");
        let both = (looked.is_ok(), block_on(ledger.ready()).is_ok());
        assert_eq!(both, (is_well, is_well), "{at}: {looked:?}");
    }
    FsLedger::new(Place::new().layout(), Sync::Os).look_at_end().unwrap();
}

// REQ 147, REQ 122, D-25, threat H1
#[test]
fn req_147_an_edited_line_is_named() {
    let place = written();
    let lines = lines_of(&live(&place));
    for at in 0..COUNT {
        let mut edit = lines.clone();
        edit[at] = edited(&lines[at]);
        check(&place, &edit, FindingKind::Edited, at + 1, Some(at));
        assert_eq!(verify(&place).findings.len(), 1, "one edit is one alarm");
    }
}

// REQ 147, D-25, threat H3
#[test]
fn req_147_an_edit_with_a_new_checksum_is_named() {
    let place = written();
    let lines = lines_of(&live(&place));
    for at in 0..COUNT {
        let prev = at.checked_sub(1).map(|before| checksum(&lines[before]));
        let mut edit = lines.clone();
        edit[at] = forged(&lines[at], at, prev.as_deref());
        check(&place, &edit, FindingKind::Rechained, at + 1, Some(at));
        if at + 1 < COUNT {
            check(&place, &edit, FindingKind::NotLinked, at + 2, Some(at + 1));
        }
    }
}

// REQ 147, D-25, threat H1
#[test]
fn req_147_an_inserted_line_is_named() {
    let place = written();
    let lines = lines_of(&live(&place));
    for at in 0..=COUNT {
        let mut copy = lines.clone();
        copy.insert(at, lines[at.saturating_sub(1)].clone());
        check(&place, &copy, FindingKind::Inserted, at.max(1) + 1, None);
        for junk in [&b"{}\n"[..], b"\n", b"not json\n", &edited(&lines[2])] {
            let mut inserted = lines.clone();
            inserted.insert(at, junk.to_vec());
            let kind = if at == COUNT { FindingKind::Edited } else { FindingKind::Inserted };
            check(&place, &inserted, kind, at + 1, None);
        }
        let prev = at.checked_sub(1).map(|before| checksum(&lines[before]));
        let mut rival = lines.clone();
        rival.insert(at, forged(&lines[at.min(COUNT - 1)], at, prev.as_deref()));
        if at + 1 < COUNT {
            check(&place, &rival, FindingKind::Inserted, at + 1, None);
        }
    }
}

// REQ 147, D-25, threat H1
#[test]
fn req_147_a_deleted_line_is_named() {
    let place = written();
    let lines = lines_of(&live(&place));
    for at in 0..COUNT {
        let mut rest = lines.clone();
        rest.remove(at);
        let kind = if at + 1 == COUNT { FindingKind::Cut } else { FindingKind::Missing };
        check(&place, &rest, kind, at + 1, Some(at));
    }
}

// REQ 147, D-25, threat H1
#[test]
fn req_147_two_swapped_lines_are_named() {
    let place = written();
    let lines = lines_of(&live(&place));
    for at in 0..COUNT - 1 {
        let mut swapped = lines.clone();
        swapped.swap(at, at + 1);
        check(&place, &swapped, FindingKind::Reordered, at + 2, Some(at));
        assert_eq!(verify(&place).findings.len(), 1, "one swap is one alarm");
    }
}

// REQ 147, D-25, threat H2
#[test]
fn req_147_a_cut_tail_and_an_older_copy_are_named() {
    let place = written();
    let lines = lines_of(&live(&place));
    for kept in 1..COUNT {
        check(&place, &lines[..kept].to_vec(), FindingKind::Cut, kept + 1, Some(kept));
    }
    for kept in [0, 2, COUNT - 1] {
        let torn = [lines[..kept].concat(), lines[kept][..20].to_vec()].concat();
        fs::write(live(&place), torn).unwrap();
        assert!(verify(&place).has_alarm(), "a piece of entry {kept}");
    }
}

// REQ 147, D-25, threat H2
#[test]
fn req_147_an_emptied_ledger_is_named() {
    let place = written();
    let lines = lines_of(&live(&place));
    check(&place, &Vec::new(), FindingKind::Emptied, 1, Some(0));
    fs::remove_file(live(&place)).unwrap();
    assert!(verify(&place).findings.iter().any(|finding| finding.kind == FindingKind::Emptied));
    fs::remove_dir_all(place.private("")).unwrap();
    assert!(verify(&place).findings.iter().any(|finding| finding.kind == FindingKind::Emptied));
    append(&place, 7);
    check(&place, &rechained(&lines[..1], 0), FindingKind::Cut, 2, Some(1));
}

// D-25, threat H3
#[test]
fn a_chain_that_was_written_anew_is_named_where_it_begins() {
    let place = written();
    let lines = lines_of(&live(&place));
    for from in 0..COUNT {
        check(&place, &rechained(&lines, from), FindingKind::Rechained, from + 1, Some(from));
    }
}

// D-25, threat H2: going on does not hide that the ledger was put back.
#[test]
fn an_older_copy_that_goes_on_is_named() {
    for kept in 0..COUNT {
        let place = written();
        let lines = lines_of(&live(&place));
        fs::write(live(&place), lines[..kept].concat()).unwrap();
        for n in kept..COUNT + 3 {
            append(&place, 100 + n);
            let found = verify(&place);
            let alarm = |finding: &Finding| {
                finding.kind == FindingKind::Rechained && finding.line == Some(kept as u64 + 1)
            };
            assert!(found.findings.iter().any(alarm), "{kept} kept, {n} there: {found:#?}");
        }
    }
}

// K-24, K-07, D-25: what is not what was written takes no further mutation.
#[test]
fn a_ledger_that_was_put_back_is_not_ready() {
    let place = written();
    let ledger = FsLedger::new(place.layout(), Sync::Os);
    block_on(ledger.ready()).unwrap();
    let lines = lines_of(&live(&place));
    let with_other_end = rechained(&lines, COUNT - 1);
    for other in [&lines[..COUNT - 1], &lines[..1], &[], &with_other_end] {
        fs::write(live(&place), other.concat()).unwrap();
        assert!(matches!(block_on(ledger.ready()), Err(PortError::Invalid(_))), "{} lines", other.len());
    }
    fs::write(live(&place), lines.concat()).unwrap();
    block_on(ledger.ready()).unwrap();
}

// D-25, D-22
#[test]
fn a_view_that_differs_is_named() {
    let place = written();
    let lines = lines_of(&view(&place));
    let differs = |lines: Lines, line: usize| {
        fs::write(view(&place), lines.concat()).unwrap();
        let found = verify(&place);
        let expected = (Severity::Alarm, FindingKind::ViewDiffers, Some(line as u64));
        let said: Vec<_> =
            found.findings.iter().map(|finding| (finding.severity, finding.kind, finding.line)).collect();
        assert_eq!(said, [expected], "{found:#?}");
    };
    for at in 0..COUNT {
        let mut edit = lines.clone();
        edit[at] = edited(&lines[at]);
        differs(edit, at + 1);
        let mut more = lines.clone();
        more.insert(at, b"{}\n".to_vec());
        differs(more, at + 1);
        let mut less = lines.clone();
        less.remove(at);
        differs(less, at + 1);
        differs(lines[..at].to_vec(), at + 1);
        differs([&lines[..at], &[lines[at][..9].to_vec()]].concat(), at + 1);
        if at + 1 < COUNT {
            let mut swapped = lines.clone();
            swapped.swap(at, at + 1);
            differs(swapped, at + 1);
        }
    }
    differs([&lines[..], &[b"{}\n".to_vec()]].concat(), COUNT + 1);
}

// D-25
#[cfg(unix)]
#[test]
fn a_view_that_leads_elsewhere_is_named() {
    let place = written();
    fs::remove_file(view(&place)).unwrap();
    std::os::unix::fs::symlink(live(&place), view(&place)).unwrap();
    assert!(verify(&place).has_alarm());
}

// D-25: `git clean -fdx` takes the view away.
#[test]
fn a_missing_view_is_a_note_and_comes_back() {
    let place = written();
    fs::remove_file(view(&place)).unwrap();
    let found = verify(&place);
    assert!(!found.has_alarm() && found.findings[0].kind == FindingKind::ViewBehind, "{found:#?}");
    block_on(FsLedger::new(place.layout(), Sync::Os).ready()).unwrap();
    assert!(verify(&place).is_clean(), "the view is back before the next change");
}

// D-14, D-25: linked working copies share the ledger, and each has a view of its own.
#[test]
fn a_view_behind_another_working_copy_is_a_note() {
    let place = written();
    let there = place.dir.path().join("worktree");
    fs::create_dir_all(there.join(".orchestration")).unwrap();
    let layout = bailiwick_adapters_fs::Layout::new(
        &there,
        place.private(""),
        place.layout().user_state().map(Into::into),
    );
    let entry = sample::trace_entry(
        &format!("00000000-0000-4000-8000-{:012}", 9),
        &sample::intent("INT-001", &["src/**"]),
    );
    block_on(FsLedger::new(layout.clone(), Sync::Os).append(&entry)).unwrap();
    assert!(FsLedgerVerifier::new(layout).verify().unwrap().is_clean());
    let found = verify(&place);
    assert!(!found.has_alarm() && found.findings[0].kind == FindingKind::ViewBehind, "{found:#?}");
}

// D-25: a writer that was killed leaves no alarm behind, wherever it was.
#[test]
fn a_killed_writer_is_no_alarm() {
    let place = written();
    let (before, view_before) = (fs::read(live(&place)).unwrap(), fs::read(view(&place)).unwrap());
    let heads = heads(&place);
    let heads_before = fs::read(&heads).unwrap();
    append_signed(&place, 7);
    let (after, view_after) = (fs::read(live(&place)).unwrap(), fs::read(view(&place)).unwrap());
    for cut in (before.len()..=after.len()).step_by(53).chain([after.len() - 1, after.len()]) {
        fs::write(live(&place), &after[..cut]).unwrap();
        fs::write(view(&place), &view_before).unwrap();
        fs::write(&heads, &heads_before).unwrap();
        let found = verify(&place);
        assert!(!found.has_alarm(), "{cut}: {found:#?}");
    }
    for cut in (view_before.len()..=view_after.len()).step_by(53) {
        fs::write(view(&place), &view_after[..cut]).unwrap();
        assert!(!verify(&place).has_alarm(), "{cut}");
    }
    append_signed(&place, 8);
    assert!(verify(&place).is_clean(), "and the next append mends all of it");
}

// D-22, D-25: entries that the view could not take are no cut view, however many, and the next one brings all of them.
#[test]
fn a_view_that_could_not_be_written_is_no_alarm() {
    let place = written();
    for count in 1..4 {
        let before = fs::read(view(&place)).unwrap();
        fs::remove_file(view(&place)).unwrap();
        fs::create_dir(view(&place)).unwrap();
        (0..count).for_each(|n| append_signed(&place, 10 * count + n));
        fs::remove_dir(view(&place)).unwrap();
        fs::write(view(&place), &before).unwrap();
        let found = verify(&place);
        assert!(!found.has_alarm(), "{found:#?}");
        assert!(found.findings.iter().any(|finding| finding.kind == FindingKind::ViewBehind), "{found:#?}");
        append_signed(&place, 50 + count);
        assert!(verify(&place).is_clean());
        fs::write(view(&place), &before).unwrap();
        assert!(verify(&place).has_alarm(), "what the view once had is missed");
        append_signed(&place, 60 + count);
        assert!(verify(&place).is_clean());
    }
}

fn heads(place: &Place) -> PathBuf {
    let folder = fs::read_dir(place.dir.path().join("user/witness")).unwrap().next().unwrap().unwrap();
    folder.path().join("heads")
}

// D-25: a fresh clone has no witness.
#[test]
fn a_missing_witness_is_a_note_and_the_next_entry_begins_one() {
    let place = written();
    fs::remove_dir_all(place.dir.path().join("user")).unwrap();
    let found = verify(&place);
    assert!(!found.has_alarm() && found.findings[0].kind == FindingKind::NoWitness, "{found:#?}");
    assert_eq!(found.extent.witnessed, None);
    let repaired = FsLedger::new(place.layout(), Sync::Os).repair().unwrap();
    assert!(!repaired.witness && !repaired.view, "nothing but the ledger says what it was: {repaired:#?}");
    append(&place, 7);
    let found = verify(&place);
    assert!(!found.has_alarm() && found.findings[0].kind == FindingKind::Continued, "{found:#?}");
    assert_eq!((found.extent.entries, found.extent.witnessed), (1, Some(1)));
}

// D-25
#[test]
fn a_witness_that_is_behind_catches_up() {
    let place = Place::new();
    (0..COUNT).for_each(|n| append_signed(&place, n));
    let heads = heads(&place);
    let all = fs::read(&heads).unwrap();
    for seen in 0..COUNT {
        fs::write(&heads, [&all[..seen * 33], b"00"].concat()).unwrap();
        let found = verify(&place);
        assert!(!found.has_alarm() && found.findings[0].kind == FindingKind::WitnessBehind, "{found:#?}");
        append_signed(&place, 10 + seen);
        assert!(verify(&place).is_clean(), "from {seen}");
    }
}

// K-24, D-25
#[test]
fn repair_mends_the_end_and_the_view() {
    let place = written();
    let ledger = FsLedger::new(place.layout(), Sync::Os);
    let repaired = ledger.repair().unwrap();
    assert!(!repaired.torn_tail && !repaired.view && !repaired.witness, "nothing to mend");
    let whole = fs::read(live(&place)).unwrap();
    fs::write(live(&place), [&whole[..], b"{\"half"].concat()).unwrap();
    fs::write(view(&place), b"rubbish").unwrap();
    let repaired = ledger.repair().unwrap();
    assert!(repaired.torn_tail && repaired.view && repaired.after.is_clean(), "{repaired:#?}");
    assert_eq!(fs::read(live(&place)).unwrap(), whole);
    assert_eq!(
        fs::read(place.private("ledger/live.jsonl.torn")).unwrap(),
        b"{\"half\n",
        "nothing is deleted"
    );
}

// K-24, D-25: only a person ends a ledger that was tampered with, and nothing of it is lost.
#[test]
fn a_tampered_ledger_is_not_repaired_but_can_be_ended() {
    let place = written();
    let ledger = FsLedger::new(place.layout(), Sync::Os);
    let mut lines = lines_of(&live(&place));
    lines[2] = edited(&lines[2]);
    fs::write(live(&place), lines.concat()).unwrap();
    assert!(matches!(ledger.repair(), Err(RepairError::Tampered(_))));
    assert_eq!(fs::read(live(&place)).unwrap(), lines.concat(), "nothing is hidden");
    assert_eq!(ledger.end_chain().unwrap(), 1);
    assert_eq!(fs::read(place.private("ledger/ended/1.jsonl")).unwrap(), lines.concat());
    block_on(ledger.ready()).unwrap();
    append(&place, 7);
    let found = verify(&place);
    assert!(!found.has_alarm() && found.findings[0].kind == FindingKind::Ended, "{found:#?}");
    assert_eq!(found.extent.witnessed, Some(1));
}
