//! `bailiwick report`: the file says what the ledger says, and no other file is written over.

use bailiwick_domain::Value;

use super::machine::Machine;
use super::sealing::bailiwick_in;
use super::trace::change;
use crate::world::{read, said};

fn changed_machine() -> (Machine, String) {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    change(&machine, &mut wire, "src/auth/jwt.rs", "pub fn a() {}\n");
    let entry = change(&machine, &mut wire, "src/auth/out.rs", "pub fn out() {}\n");
    wire.end();
    (machine, entry)
}

#[test]
fn the_page_says_what_changed_under_which_intent_and_who_approved_it() {
    let (machine, entry) = changed_machine();
    let told = machine.world.ok(&["report"]);
    assert_eq!(told, "wrote bailiwick-report.html: 4 intents, 2 files\n");
    let page = read(&machine.root().join("bailiwick-report.html"));
    let short: String = entry.chars().take(8).collect();
    for part in [
        "The ledger is intact.",
        "INT-001",
        "Fix login timeout",
        "REQ-AUTH-1",
        "by dana",
        "src/auth/jwt.rs",
        &short,
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!machine.world.git_status().contains("report"), "{}", machine.world.git_status());
    machine.world.ok(&["uninstall"]);
    assert!(machine.world.git_status().contains("bailiwick-report.html"), "its line goes with the others");
}

#[test]
fn the_facts_are_the_ledgers() {
    let (machine, _) = changed_machine();
    let report: Value = serde_json::from_str(&machine.world.ok(&["report", "--json"])).unwrap();
    assert_eq!(report["ledger"]["entries"], 2);
    assert_eq!(report["ledger"]["is_intact"], true);
    let names = |list: &Value, key: &str| -> Vec<String> {
        list.as_array().unwrap().iter().map(|one| one[key].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&report["files"], "path"), ["src/auth/jwt.rs", "src/auth/out.rs"]);
    assert_eq!(names(&report["approvers"], "name"), ["dana"]);
    assert_eq!(report["approvers"][0]["entries"], 2);
    assert_eq!(report["intents"][0]["files"], 2);
    assert_eq!(report["requirements"][0]["files"], 2);
    assert!(!machine.root().join("bailiwick-report.html").exists(), "JSON writes no file");
}

/// An intent with a reason and notes of several lines, one of them with an escape sequence.
const SEVERAL: &str = "\
active_intents:
  - id: INT-001
    name: Rotate
    status: IN_PROGRESS
    owned_scope: [src/auth/]
    why: \"First, why\\n- second\\n\\n1. third \\e[2J*bold*\\n\"
    notes: |
      one
      two
";

// Threat G1: a text of several lines is shown in several, and everything else in it stays inert
#[test]
fn the_lines_of_a_reason_are_shown_as_lines() {
    let (machine, _) = changed_machine();
    machine.write(".orchestration/active_intents.yaml", SEVERAL);
    let world = &machine.world;
    let shown = world.ok(&["intent", "show", "INT-001"]);
    let below = "why       First, why\n          - second\n          \n          1. third \\u{1b}[2J*bold*\n";
    assert!(shown.contains(below), "{shown}");
    let page = world.ok(&["intent", "show", "INT-001", "--md"]);
    let why = "## Why\n\nFirst, why  \n\\- second\n\n1\\. third \\\\u{1b}\\[2J\\*bold\\*\n";
    assert!(page.contains(why) && page.contains("## Notes\n\none  \ntwo\n"), "{page}");
    let why = world.ok(&["trace", "why", "src/auth/jwt.rs:1"]);
    assert!(why.contains("): First, why\n               - second\n"), "{why}");
    assert!(why.contains("1. third \\u{1b}[2J*bold*"), "{why}");
    let report: Value = serde_json::from_str(&world.ok(&["report", "--json"])).unwrap();
    assert_eq!(report["intents"][0]["why"], "First, why\n- second\n\n1. third \\u{1b}[2J*bold*");
    let html = world.ok(&["report", "-o", "-"]);
    assert!(html.contains("<p class=\"why\">First, why\n- second\n"), "{html}");
    assert!(html.contains(".why { white-space: pre-line; }"));
}

#[test]
fn what_is_left_out_is_said() {
    let (machine, _) = changed_machine();
    let report = |words: &[&str]| -> Value {
        serde_json::from_str(&machine.world.ok(&[&["report", "--json"], words].concat())).unwrap()
    };
    let short = report(&["--limit", "1"]);
    assert_eq!(short["files"].as_array().unwrap().len(), 1);
    assert!(short["left_out"][0].as_str().unwrap().starts_with("1 older change is counted"), "{short}");
    assert_eq!(short["approvers"][0]["entries"], 2, "totals count all");
    let part = report(&["--path", "src/auth/jwt.rs"]);
    assert_eq!(part["approvers"][0]["entries"], 1);
    assert!(part["left_out"][0].as_str().unwrap().contains("a part of the ledger"), "{part}");
}

#[test]
fn a_report_is_written_over_and_nothing_else_is() {
    let (machine, _) = changed_machine();
    machine.world.ok(&["report", "-o", "week.html"]);
    machine.world.ok(&["report", "-o", "week.html"]);
    machine.write("notes.html", "<!doctype html>\nmy notes\n");
    let output = machine.world.run(&["report", "-o", "notes.html"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("is not a report; name another file"), "{}", said(&output));
    assert_eq!(read(&machine.root().join("notes.html")), "<!doctype html>\nmy notes\n");
    assert!(machine.world.ok(&["report", "-o", "-"]).ends_with("</html>\n"));
}

#[test]
fn a_changed_ledger_is_told_at_the_top() {
    let (machine, _) = changed_machine();
    let live = machine.private().join("ledger/live.jsonl");
    std::fs::write(&live, read(&live).replace("src/auth/jwt.rs", "src/auth/jwx.rs")).unwrap();
    machine.world.ok(&["report"]);
    let page = read(&machine.root().join("bailiwick-report.html"));
    assert!(page.contains("The ledger is not intact."), "{page}");
}

#[test]
fn what_nobody_vouches_for_is_left_out_and_said_so() {
    let (machine, _) = changed_machine();
    assert!(bailiwick_in(&machine, &machine.root(), &["trace", "seal"]).status.success());
    let other = Machine::new();
    let (from, to) = (machine.root().join(".orchestration/trace"), other.root().join(".orchestration/trace"));
    std::fs::create_dir_all(&to).unwrap();
    for file in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
    let told = |words: &[&str]| -> Value {
        serde_json::from_str(&other.world.ok(&[&["report", "--json"], words].concat())).unwrap()
    };
    let report = told(&[]);
    assert_eq!(report["files"].as_array().unwrap().len(), 0);
    assert!(report["left_out"][0].as_str().unwrap().contains("nobody vouches for"), "{report}");
    let claimed = told(&["--claimed"]);
    assert_eq!(claimed["files"][0]["changes"][0]["is_claimed"], true);
}
