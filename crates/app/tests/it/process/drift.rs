//! What changed without a record, as a person sees it (D-09, D-10, D-21): listed and counted, never attributed.

use bailiwick_domain::{Value, json};

use super::machine::Machine;
use super::trace::change;
use crate::world::{git, json as parsed};

const NEW: &str = "src/auth/new.rs";

/// A machine with everything committed, on which an agent then wrote one file.
fn written() -> Machine {
    let machine = Machine::new();
    git(&machine.root(), &["add", "-A"]);
    git(&machine.root(), &["commit", "--quiet", "-m", "before"]);
    let mut wire = machine.wire();
    wire.select("INT-001");
    change(&machine, &mut wire, NEW, "pub fn new() {}\npub fn old() {}\n");
    wire.end();
    machine
}

/// The command with git in reach, as a person has it.
fn asked(machine: &Machine, words: &[&str]) -> (Option<i32>, String) {
    let mut command = machine.world.command_in(&machine.root(), words);
    let output = command.env("PATH", std::env::var_os("PATH").unwrap()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[track_caller]
fn drift(machine: &Machine) -> Vec<Value> {
    let (status, text) = asked(machine, &["trace", "verify", "--drift", "--json"]);
    assert_eq!(status, Some(0), "{text}");
    let report = parsed(&text);
    assert_eq!(report["drift"]["complete"], true, "{report}");
    report["drift"]["files"].as_array().unwrap().clone()
}

// D-21, D-10: what is recorded and what git moves is no drift.
#[test]
fn what_is_recorded_or_moved_by_git_is_no_drift() {
    let machine = written();
    assert_eq!(drift(&machine), Vec::<Value>::new());
    assert!(!machine.world.shown(&["status"]).contains("drift"), "nothing to say");
    let root = machine.root();
    git(&root, &["switch", "--quiet", "-c", "work"]);
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "--quiet", "-m", "work"]);
    git(&root, &["switch", "--quiet", "-"]);
    assert!(!root.join(NEW).exists());
    assert_eq!(drift(&machine), Vec::<Value>::new(), "gone with the branch");
    git(&root, &["switch", "--quiet", "work"]);
    machine.write("src/auth/login.rs", "by hand\n");
    git(&root, &["stash", "--quiet", "-u"]);
    assert_eq!(drift(&machine), Vec::<Value>::new(), "stashed");
}

// D-21: what nobody recorded is named with its lines, and nobody with it.
#[test]
fn what_changed_by_hand_is_listed_with_its_lines_until_it_is_committed() {
    let machine = written();
    machine.write(NEW, "pub fn new() {}\n// by hand\npub fn old() {}\n");
    machine.write("src/auth/login.rs", "// by hand\n");
    machine.write("src/auth/other.rs", "// by hand\n");
    machine.write("docs/free.md", "no intent owns this\n");
    let found = drift(&machine);
    let of =
        |name: &str| found.iter().find(|file| file["path"] == name).unwrap_or_else(|| panic!("{found:?}"));
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!((&of(NEW)["change"], &of(NEW)["lines"]), (&json!("modified"), &json!([[2, 2]])));
    assert_eq!(of(NEW)["last_known"]["intent"], "INT-001");
    assert_eq!(
        (&of("src/auth/login.rs")["change"], &of("src/auth/login.rs")["last_known"]),
        (&json!("modified"), &Value::Null)
    );
    assert_eq!(of("src/auth/other.rs")["change"], "created");
    assert!(found.iter().all(|file| file.get("actor").is_none() && file.get("session").is_none()));
    let (status, text) = asked(&machine, &["trace", "verify", "--drift"]);
    assert!(
        status == Some(0) && text.contains("src/auth/new.rs: modified, line 2; last known from entry"),
        "{text}"
    );
    assert!(text.contains("3 files changed without a record"), "{text}");
    assert_eq!(asked(&machine, &["trace", "verify", "--drift", "--strict"]).0, Some(1));
    let said = machine.world.shown(&["status"]);
    assert!(
        said.contains("Drift: 3 files changed without a record; `bailiwick trace verify --drift`"),
        "{said}"
    );
    assert_eq!(
        parsed(&machine.world.shown(&["status", "--json"]))["drift"],
        json!({"files": 3, "complete": true})
    );
    git(&machine.root(), &["add", "-A"]);
    git(&machine.root(), &["commit", "--quiet", "-m", "by hand"]);
    assert_eq!(drift(&machine), Vec::<Value>::new());
}

// D-21: a file that is taken away by hand is gone without a record.
#[test]
fn a_file_taken_away_by_hand_is_drift() {
    let machine = written();
    std::fs::remove_file(machine.root().join("src/auth/login.rs")).unwrap();
    let found = drift(&machine);
    let said = (found.len(), &found[0]["path"], &found[0]["change"]);
    assert_eq!(said, (1, &json!("src/auth/login.rs"), &json!("deleted")));
    git(&machine.root(), &["rm", "--quiet", "--cached", "src/auth/login.rs"]);
    assert_eq!(drift(&machine), Vec::<Value>::new(), "taken out by git");
    std::fs::remove_file(machine.root().join(NEW)).unwrap();
    assert_eq!(drift(&machine), Vec::<Value>::new(), "as the call found it: taken back");
    machine.write("src/auth/hand.rs", "// by hand\n");
    let mut wire = machine.wire();
    wire.select("INT-001");
    let params = json!({"path": "src/auth/hand.rs"});
    wire.pre("read_file", &params);
    wire.post("read_file", &params, true);
    change(&machine, &mut wire, "src/auth/hand.rs", "pub fn hand() {}\n");
    wire.end();
    std::fs::remove_file(machine.root().join("src/auth/hand.rs")).unwrap();
    let found = drift(&machine);
    assert_eq!((found.len(), &found[0]["change"]), (1, &json!("deleted")), "{found:?}");
    assert_eq!(found[0]["last_known"]["intent"], "INT-001");
}

