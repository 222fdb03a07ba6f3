//! The view where git takes hold of it, and questions about what is deleted, damaged or elsewhere (D-25). The git here is
//! the real one.

use bailiwick_domain::Value;

use super::machine::{Machine, installed};
use super::trace::change;
use crate::world::{git, json as parsed, read, said};

const VIEW: &str = ".orchestration/agent_trace.jsonl";
const PATH: &str = "src/auth/new.rs";

/// A machine with git on its search path and one recorded change.
fn recorded() -> (Machine, String) {
    let machine = Machine::new();
    std::os::unix::fs::symlink(installed("git"), machine.world.path("bin/git")).unwrap();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let id = change(&machine, &mut wire, PATH, "pub fn a_function_with_a_name() {}\n");
    wire.end();
    (machine, id)
}

fn more(machine: &Machine, path: &str) {
    let mut wire = machine.wire();
    wire.select("INT-001");
    change(machine, &mut wire, path, "pub fn more() {}\n");
    wire.end();
}

/// Whether it is as it was written, and the kinds of what is found.
fn verified(machine: &Machine) -> (bool, Vec<String>) {
    let report =
        parsed(&String::from_utf8(machine.world.run(&["trace", "verify", "--json"]).stdout).unwrap());
    let kinds = report["findings"].as_array().unwrap().iter();
    (report["ok"] == Value::Bool(true), kinds.map(|one| one["kind"].as_str().unwrap().to_owned()).collect())
}

// Issue example 6: a branch that is older than the store has no ignore file of ours.
#[test]
fn what_is_derived_is_ignored_on_older_branches_whether_or_not_an_agent_is_hooked() {
    let machine = Machine::new();
    std::fs::remove_file(machine.root().join(".orchestration/.gitignore")).unwrap();
    git(&machine.root(), &["check-ignore", "--quiet", VIEW]);
}

// D-22, D-25
#[test]
fn a_view_that_git_keeps_is_a_note_with_the_way_out() {
    let (machine, _) = recorded();
    let root = machine.root();
    git(&root, &["checkout", "-q", "-b", "older"]);
    git(&root, &["add", "-A"]);
    git(&root, &["add", "-f", VIEW]);
    git(&root, &["commit", "-q", "-m", "with the view"]);
    more(&machine, "src/auth/more.rs");
    assert_eq!(verified(&machine), (true, vec!["view_tracked".to_owned()]));
    git(&root, &["checkout", "-q", "-f", "HEAD", "--", "."]);
    assert_eq!(verified(&machine), (true, vec!["view_tracked".to_owned()]), "the branch has an older view");
    let text = machine.world.ok(&["trace", "verify"]);
    assert!(text.contains("git rm --cached .orchestration/agent_trace.jsonl"), "{text}");
    git(&root, &["rm", "-q", "--cached", VIEW]);
    git(&root, &["commit", "-q", "-m", "without it"]);
    more(&machine, "src/auth/most.rs");
    assert_eq!(verified(&machine), (true, Vec::new()), "the way out leads out");
}

// D-25
#[test]
fn line_ends_that_git_made_are_no_alarm() {
    let (machine, _) = recorded();
    let root = machine.root();
    machine.write(".gitattributes", "* text eol=crlf\n");
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-q", "-m", "line ends"]);
    git(&root, &["stash", "-q", "-a"]);
    git(&root, &["stash", "pop", "-q"]);
    let view = read(&root.join(VIEW));
    assert!(view.ends_with("\r\n"), "git made CRLF of it");
    assert_eq!(verified(&machine), (true, Vec::new()));
    std::fs::write(root.join(VIEW), view.replace("src/auth/new.rs", "src/auth/old.rs")).unwrap();
    assert_eq!(verified(&machine), (false, vec!["view_differs".to_owned()]), "what else differs still does");
}

// REQ 163
#[test]
fn a_file_that_is_gone_is_asked_about_as_a_commit_has_it() {
    let (machine, id) = recorded();
    let root = machine.root();
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-q", "-m", "there"]);
    git(&root, &["rm", "-q", PATH]);
    git(&root, &["commit", "-q", "-m", "gone"]);
    assert_eq!(machine.world.run(&["trace", "blame", PATH]).status.code(), Some(2));
    let blame = parsed(&machine.world.ok(&["trace", "blame", PATH, "--at", "HEAD~1", "--json"]));
    assert_eq!((&blame["lines"][0]["entry"], &blame["lines"][0]["proof"]), (&id.into(), &"proved".into()));
    for revision in ["HEAD", "nothing", "--all"] {
        let refused = machine.world.run(&["trace", "blame", PATH, &format!("--at={revision}")]);
        assert_eq!(refused.status.code(), Some(2), "{revision}: {}", said(&refused));
    }
}

// REQ 162
#[test]
fn a_path_outside_is_an_error_and_damage_is_told() {
    let (machine, _) = recorded();
    for outside in ["/etc", "../other"] {
        let output = machine.world.run(&["trace", "log", "--path", outside]);
        assert_eq!(output.status.code(), Some(2), "{outside}: {}", said(&output));
        assert!(said(&output).contains("outside this repository"), "{}", said(&output));
    }
    machine.world.ok(&["trace", "seal"]);
    let folder = machine.root().join(".orchestration/trace");
    let mut files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let segment = files.find(|file| file.extension().is_some_and(|end| end == "jsonl")).unwrap();
    assert!(!said(&machine.world.run(&["trace", "log"])).contains("damaged"));
    std::fs::write(&segment, read(&segment).replacen('{', "[", 1)).unwrap();
    let told = machine.world.run(&["trace", "log"]);
    assert!(String::from_utf8_lossy(&told.stderr).contains("1 sealed segment is damaged"), "{}", said(&told));
}
