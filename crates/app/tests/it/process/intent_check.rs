//! `bailiwick intent check` at the command line: levels, places, forms of output, and what `--fix` writes.

use bailiwick_domain::{IntentRule, Value};

use super::machine::Machine;
use crate::world::{World, json as parsed, said};

const INTENTS_FILE: &str = ".orchestration/active_intents.yaml";

fn run(world: &World, words: &[&str]) -> (Option<i32>, String) {
    let output = world.run(words);
    (output.status.code(), said(&output))
}

fn text(machine: &Machine) -> String {
    crate::world::read(&machine.root().join(INTENTS_FILE))
}

const LOOSE: &str = "\
active_intents:
  # what the team agreed on
  - id: INT-001
    name: Rotate tokens
    status: in progress   # since Monday
    why: Stolen tokens stay valid
    requirements: [REQ-1]
    owned_scope: [\"src/**\", lib/gone/]
    acceptance_criteria:
      - text: A reused token is refused
        check: {run: cargo test}
    examples:
      allow: [src/auth/jwt.rs]
      deny: [src/billing/tax.rs]
";

// REQ 7, K-07: each diagnostic has a code, a place, a reason and a fix
#[test]
fn req_007_check_names_code_place_reason_and_fix() {
    let machine = Machine::new();
    machine.write("src/auth/jwt.rs", "fn sign() {}\n");
    machine.write("src/billing/tax.rs", "fn tax() {}\n");
    machine.write(INTENTS_FILE, LOOSE);
    let (code, text) = run(&machine.world, &["intent", "check", "--level", "3"]);
    assert_eq!(code, Some(1), "{text}");
    for said in [
        "error: .orchestration/active_intents.yaml:14:14: `src/billing/tax.rs` must not be in the scope of `INT-001`, and is (narrow `owned_scope`, or exclude it with `!`) [example-deny]",
        "warning: .orchestration/active_intents.yaml:8:29: `lib/gone/` matches no file",
        "[other-spelling]",
        "[loose-scope]",
        "INT-001 owns ",
        "keeps out 1 of 5 near misses",
    ] {
        assert!(text.contains(said), "{said}\nis not in\n{text}");
    }
    let (code, text) = run(&machine.world, &["intent", "check", "--level", "1"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(!text.contains("example-deny"), "{text}");
    assert_eq!(run(&machine.world, &["intent", "check", "--level", "1", "--deny-warnings"]).0, Some(1));
}

// REQ 7: the same for programs
#[test]
fn req_007_check_speaks_json_and_sarif() {
    let machine = Machine::new();
    machine.write("src/billing/tax.rs", "fn tax() {}\n");
    machine.write(INTENTS_FILE, LOOSE);
    let out = |words: &[&str]| parsed(&String::from_utf8(machine.world.run(words).stdout).unwrap());
    let json: Value = out(&["intent", "check", "--level", "3", "--json"]);
    let error = &json["errors"][0];
    assert_eq!((&error["code"], &error["line"]), (&"example-deny".into(), &14.into()), "{json}");
    assert_eq!(json["scopes"][0]["intent"], "INT-001");
    let sarif: Value = out(&["intent", "check", "--level", "3", "--sarif"]);
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    let ids: Vec<&str> = run["tool"]["driver"]["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| rule["id"].as_str().unwrap())
        .collect();
    let results = run["results"].as_array().unwrap();
    let told = json["errors"].as_array().unwrap().len() + json["warnings"].as_array().unwrap().len();
    assert_eq!(results.len(), told);
    for result in results {
        assert!(ids.contains(&result["ruleId"].as_str().unwrap()), "{result}");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], INTENTS_FILE);
        assert!(place["region"]["startLine"].as_u64().unwrap() > 0);
    }
}

// REQ 7, K-47: only the spelling changes, comments and order stay, and the intent is the same one
#[test]
fn req_007_fix_writes_canonical_spellings_and_nothing_else() {
    let machine = Machine::new();
    let odd = LOOSE
        .replace("active_intents:", "intents:")
        .replace("- id:", "- intent_id:")
        .replace("name:", "title:")
        .replace("in progress", "'in progress'");
    machine.write(INTENTS_FILE, &odd);
    let (_, text) = run(&machine.world, &["intent", "check", "--fix"]);
    assert!(text.contains("fixed 4 spellings"), "{text}");
    let now = self::text(&machine);
    assert_eq!(now, LOOSE.replace("in progress", "IN_PROGRESS"));
    let (_, text) = run(&machine.world, &["intent", "check", "--fix"]);
    assert!(!text.contains("fixed") && self::text(&machine) == now, "{text}");
}

// D-42
#[test]
fn check_runs_nothing_and_writes_nothing() {
    let machine = Machine::new();
    machine.write(INTENTS_FILE, &LOOSE.replace("cargo test", "touch ran"));
    let before = machine.world.git_status();
    run(&machine.world, &["intent", "check", "--level", "3"]);
    assert_eq!(machine.world.git_status(), before);
    assert!(!machine.root().join("ran").exists());
}

// REQ 7: the page has each code with its level, and no other
#[test]
fn req_007_each_code_is_documented() {
    let page = include_str!("../../../../../docs/protocol/intent-check.md");
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        Some((cells.next()?.trim_end_matches('`').to_owned(), cells.next()?.parse::<u8>().ok()?))
    };
    let documented: Vec<(String, u8)> = page.lines().filter_map(row).collect();
    let known: Vec<(String, u8)> =
        IntentRule::ALL.iter().map(|rule| (rule.code().to_owned(), rule.level())).collect();
    assert_eq!(documented, known);
}

// REQ 7: the Markdown view leaves no field out, and no text of it is markup
#[test]
fn req_007_the_markdown_view_has_every_field() {
    let machine = Machine::new();
    machine.write(
        INTENTS_FILE,
        "\
active_intents:
  - {id: INT-010, name: Above, status: IN_PROGRESS, owned_scope: [src/], constraints: [Said above]}
  - id: INT-001
    name: Rotate *tokens*
    kind: refactor
    status: PENDING
    parent: INT-010
    why: Stolen tokens stay valid
    requirements: [REQ-1]
    owned_scope: [src/auth/, \"!src/auth/old/\"]
    allow_broad: true
    constraints:
      - text: Format stays
        because: Clients parse it
        check: {run: cargo test format}
      - forbid_paths: [src/auth/migrations/]
      - forbid_tools: [execute_command]
      - max_files: 12
      - max_lines: 400
    acceptance_criteria:
      - id: AC-1
        text: It is refused
        check: {file: out.txt}
      - text: Somebody read it
        check: human
    examples: {allow: [src/auth/jwt.rs], deny: [src/billing/tax.rs]}
    assumptions: [Clocks agree]
    notes: For people
    source: {tool: speckit, path: specs/001/spec.md}
    frozen: true
    expires: \"2126-02-18T12:00:00Z\"
",
    );
    let (code, text) = run(&machine.world, &["intent", "show", "INT-001", "--md"]);
    assert_eq!(code, Some(0), "{text}");
    for said in [
        "# INT-001 Rotate \\*tokens\\*",
        "- Status: PENDING",
        "- Frozen",
        "- Kind: refactor",
        "- Parent: INT-010",
        "- Expires: 2126-02-18",
        "Stolen tokens stay valid",
        "- REQ-1",
        "- `src/auth/`",
        "- `!src/auth/old/`",
        "- broad on purpose",
        "- only within INT-010: `src/`",
        "- must own `src/auth/jwt.rs`",
        "- must not own `src/billing/tax.rs`",
        "- Format stays (because: Clients parse it); run `cargo test format`",
        "- enforced: no change to src/auth/migrations/",
        "- enforced: no use of execute\\_command",
        "- enforced: at most 12 files changed",
        "- enforced: at most 400 lines changed",
        "- Said above (from a parent)",
        "- **AC-1** It is refused; file `out.txt`",
        "- Somebody read it; a person says so",
        "- Clocks agree",
        "For people",
        "- tool: `speckit`",
        "- path: `specs/001/spec.md`",
    ] {
        assert!(text.contains(said), "{said}\nis not in\n{text}");
    }
    assert!(!text.contains("- Format stays (because: Clients parse it) (from a parent)"), "{text}");
}

// REQ 7: the schema is printed anywhere
#[test]
fn req_007_the_schema_needs_no_repository() {
    let world = World::new();
    let schema = parsed(&world.ok(&["intent", "schema"]));
    assert_eq!(schema["required"][0], "active_intents");
}
