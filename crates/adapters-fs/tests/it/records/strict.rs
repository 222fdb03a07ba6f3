//! The record for readers that take no unknown member: valid for them, and nothing is lost on the way.

use bailiwick_adapters_fs::{read_foreign_trace, strict_record};
use bailiwick_domain::testing::arbitrary;
use bailiwick_domain::{TraceEntry, Value, json};
use proptest::prelude::*;

use super::{agent_trace, assert_valid, forms, record, validator_of, written, written_by};

/// Makes the stored record out of the strict one, as anybody could who knows the published form.
fn stored_again(mut record: Value) -> Value {
    let own = record["metadata"]["dev.bailiwick"].clone();
    let members = record["metadata"]["dev.bailiwick"].as_object_mut().unwrap();
    let chain: Vec<(&str, Option<Value>)> =
        ["prev", "checksum", "signature"].into_iter().map(|name| (name, members.remove(name))).collect();
    for (name, value) in chain {
        if let Some(value) = value {
            record[name] = value;
        }
    }
    let by_human = own.get("restores").is_some();
    let model = if by_human { "none" } else { own["model"].as_str().unwrap_or("unknown") };
    let kind = if by_human { "HUMAN" } else { "AI" };
    record["agent"] = json!({
        "session_id": own["session_id"],
        "contributor": {"entity_type": kind, "model_identifier": model},
    });
    if let Some(vcs) = record.get_mut("vcs") {
        vcs["revision_id"] = vcs["revision"].clone();
    }
    for index in 0..record["files"].as_array().unwrap().len() {
        let symbols = record["metadata"]["dev.bailiwick"]["files"][index].as_object_mut().unwrap();
        let symbols = symbols.remove("symbols").unwrap_or_default();
        let file = &mut record["files"][index];
        file["relative_path"] = file["path"].clone();
        let talk = &mut file["conversations"][0];
        for (range, symbol) in
            talk["ranges"].as_array_mut().unwrap().iter_mut().zip(symbols.as_array().into_iter().flatten())
        {
            if !symbol.is_null() {
                range["symbol"] = symbol.clone();
            }
        }
        let mut requirements = own["requirements"].as_array().unwrap().iter();
        for link in talk["related"].as_array_mut().unwrap() {
            link["value"] = match link["type"].as_str().unwrap() {
                "intent" => own["intent"].clone(),
                "session" => own["session_id"].clone(),
                _ => requirements.next().unwrap().clone(),
            };
            if link["type"] == "requirement" && own["derived"] == true {
                link["derived"] = json!(true);
            }
        }
    }
    record
}

fn check(entries: &[TraceEntry]) {
    let (strict, readme) = (validator_of("agent-trace-0.1.0-strict.schema.json"), agent_trace());
    for line in written(entries).into_iter().chain(written_by(entries, Some(&[7; 32]))) {
        let exported = strict_record(record(&line));
        assert_valid(&strict, &exported);
        assert_valid(&readme, &exported);
        let read = read_foreign_trace(exported.to_string().as_bytes());
        assert_eq!(
            (read.records.len(), read.others),
            (1, 0),
            "whoever gets it can read it the way it reads others'"
        );
        assert_eq!(read.records[0].files.len(), exported["files"].as_array().unwrap().len());
        let again = serde_json_canonicalizer::to_vec(&stored_again(exported)).unwrap();
        assert_eq!(
            String::from_utf8(again).unwrap(),
            line,
            "byte for byte, so that its checksum still proves it"
        );
    }
}

// K-19, REQ 138
#[test]
fn every_form_is_valid_for_strict_readers() {
    check(&forms::all().into_iter().map(|(_, entry)| entry).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    // K-19
    #[test]
    fn any_record_is_valid_for_strict_readers_and_loses_nothing(
        entries in prop::collection::vec(arbitrary::trace_entry(), 1..4)
    ) {
        check(&entries);
    }
}
