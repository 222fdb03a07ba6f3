//! The ledger on disk: its chain, its form, its view.

use std::fs;

use bailiwick_adapters_fs::{FsLedger, LineFault, read_ledger_line};
use bailiwick_domain::testing::{contract, sample};
use bailiwick_domain::{
    ApprovalId, Change, ChangedFile, ChangedRange, ContentHash, FileState, Landmarks, Ledger, PortError,
    Sync, TraceContext, TraceEntry, Value, VcsRevision, block_hash,
};
use pollster::block_on;

use crate::big::with_many_ranges;
use crate::place::{Place, childs_layout};

const COMMIT: &str = "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0";

fn ledger(place: &Place) -> FsLedger {
    FsLedger::new(place.layout(), Sync::Os)
}

fn uuid(n: usize) -> String {
    format!("00000000-0000-4000-8000-{n:012}")
}

fn changed(path: &str, change: Change, before: Option<&[u8]>, after: Option<&[u8]>) -> ChangedFile {
    let state = |content: Option<&[u8]>| {
        content.map_or(FileState::Absent, |bytes| FileState::Content(ContentHash::of(bytes)))
    };
    ChangedFile {
        path: sample::path(path),
        change,
        before: state(before),
        after: state(after),
        ranges: Vec::new(),
        removed: Vec::new(),
        binary: false,
        moved_from: None,
        moved_to: None,
        lineage: None,
    }
}

fn entry(n: usize) -> TraceEntry {
    let plain = sample::trace_entry(&uuid(n), &sample::intent("INT-001", &["src/**"]));
    TraceEntry {
        vcs: VcsRevision::Commit(COMMIT.into()),
        context: TraceContext {
            model: Some("claude-opus-4-5".into()),
            approval: Some(ApprovalId("ap-00000001".into())),
            requirements: vec!["REQ-7".into(), "REQ ü/8".into()],
            ..plain.context
        },
        files: vec![
            ChangedFile {
                ranges: vec![ChangedRange {
                    start_line: 2,
                    end_line: 2,
                    content_hash: block_hash(b"B"),
                    landmarks: Landmarks::default(),
                    symbol: None,
                }],
                ..changed("src/a.rs", Change::Modified, Some(b"a\nb\nc\n"), Some(b"a\nB\n"))
            },
            ChangedFile {
                removed: vec![(0, block_hash(b"x"))],
                ..changed("src/gone.rs", Change::Deleted, Some(b"x\n"), None)
            },
            ChangedFile {
                binary: true,
                ..changed("src/logo.png", Change::Created, None, Some(b"\x89PNG\0"))
            },
        ],
        ..plain
    }
}

fn append(ledger: &FsLedger, n: usize) {
    block_on(ledger.append(&entry(n))).unwrap();
}

/// The lines of all files.
fn lines(place: &Place) -> Vec<Vec<u8>> {
    let parts = fs::read_dir(place.private("ledger/parts")).into_iter().flatten();
    let mut files: Vec<_> = parts.map(|part| part.unwrap().path()).collect();
    files.sort();
    files.push(place.private("ledger/live.jsonl"));
    let bytes: Vec<u8> = files.iter().flat_map(|file| fs::read(file).unwrap()).collect();
    assert!(bytes.is_empty() || bytes.ends_with(b"\n"));
    bytes.split_inclusive(|b| *b == b'\n').map(|line| line[..line.len() - 1].to_vec()).collect()
}

fn view(place: &Place) -> std::path::PathBuf {
    place.layout().orchestration().join("agent_trace.jsonl")
}

#[track_caller]
fn assert_chain(place: &Place, length: usize) {
    let mut prev = None;
    let lines = lines(place);
    assert_eq!(lines.len(), length);
    for (index, line) in lines.iter().enumerate() {
        let line = read_ledger_line(line).unwrap();
        assert_eq!((line.seq, &line.prev), (index as u64, &prev));
        prev = Some(line.checksum);
    }
}

#[track_caller]
fn assert_view(place: &Place) {
    assert_eq!(fs::read(view(place)).unwrap(), fs::read(place.private("ledger/live.jsonl")).unwrap());
}

