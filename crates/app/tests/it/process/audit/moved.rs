//! A file that an agent moves brings along what others wrote in it: the move explains none of those lines.

use bailiwick_domain::json;

use super::{audited, audited_in, commit, labels, written};
use crate::process::machine::Machine;
use crate::process::sealing::{bailiwick_in, git, sealing};
use crate::world::{json as parsed, said};

const FROM: &str = "src/auth/gen.rs";
const TO: &str = "src/auth/good.rs";

fn text(third: &str) -> String {
    (0..8)
        .map(|at| match at {
            3 => format!("fn {third}(value: usize) {{ call_{third}(value) }}\n"),
            _ => format!("fn number_{at}(value: usize) {{ call_number_{at}(value) }}\n"),
        })
        .collect()
}

/// An agent's approved patch that moves the file and changes its fourth line.
fn moves(machine: &Machine, from: &str, to: &str, old: &str, new: &str) {
    let mut wire = machine.wire();
    wire.select("INT-001");
    let params = json!({ "path": from });
    wire.pre("read_file", &params);
    wire.post("read_file", &params, true);
    let patch = format!(
        "*** Begin Patch\n*** Update File: {from}\n*** Move to: {to}\n@@\n-fn {old}(value: usize) {{ call_{old}(value) }}\n+fn {new}(value: usize) {{ call_{new}(value) }}\n*** End Patch\n"
    );
    let params = json!({ "patch": patch });
    let id = wire.pre("apply_patch", &params)["approvalId"].clone();
    let allowed = wire.ask(json!({"phase": "resolve", "approvalId": id, "decision": "approve"}));
    assert_eq!(allowed["action"], "allow", "{allowed}");
    let text = std::fs::read_to_string(machine.root().join(from)).unwrap();
    std::fs::remove_file(machine.root().join(from)).unwrap();
    machine.write(to, &text.replace(old, new));
    let done = wire.post("apply_patch", &params, true);
    assert_eq!(done["traceIds"].as_array().map(Vec::len), Some(1), "{done}");
    wire.end();
}

/// The lines of the file that `blame` gives to nobody, counted from 1.
fn nobodys(machine: &Machine, path: &str) -> Vec<u64> {
    let output = bailiwick_in(machine, &machine.root(), &["trace", "blame", path, "--json"]);
    let blame = parsed(&said(&output));
    let lines = blame["lines"].as_array().unwrap().clone();
    lines.iter().filter(|line| line["entry"].is_null()).map(|line| line["line"].as_u64().unwrap()).collect()
}

/// No line that `audit` calls traced is one that `blame` gives to nobody.
#[track_caller]
fn agree(machine: &Machine) {
    let (_, audit) = audited(machine, &["HEAD"]);
    for run in audit["commits"][0]["hunks"].as_array().unwrap() {
        let first = run["first_line"].as_u64().unwrap();
        let lines = first..first + run["lines"].as_u64().unwrap();
        if run["label"] == "traced" && !lines.is_empty() {
            let nobodys = nobodys(machine, run["file"].as_str().unwrap());
            assert!(!nobodys.iter().any(|line| lines.contains(line)), "{nobodys:?} {audit}");
        }
    }
}

// D-43
#[test]
fn what_git_never_had_is_not_traced_because_an_agent_moved_it() {
    let machine = sealing();
    machine.write(FROM, &text("third"));
    moves(&machine, FROM, TO, "third", "by_agent");
    commit(&machine, "moved");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!(code, Some(1), "{audit}");
    assert_eq!(labels(&audit), [vec!["unexplained", "traced", "unexplained"]], "{audit}");
    agree(&machine);
}

