//! The published schema of `details` is that of the types that fill them in.

use bailiwick_domain::{ErrorCode, Map, ToolError, Value, json};
use expect_test::expect_file;

/// What hosts add to an error: a shortened one says so, and a call from elsewhere is told the governed root.
fn of_hosts() -> Map<String, Value> {
    let keys = json!({
        "root": { "description": "The governed repository.", "type": "string" },
        "shortened": { "const": true, "description": "Long details were cut, so that the host cuts nothing." },
    });
    keys.as_object().cloned().unwrap()
}

/// All types that a key may have.
fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    }
}

#[test]
fn the_published_schema_of_details_is_that_of_their_types() {
    let mut keys = bailiwick_policy::details_schema();
    for (key, schema) in bailiwick::gate::details_schema().into_iter().chain(of_hosts()) {
        let known = keys.entry(key.clone()).or_insert_with(|| schema.clone());
        assert!(types(&schema).iter().all(|one| types(known).contains(one)), "{key}: {known} and {schema}");
    }
    let page = include_str!("../../../../docs/protocol/tool-error.schema.json");
    let mut page: Value = serde_json::from_str(page).unwrap();
    page["properties"]["details"]["properties"] = Value::Object(keys);
    let page = format!("{}\n", serde_json::to_string_pretty(&page).unwrap());
    expect_file!["../../../../docs/protocol/tool-error.schema.json"].assert_eq(&page);
}

#[test]
fn a_detail_may_be_left_out_and_may_not_be_of_another_type() {
    let page = include_str!("../../../../docs/protocol/tool-error.schema.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(page).unwrap()).unwrap();
    let is_valid = |details: Value| {
        let error = ToolError::new(ErrorCode::ApprovalPending, "x").with_details(&details);
        schema.is_valid(&serde_json::to_value(error).unwrap())
    };
    assert!(is_valid(json!({ "retry": { "same_call": true } })));
    assert!(is_valid(json!({ "feedback": null, "expected": null, "parent": "INT-001" })));
    assert!(!is_valid(json!({ "retry": { "alternative": true } })));
    assert!(!is_valid(json!({ "parent": 1 })) && !is_valid(json!({ "also": [] })));
}
