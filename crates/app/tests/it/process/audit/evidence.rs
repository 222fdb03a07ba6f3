//! A commit that changes the evidence itself, or other files of the gate.

use super::{audited, commit, written};
use crate::process::machine::Machine;
use crate::process::sealing::{bailiwick_in, git, sealing};
use crate::world::{read, said};

const INTENTS: &str = ".orchestration/active_intents.yaml";

fn segments(machine: &Machine) -> Vec<std::path::PathBuf> {
    let folder = std::fs::read_dir(machine.root().join(".orchestration/trace")).unwrap();
    let all = folder.map(|file| file.unwrap().path());
    all.filter(|path| path.extension().is_some_and(|name| name == "jsonl")).collect()
}

fn with_work() -> Machine {
    let machine = sealing();
    written(&machine, &[("src/auth/a.rs", "fn a() {}\n")]);
    commit(&machine, "agent");
    machine
}

fn audit(machine: &Machine) -> (Option<i32>, String) {
    let output = bailiwick_in(machine, &machine.root(), &["audit", "HEAD"]);
    (output.status.code(), said(&output))
}

// D-22, D-43
#[test]
fn a_commit_that_changes_sealed_entries_fails_whoever_made_it() {
    let machine = with_work();
    let segment = segments(&machine).remove(0);
    std::fs::write(&segment, read(&segment).replace("dana", "eve!")).unwrap();
    let (_, text) = audit(&machine);
    assert!(text.contains("1 sealed segment is damaged"), "not yet committed: {text}");
    commit(&machine, "by hand");
    let (code, text) = audit(&machine);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("1 tampered") && text.contains("    tampered      .orchestration/trace/"),
        "{text}"
    );
    assert!(text.contains("changes or removes sealed entries"), "{text}");
    assert_eq!(audited(&machine, &["HEAD"]).1["commits"][0]["hunks"][0]["label"], "tampered");
    let sarif = bailiwick_in(&machine, &machine.root(), &["audit", "--sarif", "HEAD"]);
    assert!(
        said(&sarif).contains("\"ruleId\":\"tampered\"") || said(&sarif).contains("tampered in "),
        "{}",
        said(&sarif)
    );

    git(&machine, &["revert", "--no-edit", "HEAD"]);
    let (code, text) = audit(&machine);
    assert_eq!(code, Some(0), "what is as it was written is no change of it: {text}");
}

// D-22, D-43: only a commit that takes back the one that brought the entries may take them away
#[test]
fn a_commit_that_removes_sealed_entries_fails_unless_it_takes_their_commit_back() {
    let machine = with_work();
    std::fs::remove_file(segments(&machine).remove(0)).unwrap();
    git(&machine, &["add", "-A"]);
    git(&machine, &["-c", "core.hooksPath=/dev/null", "commit", "-qm", "by hand"]);
    let (code, text) = audit(&machine);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("tampered      .orchestration/trace/"), "{text}");

    git(&machine, &["reset", "-q", "--hard", "HEAD~1"]);
    git(&machine, &["-c", "core.hooksPath=/dev/null", "revert", "--no-edit", "HEAD"]);
    let (code, text) = audit(&machine);
    assert!(code == Some(0) && !text.contains("tampered"), "{text}");
}

// D-22, D-43: the words are anybody's, so what the commit does counts
#[test]
fn a_commit_that_only_says_that_it_takes_another_back_fails() {
    let machine = with_work();
    let id = git(&machine, &["rev-parse", "HEAD"]);
    let said = format!("Tidy up\n\nThis reverts commit {}.", id.trim());
    let bare = ["-c", "core.hooksPath=/dev/null", "commit", "-qam", &said];
    std::fs::remove_file(segments(&machine).remove(0)).unwrap();
    for more in [None, Some("fn a() {}\nfn by_hand() {}\n")] {
        more.into_iter().for_each(|text| machine.write("src/auth/a.rs", text));
        git(&machine, &bare);
        let (code, text) = audit(&machine);
        assert!(code == Some(1) && text.contains("tampered      .orchestration/trace/"), "{text}");
        git(&machine, &["reset", "-q", "--soft", "HEAD~1"]);
    }

    // A revert over newer work of others leaves that work there.
    git(&machine, &["reset", "-q", "--hard"]);
    machine.write("src/auth/a.rs", "// by hand\n\n\n\nfn a() {}\n");
    git(&machine, &["-c", "core.hooksPath=/dev/null", "commit", "-qam", "by hand"]);
    machine.write("src/auth/a.rs", "// by hand\n");
    std::fs::remove_file(segments(&machine).remove(0)).unwrap();
    git(&machine, &bare);
    let (code, text) = audit(&machine);
    assert!(code == Some(0) && !text.contains("tampered"), "{text}");
}

