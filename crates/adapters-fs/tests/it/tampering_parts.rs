//! Every way to tamper with a ledger of several files, at every position and across them: found, in the file and at the
//! line where it happened (D-25, threats H1 to H3).

use std::fs;
use std::path::PathBuf;

use bailiwick_adapters_fs::{FsLedger, FsLedgerVerifier, RepairError};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Finding, FindingKind, Ledger, LedgerVerifier, PortError, Severity, Sync, Verification,
};
use pollster::block_on;

use crate::forgery::{Lines, checksum, edited, forged, lines_of};
use crate::place::Place;

const COUNT: usize = 11;
const IN_A_FILE: usize = 3;

fn ledger(place: &Place) -> FsLedger {
    FsLedger::new(place.layout(), Sync::Os).with_rotation(4_000)
}

fn append(place: &Place, n: usize) {
    let id = format!("00000000-0000-4000-8000-{n:012}");
    let entry = sample::trace_entry(&id, &sample::intent("INT-001", &["src/**"]));
    block_on(ledger(place).append(&entry)).unwrap();
}

/// A ledger of eleven entries in four files.
fn written() -> Place {
    let place = Place::new();
    (0..COUNT).for_each(|n| append(&place, n));
    place
}

/// The file that an entry is in, and its line there.
fn home(place: &Place, seq: usize) -> (PathBuf, usize) {
    let first = seq / IN_A_FILE * IN_A_FILE;
    let name = match first {
        9 => "ledger/live.jsonl".to_owned(),
        _ => format!("ledger/parts/{first:012}.jsonl"),
    };
    (place.private(&name), seq % IN_A_FILE + 1)
}

fn files(place: &Place) -> Vec<PathBuf> {
    (0..COUNT).step_by(IN_A_FILE).map(|seq| home(place, seq).0).collect()
}

fn verify(place: &Place) -> Verification {
    FsLedgerVerifier::new(place.layout()).verify().unwrap()
}

/// Expects an alarm of that kind in that file and line.
#[track_caller]
fn names(place: &Place, kind: FindingKind, (file, line): &(PathBuf, usize)) {
    let found = verify(place);
    let is_it = |finding: &Finding| {
        finding.severity == Severity::Alarm
            && finding.kind == kind
            && finding.file == file.display().to_string()
            && finding.line == Some(*line as u64)
    };
    let what = format!("{kind:?} in {}:{line}: {found:#?}", file.display());
    assert!(found.findings.iter().any(is_it), "{what}");
    let said = found.findings.iter().filter(|finding| is_it(finding)).map(|finding| &finding.message);
    for message in said.filter(|message| message.starts_with("line ")) {
        assert!(message.starts_with(&format!("line {line} ")), "{message}");
    }
    assert!(matches!(ledger(place).repair(), Err(RepairError::Tampered(_))), "{what}");
}

/// Makes the lines of a file what `change` makes of them, has a look, and takes it back.
#[track_caller]
fn changed(
    place: &Place,
    file: &PathBuf,
    change: impl FnOnce(&mut Lines),
    kind: FindingKind,
    at: &(PathBuf, usize),
) {
    let before = fs::read(file).unwrap();
    let mut lines = lines_of(file);
    change(&mut lines);
    fs::write(file, lines.concat()).unwrap();
    names(place, kind, at);
    fs::write(file, before).unwrap();
}