// D-21: more files than a command line should name are looked for all the same.
#[test]
fn many_files_that_a_switch_took_along_are_no_drift() {
    let machine = written();
    let root = machine.root();
    git(&root, &["add", "-A", "-f", "src"]);
    git(&root, &["commit", "--quiet", "-m", "before"]);
    git(&root, &["switch", "--quiet", "-c", "many"]);
    let mut wire = machine.wire();
    wire.select("INT-001");
    for number in 0..70 {
        change(
            &machine,
            &mut wire,
            &format!("src/auth/many/f{number}.rs"),
            &format!("pub fn f{number}() {{}}\n"),
        );
    }
    wire.end();
    git(&root, &["add", "-A", "-f", "src"]);
    git(&root, &["commit", "--quiet", "-m", "many"]);
    git(&root, &["switch", "--quiet", "-"]);
    assert!(!root.join("src/auth/many/f1.rs").exists());
    assert_eq!(drift(&machine), Vec::<Value>::new());
    std::fs::remove_file(root.join("src/auth/login.rs")).unwrap();
    assert_eq!(drift(&machine).len(), 1, "what is gone by hand is still found");
}

// D-21: what is read there now is not what was written, though no byte of the file changed.
#[test]
fn a_file_or_a_folder_replaced_by_a_link_is_drift_and_hides_no_other() {
    let machine = written();
    let in_root = |name: &str| machine.root().join(name);
    std::fs::rename(in_root("src/auth/login.rs"), machine.world.path("kept.rs")).unwrap();
    std::os::unix::fs::symlink(machine.world.path("kept.rs"), in_root("src/auth/login.rs")).unwrap();
    let found = drift(&machine);
    let said = (found.len(), &found[0]["path"], &found[0]["change"]);
    assert_eq!(said, (1, &json!("src/auth/login.rs"), &json!("replaced by a link")), "{found:?}");
    git(&machine.root(), &["add", "--all"]);
    assert_eq!(drift(&machine), Vec::<Value>::new(), "the link is what git keeps");
    std::fs::remove_file(in_root("src/auth/login.rs")).unwrap();
    std::fs::rename(machine.world.path("kept.rs"), in_root("src/auth/login.rs")).unwrap();
    std::fs::rename(in_root("src/auth"), machine.world.path("auth")).unwrap();
    std::os::unix::fs::symlink(machine.world.path("auth"), in_root("src/auth")).unwrap();
    machine.write("src/core/main.rs", "fn main() { by_hand() }\n");
    let status = crate::world::json(&machine.world.shown(&["status", "--json"]));
    assert_ne!(status["drift"], Value::Null, "it can be looked for");
    let found = drift(&machine);
    let paths: Vec<&Value> = found.iter().map(|file| &file["path"]).collect();
    assert!(paths.contains(&&json!(NEW)) && paths.contains(&&json!("src/auth/login.rs")), "{found:?}");
    assert!(machine.world.run(&["restore", "--session", "s1", "--dry-run"]).status.code() == Some(1));
}

// D-09: what the agent's own command made of a file that it knew is adopted, and no drift.
#[test]
fn what_the_agents_own_command_formatted_is_no_drift() {
    let machine = written();
    machine.select("INT-001");
    let after = |mut event: Value| {
        event["hook_event_name"] = "PostToolUse".into();
        event["tool_response"] = json!({"ok": true});
        event
    };
    let file = machine.root().join(NEW).display().to_string();
    let read = machine.pre("r", "Read", &json!({"file_path": file}));
    machine.hook(&read);
    machine.hook(&after(read));
    let format = machine.pre("c1", "Bash", &json!({"command": "npm run format"}));
    let error = machine.hook(&format).denied();
    machine.approve(error["details"]["approval_id"].as_str().unwrap());
    assert_eq!(machine.hook(&format).decision().as_deref(), Some("allow"));
    machine.write(NEW, "pub fn new() { }\npub fn old() { }\n");
    machine.hook(&after(format));
    assert_eq!(drift(&machine), Vec::<Value>::new());
    machine.write(NEW, "pub fn new() { }\n");
    assert_eq!(drift(&machine).len(), 1, "and what comes later is");
}

// D-10: without version control there is nothing to compare a file with that no entry knows.
#[test]
fn a_call_under_way_is_not_judged() {
    let machine = written();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let params = json!({"path": "src/auth/next.rs", "content": "x\n"});
    let id = wire.pre("write_to_file", &params)["approvalId"].clone();
    wire.ask(json!({"phase": "resolve", "approvalId": id, "decision": "approve"}));
    machine.write("src/auth/next.rs", "half");
    assert_eq!(drift(&machine), Vec::<Value>::new());
    wire.end();
    let (_, text) = asked(&machine, &["trace", "verify", "--drift"]);
    assert!(text.contains("1 file is judged when its call is over"), "{text}");
}
