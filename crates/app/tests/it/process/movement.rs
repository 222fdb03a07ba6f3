//! A working copy that the real `git` moves under an agent: told as what it is, nobody accused (D-10).

use bailiwick_domain::{Value, json};

use super::machine::Machine;
use crate::world::git;

const LOGIN: &str = "src/auth/login.rs";
const OTHER: &str = "pub fn login_elsewhere() {}\n";

/// A branch `other` whose login differs, and a session that read the one of `main`.
fn between_branches() -> Machine {
    let machine = Machine::selected();
    let root = machine.root();
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-q", "-m", "one"]);
    git(&root, &["branch", "-M", "main"]);
    git(&root, &["switch", "-q", "-c", "other"]);
    machine.write(LOGIN, OTHER);
    git(&root, &["commit", "-q", "-a", "-m", "other"]);
    git(&root, &["switch", "-q", "main"]);
    read(&machine);
    machine
}

fn after(mut event: Value) -> Value {
    event["hook_event_name"] = "PostToolUse".into();
    event["tool_response"] = json!({"ok": true});
    event
}

#[track_caller]
fn read(machine: &Machine) {
    let file = machine.root().join(LOGIN).display().to_string();
    let call = machine.pre("r", "Read", &json!({"file_path": file}));
    assert_eq!(machine.hook(&call).decision(), None);
    machine.hook(&after(call));
}

fn count(machine: &Machine, action: &str) -> usize {
    machine.decisions().iter().filter(|record| record["action"] == action).count()
}

// D-10
#[test]
fn whatever_git_does_to_the_working_copy_is_imported_and_read_again() {
    let movements: [(&str, &[&[&str]]); 6] = [
        ("switch", &[&["switch", "-q", "other"]]),
        ("merge", &[&["merge", "-q", "--no-edit", "other"]]),
        ("rebase", &[&["rebase", "-q", "other"]]),
        ("reset", &[&["reset", "-q", "--hard", "other"]]),
        ("checkout of a file", &[&["checkout", "-q", "other", "--", LOGIN]]),
        ("packed", &[&["gc", "-q"], &["switch", "-q", "other"]]),
    ];
    for (name, commands) in movements {
        let machine = between_branches();
        for command in commands {
            git(&machine.root(), command);
        }
        let error = machine.hook(&machine.write_call("w1", LOGIN)).denied();
        assert_eq!((&error["code"], &error["details"]["cause"]), (&"STALE_FILE".into(), &"imported".into()));
        assert_eq!((count(&machine, "imported"), count(&machine, "drift")), (1, 0), "{name}");
        read(&machine);
        let error = machine.hook(&machine.write_call("w2", LOGIN)).denied();
        assert_eq!(error["code"], "APPROVAL_PENDING", "{name}");
    }
}

// D-10
#[test]
fn a_stash_takes_what_an_agent_read_away_and_brings_it_back() {
    let machine = between_branches();
    machine.write(LOGIN, "pub fn in_work() {}\n");
    read(&machine);
    git(&machine.root(), &["stash", "-q"]);
    let error = machine.hook(&machine.write_call("w1", LOGIN)).denied();
    assert_eq!(error["details"]["cause"], "imported");
    git(&machine.root(), &["stash", "pop", "-q"]);
    let error = machine.hook(&machine.write_call("w2", LOGIN)).denied();
    assert_eq!(error["code"], "APPROVAL_PENDING", "what is there again is what was read");
    assert_eq!(count(&machine, "drift"), 0);
}

// D-10: no movement, no excuse
#[test]
fn an_edit_by_hand_is_not_taken_for_a_movement() {
    let machine = between_branches();
    machine.write(LOGIN, "pub fn by_hand() {}\n");
    let error = machine.hook(&machine.write_call("w1", LOGIN)).denied();
    assert_eq!(error["details"]["cause"], "changed");
    assert_eq!(count(&machine, "imported"), 0);
}
