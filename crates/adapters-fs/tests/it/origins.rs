//! Which ledger is whose: the witness by origin and place, and what a new ledger says of the one that it goes on from
//! (D-22, D-25, threats H2, H3).

use std::fs;
use std::path::{Path, PathBuf};

use bailiwick_adapters_fs::{
    FsDecisionLog, FsLedger, FsLedgerReader, FsLedgerVerifier, Layout, LedgerLine, RepairError, Why,
    read_ledger_line,
};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    ContentHash, FindingKind, Ledger, LedgerQuery, LedgerReader, LedgerVerifier, Origin, Severity, Sync,
    TraceEntry, Value, Verification, json,
};
use pollster::block_on;

use crate::place::Place;

fn entry(n: usize) -> TraceEntry {
    let id = format!("00000000-0000-4000-8000-{n:012}");
    sample::trace_entry(&id, &sample::intent("INT-001", &["src/**"]))
}

/// One repository, and copies of it, of one person.
struct Person {
    place: Place,
    signs: bool,
}

impl Person {
    fn new(signs: bool) -> Self {
        let person = Self::with_nothing(signs);
        (0..4).for_each(|n| person.append(&person.home(), n).unwrap());
        person
    }

    fn with_nothing(signs: bool) -> Self {
        let person = Self { place: Place::new(), signs };
        fs::create_dir_all(person.home().join("repo/.orchestration")).unwrap();
        person
    }

    /// The folder of everything that this person has.
    fn all(&self) -> &Path {
        self.place.dir.path()
    }

    /// Where the repository was first.
    fn home(&self) -> PathBuf {
        self.all().join("first")
    }

    fn layout(&self, at: &Path) -> Layout {
        Layout::new(at.join("repo"), at.join("private"), Some(self.all().join("user")))
    }

    fn ledger(&self, at: &Path) -> FsLedger {
        FsLedger::new(self.layout(at), Sync::Os).with_signing(self.signs)
    }

    /// The same person in a container that shares the repository's folder: with a state folder of its own.
    fn in_container(&self, at: &Path) -> FsLedger {
        let layout = Layout::new(at.join("repo"), at.join("private"), Some(self.all().join("container")));
        FsLedger::new(layout, Sync::Os).with_signing(self.signs)
    }

    fn append_in_container(&self, at: &Path, n: usize) {
        let ledger = self.in_container(at);
        block_on(ledger.ready()).unwrap();
        block_on(ledger.append(&entry(n))).unwrap();
    }

    fn append(&self, at: &Path, n: usize) -> Result<(), String> {
        block_on(self.ledger(at).append(&entry(n))).map(drop).map_err(|error| error.to_string())
    }

    fn verify(&self, at: &Path) -> Verification {
        FsLedgerVerifier::new(self.layout(at)).verify().unwrap()
    }

    fn kinds(&self, at: &Path) -> Vec<(Severity, FindingKind)> {
        self.verify(at).findings.iter().map(|found| (found.severity, found.kind)).collect()
    }