// REQ 147, D-25, threat H1
#[test]
fn req_147_a_line_of_any_file_that_is_edited_inserted_or_deleted_is_named() {
    let place = written();
    for seq in 0..COUNT {
        let at = home(&place, seq);
        let (file, line) = &at;
        changed(&place, file, |lines| lines[line - 1] = edited(&lines[line - 1]), FindingKind::Edited, &at);
        changed(&place, file, |lines| lines.insert(line - 1, b"{}\n".to_vec()), FindingKind::Inserted, &at);
        let copied = (file.clone(), line + 1);
        let copy = |lines: &mut Lines| lines.insert(*line, lines[line - 1].clone());
        changed(&place, file, copy, FindingKind::Inserted, &copied);
        let gone = if seq + 1 == COUNT {
            (FindingKind::Cut, at.clone())
        } else {
            (FindingKind::Missing, at.clone())
        };
        let is_last_of_part = *line == IN_A_FILE;
        let gone = if is_last_of_part { (gone.0, home(&place, seq + 1)) } else { gone };
        changed(&place, file, |lines| drop(lines.remove(line - 1)), gone.0, &gone.1);
        let forge = |lines: &mut Lines| {
            let prev = serde_json::from_slice::<bailiwick_domain::Value>(&lines[line - 1]).unwrap();
            lines[line - 1] = forged(&lines[line - 1], seq, prev["prev"].as_str());
        };
        changed(&place, file, forge, FindingKind::Rechained, &at);
        if seq + 1 < COUNT {
            changed(&place, file, forge, FindingKind::NotLinked, &home(&place, seq + 1));
        }
    }
    assert!(verify(&place).is_clean());
}

// REQ 147, D-25: a line that takes the place of the next one stands at the end of a file.
#[test]
fn req_147_a_rival_line_is_named_in_its_own_file() {
    let place = written();
    for seq in 1..COUNT - 2 {
        let (file, line) = home(&place, seq);
        let at = (file.clone(), line + 1);
        let rival = |lines: &mut Lines| {
            let prev = checksum(&lines[line - 1]);
            lines.insert(line, forged(&lines[line - 1], seq + 1, Some(&prev)));
        };
        changed(&place, &file, rival, FindingKind::Inserted, &at);
    }
}

// REQ 147, D-25, threat H1
#[test]
fn req_147_two_swapped_lines_are_named_also_across_files() {
    let place = written();
    for seq in 0..COUNT - 1 {
        let (one, other) = (home(&place, seq), home(&place, seq + 1));
        let (first, second) = (lines_of(&one.0), lines_of(&other.0));
        if one.0 == other.0 {
            changed(
                &place,
                &one.0,
                |lines| lines.swap(one.1 - 1, other.1 - 1),
                FindingKind::Reordered,
                &other,
            );
            continue;
        }
        let (mut a, mut b) = (first.clone(), second.clone());
        std::mem::swap(&mut a[one.1 - 1], &mut b[other.1 - 1]);
        fs::write(&one.0, a.concat()).unwrap();
        fs::write(&other.0, b.concat()).unwrap();
        names(&place, FindingKind::Reordered, &other);
        fs::write(&one.0, first.concat()).unwrap();
        fs::write(&other.0, second.concat()).unwrap();
    }
}

// REQ 147, D-25, threats H1, H2
#[test]
fn req_147_a_part_that_is_deleted_emptied_or_cut_is_named() {
    let place = written();
    for first in (0..9).step_by(IN_A_FILE) {
        let (file, _) = home(&place, first);
        let next = home(&place, first + IN_A_FILE);
        let before = fs::read(&file).unwrap();
        fs::remove_file(&file).unwrap();
        names(&place, FindingKind::Missing, &next);
        fs::write(&file, b"").unwrap();
        names(&place, FindingKind::Missing, &next);
        for kept in 1..IN_A_FILE {
            fs::write(&file, lines_of_bytes(&before)[..kept].concat()).unwrap();
            names(&place, FindingKind::Missing, &next);
        }
        for cut in [1, 2, 40] {
            fs::write(&file, &before[..before.len() - cut]).unwrap();
            names(&place, FindingKind::Edited, &(file.clone(), IN_A_FILE));
        }
        fs::write(&file, before).unwrap();
    }
    assert!(verify(&place).is_clean());
}

