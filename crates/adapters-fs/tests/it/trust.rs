//! How entries are known: as one's own, as signed by somebody, or as nobody's; and the tamper matrix of the guide, cell by
//! cell (D-25, threats H1 to H3).

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use bailiwick_adapters_fs::{
    Checkpoint, FsLedger, FsLedgerProver, FsLedgerReader, FsLedgerVerifier, KnownKey, Layout, Note, TraceKey,
    TraceKeys, departed, listed, read_ledger_line,
};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    ContentHash, FindingKind, KeptSegment, Ledger, LedgerQuery, LedgerReader, LedgerVerifier, PortError,
    SegmentHistory, Severity, Sync, TraceEntry, Trust, Value, Verification, json,
};
use pollster::block_on;

use crate::forgery::other_header;
use crate::place::Place;

fn entry(n: usize) -> TraceEntry {
    let id = format!("00000000-0000-4000-8000-{n:012}");
    sample::trace_entry(&id, &sample::intent("INT-001", &["src/**"]))
}

/// A clone with a person's state folder.
struct Clone {
    place: Place,
}

impl Clone {
    fn new(key: u8) -> Self {
        let place = Place::new();
        place.keeps_key(&[key; 32]);
        Self { place }
    }

    fn layout(&self) -> Layout {
        self.place.layout()
    }

    fn append(&self, n: usize, signs: bool) {
        block_on(FsLedger::new(self.layout(), Sync::Os).with_signing(signs).append(&entry(n))).unwrap();
    }

    fn seal(&self) {
        FsLedger::new(self.layout(), Sync::Os).seal().unwrap();
    }

    fn segments(&self) -> PathBuf {
        self.layout().orchestration().join("trace")
    }

    fn live(&self) -> PathBuf {
        self.layout().private().join("ledger/live.jsonl")
    }

    fn key(&self) -> TraceKey {
        TraceKeys::open(&self.layout()).unwrap().own().unwrap().clone()
    }

    /// A fresh clone of another person, who has what git carries.
    fn cloned(&self, key: u8) -> Self {
        let clone = Self::new(key);
        copy(&self.segments(), &clone.segments());
        clone
    }

    fn trusts(&self, other: &Self) {
        TraceKeys::open(&self.layout()).unwrap().trust(KnownKey::new(other.key(), "dana")).unwrap();
    }

    fn verify(&self) -> Verification {
        FsLedgerVerifier::new(self.layout()).verify().unwrap()
    }

    /// How each entry is known.
    fn trust(&self) -> Vec<Trust> {
        let mut found = Vec::new();
        let reader = FsLedgerReader::new(&self.layout()).with_trust();
        let mut take = |stored: bailiwick_domain::StoredEntry| {
            found.push(stored.trust.unwrap());
            ControlFlow::Continue(())
        };
        reader.visit(&LedgerQuery::default(), &mut take).unwrap();
        found.sort();
        found
    }

