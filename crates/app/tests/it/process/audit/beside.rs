//! A person's commit of a file in which an agent's work waits elsewhere: sealing brings its entries along, and none of that
//! work is in the commit.

use bailiwick_domain::json;

use super::{MARKED, audited, audited_in, commit, labels, written};
use crate::process::machine::Machine;
use crate::process::sealing::{bailiwick_in, git, sealing};
use crate::process::trailers::added;
use crate::world::said;

pub(super) const FILE: &str = "src/auth/a.rs";

fn text(first: &str, last: &str) -> String {
    let between: String = (0..20).map(|number| format!("fn f{number}() {{}}\n")).collect();
    format!("fn {first}() {{\n}}\n{between}fn {last}() {{\n}}\n")
}

/// A machine with a file that a person committed.
fn committed() -> Machine {
    let machine = sealing();
    machine.write(FILE, &text("first", "last"));
    commit(&machine, "by hand");
    machine
}

/// An agent's change of that file, after it read it.
pub(super) fn change(machine: &Machine, content: &str) {
    change_of(machine, FILE, content);
}

/// The same of any file.
pub(super) fn change_of(machine: &Machine, path: &str, content: &str) {
    let mut wire = machine.wire();
    wire.select("INT-001");
    let params = json!({ "path": path });
    wire.pre("read_file", &params);
    wire.post("read_file", &params, true);
    crate::process::trace::change(machine, &mut wire, path, content);
    wire.end();
}

#[track_caller]
fn is_a_persons(machine: &Machine) {
    let (code, audit) = audited(machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["human"]]), "{audit}");
    assert_eq!(audit["commits"][0]["marks"], json!([]), "{audit}");
    let clone = machine.world.path("a_clone");
    git(machine, &["clone", "-q", ".", clone.to_str().unwrap()]);
    let (code, audit) = audited_in(machine, &clone, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["human"]]), "in a clone: {audit}");
    let names = git(machine, &["show", "--name-only", "--format=", "HEAD"]);
    assert!(names.contains(".orchestration/trace/"), "the commit brings the entries: {names}");
}

// D-11
#[test]
fn a_persons_own_part_of_a_file_beside_an_agents_pending_part_is_human() {
    let machine = committed();
    change(&machine, &text("first", "by_agent"));
    machine.write(FILE, &text("by_hand", "by_agent"));
    added(&machine, "y\nn\n");
    git(&machine, &["commit", "-qm", "my part"]);
    is_a_persons(&machine);
    commit(&machine, "the agent's part");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["traced"]]), "{audit}");
    assert_eq!(audit["commits"][0]["marks"][0], "trailer Intent: INT-001", "{audit}");
}

// D-11
#[test]
fn a_persons_change_while_an_agents_work_is_stashed_is_human() {
    let more = text("first", "by_hand() {\n}\nfn more_by_hand");
    for by_hand in [text("by_hand", "last"), text("first", "by_hand"), more] {
        let machine = committed();
        change(&machine, &text("first", "by_agent"));
        git(&machine, &["stash", "-q"]);
        machine.write(FILE, &by_hand);
        commit(&machine, "by hand");
        is_a_persons(&machine);
    }
}

// D-11
#[test]
fn a_persons_change_on_a_branch_without_an_agents_work_is_human() {
    let machine = committed();
    git(&machine, &["checkout", "-qb", "topic"]);
    change(&machine, &text("first", "by_agent"));
    commit(&machine, "agent");
    git(&machine, &["checkout", "-q", "main"]);
    machine.write(FILE, &text("by_hand", "last"));
    commit(&machine, "by hand");
    is_a_persons(&machine);
}

// D-11
#[test]
fn a_file_that_a_person_removes_while_an_agents_work_in_it_waits_is_a_persons() {
    let machine = committed();
    change(&machine, &text("first", "by_agent"));
    git(&machine, &["rm", "-qf", FILE]);
    git(&machine, &["commit", "-qm", "by hand"]);
    is_a_persons(&machine);
}

/// Seals, and commits what is staged without hooks, so that nothing but the entries says whose it is.
fn commit_bare(machine: &Machine) {
    let output = bailiwick_in(machine, &machine.root(), &["trace", "seal"]);
    assert!(output.status.success(), "{}", said(&output));
    git(machine, &["add", ".orchestration"]);
    git(machine, &["-c", "core.hooksPath=/dev/null", "commit", "-qm", "work"]);
}

#[track_caller]
fn fails(machine: &Machine, words: &[&str], expected: &[&str]) {
    let (code, audit) = audited(machine, words);
    assert_eq!((code, labels(&audit)), (Some(1), vec![expected.to_vec()]), "{audit}");
    assert_eq!(audit["commits"][0]["marks"], json!(["sealed entries"]), "{audit}");
}

// D-11: entries alone are a mark where any of their work is in the commit
#[test]
fn what_nobody_recorded_fails_beside_work_that_the_commit_brings() {
    for by_agent in [text("first", "by_agent"), text("first", "last").replace("fn f7() {}\n", "")] {
        let machine = committed();
        change(&machine, &by_agent);
        machine.write(FILE, &by_agent.replace("first", "sneaked_in"));
        git(&machine, &["add", FILE]);
        commit_bare(&machine);
        fails(&machine, &["HEAD"], &["unexplained", "traced"]);
    }
}

// D-11
#[test]
fn a_part_of_an_agents_work_with_what_nobody_recorded_beside_it_fails() {
    let machine = committed();
    change(&machine, &text("first_by_agent", "last_by_agent"));
    machine.write(FILE, &text("first_by_agent", "last_by_agent").replace("fn f7()", "fn sneaked_in()"));
    added(&machine, "y\ny\nn\n");
    commit_bare(&machine);
    fails(&machine, &["HEAD"], &["traced", "unexplained"]);
}

// D-11: work in one file makes a commit an agent's in all of its files
#[test]
fn what_nobody_recorded_fails_beside_work_in_another_file() {
    let machine = committed();
    change(&machine, &text("first", "by_agent"));
    written(&machine, &[("src/auth/b.rs", "fn b() {}\n")]);
    machine.write(FILE, &text("sneaked_in", "last"));
    git(&machine, &["add", "src"]);
    commit_bare(&machine);
    fails(&machine, &["HEAD"], &["unexplained", "traced"]);
}

// D-11: entries that nobody vouches for cannot be looked into, so they are a mark
#[test]
fn entries_that_are_not_believed_stay_a_mark() {
    let machine = committed();
    change(&machine, &text("first", "by_agent"));
    git(&machine, &["add", "src"]);
    commit_bare(&machine);
    git(&machine, &["clone", "-q", ".", "../clone"]);
    let mut stranger = machine.world.command_in(&machine.world.path("clone"), &["audit", "--trusted"]);
    stranger.env("HOME", machine.world.path("stranger")).env("PATH", std::env::var_os("PATH").unwrap());
    let output = stranger.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
}

// D-11: a trailer says whose a commit is, whatever it brings
#[test]
fn a_trailer_makes_a_commit_an_agents_without_any_work_in_it() {
    let machine = committed();
    change(&machine, &text("first", "by_agent"));
    git(&machine, &["stash", "-q"]);
    machine.write(FILE, &text("sneaked_in", "last"));
    commit(&machine, MARKED);
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["unexplained"]]), "{audit}");
}
