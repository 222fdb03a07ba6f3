//! The JSON schema of the intents file, and the page for newcomers: both say what the reader reads.

use bailiwick_adapters_fs::intents_schema;
use bailiwick_domain::Value;

use crate::intents::Store;

const PAGE: &str = include_str!("../../../../docs/intent-language.md");
const PUBLISHED: &str = include_str!("../../../../docs/protocol/active-intents.schema.json");

fn errors(yaml: &str) -> Vec<String> {
    let document: Value = serde_yaml::from_str(yaml).unwrap();
    let validator = jsonschema::validator_for(&intents_schema()).unwrap();
    validator.iter_errors(&document).map(|error| format!("{} at {}", error, error.instance_path())).collect()
}

// REQ 7
#[test]
fn req_007_the_published_schema_is_the_generated_one() {
    let published: Value = serde_json::from_str(PUBLISHED).unwrap();
    assert_eq!(
        published,
        intents_schema(),
        "run `bailiwick intent schema > docs/protocol/active-intents.schema.json`"
    );
}

// REQ 7: what the page for newcomers shows is valid, by the schema and by the reader
#[test]
fn req_007_each_whole_example_of_the_page_is_valid() {
    let blocks = PAGE.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let whole: Vec<&str> = blocks.filter(|block| block.starts_with("active_intents:")).collect();
    assert_eq!(whole.len(), 2);
    for yaml in whole {
        assert_eq!(errors(yaml), [""; 0], "{yaml}");
        let report = Store::new(yaml).repo().load_report().unwrap();
        assert!(report.errors.is_empty(), "{:?}", report.errors);
    }
}

// REQ 7: the schema refuses what the reader refuses
#[test]
fn req_007_the_schema_agrees_with_the_reader() {
    let intent =
        |rest: &str| format!("active_intents:\n  - id: INT-001\n    name: One\n    status: PENDING\n{rest}");
    for (rest, is_valid) in [
        ("    owned_scope: [src/]\n", true),
        ("    constraints: [Stay small, {max_files: 3}, {text: a, because: b, check: {run: c}}]\n", true),
        ("    acceptance_criteria: [Done, {text: a, check: human, id: AC-1}]\n", true),
        ("    kind: refactor\n    parent: null\n    frozen: true\n", true),
        ("    expires: \"2026-02-18T12:00:00Z\"\n    examples: {allow: [a], deny: []}\n", true),
        ("    owned_scopes: [src/]\n", false),
        ("    kind: refactr\n", false),
        ("    constraints: [{max_files: 0}]\n", false),
        ("    constraints: [{max_seconds: 3}]\n", false),
        ("    acceptance_criteria: [{id: AC-1}]\n", false),
        ("    expires: tomorrow\n", false),
        ("    examples: {allowed: [a]}\n", false),
        ("    frozen: maybe\n", false),
    ] {
        let yaml = intent(rest);
        let read = Store::new(&yaml).repo().load_report().unwrap();
        assert_eq!((errors(&yaml).is_empty(), read.errors.is_empty()), (is_valid, is_valid), "{rest}");
    }
}
