//! `bailiwick intent graph` and `intent coverage` at the command line: what they link, what they call an orphan, where
//! they find code, and that they run nothing.
#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt;

use bailiwick_domain::{Value, json};

use super::machine::Machine;
use super::trace::change;
use crate::world::{git, json as parsed, said};

const INTENTS_FILE: &str = ".orchestration/active_intents.yaml";

const INTENTS: &str = "\
active_intents:
  - id: GOAL
    name: Logins hold
    kind: goal
    status: PENDING
    owned_scope: []
    requirements: [REQ-0]
  - id: INT-001
    name: Rotate tokens
    parent: GOAL
    status: IN_PROGRESS
    requirements: [REQ-1, REQ-10]
    owned_scope: [src/auth/, docs/tokens.md]
    acceptance_criteria:
      - id: AC-1
        text: \"REQ-1: a reused token is refused\"
        check: {run: ./check.sh}
      - text: REQ-10 has a page
        check: {file: docs/tokens.md}
  - id: INT-002
    name: Core
    status: PENDING
    requirements: [REQ-2]
    owned_scope: [src/auth/jwt.rs, src/core/]
  - id: INT-003
    name: Tidy
    status: PENDING
    owned_scope: [src/tidy/]
";

const A: &str = "pub fn renew() {\n    let token = read_token();\n    store_token_again(token);\n}\n";
const B: &str = "pub fn old_token() {\n    let first = first_token();\n    forget_token_again(first);\n}\n";

/// A machine with changes under INT-001 and one under INT-003.
fn changed() -> Machine {
    let machine = Machine::new();
    machine.write(INTENTS_FILE, INTENTS);
    let mut wire = machine.wire();
    wire.select("INT-001");
    change(&machine, &mut wire, "src/auth/jwt.rs", A);
    change(&machine, &mut wire, "src/auth/old.rs", B);
    wire.select("INT-003");
    change(&machine, &mut wire, "src/tidy/a.rs", "pub fn tidy_it_up() {}\n");
    wire.end();
    machine
}

#[track_caller]
fn asked(machine: &Machine, words: &[&str]) -> Value {
    let output = machine.world.run(words);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    parsed(&String::from_utf8(output.stdout).unwrap())
}

fn links<'v>(graph: &'v Value, kind: &str) -> Vec<&'v Value> {
    graph["links"].as_array().unwrap().iter().filter(|link| link["type"] == kind).collect()
}

// K-18, K-31: intents, requirements, files and symbols, with overlaps and orphans
#[test]
fn the_graph_links_what_was_meant_with_what_was_done() {
    let machine = changed();
    let graph = asked(&machine, &["intent", "graph", "--json"]);
    let parts = links(&graph, "part_of");
    assert_eq!(parts, [&json!({"type": "part_of", "intent": "INT-001", "parent": "GOAL"})]);
    let done = links(&graph, "changed");
    assert_eq!(done.len(), 3, "{graph}");
    assert_eq!(done[0]["file"], "src/auth/jwt.rs");
    assert_eq!(done[0]["symbols"], json!(["renew"]));
    assert_eq!(done[0]["requirements"], json!(["REQ-1", "REQ-10"]));
    assert_eq!(done[0]["in_scope"], true);
    let shared = links(&graph, "overlaps");
    assert_eq!(shared.len(), 1, "a child shares with its parent on purpose: {graph}");
    assert_eq!(shared[0]["intents"], json!(["INT-001", "INT-002"]));
    let requirement = |id: &str| {
        let all = graph["requirements"].as_array().unwrap();
        all.iter().find(|one| one["id"] == id).map(|one| one["implemented"].clone())
    };
    assert_eq!(requirement("REQ-1"), Some(json!(true)));
    assert_eq!(requirement("REQ-INT-003"), Some(json!(true)), "a requirement that is derived");
    assert_eq!(graph["orphans"]["requirements"], json!(["REQ-0", "REQ-2"]));
    let scope = graph["orphans"]["scope"].as_array().unwrap();
    let patterns: Vec<&Value> = scope.iter().map(|one| &one["pattern"]).collect();
    assert_eq!(patterns, ["docs/tokens.md", "src/auth/jwt.rs", "src/core/"]);
}