const BY_HAND: &str = "// one\n// two\n// three\n// four\n// five\n// six\n";

/// A commit with an agent's line in a file of others, and the file under another name in the next one.
fn moved_after_work() -> (Machine, String) {
    let machine = sealing();
    machine.write("src/auth/a.rs", BY_HAND);
    commit(&machine, "by hand");
    super::beside::change_of(&machine, "src/auth/a.rs", &format!("{BY_HAND}fn by_agent() {{}}\n"));
    commit(&machine, "agent");
    let id = git(&machine, &["rev-parse", "HEAD"]).trim().to_owned();
    git(&machine, &["mv", "src/auth/a.rs", "src/auth/b.rs"]);
    git(&machine, &["commit", "-qm", "moved"]);
    (machine, id)
}

/// A commit of all that is changed, which says that it takes that one back.
fn says_it_reverts(machine: &Machine, id: &str) -> (Option<i32>, String) {
    let said = format!("Tidy up\n\nThis reverts commit {id}.");
    git(machine, &["-c", "core.hooksPath=/dev/null", "commit", "-qam", &said]);
    audit(machine)
}

#[test]
fn a_revert_finds_a_file_that_was_moved_since() {
    let (machine, id) = moved_after_work();
    git(&machine, &["-c", "core.hooksPath=/dev/null", "revert", "--no-edit", &id]);
    assert_eq!(read(&machine.root().join("src/auth/b.rs")), BY_HAND, "git takes it back");
    assert!(!machine.root().join(".orchestration/trace").exists(), "and the entries with it");
    let (code, text) = audit(&machine);
    assert!(code == Some(0) && !text.contains("tampered"), "{text}");
}

#[test]
fn a_commit_that_only_says_that_it_takes_back_work_in_a_moved_file_fails() {
    let (machine, id) = moved_after_work();
    std::fs::remove_file(segments(&machine).remove(0)).unwrap();
    let (code, text) = says_it_reverts(&machine, &id);
    assert!(code == Some(1) && text.contains("tampered"), "the work is there: {text}");

    let machine = with_work();
    let id = git(&machine, &["rev-parse", "HEAD"]);
    git(&machine, &["mv", "src/auth/a.rs", "src/auth/b.rs"]);
    git(&machine, &["commit", "-qm", "moved"]);
    std::fs::remove_file(segments(&machine).remove(0)).unwrap();
    let (code, text) = says_it_reverts(&machine, id.trim());
    assert!(code == Some(1) && text.contains("tampered"), "the whole file is elsewhere: {text}");

    let (machine, id) = moved_after_work();
    git(&machine, &["rm", "-q", "src/auth/b.rs"]);
    git(&machine, &["commit", "-qm", "gone"]);
    std::fs::remove_file(segments(&machine).remove(0)).unwrap();
    let (code, text) = says_it_reverts(&machine, &id);
    assert!(code == Some(1) && text.contains("nobody can compare"), "{text}");
}

#[test]
fn a_commit_of_the_gates_own_files_says_so_and_names_what_gives_permission() {
    let machine = with_work();
    machine.write(INTENTS, &read(&machine.root().join(INTENTS)).replace("src/auth/", "src/"));
    commit(&machine, "wider");
    let (code, text) = audit(&machine);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("only the gate's own files: .orchestration/active_intents.yaml"), "{text}");
    let (_, audit) = audited(&machine, &["HEAD"]);
    assert_eq!(audit["commits"][0]["gate_files"][0], INTENTS, "{audit}");

    machine.write(INTENTS, &read(&machine.root().join(INTENTS)).replace("src/", "./"));
    machine.write("src/core/main.rs", "fn main() {\n    run();\n}\n");
    commit(&machine, "and more");
    let text = said(&bailiwick_in(&machine, &machine.root(), &["audit", "HEAD"]));
    assert!(text.contains("1 human; changes .orchestration/active_intents.yaml"), "{text}");
}