// D-43
#[test]
fn a_persons_line_is_not_traced_because_an_agent_moved_the_file() {
    let machine = sealing();
    machine.write(FROM, &text("third"));
    commit(&machine, "by hand");
    machine.write(FROM, &text("third").replace("number_6", "sneaked_in"));
    moves(&machine, FROM, TO, "third", "by_agent");
    commit(&machine, "moved");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!(code, Some(1), "{audit}");
    let runs = audit["commits"][0]["hunks"].as_array().unwrap();
    let is_line = |run: &&bailiwick_domain::Value| {
        run["file"] == TO
            && run["first_line"].as_u64() <= Some(7)
            && run["first_line"].as_u64().unwrap() + run["lines"].as_u64().unwrap() > 7
    };
    assert_eq!(runs.iter().find(is_line).unwrap()["label"], "unexplained", "{audit}");
    agree(&machine);
}

// D-43: what the parent has where the file came from is the beginning of a way
#[test]
fn a_move_of_what_the_parent_has_is_traced() {
    let machine = sealing();
    machine.write(FROM, &text("third"));
    commit(&machine, "by hand");
    moves(&machine, FROM, TO, "third", "by_agent");
    moves(&machine, TO, "src/auth/better.rs", "by_agent", "by_agent_again");
    commit(&machine, "moved");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["traced", "traced"]]), "{audit}");
    let clone = machine.world.path("a_clone");
    git(&machine, &["clone", "-q", ".", clone.to_str().unwrap()]);
    let (code, audit) = audited_in(&machine, &clone, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["traced", "traced"]]), "{audit}");
}

const OTHER: &str = "src/auth/other.rs";
const OTHERS: &str = "fn other() { gamma(1); }\nfn another() { delta(2); }\n";

// D-43: the way of a plain `git mv`: each line is known where it is, so the old place is no loss
#[test]
fn a_file_that_a_person_moves_beside_an_agents_work_is_traced_where_it_was_and_is() {
    let machine = sealing();
    written(&machine, &[(FROM, &text("third")), (OTHER, OTHERS)]);
    commit(&machine, "agent");
    super::beside::change_of(&machine, FROM, &text("by_agent"));
    git(&machine, &["mv", OTHER, "src/auth/renamed.rs"]);
    commit(&machine, "both");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["traced", "traced", "traced"]]), "{audit}");
    assert_eq!(audit["commits"][0]["hunks"][1]["intents"][0], "INT-001", "{audit}");
}

// D-43: each of the two places is in the scope or not
#[test]
fn a_file_that_a_person_moves_out_of_the_scope_went_from_within_it() {
    let machine = sealing();
    written(&machine, &[(FROM, &text("third")), (OTHER, OTHERS)]);
    commit(&machine, "agent");
    super::beside::change_of(&machine, FROM, &text("by_agent"));
    machine.write("lib/renamed.rs", OTHERS);
    git(&machine, &["rm", "-q", OTHER]);
    commit(&machine, "both");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["out_of_scope", "traced", "traced"]]), "{audit}");
    assert_eq!(audit["commits"][0]["hunks"][2]["intents"][0], "INT-001", "{audit}");
    let text = said(&bailiwick_in(&machine, &machine.root(), &["audit", "HEAD"]));
    assert!(text.contains("out_of_scope  lib/renamed.rs:1-2\n") && !text.contains(OTHER), "{text}");
}

// D-43: what entries wrote elsewhere is a file of its own, and no move of the one that goes unrecorded
#[test]
fn a_file_that_goes_while_an_agent_writes_the_same_elsewhere_is_unexplained() {
    let machine = sealing();
    written(&machine, &[(OTHER, OTHERS)]);
    commit(&machine, "agent");
    written(&machine, &[("src/auth/renamed.rs", OTHERS)]);
    git(&machine, &["rm", "-q", OTHER]);
    commit(&machine, "agent");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["unexplained", "traced"]]), "{audit}");
    let text = said(&bailiwick_in(&machine, &machine.root(), &["audit", "HEAD"]));
    assert!(text.contains("unexplained   src/auth/other.rs (deleted)\n"), "{text}");
}