// D-22, REQ 162
#[test]
fn req_162_the_ledger_keeps_the_contract() {
    let place = Place::new();
    block_on(contract::ledger(&FsLedger::new(place.layout(), Sync::Always)));
    assert_chain(&place, 4);
    assert_view(&place);
}

// REQ 162, K-25
#[test]
fn req_162_each_write_is_one_line_and_the_file_only_grows() {
    let place = Place::new();
    let mut before = Vec::new();
    for n in 0..4 {
        append(&ledger(&place), 1);
        let after = fs::read(place.private("ledger/live.jsonl")).unwrap();
        assert!(after.starts_with(&before));
        assert_eq!(after.iter().filter(|byte| **byte == b'\n').count(), n + 1);
        before = after;
    }
    assert_chain(&place, 4);
}

fn schema() -> jsonschema::Validator {
    let text = include_str!("../data/agent-trace-0.1.0.schema.json");
    let schema = serde_json::from_str(text).unwrap();
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

// K-19, REQ 136
#[test]
fn req_136_records_are_valid_agent_trace_records() {
    let place = Place::new();
    append(&ledger(&place), 1);
    let hostile = TraceEntry {
        vcs: VcsRevision::None("no commit yet".into()),
        context: TraceContext {
            actor: bailiwick_domain::Actor::root("codex", "sess 1/ü#?"),
            model: Some("m".repeat(300)),
            ..entry(2).context
        },
        ..entry(2)
    };
    block_on(ledger(&place).append(&hostile)).unwrap();
    let schema = schema();
    for line in lines(&place) {
        let record: Value = serde_json::from_slice(&line).unwrap();
        let errors: Vec<String> = schema.iter_errors(&record).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
    assert!(!schema.is_valid(&serde_json::json!({"version": "0.1.0"})), "the schema can refuse");
}

// K-19, K-18, REQ 136, REQ 137, REQ 138, REQ 164
#[test]
fn req_138_records_carry_the_older_names_too() {
    let place = Place::new();
    append(&ledger(&place), 1);
    let record: Value = serde_json::from_slice(&lines(&place)[0]).unwrap();
    assert_eq!(record["id"], uuid(1));
    assert_eq!(record["timestamp"], sample::now().to_string());
    assert_eq!(record["vcs"], serde_json::json!({"type": "git", "revision": COMMIT, "revision_id": COMMIT}));
    assert_eq!(record["agent"]["session_id"], sample::actor().session);
    assert_eq!(record["agent"]["contributor"]["entity_type"], "AI");
    assert_eq!(record["agent"]["contributor"]["model_identifier"], "claude-opus-4-5");
    let file = &record["files"][0];
    assert_eq!((&file["path"], &file["relative_path"]), (&"src/a.rs".into(), &"src/a.rs".into()));
    let talk = &file["conversations"][0];
    assert_eq!(
        talk["contributor"],
        serde_json::json!({"type": "ai", "model_id": "anthropic/claude-opus-4-5"})
    );
    let hash = block_hash(b"B");
    assert_eq!(talk["ranges"], serde_json::json!([{"start_line": 2, "end_line": 2, "content_hash": hash}]));
    let related = serde_json::json!([
        {"type": "intent", "value": "INT-001", "url": "urn:intent:INT-001"},
        {"type": "requirement", "value": "REQ-7", "url": "urn:requirement:REQ-7"},
        {"type": "requirement", "value": "REQ ü/8", "url": "urn:requirement:REQ%20%C3%BC%2F8"},
        {"type": "session", "value": "s1", "url": "urn:session:s1"},
    ]);
    assert_eq!(talk["related"], related);
    let own = &record["metadata"]["dev.bailiwick"];
    assert_eq!((&own["seq"], &own["approved_by"]), (&0.into(), &"somebody".into()));
    assert_eq!(own["files"][2]["binary"], true);
    assert_eq!(own["files"][1]["removed"][0]["previous_hash"], block_hash(b"x").as_str());
}

// K-23
#[test]
fn without_a_commit_there_is_a_reason_and_no_made_up_revision() {
    let place = Place::new();
    block_on(ledger(&place).append(&TraceEntry { vcs: VcsRevision::None("unborn HEAD".into()), ..entry(1) }))
        .unwrap();
    let record: Value = serde_json::from_slice(&lines(&place)[0]).unwrap();
    assert_eq!(record.get("vcs"), None);
    assert_eq!(record["metadata"]["dev.bailiwick"]["vcs"]["none"], "unborn HEAD");
}

#[test]
fn entries_come_back_whole() {
    let place = Place::new();
    append(&ledger(&place), 1);
    let found = block_on(ledger(&place).recent(&sample::intent_id("INT-001"), 1)).unwrap();
    assert_eq!(found, [entry(1)]);
}

// K-24, D-26: a record whose writer was killed right before its LF is one, and is not recorded again.
#[test]
fn a_record_that_only_lacks_its_line_end_counts() {
    let place = Place::new();
    (1..4).for_each(|n| append(&ledger(&place), n));
    let whole = fs::read(ledger(&place).live_file()).unwrap();
    let count = || {
        let found = block_on(ledger(&place).of_session(&sample::actor(), entry(1).timestamp, 10));
        found.unwrap().entries.len()
    };
    assert_eq!(count(), 3);
    fs::write(ledger(&place).live_file(), &whole[..whole.len() - 1]).unwrap();
    assert_eq!(count(), 3);
    fs::write(ledger(&place).live_file(), &whole[..whole.len() - 2]).unwrap();
    assert_eq!(count(), 2);
}

// K-22, D-23, REQ 139, REQ 147
#[test]
fn req_147_the_checksum_covers_the_whole_line() {
    let place = Place::new();
    append(&ledger(&place), 1);
    let line = lines(&place).remove(0);
    let mut record: Value = serde_json::from_slice(&line).unwrap();
    let checksum = record.as_object_mut().unwrap().remove("checksum").unwrap();
    let canonical = serde_json_canonicalizer::to_vec(&record).unwrap();
    assert_eq!(checksum, ContentHash::of(&canonical).as_str());
    for at in (0..line.len()).step_by(7) {
        let mut changed = line.clone();
        changed[at] ^= 1;
        assert!(read_ledger_line(&changed).is_err(), "byte {at} of {}", String::from_utf8_lossy(&line));
    }
}

// D-23
#[test]
fn a_line_in_another_form_is_refused() {
    let place = Place::new();
    append(&ledger(&place), 1);
    let line = lines(&place).remove(0);
    let value: Value = serde_json::from_slice(&line).unwrap();
    let pretty = serde_json::to_vec_pretty(&value).unwrap();
    assert_eq!(read_ledger_line(&pretty), Err(LineFault::NotCanonical));
    assert_eq!(read_ledger_line(&[&line[..], b" "].concat()), Err(LineFault::NotCanonical));
}

// K-09, D-22
#[test]
fn req_025_fifty_writers_and_eight_processes_make_one_chain() {
    let place = Place::new();
    place.beside_children(8, "ledger::writer_in_another_process", || {
        std::thread::scope(|scope| {
            for writer in 0..50 {
                let ledger = ledger(&place);
                scope.spawn(move || append(&ledger, writer));
            }
        });
    });
    assert_chain(&place, 50 + 8 * 5);
    assert_view(&place);
}

#[test]
fn writer_in_another_process() {
    let Some(layout) = childs_layout() else { return };
    let ledger = FsLedger::new(layout, Sync::Os);
    (0..5).for_each(|n| append(&ledger, n));
}

// D-26, threat H4: no welded, lost or doubled line.
#[test]
fn sixty_four_processes_append_big_records_to_one_chain() {
    let place = Place::new();
    place.beside_children(64, "ledger::big_writer_in_another_process", || {});
    assert_chain(&place, 64);
    assert_view(&place);
    let lines = lines(&place);
    assert!(lines.iter().all(|line| line.len() > 300_000), "{}", lines[0].len());
    assert!(place.private("ledger/parts/000000000000.jsonl").exists(), "and a new file began meanwhile");
    let ids: std::collections::BTreeSet<String> =
        lines.iter().map(|line| read_ledger_line(line).unwrap().entry.id).collect();
    assert_eq!(ids.len(), 64, "each once");
}

#[test]
fn big_writer_in_another_process() {
    let Some(layout) = childs_layout() else { return };
    let id = usize::try_from(std::process::id()).unwrap();
    let ledger = FsLedger::new(layout, Sync::Os);
    // On a busy machine a writer may be told that the lock is taken; nothing was written then, and it asks again.
    let mut told = (0..60).map(|_| block_on(ledger.append(&with_many_ranges(entry(id)))));
    let outcome = told.find(|outcome| !matches!(outcome, Err(PortError::Locked(_))));
    outcome.unwrap().unwrap();
}

// D-26
#[test]
fn a_torn_tail_is_repaired_wherever_it_was_torn() {
    let place = Place::new();
    let live = place.private("ledger/live.jsonl");
    append(&ledger(&place), 1);
    let first = fs::read(&live).unwrap();
    append(&ledger(&place), 2);
    let both = fs::read(&live).unwrap();
    let edges = [first.len(), first.len() + 1, both.len() - 2, both.len() - 1];
    for cut in (first.len()..both.len()).step_by(101).chain(edges) {
        fs::write(&live, &both[..cut]).unwrap();
        append(&ledger(&place), 3);
        let kept = if cut == both.len() - 1 { 2 } else { 1 };
        assert_chain(&place, kept + 1);
        assert_view(&place);
    }
}

// D-25, K-24
#[test]
fn a_last_line_that_was_edited_stops_the_ledger() {
    let place = Place::new();
    append(&ledger(&place), 1);
    let live = place.private("ledger/live.jsonl");
    let edited = fs::read_to_string(&live).unwrap().replace("src/a.rs", "src/b.rs");
    fs::write(&live, &edited).unwrap();
    assert!(matches!(block_on(ledger(&place).ready()), Err(PortError::Invalid(_))));
    assert!(matches!(block_on(ledger(&place).append(&entry(2))), Err(PortError::Invalid(_))));
    assert_eq!(fs::read_to_string(&live).unwrap(), edited, "nothing is hidden");
}

// D-22
#[test]
fn the_view_is_made_again_when_it_does_not_fit() {
    let place = Place::new();
    append(&ledger(&place), 1);
    append(&ledger(&place), 2);
    let whole = fs::read(view(&place)).unwrap();
    let longer = [&whole[..], b"more\n"].concat();
    let other = whole.iter().map(|byte| byte ^ 1).collect::<Vec<u8>>();
    for broken in [None, Some(&b""[..]), Some(&whole[..10]), Some(&longer), Some(&other)] {
        match broken {
            Some(bytes) => fs::write(view(&place), bytes).unwrap(),
            None => fs::remove_file(view(&place)).unwrap(),
        }
        append(&ledger(&place), 3);
        assert_view(&place);
    }
}

// D-22, threat C3
#[cfg(unix)]
#[test]
fn the_view_is_never_written_through_a_symlink() {
    let place = Place::new();
    let victim = place.dir.path().join("victim");
    fs::write(&victim, b"mine").unwrap();
    std::os::unix::fs::symlink(&victim, view(&place)).unwrap();
    assert!(matches!(block_on(ledger(&place).ready()), Err(PortError::Unavailable(_))));
    append(&ledger(&place), 1);
    assert_eq!(fs::read(&victim).unwrap(), b"mine");
    assert_chain(&place, 1);
}

// K-24
#[test]
fn a_ledger_that_cannot_be_written_is_not_ready() {
    let place = Place::new();
    block_on(ledger(&place).ready()).unwrap();
    let live = place.private("ledger/live.jsonl");
    fs::remove_file(&live).unwrap();
    fs::create_dir(&live).unwrap();
    assert!(block_on(ledger(&place).ready()).is_err());
    assert!(block_on(ledger(&place).append(&entry(1))).is_err());
}

// K-07
#[test]
fn a_missing_store_is_not_brought_back_by_the_ledger() {
    let place = Place::new();
    fs::remove_dir(place.layout().orchestration()).unwrap();
    assert!(block_on(ledger(&place).ready()).is_err());
    append(&ledger(&place), 1);
    assert!(!place.layout().orchestration().exists());
    assert_chain(&place, 1);
}