// D-25: what is not what was written is not sealed, also where its end is.
#[test]
fn a_ledger_that_lacks_something_in_the_middle_is_not_sealed() {
    for seq in 0..COUNT - 1 {
        let place = written();
        let (file, line) = home(&place, seq);
        let mut lines = lines_of(&file);
        lines.remove(line - 1);
        fs::write(&file, lines.concat()).unwrap();
        assert!(ledger(&place).seal().is_err(), "without entry {seq}");
        fs::remove_file(&file).unwrap();
        assert!(ledger(&place).seal().is_err(), "without the file of entry {seq}");
        let folder = place.layout().orchestration().join("trace");
        assert!(!folder.exists());
    }
}

fn lines_of_bytes(bytes: &[u8]) -> Lines {
    bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

// REQ 147, D-25, threat H1
#[test]
fn req_147_files_that_change_places_are_named() {
    let place = written();
    let files = files(&place);
    for one in 0..files.len() {
        for other in one + 1..files.len() {
            let (a, b) = (fs::read(&files[one]).unwrap(), fs::read(&files[other]).unwrap());
            fs::write(&files[one], &b).unwrap();
            fs::write(&files[other], &a).unwrap();
            let found = verify(&place);
            let is_there = |finding: &&Finding| {
                let of_either = [&files[one], &files[other]]
                    .iter()
                    .any(|file| finding.file == file.display().to_string());
                finding.severity == Severity::Alarm && of_either
            };
            assert!(found.findings.iter().any(|finding| is_there(&finding)), "{one} and {other}: {found:#?}");
            fs::write(&files[one], a).unwrap();
            fs::write(&files[other], b).unwrap();
        }
    }
    assert!(verify(&place).is_clean());
}

// REQ 147, D-25, threat H2: and no change is let through meanwhile.
#[test]
fn req_147_a_ledger_that_was_cut_to_its_parts_is_named() {
    let place = written();
    let (live, _) = home(&place, COUNT - 1);
    let whole = fs::read(&live).unwrap();
    let lines = lines_of(&live);
    for kept in 0..lines.len() {
        fs::write(&live, lines[..kept].concat()).unwrap();
        names(&place, FindingKind::Cut, &(live.clone(), kept + 1));
        assert!(matches!(block_on(ledger(&place).ready()), Err(PortError::Invalid(_))));
    }
    fs::remove_file(&live).unwrap();
    names(&place, FindingKind::Cut, &(live.clone(), 1));
    assert!(matches!(block_on(ledger(&place).ready()), Err(PortError::Invalid(_))));
    fs::write(&live, whole).unwrap();
    fs::remove_dir_all(place.private("")).unwrap();
    let found = verify(&place);
    assert!(found.findings.iter().any(|finding| finding.kind == FindingKind::Emptied), "{found:#?}");
}

// REQ 147, D-25, threat H2: all of private state as it was, before a new file began or right behind it.
#[test]
fn req_147_a_ledger_that_was_rolled_back_is_named() {
    for back_to in 1..COUNT {
        let place = Place::new();
        (0..back_to).for_each(|n| append(&place, n));
        let kept = place.dir.path().join("kept");
        copy(&place.private(""), &kept);
        (back_to..COUNT).for_each(|n| append(&place, n));
        fs::remove_dir_all(place.private("")).unwrap();
        copy(&kept, &place.private(""));
        let live = place.private("ledger/live.jsonl");
        let lines = (back_to - 1) % IN_A_FILE + 1;
        names(&place, FindingKind::Cut, &(live.clone(), lines + 1));
        assert!(matches!(block_on(ledger(&place).ready()), Err(PortError::Invalid(_))), "back to {back_to}");
        append(&place, 70);
        let found = verify(&place);
        let at = home(&place, back_to);
        let is_it =
            |finding: &Finding| finding.kind == FindingKind::Rechained && finding.line == Some(at.1 as u64);
        assert!(found.findings.iter().any(is_it), "back to {back_to}: {found:#?}");
    }
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
