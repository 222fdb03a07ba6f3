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

/// A branch `old` from before the repository was governed, and a session that has changed a file on `main`.
fn with_an_older_branch() -> Machine {
    let machine = Machine::new();
    let root = machine.root();
    machine.registered_line(std::path::Path::new(env!("CARGO_BIN_EXE_bailiwick")), "PreToolUse");
    git(&root, &["add", "src"]);
    git(&root, &["commit", "-q", "-m", "old"]);
    git(&root, &["branch", "-M", "main"]);
    git(&root, &["branch", "old"]);
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-q", "-m", "governed"]);
    machine.select("INT-001");
    read(&machine);
    let id = machine.pending("w1", LOGIN);
    machine.approve(&id);
    let call = machine.write_call("w1", LOGIN);
    assert_eq!(machine.hook(&call).decision().as_deref(), Some("allow"));
    machine.write(LOGIN, "pub fn new() {}\n");
    machine.hook(&after(call));
    git(&root, &["commit", "-q", "-a", "-m", "changed"]);
    machine
}

fn status(machine: &Machine) -> String {
    let mut status = std::process::Command::new("git");
    status.arg("-C").arg(machine.root()).args(["status", "--porcelain", "--untracked-files=all"]);
    String::from_utf8(status.output().unwrap().stdout).unwrap()
}

// D-10, D-14, D-22, K-07: a branch that is older than the store
#[test]
fn on_a_branch_from_before_it_was_governed_nothing_passes_and_the_way_back_is_told() {
    let machine = with_an_older_branch();
    git(&machine.root(), &["switch", "-q", "old"]);
    assert_eq!(status(&machine), "", "what is derived shows on no branch");
    for call in [machine.read_call("r2"), machine.write_call("w2", LOGIN)] {
        let error = machine.hook(&call).denied();
        assert_eq!(error["code"], "ORCHESTRATION_MISSING", "{error}");
        let told = error["reason"].as_str().unwrap();
        assert!(
            told.contains("the branch that is checked out is older") && told.contains("switch back"),
            "{told}"
        );
    }
    git(&machine.root(), &["switch", "-q", "main"]);
    assert_eq!(status(&machine), "");
    read(&machine);
    let error = machine.hook(&machine.write_call("w3", LOGIN)).denied();
    assert_eq!(error["code"], "APPROVAL_PENDING", "the selection survived: {error}");
    assert_eq!(count(&machine, "drift"), 0);
    machine.world.ok(&["trace", "verify"]);
}

// D-13, D-14: a linked worktree below `.claude/worktrees/` is governed, asks under its own name, and shares the ledger
#[test]
fn a_worktree_that_the_client_made_is_governed_like_the_repository() {
    let machine = Machine::new();
    let root = machine.root();
    machine.registered_line(std::path::Path::new(env!("CARGO_BIN_EXE_bailiwick")), "PreToolUse");
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-q", "-m", "one"]);
    git(&root, &["worktree", "add", "-q", ".claude/worktrees/inner"]);
    let inner = root.join(".claude/worktrees/inner");
    let within = |id: &str, tool: &str, path: &str, content: &str| {
        let file = inner.join(path).display().to_string();
        let mut call = machine.pre(id, tool, &json!({"file_path": file, "content": content}));
        call["cwd"] = inner.display().to_string().into();
        call
    };
    let refused = machine.hook(&within("w0", "Write", "src/auth/a.rs", "x")).denied();
    assert_eq!(refused["code"], "STATE_VIOLATION", "{refused}");
    machine.select("INT-001");
    for (path, code) in [
        ("src/core/main.rs", "SCOPE_VIOLATION"),
        (".orchestration/active_intents.yaml", "PROTECTED_PATH"),
        (".claude/settings.json", "PROTECTED_PATH"),
    ] {
        assert_eq!(machine.hook(&within("w1", "Write", path, "x")).denied()["code"], code, "{path}");
    }
    let error = machine.hook(&within("w2", "Write", "src/auth/a.rs", "a\n")).denied();
    let id = error["details"]["approval_id"].as_str().unwrap_or_else(|| panic!("{error}")).to_owned();
    let outside = machine.root().join("src/auth/b.rs").display().to_string();
    let mut over = machine.pre("w4", "Write", &json!({"file_path": outside, "content": "b\n"}));
    over["cwd"] = inner.display().to_string().into();
    assert_eq!(
        machine.hook(&over).denied()["code"],
        "APPROVAL_PENDING",
        "the target's own working copy judges"
    );
    let asked = machine.open_requests();
    let request = asked.iter().find(|request| request["id"] == id.as_str()).unwrap();
    assert_eq!(request["asked_by"]["worktree"], inner.display().to_string());
    assert_eq!(request["changed_paths"], json!(["src/auth/a.rs"]));
    machine.approve(&id);
    let call = within("w3", "Write", "src/auth/a.rs", "a\n");
    assert_eq!(machine.hook(&call).decision().as_deref(), Some("allow"));
    std::fs::write(inner.join("src/auth/a.rs"), "a\n").unwrap();
    machine.hook(&after(call));
    assert!(
        machine.world.ok(&["trace", "log"]).contains("src/auth/a.rs"),
        "one ledger for all working copies"
    );
}