    /// Entries that a question is answered with.
    fn answers(&self) -> usize {
        let passed_over = std::sync::Arc::default();
        let mut count = 0;
        let mut take = |_| {
            count += 1;
            ControlFlow::Continue(())
        };
        let reader = FsLedgerReader::new(&self.layout()).vouched_for(passed_over);
        reader.visit(&LedgerQuery::default(), &mut take).unwrap();
        count
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).into_iter().flatten().map(Result::unwrap) {
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

fn signed(name: &str) -> Trust {
    Trust::Signed(name.to_owned())
}

fn dana() -> Clone {
    let dana = Clone::new(7);
    (0..4).for_each(|n| dana.append(n, true));
    dana.seal();
    dana
}

#[test]
fn an_entry_is_known_as_ones_own_as_signed_or_as_nobodys() {
    let dana = dana();
    assert_eq!(dana.trust(), vec![Trust::Own; 4]);
    let other = dana.cloned(8);
    assert_eq!((other.trust(), other.answers()), (vec![Trust::Unvouched; 4], 0));
    other.trusts(&dana);
    assert_eq!((other.trust(), other.answers()), (vec![signed("dana"); 4], 4));
    TraceKeys::open(&other.layout()).unwrap().forget("dana").unwrap();
    assert_eq!(other.trust(), vec![Trust::Unvouched; 4], "what was believed is claimed again");
    assert!(!other.verify().has_alarm(), "and honest history is no alarm: {:#?}", other.verify());
    let laptop = dana.cloned(7);
    assert_eq!(laptop.trust(), vec![Trust::Own; 4], "another clone of the same person");
}

// What the witness saw is one's own, also where it was never signed
#[test]
fn unsigned_entries_of_ones_own_are_ones_own_as_far_as_the_witness_saw_them() {
    let own = Clone::new(7);
    (0..3).for_each(|n| own.append(n, false));
    assert_eq!(own.trust(), vec![Trust::Own; 3]);
    fs::remove_dir_all(own.place.dir.path().join("user/witness")).unwrap();
    assert_eq!(own.trust(), vec![Trust::Unvouched; 3]);
    own.append(3, false);
    assert_eq!(own.trust(), [vec![Trust::Own], vec![Trust::Unvouched; 3]].concat());
}

// Several keys a name
#[test]
fn a_name_may_have_several_keys() {
    let (dana, laptop) = (dana(), Clone::new(9));
    (10..12).for_each(|n| laptop.append(n, true));
    laptop.seal();
    let other = dana.cloned(8);
    copy(&laptop.segments(), &other.segments());
    other.trusts(&dana);
    other.trusts(&laptop);
    assert_eq!(other.trust(), vec![signed("dana"); 6]);
}

// Rotated: the key before stays known, a new ledger begins, nothing is an alarm
#[test]
fn a_key_that_was_rotated_signs_no_more_and_is_still_known() {
    let dana = dana();
    let before = dana.key();
    let next = TraceKeys::open(&dana.layout()).unwrap().rotate("dana before").unwrap();
    assert_ne!(before, next);
    dana.append(4, true);
    dana.seal();
    let last = fs::read_to_string(dana.live()).unwrap();
    assert_eq!(read_ledger_line(last.trim().as_bytes()).unwrap().signed_by.as_deref(), Some(next.as_str()));
    assert!(!dana.verify().has_alarm(), "{:#?}", dana.verify());
    assert_eq!(dana.trust(), vec![Trust::Own; 5]);
    let other = dana.cloned(8);
    let mut keys = TraceKeys::open(&other.layout()).unwrap();
    keys.trust(KnownKey::new(before, "dana")).unwrap();
    keys.trust(KnownKey::new(next, "dana")).unwrap();
    assert_eq!(other.trust(), vec![signed("dana"); 5]);
    assert!(other.verify().is_clean(), "{:#?}", other.verify());
}

// Lost: another key is made, and what the lost one signed is still known
#[test]
fn a_key_that_was_lost_is_followed_by_another() {
    let dana = dana();
    let lost = dana.key();
    fs::remove_file(dana.place.dir.path().join("user/trace.key")).unwrap();
    dana.append(4, true);
    TraceKeys::open(&dana.layout()).unwrap().trust(KnownKey::new(lost, "dana")).unwrap();
    assert_eq!(dana.trust(), vec![Trust::Own; 5]);
    assert!(!dana.verify().has_alarm(), "{:#?}", dana.verify());
}

// Stolen: it counts for what a checkpoint from before signed, and for nothing else
#[test]
fn a_key_that_was_stolen_counts_until_a_checkpoint() {
    let dana = Clone::new(7);
    (0..2).for_each(|n| dana.append(n, true));
    let note: Note = FsLedgerProver::new(dana.layout()).checkpoint().unwrap();
    let until = Checkpoint::parse(note.text()).unwrap().until().unwrap();
    (2..4).for_each(|n| dana.append(n, true));
    dana.seal();
    let thief = Clone::new(7);
    thief.append(20, true);
    thief.seal();
    let other = dana.cloned(8);
    copy(&thief.segments(), &other.segments());
    other.trusts(&dana);
    assert_eq!(other.trust(), vec![signed("dana"); 5]);
    assert!(TraceKeys::open(&other.layout()).unwrap().until(&dana.key(), vec![until.clone()]).unwrap());
    assert_eq!(other.trust(), [vec![signed("dana"); 2], vec![Trust::Unvouched; 3]].concat());
    let alarms = |clone: &Clone| -> Vec<(FindingKind, Option<(u64, u64)>)> {
        let findings = clone.verify().findings.into_iter();
        let alarms = findings.filter(|one| one.severity == Severity::Alarm);
        alarms.map(|one| (one.kind, one.entries)).collect()
    };
    let mut of_other = alarms(&other);
    of_other.sort_by_key(|(_, entries)| *entries);
    let stolen = |entries| (FindingKind::StolenKey, Some(entries));
    assert_eq!(of_other, [stolen((0, 0)), stolen((2, 3))], "nobody can tell the owner's from the thief's");
    let signers = other.verify().extent.ledgers.into_iter().map(|ledger| ledger.signer);
    assert_eq!(signers.collect::<Vec<_>>(), [None, None], "and nobody answers for all of it");
    let mut keys = TraceKeys::open(&other.layout()).unwrap();
    assert!(keys.trust(KnownKey::new(dana.key(), "dana")).is_err(), "the mark does not go by the way");
    keys.forget("dana").unwrap();
    assert_eq!(alarms(&other), [], "what a person forgets is claimed");
    other.trusts(&dana);
    assert!(TraceKeys::open(&other.layout()).unwrap().until(&dana.key(), vec![until]).unwrap());
    let line = fs::read_to_string(other.place.dir.path().join("user/trace-keys")).unwrap();
    assert_eq!(listed(&line).unwrap(), TraceKeys::open(&other.layout()).unwrap().others(), "and is kept");
}

#[test]
fn a_list_of_keys_is_read_whole_or_not_at_all() {
    let key = dana().key();
    let named = |name: &str| KnownKey { key: key.clone(), name: name.to_owned(), until: None };
    assert_eq!(
        listed(&format!("# ours\n\n{key} dana\n{key} dana b.\n")).unwrap(),
        [named("dana"), named("dana b.")]
    );
    for wrong in ["dana", "ed25519:00 dana", &format!("{key} until=x dana"), &format!("{key}x dana")] {
        assert!(listed(wrong).is_err(), "{wrong}");
    }
}

/// The line with another approver, behind that one; not signed.
fn rewritten(line: &str, seq: u64, prev: Option<&str>) -> String {
    let mut record: Value = serde_json::from_str(line).unwrap();
    let members = record.as_object_mut().unwrap();
    members.remove("signature");
    members.remove("checksum");
    let own = &mut record["metadata"]["dev.bailiwick"];
    own.as_object_mut().unwrap().remove("signed_by");
    own["approved_by"] = json!("ceo");
    own["seq"] = json!(seq);
    record["prev"] =
        prev.map_or(Value::Null, |prev| json!(read_ledger_line(prev.as_bytes()).unwrap().checksum));
    let checksum = ContentHash::of(&serde_json_canonicalizer::to_vec(&record).unwrap());
    record["checksum"] = json!(checksum);
    String::from_utf8(serde_json_canonicalizer::to_vec(&record).unwrap()).unwrap()
}

/// All lines from that one on, written anew behind one another.
fn rewritten_from(lines: &[String], first: usize) -> Vec<String> {
    let mut all = lines[..first].to_vec();
    for (seq, line) in lines.iter().enumerate().skip(first) {
        let next = rewritten(line, seq as u64, all.last().map(String::as_str));
        all.push(next);
    }
    all
}

fn stripped(lines: &[String]) -> Vec<String> {
    rewritten_from(lines, 0)
}

fn one_more(lines: &[String]) -> Vec<String> {
    let last = lines.last().unwrap();
    [lines, &[rewritten(last, lines.len() as u64, Some(last))]].concat()
}

fn lines_of(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

fn put(clone: &Clone, lines: &[String]) {
    let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    fs::write(clone.live(), &text).unwrap();
    fs::write(clone.layout().ledger_view(), text).unwrap();
}

/// Seals these lines as somebody does who has a ledger of them; the names that git carried before are gone.
fn resealed(clone: &Clone, lines: &[String], keeps: bool) {
    if !keeps {
        fs::remove_dir_all(clone.segments()).unwrap();
    }
    let forger = Clone::new(99);
    forger.append(50, false);
    put(&forger, lines);
    fs::remove_dir_all(forger.place.dir.path().join("user/witness")).unwrap();
    forger.seal();
    copy(&forger.segments(), &clone.segments());
}

fn segment_of(clone: &Clone) -> PathBuf {
    let mut all = fs::read_dir(clone.segments()).unwrap().map(|entry| entry.unwrap().path());
    all.find(|path| path.extension().is_some_and(|end| end == "jsonl")).unwrap()
}

/// Dana's clone of a kind: signed, not signed, or signed later.
fn made(kind: &str) -> Clone {
    let clone = Clone::new(7);
    for n in 0..4 {
        clone.append(n, kind == "signed" || kind == "upgraded" && n > 1);
    }
    clone.seal();
    clone
}

/// What somebody does to the ledger of this clone.
fn tamper_own(what: &str, clone: &Clone) {
    let all = lines_of(&clone.live());
    let heads = || {
        let folder = fs::read_dir(clone.place.dir.path().join("user/witness")).unwrap().next();
        folder.unwrap().unwrap().path().join("heads")
    };
    match what {
        "append by a stranger" => put(clone, &one_more(&all)),
        "strip" => put(clone, &stripped(&all)),
        "replace" => put(clone, &rewritten_from(&all, 2)),
        "drop the newest" => put(clone, &all[..3]),
        "made-up segment" => {
            let forger = Clone::new(99);
            forger.append(60, false);
            forger.seal();
            copy(&forger.segments(), &clone.segments());
        }
        "rewritten history" => {
            put(clone, &rewritten_from(&all, 1));
            fs::remove_dir_all(clone.segments()).unwrap();
        }
        "older backup" => {
            let older = all[..2].to_vec();
            put(clone, &older);
            fs::remove_dir_all(clone.segments()).unwrap();
        }
        "witness lost" => fs::remove_dir_all(clone.place.dir.path().join("user/witness")).unwrap(),
        "garbage" => fs::write(heads(), vec![b'#'; 4 * 33]).unwrap(),
        other => panic!("nobody does that: {other}"),
    }
}

/// What somebody does to the segments that a fresh clone has.
fn tamper_fresh(what: &str, dana: &Clone, clone: &Clone) {
    let all = lines_of(&dana.live());
    match what {
        "append by a stranger" => resealed(clone, &one_more(&all), true),
        "strip" => resealed(clone, &stripped(&all), false),
        "replace" => resealed(clone, &rewritten_from(&all, 2), false),
        "drop the newest" => resealed(clone, &all[..3], false),
        "made-up segment" => {
            let forger = Clone::new(99);
            forger.append(60, false);
            forger.seal();
            copy(&forger.segments(), &clone.segments());
        }
        "rewritten history" => resealed(clone, &rewritten_from(&all, 1), false),
        "older backup" => resealed(clone, &all[..2], false),
        "witness lost" => drop(fs::remove_dir_all(clone.place.dir.path().join("user/witness"))),
        "garbage" => fs::write(segment_of(clone), "garbage\n").unwrap(),
        other => panic!("nobody does that: {other}"),
    }
}

// Once a signed head was seen, what goes on from it without its key is an alarm, in every clone of this person
#[test]
fn a_head_that_was_seen_counts_in_each_clone_of_a_person() {
    let dana = made("upgraded");
    let first = dana.cloned(8);
    assert!(!first.verify().has_alarm());
    let all = lines_of(&dana.live());
    let second = dana.cloned(8);
    resealed(&second, &rewritten_from(&all, 2), false);
    assert!(!second.verify().has_alarm(), "nothing tells them from honest ones that nobody signed");
    let third = dana.cloned(8);
    resealed(&third, &rewritten_from(&all, 2), false);
    let heads = |clone: &Clone| clone.place.dir.path().join("user/heads");
    copy(&heads(&first), &heads(&third));
    let kinds: Vec<FindingKind> = third.verify().findings.iter().map(|one| one.kind).collect();
    assert!(kinds.contains(&FindingKind::OtherHand) && kinds.contains(&FindingKind::Rechained), "{kinds:?}");
    let elsewhere = Clone::new(8);
    copy(&heads(&first), &heads(&elsewhere));
    assert!(elsewhere.verify().is_clean(), "a ledger that this clone never had is not missed");
}

/// What a glance says, and what verifying says of heads.
fn of_heads(clone: &Clone) -> [BTreeSet<FindingKind>; 2] {
    let glance = departed(&clone.layout(), None).unwrap().into_iter().map(|one| one.kind).collect();
    let wanted = [FindingKind::HeadGone, FindingKind::OtherHand, FindingKind::Rechained, FindingKind::Cut];
    let whole = clone.verify().findings.into_iter().map(|one| one.kind);
    [glance, whole.filter(|kind| wanted.contains(kind)).collect()]
}

// Once a signed head was seen, a question says what verifying says of it, and nothing of honest work
#[test]
fn a_glance_says_of_a_head_that_was_seen_what_verifying_says() {
    let forgeries =
        ["append by a stranger", "strip", "replace", "drop the newest", "rewritten history", "older backup"];
    for kind in ["signed", "unsigned", "upgraded"] {
        let dana = made(kind);
        for what in forgeries {
            let [seeing, fresh] = [dana.cloned(8), dana.cloned(8)];
            assert_eq!(of_heads(&seeing), [const { BTreeSet::new() }; 2], "{kind}: honest");
            [&seeing, &fresh].into_iter().for_each(|clone| tamper_fresh(what, &dana, clone));
            assert!(departed(&fresh.layout(), None).unwrap().is_empty(), "{what}, {kind}: no head was seen");
            let [glance, whole] = of_heads(&seeing);
            assert_eq!(glance, whole, "{what}, {kind}");
            assert_eq!(glance.is_empty(), kind == "unsigned", "{what}, {kind}");
        }
        let seeing = dana.cloned(8);
        seeing.verify();
        dana.append(9, kind != "unsigned");
        dana.seal();
        copy(&dana.segments(), &seeing.segments());
        assert_eq!(of_heads(&seeing), [const { BTreeSet::new() }; 2], "{kind}: it went on");
    }
}

/// A segment that says it is of the ledger of this clone, with these lines in place of the entries, and that many of them.
fn pretends(dana: &Clone, to: &Clone, lines: &[String], count: usize) {
    let segment = fs::read(segment_of(dana)).unwrap();
    let header = segment.split_inclusive(|byte| *byte == b'\n').next().unwrap();
    let header = other_header(header, |header| {
        header["count"] = json!(count);
        header.as_object_mut().unwrap().remove("checkpoint");
    });
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let bytes = [header, lines.into_bytes()].concat();
    fs::remove_dir_all(to.segments()).unwrap();
    fs::create_dir_all(to.segments()).unwrap();
    let name = ContentHash::of(&bytes);
    fs::write(to.segments().join(format!("{}.jsonl", name.digits())), bytes).unwrap();
}

// What the header of a segment claims does not silence a glance
#[test]
fn a_glance_believes_no_header_that_its_entries_do_not_bear_out() {
    let dana = made("signed");
    let stranger = Clone::new(99);
    (50..54).for_each(|n| stranger.append(n, true));
    let (whole, strange) = (lines_of(&dana.live()), lines_of(&stranger.live()));
    let (gone, cut) = (FindingKind::HeadGone, FindingKind::Cut);
    let replaced = BTreeSet::from([FindingKind::OtherHand, FindingKind::Rechained]);
    let cases = [
        ("one strange line for all", &strange[..1], 5, BTreeSet::from([gone, cut])),
        ("the first line for all", &whole[..1], 5, BTreeSet::from([gone, cut])),
        ("strange lines for all", &strange[..], 4, replaced),
    ];
    for (what, lines, count, wanted) in cases {
        let seeing = dana.cloned(8);
        seeing.verify();
        pretends(&dana, &seeing, lines, count);
        let [glance, verified] = of_heads(&seeing);
        assert_eq!((&glance, &verified), (&wanted, &wanted), "{what}");
    }
    let seeing = dana.cloned(8);
    seeing.verify();
    pretends(&dana, &seeing, &whole[3..], 4);
    let [glance, _] = of_heads(&seeing);
    assert_eq!(glance, BTreeSet::from([cut]), "the newest line for all");
}

/// What git has, as far as the verifier is told.
#[derive(Debug)]
struct Past(Vec<(ContentHash, Vec<u8>)>);

impl SegmentHistory for Past {
    fn names(&self) -> Result<BTreeSet<ContentHash>, PortError> {
        Ok(self.0.iter().map(|(name, _)| name.clone()).collect())
    }

    fn kept(&self) -> Result<Vec<KeptSegment>, PortError> {
        let kept = |(name, _): &(ContentHash, Vec<u8>)| KeptSegment {
            name: name.clone(),
            commit: "c0ffee".to_owned(),
            is_taken: true,
            contents: vec![name.digits().to_owned()],
        };
        Ok(self.0.iter().map(kept).collect())
    }

    fn content(&self, content: &str, most: u64) -> Result<Option<Vec<u8>>, PortError> {
        let named = self.0.iter().find(|(name, _)| name.digits() == content).map(|(_, bytes)| bytes.clone());
        Ok(named.filter(|bytes| bytes.len() as u64 <= most))
    }
}

// Evidence is the union of what the history has: two checksums for one place are an alarm also where a commit took one away
#[test]
fn a_segment_of_the_history_that_tells_otherwise_is_an_alarm() {
    let dana = made("unsigned");
    let honest = fs::read(segment_of(&dana)).unwrap();
    let clone = dana.cloned(8);
    let all = lines_of(&dana.live());
    resealed(&clone, &rewritten_from(&all, 2), false);
    assert!(!clone.verify().has_alarm(), "nothing here tells that it was written anew");
    let name = ContentHash::of(&honest);
    let verify = |bytes: &[u8]| {
        let past = Past(vec![(name.clone(), bytes.to_vec())]);
        FsLedgerVerifier::new(clone.layout()).with_history(std::sync::Arc::new(past)).verify().unwrap()
    };
    // What does not have its name is nothing.
    let found = verify(b"something else\n");
    assert!(!found.has_alarm(), "{found:#?}");
    assert!(
        found.findings.iter().any(|one| one.message.contains("1 of them not in this clone, or no segment")),
        "{found:#?}"
    );
    let found = verify(&honest);
    let alarm = found.findings.iter().find(|one| one.severity == Severity::Alarm).unwrap();
    assert_eq!(alarm.kind, FindingKind::Rechained, "{found:#?}");
    assert!(
        found.findings.iter().any(|one| one.message.contains("commit c0ffee took them away")),
        "{found:#?}"
    );
}

/// The rows of the table behind a heading of the guide.
fn table(heading: &str) -> Vec<Vec<String>> {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/ledger.md");
    let guide = fs::read_to_string(guide).unwrap();
    let (_, section) = guide.split_once(&format!("\n{heading}\n")).unwrap();
    let rows =
        section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let cells = |row: &str| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    rows.skip(2).map(cells).collect()
}

/// The first alarm, else what is worth knowing about a forgery; and how many of the entries answer a question.
fn said(clone: &Clone) -> String {
    let found = clone.verify();
    let alarm = found.findings.iter().find(|finding| finding.severity == Severity::Alarm);
    let notes = [
        FindingKind::HeadGone,
        FindingKind::NoWitness,
        FindingKind::NewPlace,
        FindingKind::Unvouched,
        FindingKind::UnknownKey,
    ];
    let note = notes.iter().find_map(|kind| found.findings.iter().find(|finding| finding.kind == *kind));
    let word = |one: &bailiwick_domain::Finding| json!(one.kind).as_str().unwrap().to_owned();
    match (alarm, note) {
        (Some(alarm), _) => format!("alarm `{}`, {}", word(alarm), clone.answers()),
        (None, Some(note)) => format!("note `{}`, {}", word(note), clone.answers()),
        (None, None) => format!("nothing, {}", clone.answers()),
    }
}

// Issue examples 1 to 4: the tamper matrix, cell by cell as the guide has it
#[test]
fn what_the_guide_says_of_each_forgery_is_what_happens() {
    let rows = table("### What becomes of a forgery");
    let mut wrong = Vec::new();
    for row in &rows {
        let [what, kind, own, fresh, known, seen] = &row[..] else { panic!("{row:?}") };
        let dana = made(kind);
        let (clone, knowing, seeing) = (dana.cloned(8), dana.cloned(8), dana.cloned(8));
        knowing.trusts(&dana);
        assert!(!seeing.verify().has_alarm());
        let happened = match what.as_str() {
            "copied repository" => {
                let copied = made(kind);
                let there = Layout::new(
                    copied.place.dir.path().join("copy/repo"),
                    copied.place.dir.path().join("copy/private"),
                    copied.layout().user_state().map(Into::into),
                );
                for folder in ["repo/.orchestration", "private/ledger"] {
                    copy_all(
                        &copied.place.dir.path().join(folder),
                        &copied.place.dir.path().join("copy").join(folder),
                    );
                }
                let found = FsLedgerVerifier::new(there).verify().unwrap();
                let first = &found.findings[0];
                assert!(!found.has_alarm(), "{found:#?}");
                [
                    format!("note `{}`, 4", json!(first.kind).as_str().unwrap()),
                    said(&clone),
                    said(&knowing),
                    said(&seeing),
                ]
            }
            what => {
                tamper_fresh(what, &dana, &clone);
                tamper_fresh(what, &dana, &knowing);
                tamper_fresh(what, &dana, &seeing);
                tamper_own(what, &dana);
                [said(&dana), said(&clone), said(&knowing), said(&seeing)]
            }
        };
        if happened != [own.clone(), fresh.clone(), known.clone(), seen.clone()] {
            wrong.push(format!("| {what} | {kind} | {} |", happened.join(" | ")));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert_eq!(rows.len(), 30);
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        match entry.path().is_dir() {
            true => copy_all(&entry.path(), &to.join(entry.file_name())),
            false => drop(fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
}
