//! Trace records of other programs: every version of Agent Trace that is about can be read, and nothing is made up.

use bailiwick_adapters_fs::{ForeignTrace, read_foreign_trace};
use bailiwick_domain::{block_hash, json};
use proptest::prelude::*;

const EXAMPLE: &str = include_str!("../data/agent-trace-0.1.0-example-6.2.json");
const MINIMAL: &str = include_str!("../data/agent-trace-0.1.0-example-minimal.json");

fn read(text: &str) -> ForeignTrace {
    read_foreign_trace(text.as_bytes())
}

// K-19
#[test]
fn the_examples_of_the_specification_are_read() {
    let trace = read(&format!("{EXAMPLE}\n{MINIMAL}"));
    assert_eq!((trace.records.len(), trace.others), (2, 0));
    let [full, minimal] = trace.records.as_slice() else { panic!("{trace:?}") };
    assert_eq!(full.tool.as_deref(), Some("cursor 2.4.0"));
    assert_eq!(full.revision.as_deref(), Some("a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0"));
    let range = &full.files[0].ranges[0];
    assert_eq!((range.start_line, range.end_line, range.contributor.as_str()), (42, 67, "ai"));
    assert_eq!(range.model.as_deref(), Some("anthropic/claude-opus-4-5-20251101"));
    assert_eq!(range.content_hash, None, "a 32-bit hash proves nothing");
    assert_eq!(full.files[1].path.as_ref().unwrap().as_str(), "src/utils/helpers.ts");
    assert_eq!((&minimal.tool, &minimal.revision), (&None, &None));
}

// K-19: `X.Y` versions, offsets, a tool without a version, a contributor of one range, older names.
#[test]
fn what_writers_really_write_is_read() {
    let hash = block_hash(b"x");
    let reference = json!({
        "version": "1.0", "id": "a", "timestamp": "2026-02-16T12:00:00+01:00", "tool": {"name": "cursor"},
        "files": [{"path": ".shell-history", "conversations": [{"contributor": {"type": "ai"},
            "ranges": [{"start_line": 1, "end_line": 1}]}]}],
    });
    let mixed = json!({
        "version": "0.1", "id": "b", "timestamp": "2026-02-16T12:00:00Z", "extra": [1],
        "files": [{"path": "./src/a.rs", "conversations": [{"contributor": {"type": "mixed", "model_id": "m"},
            "ranges": [{"start_line": 1, "end_line": 2, "content_hash": hash, "contributor": {"type": "human"}}]}]}],
    });
    let older = json!({
        "id": "c", "timestamp": "2026-02-16T12:00:00Z", "vcs": {"revision_id": "abc"},
        "agent": {"session_id": "s", "contributor": {"entity_type": "AI", "model_identifier": "opus"}},
        "files": [{"relative_path": "src/b.rs", "conversations": [{"url": "log", "ranges": [
            {"start_line": 3, "end_line": 4, "content_hash": "sha256:short"}]}]}],
    });
    let nothing = json!({"version": "0.1.0", "id": "d", "timestamp": "2026-02-16T12:00:00Z", "files": []});
    let trace = read(&json!([[reference, mixed], older, nothing]).to_string());
    assert_eq!((trace.records.len(), trace.others), (4, 0), "{trace:?}");
    let [reference, mixed, older, nothing] = trace.records.as_slice() else { panic!("{trace:?}") };
    assert_eq!(reference.tool.as_deref(), Some("cursor"));
    assert_eq!(reference.timestamp.as_deref(), Some("2026-02-16T12:00:00+01:00"));
    let range = &mixed.files[0].ranges[0];
    assert_eq!((range.contributor.as_str(), range.model.as_deref()), ("human", Some("m")));
    assert_eq!(range.content_hash, Some(hash));
    assert_eq!(mixed.files[0].path.as_ref().unwrap().as_str(), "src/a.rs");
    let (file, range) = (&older.files[0], &older.files[0].ranges[0]);
    assert_eq!((file.spelled.as_str(), older.revision.as_deref()), ("src/b.rs", Some("abc")));
    assert_eq!((range.contributor.as_str(), range.model.as_deref()), ("ai", Some("opus")));
    assert_eq!(range.content_hash, None);
    assert!(nothing.files.is_empty());
}

#[test]
fn what_is_no_record_is_counted_and_hides_nothing() {
    let line = |id: &str| json!({"id": id, "files": []}).to_string();
    let text = format!(
        "\u{feff}{}\r\nnot json {{\n\n{{\"torn\":\n{}\n{{\"id\":7,\"files\":[]}}\n\"text\"\n{}",
        line("1"),
        line("2"),
        line("3")
    );
    let trace = read(&text);
    let ids: Vec<&str> = trace.records.iter().map(|record| record.id.as_str()).collect();
    assert_eq!((ids, trace.others), (vec!["1", "2", "3"], 4), "{trace:?}");
    assert_eq!(read("").others + read(" \n ").others, 0);
    let outside = json!({"id": "1", "files": [{"path": "../x"}, {"path": "/etc/passwd"}, {}]}).to_string();
    let trace = read(&outside);
    assert!(trace.records[0].files.iter().all(|file| file.path.is_none()), "{trace:?}");
    assert_eq!(read_foreign_trace(b"\xff\xfe{}").others, 1);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_it_stop(bytes in prop::collection::vec(any::<u8>(), 0..200), cut: prop::sample::Index) {
        read_foreign_trace(&bytes);
        let text = EXAMPLE.trim_end().as_bytes();
        let cut = cut.index(text.len());
        let trace = read_foreign_trace(&text[..cut]);
        prop_assert!(trace.records.is_empty());
    }
}