#[test]
fn the_graph_of_some_intents_holds_what_they_are_linked_to() {
    let machine = changed();
    let graph = asked(&machine, &["intent", "graph", "INT-003", "--json"]);
    let ids: Vec<&Value> = graph["intents"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert_eq!(ids, ["INT-003"]);
    assert_eq!(graph["files"], json!(["src/tidy/a.rs"]));
    let output = machine.world.run(&["intent", "graph", "INT-404"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("valid ids: GOAL, INT-001"), "{}", said(&output));
}

// K-18: code that no open intent owns, by folder, and code that is not as the ledger has it
#[test]
fn the_graph_shows_what_nobody_owns_and_what_drifted() {
    let machine = changed();
    machine.write(
        INTENTS_FILE,
        &INTENTS.replacen("name: Tidy\n    status: PENDING", "name: Tidy\n    status: COMPLETED", 1),
    );
    for file in ["docs/a.md", "docs/deep/b.md", "src/loose.rs"] {
        machine.write(file, "text\n");
    }
    git(&machine.root(), &["add", "-A"]);
    git(&machine.root(), &["commit", "-q", "-m", "all"]);
    let graph = asked(&machine, &["intent", "graph", "--json"]);
    assert_eq!((links(&graph, "drifted").len(), &graph["drift_complete"]), (0, &json!(true)), "{graph}");
    let code = &graph["orphans"]["code"];
    let groups = code["groups"].as_array().unwrap();
    let of = |folder: &str| {
        groups.iter().find(|group| group["folder"] == folder).unwrap_or_else(|| panic!("{code}"))
    };
    let counts = |folder: &str| {
        (of(folder)["whole"].clone(), of(folder)["files"].clone(), of(folder)["recorded"].clone())
    };
    assert_eq!(counts("docs/"), (json!(true), json!(2), json!(0)), "{code}");
    assert_eq!(counts("src/"), (json!(false), json!(1), json!(0)), "{code}");
    assert_eq!(
        counts("src/tidy/"),
        (json!(true), json!(1), json!(1)),
        "written under an intent that is over: {code}"
    );
    let files: Vec<u64> = groups.iter().map(|group| group["files"].as_u64().unwrap()).collect();
    assert!(files.is_sorted_by(|one, next| one >= next), "the largest first: {code}");
    let inside = |group: &&Value| {
        [".orchestration/", "src/auth/", "src/core/", ".claude/"].iter().any(|name| group["folder"] == *name)
    };
    assert_eq!(groups.iter().find(inside), None, "{code}");
    machine.write("src/auth/jwt.rs", "by hand\n");
    machine.write("src/core/new.rs", "by hand\n");
    let graph = asked(&machine, &["intent", "graph", "--json"]);
    let drifted = |intent: &str, file: &str, change: &str| json!({"type": "drifted", "intent": intent, "file": file, "change": change});
    let expected =
        [drifted("INT-001", "src/auth/jwt.rs", "modified"), drifted("INT-002", "src/core/new.rs", "created")];
    assert_eq!(links(&graph, "drifted"), expected.iter().collect::<Vec<_>>());
    let text = machine.world.ok(&["intent", "graph"]);
    for part in [
        "[[\"src/auth/jwt.rs\"]]:::drift\n",
        "|drifted|",
        "[\"docs/ (2 files)\"]",
        "[\"src/tidy/a.rs (recorded)\"]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let some = asked(&machine, &["intent", "graph", "INT-002", "--json"]);
    assert_eq!(some["orphans"]["code"], Value::Null, "{some}");
    assert!(links(&some, "drifted").contains(&&expected[1]), "{some}");
}

#[test]
fn a_picture_names_so_many_folders_that_nobody_owns() {
    let machine = Machine::new();
    machine.write(INTENTS_FILE, INTENTS);
    for nth in 0..30 {
        machine.write(&format!("part-{nth}/a.rs"), "fn a() {}\n");
    }
    let text = machine.world.ok(&["intent", "graph"]);
    let boxes = text.lines().filter(|line| line.starts_with("    u")).count();
    assert!(boxes == 21 && text.contains(" more\"]:::open"), "{text}");
    let graph = asked(&machine, &["intent", "graph", "--json"]);
    assert!(graph["orphans"]["code"]["groups"].as_array().unwrap().len() >= 30, "{graph}");
}

/// What a line of the picture is, when every label in it is taken out.
fn shape(line: &str) -> String {
    let mut out = String::new();
    for (nth, part) in line.split('"').enumerate() {
        if nth % 2 == 0 {
            out.push_str(part);
        } else {
            let is_inert = |c: char| c.is_alphanumeric() || " -_./,()…#;".contains(c);
            assert!(part.chars().all(is_inert), "{part}");
            out.push('L');
        }
    }
    out.chars().filter(|c| !c.is_ascii_digit()).collect()
}

#[test]
fn an_odd_name_stays_a_label_of_the_picture() {
    let machine = Machine::new();
    let odd = r#"end \"]; x[(y)] --> z|w| %%{init: {}}%% <b>&#35;\nsubgraph `a` style q:#fff;"#;
    let file = format!(
        "active_intents:\n  - id: end\n    name: \"{odd}\"\n    status: PENDING\n    requirements: ['REQ \"]-->;']\n    \
         owned_scope: ['src/\"odd\" [1].rs', 'subgraph/']\n"
    );
    machine.write(INTENTS_FILE, &file);
    machine.write("subgraph/end \"]; x --> y.rs", "fn a() {}\n");
    machine.write("o\"]; x[(y)] -->/a.rs", "fn a() {}\n");
    let output = machine.world.run(&["intent", "graph"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut shapes: Vec<String> = text.lines().map(shape).collect();
    shapes.sort();
    shapes.dedup();
    let expected = [
        "    u[L]:::open",
        "  classDef drift stroke-width: px",
        "  classDef open stroke-dasharray:  ",
        "  classDef past stroke-width: px",
        "  end",
        "  f[[L]]:::drift",
        "  i -->|serves| r",
        "  i -.->|drifted| f",
        "  i -.->|owns| s",
        "  i[L]",
        "  r([L]):::open",
        "  s[L]:::open",
        "  subgraph nobody[L]",
        "flowchart LR",
    ];
    assert_eq!(shapes, expected, "{text}");
}

#[test]
fn a_picture_stays_below_what_viewers_draw() {
    let machine = Machine::new();
    let mut file = String::from("active_intents:\n");
    for nth in 0..300 {
        let folder = format!("src/part-{nth}/");
        file.push_str(&format!(
            "  - {{id: INT-{nth}, name: Part {nth}, status: PENDING, requirements: [REQ-{nth}], owned_scope: [{folder}]}}\n"
        ));
    }
    machine.write(INTENTS_FILE, &file);
    let output = machine.world.run(&["intent", "graph"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let links = text.lines().filter(|line| line.contains("|serves|") || line.contains("|owns|")).count();
    assert_eq!(links, 400);
    assert!(text.len() < 50_000 && text.contains("%% 200 links are left out"), "{}", text.len());
    assert!(String::from_utf8_lossy(&output.stderr).contains("--json"));
    assert_eq!(asked(&machine, &["intent", "graph", "--json"])["links"].as_array().unwrap().len(), 600);
}

#[track_caller]
fn states(machine: &Machine, requirement: &str) -> Vec<(String, String)> {
    let coverage = asked(machine, &["intent", "coverage", requirement, "--json"]);
    let files = coverage["requirements"][0]["files"].as_array().unwrap().clone();
    let said = |value: &Value| value.as_str().unwrap().to_owned();
    files.iter().map(|file| (said(&file["file"]), said(&file["state"]))).collect()
}

// K-18: where the code of a requirement is now
#[test]
fn coverage_says_what_became_of_the_code() {
    let machine = changed();
    let of = |a: &str, b: &str| {
        let pair = |file: &str, state: &str| (file.to_owned(), state.to_owned());
        vec![pair("src/auth/jwt.rs", a), pair("src/auth/old.rs", b)]
    };
    assert_eq!(states(&machine, "REQ-1"), of("present", "present"));
    assert_eq!(states(&machine, "REQ-10"), of("present", "present"));
    machine.write("src/auth/jwt.rs", &format!("// above\n\n{A}"));
    std::fs::rename(machine.root().join("src/auth/old.rs"), machine.root().join("src/auth/new.rs")).unwrap();
    assert_eq!(states(&machine, "REQ-1"), of("present", "moved"));
    let moved = asked(&machine, &["intent", "coverage", "REQ-1", "--json"]);
    assert_eq!(moved["requirements"][0]["files"][1]["now"], "src/auth/new.rs");
    assert_eq!(moved["requirements"][0]["code"]["moved"], 1);
    machine.write("src/auth/jwt.rs", &A.replace("    ", "\t\t"));
    machine.write("src/auth/new.rs", "nothing\n");
    assert_eq!(states(&machine, "REQ-1"), of("changed", "gone"));
    let text = machine.world.ok(&["intent", "coverage"]);
    assert!(text.contains("REQ-1  INT-001  code: 1 changed, 1 gone  checks: 1 unmet"), "{text}");
    assert!(text.contains("REQ-2  INT-002  no code  no check"), "{text}");
    let output = machine.world.run(&["intent", "coverage", "REQ-404"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
}

// K-18: what a person took back is not there for the requirement, whatever the file then has
#[test]
fn coverage_calls_what_was_taken_back_gone() {
    let machine = changed();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let edit = change(&machine, &mut wire, "src/auth/jwt.rs", "pub fn another_token() -> u8 {\n    4\n}\n");
    let cut = change(&machine, &mut wire, "src/auth/old.rs", "");
    wire.end();
    let log = asked(&machine, &["trace", "log", "--json"]);
    let first = log["entries"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["id"] != edit.as_str() && one["id"] != cut.as_str());
    let first = first.map(|one| one["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let take_back = |id: &str| {
        asked(&machine, &["restore", "--yes", "--json", "--call", id]);
        states(&machine, "REQ-1").into_iter().map(|(_, state)| state).collect::<Vec<_>>()
    };
    assert_eq!(take_back(&edit), ["present", "present"], "what was written before it is there again");
    assert_eq!(take_back(&cut), ["present", "present"]);
    assert_eq!(take_back(&first[0]), ["gone", "present"]);
    assert_eq!(take_back(&first[1]), ["gone", "gone"]);
    assert!(!machine.root().join("src/auth/old.rs").exists());
    let text = machine.world.ok(&["intent", "coverage", "REQ-1"]);
    assert!(text.contains("code: 2 gone"), "{text}");
    let log = asked(&machine, &["trace", "log", "--json"]);
    let last = log["entries"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
    assert_eq!(take_back(&last), ["gone", "present"], "the taking-back was taken back");
}

// K-18: an edit of what was there before leaves nothing behind when it is taken back, lines that it removed neither
#[test]
fn coverage_does_not_find_an_edit_that_was_taken_back() {
    let machine = Machine::new();
    machine.write(INTENTS_FILE, INTENTS);
    machine.write("src/auth/jwt.rs", A);
    machine.write("src/auth/old.rs", B);
    machine.select("INT-001");
    machine.writes("w1", "src/auth/jwt.rs", "pub fn quite_another() {}\n");
    machine.writes("w2", "src/auth/old.rs", "");
    let all = |state: &str| {
        let files = states(&machine, "REQ-1");
        files.len() == 2 && files.iter().all(|(_, said)| said == state)
    };
    assert!(all("present"), "{:?}", states(&machine, "REQ-1"));
    for id in ["w1", "w2"] {
        asked(&machine, &["restore", "--yes", "--json", "--call", id]);
    }
    assert!(all("gone"), "{:?}", states(&machine, "REQ-1"));
}

// D-42: a query runs nothing and reads what was recorded
#[test]
fn coverage_shows_what_verify_recorded_and_runs_nothing() {
    let machine = changed();
    machine.write("check.sh", "#!/bin/sh\necho ran >> ran.txt\nexit 1\n");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(machine.root().join("check.sh"), mode).unwrap();
    git(&machine.root(), &["add", "-A"]);
    git(&machine.root(), &["commit", "-q", "-m", "all"]);
    let standings = || {
        let coverage = asked(&machine, &["intent", "coverage", "REQ-1", "REQ-10", "--json"]);
        let all = coverage["requirements"].as_array().unwrap().clone();
        let standing = |one: &Value| {
            let checks = one["checks"].as_array().unwrap().clone();
            assert_eq!(checks.len(), 1, "a criterion verifies the requirement that it names: {one}");
            checks[0]["standing"].as_str().unwrap().to_owned()
        };
        all.iter().map(standing).collect::<Vec<_>>()
    };
    assert_eq!(standings(), ["unmet", "unmet"]);
    assert!(!machine.root().join("ran.txt").exists());
    let output = machine.typed(&["allow", "--exact", "--", "./check.sh"], "y\n");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    machine.world.run(&["verify", "INT-001", "--no-lesson"]);
    let last = machine.world.run(&["verify", "INT-001", "--last", "--json"]);
    let last = parsed(&String::from_utf8(last.stdout).unwrap());
    assert_eq!(last["intents"][0]["checks"][0]["standing"], "failing", "{last}");
    assert_eq!(standings(), ["failing", "failing"]);
    let text = machine.world.ok(&["intent", "coverage", "REQ-1"]);
    assert!(text.contains("failing  AC-1"), "{text}");
    assert_eq!(crate::world::read(&machine.root().join("ran.txt")), "ran\n", "a query ran a check");
    let mut wire = machine.wire();
    wire.select("INT-001");
    change(&machine, &mut wire, "src/auth/more.rs", "pub fn more_of_it() {}\n");
    wire.end();
    assert_eq!(standings(), ["unmet", "unmet"], "a result ends with the next recorded change");
}