    /// A copy of the repository with its `.git`, as `cp -a` makes it.
    fn copy(&self, name: &str) -> PathBuf {
        let to = self.all().join(name);
        for folder in ["repo", "private"] {
            copy(&self.home().join(folder), &to.join(folder));
        }
        to
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn live(at: &Path) -> PathBuf {
    at.join("private/ledger/live.jsonl")
}

fn lines(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

fn put(at: &Path, lines: &[String]) {
    let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    fs::write(live(at), &text).unwrap();
    fs::write(at.join("repo/.orchestration/agent_trace.jsonl"), text).unwrap();
}

fn read(line: &str) -> LedgerLine {
    read_ledger_line(line.as_bytes()).unwrap()
}

/// The line as somebody writes it who changes it and computes the chain anew; without a signature.
fn rewritten(line: &str, prev: &Value, approver: &str) -> String {
    let mut record: Value = serde_json::from_str(line).unwrap();
    let members = record.as_object_mut().unwrap();
    members.remove("signature");
    members.remove("checksum");
    let own = &mut record["metadata"]["dev.bailiwick"];
    own.as_object_mut().unwrap().remove("signed_by");
    own["approved_by"] = json!(approver);
    record["prev"] = prev.clone();
    let checksum = ContentHash::of(&serde_json_canonicalizer::to_vec(&record).unwrap());
    record["checksum"] = json!(checksum);
    String::from_utf8(serde_json_canonicalizer::to_vec(&record).unwrap()).unwrap()
}

fn checksum(line: &str) -> Value {
    json!(read(line).checksum)
}

const NOTE: Severity = Severity::Note;
const ALARM: Severity = Severity::Alarm;

// D-25: a copy at another path is told, and what it records is a ledger of its own
#[test]
fn a_copy_goes_on_in_a_ledger_of_its_own_which_names_what_it_continues() {
    for signs in [true, false] {
        let person = Person::new(signs);
        let there = person.copy("copy");
        assert_eq!(person.kinds(&there), [(NOTE, FindingKind::NewPlace)]);
        block_on(person.ledger(&there).ready()).unwrap();
        person.append(&there, 10).unwrap();
        person.append(&there, 11).unwrap();
        let ended = there.join("private/ledger/ended/1.jsonl");
        assert_eq!(lines(&ended), lines(&live(&person.home())), "the older ledger stays whole");
        let new: Vec<LedgerLine> = lines(&live(&there)).iter().map(|line| read(line)).collect();
        let continues = new[0].says.continues.clone().unwrap();
        let first = read(&lines(&ended)[0]);
        assert_eq!((continues.chain, continues.entries, continues.why), (first.checksum, 4, Why::NewPlace));
        assert_eq!((new[0].seq, &new[0].prev, new[1].seq), (0, &None, 1));
        assert!(new[1].says.is_empty());
        assert_eq!(person.kinds(&there), [(NOTE, FindingKind::Continued)], "for ever");
        assert_eq!(person.verify(&there).extent.witnessed, Some(2));
        person.append(&person.home(), 20).unwrap();
        assert_eq!(person.kinds(&person.home()), [], "where it was before nothing changed");
        let log = FsDecisionLog::new(person.layout(&there)).read_recent(10, |_| true).unwrap();
        assert!(log.iter().any(|record| record.note.contains("copied or moved here")), "{log:#?}");
    }
}

// D-25: what one place cannot tell from the other is never written twice
#[test]
fn two_copies_never_write_the_same_entry_of_one_ledger() {
    let person = Person::new(true);
    let there = person.copy("copy");
    person.append(&there, 10).unwrap();
    person.append(&person.home(), 10).unwrap();
    let origin = |at: &Path| read(&lines(&live(at))[0]).checksum;
    assert_ne!(origin(&there), origin(&person.home()));
}

// D-25: an older copy beside the one that is there is a copy; in place of the one that was there it is a cut
#[test]
fn an_older_copy_is_a_note_where_the_newer_one_is_still_there_and_else_an_alarm() {
    let person = Person::new(true);
    let older = person.copy("older");
    person.append(&person.home(), 4).unwrap();
    assert_eq!(person.kinds(&older), [(NOTE, FindingKind::NewPlace)]);
    fs::rename(person.home(), person.all().join("aside")).unwrap();
    person.append(&person.all().join("aside"), 5).unwrap();
    assert_eq!(person.kinds(&older), [(NOTE, FindingKind::NewPlace)], "it moved, and its place with it");
    fs::remove_dir_all(person.all().join("aside")).unwrap();
    assert_eq!(person.kinds(&older)[0], (ALARM, FindingKind::Cut));
    assert!(block_on(person.ledger(&older).ready()).is_err(), "no call is let through");
    assert!(person.append(&older, 9).is_err(), "nor recorded");
    let before = fs::read(live(&older)).unwrap();
    assert!(matches!(person.ledger(&older).repair(), Err(RepairError::Unaccounted(_))));
    assert_eq!(fs::read(live(&older)).unwrap(), before);
    person.ledger(&older).adopt("dana", sample::now()).unwrap();
    assert_eq!(person.kinds(&older), [(NOTE, FindingKind::NewPlace)]);
    person.append(&older, 9).unwrap();
    let continues = read(&lines(&live(&older))[0]).says.continues.unwrap();
    assert_eq!((continues.by.as_deref(), continues.why), (Some("dana"), Why::OlderCopy));
}

// Issue example 4: an older `.git` under the same path is another folder
#[test]
fn a_backup_in_the_place_of_the_ledger_is_an_alarm() {
    let person = Person::new(true);
    let backup = person.copy("backup");
    person.append(&person.home(), 4).unwrap();
    fs::rename(person.home(), person.all().join("aside")).unwrap();
    fs::rename(backup, person.home()).unwrap();
    fs::remove_dir_all(person.all().join("aside")).unwrap();
    assert_eq!(person.kinds(&person.home())[0], (ALARM, FindingKind::Cut));
}

// Issue example 4: cut and rewritten copies
#[test]
fn a_copy_that_was_rewritten_is_an_alarm_and_repairing_does_not_make_it_official() {
    for signs in [true, false] {
        let person = Person::new(signs);
        let there = person.copy("copy");
        let mut all = lines(&live(&there));
        all[2] = rewritten(&all[2], &checksum(&all[1]), "ceo");
        all[3] = rewritten(&all[3], &checksum(&all[2]), "ceo");
        put(&there, &all);
        assert_eq!(person.kinds(&there)[0], (ALARM, FindingKind::Rechained), "signs {signs}");
        assert_eq!(person.verify(&there).findings[0].entries, Some((2, 3)));
        assert!(person.append(&there, 9).is_err() && block_on(person.ledger(&there).ready()).is_err());
        assert!(matches!(person.ledger(&there).repair(), Err(RepairError::Unaccounted(_))));
        assert!(person.verify(&there).has_alarm());
        assert!(person.ledger(&there).seal().is_err());
    }
}

// D-25: what was appended to a copy by hand is nobody's there, too
#[test]
fn a_copy_with_a_line_more_is_an_alarm_unless_it_is_ones_own() {
    let person = Person::new(true);
    let there = person.copy("copy");
    let mut all = lines(&live(&there));
    let mut last: Value = serde_json::from_str(&all[3]).unwrap();
    last["metadata"]["dev.bailiwick"]["seq"] = json!(4);
    all.push(rewritten(&last.to_string(), &checksum(&all[3]), "ceo"));
    put(&there, &all);
    assert_eq!(person.kinds(&there)[0], (ALARM, FindingKind::Rechained));
    // The same with an entry that one's own key signed: a writer was killed, and the folder was copied then.
    person.append(&person.home(), 4).unwrap();
    let killed = person.copy("killed");
    let heads = fs::read_dir(person.all().join("user/witness")).unwrap().next().unwrap().unwrap();
    let heads = heads.path().join("heads");
    let seen = fs::read(&heads).unwrap();
    fs::write(&heads, &seen[..4 * 33]).unwrap();
    assert_eq!(person.kinds(&killed), [(NOTE, FindingKind::NewPlace)]);
}

// D-25: a moved repository is the same place
#[test]
fn moving_a_repository_changes_nothing() {
    let person = Person::new(true);
    let moved = person.all().join("moved");
    fs::rename(person.home(), &moved).unwrap();
    person.append(&moved, 4).unwrap();
    let found = person.verify(&moved);
    assert!(found.is_clean(), "{found:#?}");
    assert_eq!((found.extent.entries, found.extent.witnessed), (5, Some(5)));
}

// D-25: on a new laptop, or in a container, nothing knows the ledger
#[test]
fn without_a_witness_a_new_ledger_begins_and_nothing_older_is_called_witnessed() {
    let person = Person::new(true);
    fs::remove_dir_all(person.all().join("user")).unwrap();
    assert_eq!(person.verify(&person.home()).extent.witnessed, None);
    person.append(&person.home(), 4).unwrap();
    let first = read(&lines(&live(&person.home()))[0]);
    assert_eq!(first.says.continues.unwrap().why, Why::NoWitness);
    let mut origins = Vec::new();
    FsLedgerReader::new(&person.layout(&person.home()))
        .visit(&LedgerQuery::default(), &mut |stored| {
            origins.push(stored.origin);
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(origins.len(), 5, "and nothing is lost");
    assert_eq!(origins.iter().filter(|origin| **origin == Origin::Ended(1)).count(), 4);
}

// D-25: the ledger that is gone on from cannot be changed any more
#[test]
fn a_ledger_that_is_gone_on_from_is_watched_for_ever() {
    let person = Person::new(true);
    let there = person.copy("copy");
    person.append(&there, 10).unwrap();
    let ended = there.join("private/ledger/ended/1.jsonl");
    let whole = fs::read_to_string(&ended).unwrap();
    let all = lines(&ended);
    let anew = [&all[..3], &[rewritten(&all[3], &checksum(&all[2]), "ceo")]].concat().join("\n") + "\n";
    for (text, kind) in [
        (whole.replacen(&all[1], &all[1].replacen("claude", "crude", 1), 1), FindingKind::Edited),
        (all[..3].join("\n") + "\n", FindingKind::Cut),
        (anew, FindingKind::Rechained),
    ] {
        fs::write(&ended, text).unwrap();
        let kinds = person.kinds(&there);
        assert!(kinds.contains(&(ALARM, kind)), "{kind:?} in {kinds:?}");
    }
    fs::remove_file(&ended).unwrap();
    assert!(person.kinds(&there).contains(&(ALARM, FindingKind::Missing)));
}

// One origin, one key, for ever
#[test]
fn another_key_or_none_begins_another_ledger() {
    let person = Person::new(true);
    let at = person.home();
    fs::remove_file(person.all().join("user/trace.key")).unwrap();
    person.append(&at, 4).unwrap();
    assert_eq!(read(&lines(&live(&at))[0]).says.continues.unwrap().why, Why::OtherKey);
    let unsigned = Person { signs: false, ..person };
    unsigned.append(&at, 5).unwrap();
    assert_eq!(read(&lines(&live(&at))[0]).says.continues.unwrap().why, Why::Unsigned);
    assert_eq!(unsigned.kinds(&at).iter().filter(|(_, kind)| *kind == FindingKind::Continued).count(), 2);
    assert!(!unsigned.verify(&at).has_alarm());
}

// Killed at each step of it, the next writer completes it
#[test]
fn a_beginning_that_was_interrupted_is_completed() {
    for step in 0..4 {
        let person = Person::new(true);
        let there = person.copy("copy");
        block_on(person.ledger(&there).ready()).unwrap();
        if step > 0 {
            fs::create_dir_all(there.join("private/ledger/ended")).unwrap();
            fs::rename(live(&there), there.join("private/ledger/ended/1.jsonl")).unwrap();
        }
        if step > 1 {
            fs::write(live(&there), "").unwrap();
        }
        if step > 2 {
            fs::write(live(&there), "{\"torn").unwrap();
        }
        person.append(&there, 10).unwrap();
        assert_eq!(person.kinds(&there), [(NOTE, FindingKind::Continued)], "step {step}");
        let first = read(&lines(&live(&there))[0]);
        assert_eq!(first.says.continues.unwrap().entries, 4);
        person.append(&there, 11).unwrap();
        assert!(read(&lines(&live(&there))[1]).says.is_empty(), "it is said once");
    }
}

// Where the witness cannot be read nothing new is let through, and nothing that was done is lost
#[test]
fn a_witness_that_cannot_be_read_lets_nothing_through_and_loses_nothing() {
    let person = Person::new(false);
    let there = person.copy("copy");
    let witness = person.all().join("user/witness");
    fs::rename(&witness, person.all().join("user/aside")).unwrap();
    fs::write(&witness, "no folder").unwrap();
    assert!(block_on(person.ledger(&there).ready()).is_err(), "no call is let through");
    person.append(&there, 10).unwrap();
    assert_eq!(lines(&live(&there)).len(), 5, "what was done is recorded all the same");
}

// Adopting is said by the next entry, under its checksum, and named for ever
#[test]
fn what_a_person_adopted_is_said_by_the_next_entry() {
    let person = Person::new(true);
    let at = person.home();
    let mut all = lines(&live(&at));
    let mut last: Value = serde_json::from_str(&all[3]).unwrap();
    last["metadata"]["dev.bailiwick"]["seq"] = json!(4);
    all.push(rewritten(&last.to_string(), &checksum(&all[3]), "ceo"));
    put(&at, &all);
    assert_eq!(person.kinds(&at)[0], (ALARM, FindingKind::Unaccounted));
    person.ledger(&at).adopt("dana", sample::now()).unwrap();
    person.append(&at, 5).unwrap();
    let next = lines(&live(&at)).last().map(|line| read(line)).unwrap();
    let adopted = &next.says.adopted[0];
    assert_eq!((adopted.first, adopted.last, adopted.by.as_str()), (4, 4, "dana"));
    assert_eq!(json!(adopted.head), checksum(&all[4]));
    person.append(&at, 6).unwrap();
    assert!(person.kinds(&at).contains(&(NOTE, FindingKind::Adopted)));
    assert!(lines(&live(&at)).last().is_some_and(|line| read(line).says.adopted.is_empty()), "once");
}

fn fixture(name: &str) -> Person {
    let person = Person::with_nothing(true);
    person.place.keeps_key(&[7; 32]);
    let at = person.home();
    person.append(&at, 0).unwrap();
    let from =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/ledger-before-origins").join(name);
    put(&at, &lines(&from.join("live.jsonl")));
    let witness = fs::read_dir(person.all().join("user/witness")).unwrap().next().unwrap().unwrap().path();
    fs::copy(from.join("heads"), witness.join("heads")).unwrap();
    person
}

// D-08: ledgers of earlier versions go on without a word from the user
#[test]
fn ledgers_from_before_origins_go_on_where_they_are() {
    for (name, signed_from) in [("signed", None), ("unsigned", Some(4)), ("signed-later", None)] {
        let person = fixture(name);
        let at = person.home();
        assert_eq!(person.kinds(&at), [], "{name}");
        block_on(person.ledger(&at).ready()).unwrap();
        person.append(&at, 4).unwrap();
        person.append(&at, 5).unwrap();
        assert_eq!(person.kinds(&at), [], "{name}");
        let found = person.verify(&at);
        assert_eq!((found.extent.entries, found.extent.witnessed), (6, Some(6)), "{name}");
        assert_eq!(found.extent.signed_from, signed_from, "{name}");
        let there = person.copy("copy");
        person.append(&there, 10).unwrap();
        assert_eq!(person.kinds(&there), [(NOTE, FindingKind::Continued)], "{name}");
    }
}

// D-25: a container that shares the folder of the repository with its host, and a host that goes on meanwhile
#[test]
fn a_container_and_its_host_go_on_from_each_other_without_an_alarm() {
    for signs in [true, false] {
        let person = Person::new(signs);
        let at = person.home();
        for round in 0..3 {
            person.append_in_container(&at, 100 + 2 * round);
            person.append_in_container(&at, 101 + 2 * round);
            let found = person.verify(&at);
            assert!(!found.has_alarm(), "round {round}, signs {signs}: {found:#?}");
            assert_eq!(found.extent.witnessed, None, "what the container wrote is nobody's here");
            block_on(person.ledger(&at).ready()).unwrap();
            person.append(&at, 200 + 2 * round).unwrap();
            person.append(&at, 201 + 2 * round).unwrap();
            assert!(!person.verify(&at).has_alarm(), "round {round}, signs {signs}");
            let inside = FsLedgerVerifier::new(Layout::new(
                at.join("repo"),
                at.join("private"),
                Some(person.all().join("container")),
            ));
            assert!(!inside.verify().unwrap().has_alarm(), "round {round}, signs {signs}");
        }
        let mut count = 0;
        FsLedgerReader::new(&person.layout(&at))
            .vouched_for(std::sync::Arc::default())
            .visit(&LedgerQuery::default(), &mut |_| {
                count += 1;
                std::ops::ControlFlow::Continue(())
            })
            .unwrap();
        assert_eq!(count, 10, "and what was one's own stays it");
    }
}

// D-25: a second working copy that began a new ledger leaves the view of the first behind, which is no alarm
#[test]
fn a_view_of_the_ledger_before_is_behind() {
    let person = Person::new(true);
    let at = person.home();
    let beside = Layout::new(at.join("beside"), at.join("private"), Some(person.all().join("user")));
    fs::create_dir_all(beside.orchestration()).unwrap();
    person.append_in_container(&at, 100);
    let view = fs::read(at.join("repo/.orchestration/agent_trace.jsonl")).unwrap();
    block_on(FsLedger::new(beside, Sync::Os).with_signing(true).append(&entry(200))).unwrap();
    assert_eq!(fs::read(at.join("repo/.orchestration/agent_trace.jsonl")).unwrap(), view);
    let kinds = person.kinds(&at);
    assert!(kinds.contains(&(NOTE, FindingKind::ViewBehind)), "{kinds:?}");
    assert!(!person.verify(&at).has_alarm());
    person.append(&at, 201).unwrap();
    assert!(!person.kinds(&at).contains(&(NOTE, FindingKind::ViewBehind)));
    fs::write(at.join("repo/.orchestration/agent_trace.jsonl"), view).unwrap();
    assert!(
        person.kinds(&at).contains(&(ALARM, FindingKind::ViewDiffers)),
        "what was recorded from here is missing"
    );
}

// Repairing shows the witness nothing that somebody else wrote
#[test]
fn repairing_does_not_take_over_what_somebody_else_began() {
    let person = Person::new(true);
    let at = person.home();
    person.append_in_container(&at, 100);
    let heads = fs::read(heads_of(&person)).unwrap();
    person.ledger(&at).repair().unwrap();
    assert_eq!(fs::read(heads_of(&person)).unwrap(), heads);
    assert_eq!(person.verify(&at).extent.witnessed, None);
}

/// The rows of the table behind a heading of the guide.
fn table(heading: &str) -> Vec<Vec<String>> {
    let guide = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/ledger.md");
    let guide = fs::read_to_string(guide).unwrap();
    let (_, section) = guide.split_once(&format!("\n{heading}\n")).unwrap();
    let rows =
        section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let cells = |row: &str| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    rows.skip(2).map(cells).collect()
}

/// The person's ledger in the state that a row of the table names, and where it is then.
fn staged(witness: &str, ledger: &str, signs: bool) -> (Person, PathBuf) {
    let person = Person::new(signs);
    let older = person.copy("older");
    person.append(&person.home(), 4).unwrap();
    let at = match witness {
        "knows it at this place" | "is shortened" | "is garbage" | "is another ledger's" => person.home(),
        "knows it from another place" | "knows it from another place, which is gone"
            if ledger == "shorter" =>
        {
            older.clone()
        }
        "knows it from another place" | "knows it from another place, which is gone" => person.copy("there"),
        "does not know it" => {
            fs::remove_dir_all(person.all().join("user/witness")).unwrap();
            person.home()
        }
        other => panic!("no such witness: {other}"),
    };
    if witness.ends_with("which is gone") {
        fs::remove_dir_all(person.home()).unwrap();
    }
    let all = lines(&live(&at));
    let one_more = || {
        let mut next: Value = serde_json::from_str(all.last().unwrap()).unwrap();
        next["metadata"]["dev.bailiwick"]["seq"] = json!(all.len());
        [&all[..], &[rewritten(&next.to_string(), &checksum(all.last().unwrap()), "ceo")]].concat()
    };
    match ledger {
        "as it was" | "anything" => {}
        "shorter" if at == older => {}
        "shorter" => put(&at, &all[..3]),
        "empty" => put(&at, &[]),
        "other entries" => put(&at, &[&all[..4], &[rewritten(&all[4], &checksum(&all[3]), "ceo")]].concat()),
        "longer by one that a stranger wrote" => put(&at, &one_more()),
        "beneath one of somebody else" => person.append_in_container(&at, 60),
        "beneath one of somebody else, and shorter" | "beneath one of somebody else, and other entries" => {
            let mut beneath = all[..4].to_vec();
            if ledger.ends_with("other entries") {
                beneath.push(rewritten(&all[4], &checksum(&all[3]), "ceo"));
            }
            put(&at, &beneath);
            person.append_in_container(&at, 60);
        }
        "longer by one of yours" => {
            let witness = heads_of(&person);
            let seen = fs::read(&witness).unwrap();
            fs::write(&witness, &seen[..4 * 33]).unwrap();
        }
        other => panic!("no such ledger: {other}"),
    }
    if witness == "is garbage" {
        let length = fs::read(heads_of(&person)).unwrap().len();
        fs::write(heads_of(&person), vec![b'#'; length]).unwrap();
    } else if witness == "is shortened" {
        let seen = fs::read(heads_of(&person)).unwrap();
        fs::write(heads_of(&person), &seen[..3 * 33]).unwrap();
    } else if witness == "is another ledger's" {
        let other = Person::with_nothing(signs);
        (20..25).for_each(|n| other.append(&other.home(), n).unwrap());
        fs::write(heads_of(&person), fs::read(heads_of(&other)).unwrap()).unwrap();
    }
    (person, at)
}

fn heads_of(person: &Person) -> PathBuf {
    let all = fs::read_dir(person.all().join("user/witness")).unwrap();
    let mut all: Vec<PathBuf> =
        all.map(|one| one.unwrap().path().join("heads")).filter(|one| one.exists()).collect();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

// D-25: each cell of the table in the guide is what happens
#[test]
fn what_the_guide_says_of_the_witness_is_what_happens() {
    let rows = table("### The witness and the ledger");
    assert!(rows.len() >= 12, "{rows:?}");
    for row in rows {
        let [witness, ledger, signed, unsigned] = &row[..] else { panic!("{row:?}") };
        for (cell, signs) in [(signed, true), (unsigned, false)] {
            let (person, at) = staged(witness, ledger, signs);
            let found = person.verify(&at);
            let of_ledger = found.findings.iter().find(|one| one.kind != FindingKind::ViewBehind);
            let said = of_ledger.map_or("clean".to_owned(), |one| {
                let severity = if one.severity == ALARM { "alarm" } else { "note" };
                format!("{severity} `{}`", json!(one.kind).as_str().unwrap())
            });
            let is_let_through = block_on(person.ledger(&at).ready()).is_ok();
            let happened = if !is_let_through {
                "refused"
            } else {
                let before = lines(&live(&at)).len();
                person.append(&at, 50).unwrap();
                let now = lines(&live(&at)).len();
                if now == 1 && before > 0 { "a new ledger" } else { "goes on" }
            };
            assert_eq!(
                format!("{said}: {happened}"),
                *cell,
                "{witness} / {ledger} / signs {signs}: {found:#?}"
            );
        }
    }
}
