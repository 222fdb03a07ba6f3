//! The record as a published form: what it holds, under which schemas it is valid, and that what was once written is
//! read for ever (K-18 to K-23, D-23, D-24).

mod forms;
mod golden;
mod schema;
mod strict;

use std::path::{Path, PathBuf};

use bailiwick_adapters_fs::FsLedger;
use bailiwick_domain::testing::arbitrary;
use bailiwick_domain::{ContentHash, Ledger, Sync, TraceEntry, Value, json};
use pollster::block_on;
use proptest::prelude::*;

use crate::place::Place;

/// The lines that the ledger writes for these entries.
fn written(entries: &[TraceEntry]) -> Vec<String> {
    written_by(entries, None)
}

/// The same, signed with this key.
fn written_by(entries: &[TraceEntry], key: Option<&[u8; 32]>) -> Vec<String> {
    let place = Place::new();
    if let Some(key) = key {
        place.keeps_key(key);
    }
    let ledger = FsLedger::new(place.layout(), Sync::Os).with_signing(key.is_some());
    for entry in entries {
        block_on(ledger.append(entry)).unwrap();
    }
    let text = std::fs::read_to_string(place.private("ledger/live.jsonl")).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn record(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::options().should_validate_formats(true).build(schema).unwrap()
}

fn validator_of(name: &str) -> jsonschema::Validator {
    validator(&serde_json::from_slice(&std::fs::read(data(name)).unwrap()).unwrap())
}

fn agent_trace() -> jsonschema::Validator {
    validator_of("agent-trace-0.1.0.schema.json")
}

fn seed() -> jsonschema::Validator {
    validator_of("seed-record.schema.json")
}

#[track_caller]
fn assert_valid(schema: &jsonschema::Validator, record: &Value) {
    let errors: Vec<String> =
        schema.iter_errors(record).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{record:#}");
}

/// Everything that an entry has to say, and where its record says it; `null` is a value like another.
fn fields(form: &str) -> Vec<(&'static str, Value)> {
    let own = |name: &'static str, value: Value| (name, value);
    match form {
        "edit" => vec![
            ("/version", json!("0.1.0")),
            ("/timestamp", json!("2026-02-18T12:00:00.000Z")),
            ("/vcs/type", json!("git")),
            ("/vcs/revision", json!(forms::COMMIT)),
            ("/vcs/revision_id", json!(forms::COMMIT)),
            ("/tool/name", json!("bailiwick")),
            ("/agent/session_id", json!("s1")),
            ("/agent/contributor/entity_type", json!("AI")),
            ("/agent/contributor/model_identifier", json!("claude-opus-4-5")),
            ("/files/0/path", json!("src/auth/jwt.rs")),
            ("/files/0/relative_path", json!("src/auth/jwt.rs")),
            ("/files/0/conversations/0/url", json!("urn:session:s1")),
            (
                "/files/0/conversations/0/contributor",
                json!({"type": "ai", "model_id": "anthropic/claude-opus-4-5"}),
            ),
            ("/files/0/conversations/0/ranges/0/start_line", json!(2)),
            ("/files/0/conversations/0/ranges/0/end_line", json!(2)),
            ("/files/0/conversations/0/ranges/0/content_hash", json!(forms::hash("    seal(claims)"))),
            ("/files/0/conversations/0/ranges/0/symbol/path", json!("Session.renew")),
            ("/files/0/conversations/0/ranges/0/symbol/kind", json!("function")),
            ("/files/0/conversations/0/ranges/0/symbol/structural_hash", json!(forms::hash("(function)"))),
            (
                "/files/0/conversations/0/related/0",
                json!({"type": "intent", "value": "INT-001", "url": "urn:intent:INT-001"}),
            ),
            (
                "/files/0/conversations/0/related/1",
                json!({"type": "requirement", "value": "REQ-1", "url": "urn:requirement:REQ-1"}),
            ),
            own("/metadata/dev.bailiwick/intent", json!("INT-001")),
            own("/metadata/dev.bailiwick/revision", json!(forms::revision())),
            own("/metadata/dev.bailiwick/requirements", json!(["REQ-1"])),
            own("/metadata/dev.bailiwick/derived", json!(false)),
            own("/metadata/dev.bailiwick/mutation/class", json!("INTENT_EVOLUTION")),
            own("/metadata/dev.bailiwick/mutation/method", json!("unexplained")),
            own("/metadata/dev.bailiwick/mutation/evidence/0/what", json!("`sign` is now `seal`")),
            own("/metadata/dev.bailiwick/approval", json!("ap-00000001")),
            own("/metadata/dev.bailiwick/approved_by", json!("dana")),
            own("/metadata/dev.bailiwick/approved_at", json!("2026-02-18T11:59:50.000Z")),
            own("/metadata/dev.bailiwick/fingerprint", json!(forms::fingerprint())),
            own("/metadata/dev.bailiwick/tool", json!("edit_file")),
            own("/metadata/dev.bailiwick/host", json!("claude-code")),
            own("/metadata/dev.bailiwick/session_id", json!("s1")),
            own("/metadata/dev.bailiwick/agent_id", Value::Null),
            own("/metadata/dev.bailiwick/model", json!("claude-opus-4-5")),
            own("/metadata/dev.bailiwick/revision_id", json!(forms::COMMIT)),
            own("/metadata/dev.bailiwick/vcs", json!({"commit": forms::COMMIT})),
            own("/metadata/dev.bailiwick/seq", json!(0)),
            own("/metadata/dev.bailiwick/files/0/change", json!("modified")),
            own("/metadata/dev.bailiwick/files/0/before/content", json!(forms::hash("before"))),
            own("/metadata/dev.bailiwick/files/0/after/content", json!(forms::hash("after"))),
            own("/metadata/dev.bailiwick/files/0/binary", json!(false)),
            own("/metadata/dev.bailiwick/files/0/landmarks/0/above", json!(forms::line_hash("fn renew() {"))),
            own("/metadata/dev.bailiwick/files/0/landmarks/0/below", json!(forms::line_hash("}"))),
            ("/prev", Value::Null),
        ],
        "without-a-commit" => vec![
            own("/metadata/dev.bailiwick/revision_id", Value::Null),
            own("/metadata/dev.bailiwick/vcs/none", json!("no commit yet")),
        ],
        "derived-requirement" => vec![
            own("/metadata/dev.bailiwick/derived", json!(true)),
            own("/metadata/dev.bailiwick/requirements", json!(["REQ-INT-001"])),
            ("/files/0/conversations/0/related/1/derived", json!(true)),
        ],
        "delete" => vec![
            own("/metadata/dev.bailiwick/files/0/change", json!("deleted")),
            own("/metadata/dev.bailiwick/files/0/after", json!("absent")),
            own(
                "/metadata/dev.bailiwick/files/0/removed/0",
                json!({"anchor": 0, "previous_hash": forms::hash("gone")}),
            ),
            ("/files/0/conversations/0/ranges", json!([])),
        ],
        "rename" => vec![
            own("/metadata/dev.bailiwick/files/0/moved_to", json!("src/auth/token.rs")),
            own("/metadata/dev.bailiwick/files/0/removed", json!([])),
            own("/metadata/dev.bailiwick/files/1/moved_from", json!("src/auth/jwt.rs")),
            ("/files/1/conversations/0/ranges", json!([])),
        ],
        "binary" => vec![
            own("/metadata/dev.bailiwick/files/0/binary", json!(true)),
            own("/metadata/dev.bailiwick/files/0/after/content", json!(forms::hash("after"))),
            ("/files/0/conversations/0/ranges", json!([])),
        ],
        _ => Vec::new(),
    }
}

// REQ 134, REQ 136, REQ 137, REQ 138, REQ 164, REQ 122, REQ 124, K-18, K-19, K-20, K-21, K-23, K-26, K-44, D-17
#[test]
fn req_164_a_record_says_everything_that_an_entry_knows() {
    for (form, entry) in forms::all() {
        let line = written(std::slice::from_ref(&entry)).remove(0);
        let record = record(&line);
        for (place, value) in fields(form) {
            assert_eq!(record.pointer(place), Some(&value), "{form} {place}\n{record:#}");
        }
        assert_eq!(record["id"], json!(entry.id), "{form}");
        assert!(ContentHash::parse(record["checksum"].as_str().unwrap()).is_some(), "{form}");
        assert_eq!(record.get("vcs").is_some(), form != "without-a-commit", "nothing is made up: {form}");
        assert_eq!(bailiwick_adapters_fs::read_ledger_line(line.as_bytes()).unwrap().entry, entry, "{form}");
    }
}

// K-19
#[test]
fn the_schemas_can_refuse() {
    let good = record(&written(&[forms::named("edit")]).remove(0));
    let without = |name: &str| {
        let mut record = good.clone();
        record.as_object_mut().unwrap().remove(name);
        record
    };
    assert!(!agent_trace().is_valid(&without("version")) && !seed().is_valid(&without("agent")));
    assert!(!validator_of("agent-trace-0.1.0-strict.schema.json").is_valid(&good), "it has names beside");
    let mut bad_link = good.clone();
    bad_link["files"][0]["conversations"][0]["related"] = json!([]);
    assert!(!seed().is_valid(&bad_link), "an entry without an intent");
    let mut bad_time = good;
    bad_time["timestamp"] = json!("yesterday");
    assert!(!agent_trace().is_valid(&bad_time) && !seed().is_valid(&bad_time), "formats are looked at");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    // K-19, K-22, D-23, REQ 136, REQ 138
    #[test]
    fn req_136_any_entry_becomes_a_record_under_every_schema_and_back(
        entries in prop::collection::vec(arbitrary::trace_entry(), 1..4)
    ) {
        let (agent_trace, seed, own) = (agent_trace(), seed(), validator(&schema::closed()));
        for (line, entry) in written(&entries).iter().zip(&entries) {
            let record = record(line);
            assert_valid(&agent_trace, &record);
            assert_valid(&seed, &record);
            assert_valid(&own, &record);
            let read = bailiwick_adapters_fs::read_ledger_line(line.as_bytes()).unwrap();
            prop_assert_eq!(&read.entry, entry);
        }
    }
}
