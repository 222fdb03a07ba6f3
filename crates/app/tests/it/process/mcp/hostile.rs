//! A client that means no good: nothing is changed that was not approved, and honest work beside it passes.

use bailiwick_domain::{Value, json};

use super::client::{Client, requests};
use crate::process::machine::Machine;
use crate::world::{git, read, write};

fn new_file(path: &str) -> Value {
    json!({"path": path, "content": "x\n"})
}

// threat C1, threat C4, threat F1, D-39
#[test]
fn no_path_leads_out_of_the_root_or_to_what_is_protected() {
    let machine = Machine::new();
    let outside = machine.world.path("outside");
    write(&outside.join("victim.rs"), "safe\n");
    for (link, to) in
        [("src/auth/out", outside.clone()), ("src/auth/store", machine.root().join(".orchestration"))]
    {
        std::os::unix::fs::symlink(to, machine.root().join(link)).unwrap();
    }
    let client = Client::selected(&machine);
    let absolute = outside.join("victim.rs").display().to_string();
    for (path, codes) in [
        ("../outside/victim.rs", &["OUTSIDE_WORKSPACE"][..]),
        (absolute.as_str(), &["OUTSIDE_WORKSPACE"]),
        ("src/auth/out/victim.rs", &["OUTSIDE_WORKSPACE"]),
        ("src/auth/../../../outside/victim.rs", &["OUTSIDE_WORKSPACE"]),
        ("src/auth/store/active_intents.yaml", &["PROTECTED_PATH"]),
        (".orchestration/active_intents.yaml", &["PROTECTED_PATH"]),
        (".git/hooks/pre-commit", &["PROTECTED_PATH"]),
        (".claude/settings.local.json", &["PROTECTED_PATH"]),
        ("src/core/main.rs", &["SCOPE_VIOLATION"]),
        ("src/auth", &["MALFORMED_CALL", "SCOPE_VIOLATION"]),
        (".", &["PROTECTED_PATH", "MALFORMED_CALL"]),
        ("src/auth/a\u{0}b", &["MALFORMED_CALL"]),
        ("~/x.rs", &["MALFORMED_CALL", "OUTSIDE_WORKSPACE", "SCOPE_VIOLATION"]),
    ] {
        for (tool, params) in [
            ("write_to_file", new_file(path)),
            ("delete_file", json!({"path": path})),
            ("edit_file", json!({"path": path, "old_string": "safe\n", "new_string": "x\n"})),
            ("move_file", json!({"from": "src/auth/login.rs", "to": path})),
            ("move_file", json!({"from": path, "to": "src/auth/moved.rs"})),
            (
                "apply_patch",
                json!({"patch": format!("*** Begin Patch\n*** Update File: src/auth/login.rs\n*** Move to: {path}\n@@\n-pub fn login() {{}}\n+x\n*** End Patch\n")}),
            ),
        ] {
            let code = client.code(tool, &params);
            let others = ["MALFORMED_CALL", "STALE_FILE", "LOOP_DETECTED"];
            assert!(
                codes.contains(&code.as_str()) || others.contains(&code.as_str()),
                "{tool} {path}: {code}"
            );
        }
    }
    assert!(requests(&machine).is_empty());
    assert_eq!(read(&outside.join("victim.rs")), "safe\n");
    assert_eq!(read(&machine.root().join("src/auth/login.rs")), "pub fn login() {}\n");
    client.approved(&machine, "write_to_file", &new_file("src/auth/./deep/new.rs"));
    assert_eq!(read(&machine.root().join("src/auth/deep/new.rs")), "x\n");
    client.end();
}

// threat C2: the folder is swapped for a link between the yes and the write
#[test]
fn a_folder_that_becomes_a_link_after_the_yes_leads_nowhere() {
    let machine = Machine::new();
    let outside = machine.world.path("outside");
    write(&outside.join("new.rs"), "safe\n");
    std::fs::create_dir_all(machine.root().join("src/auth/deep")).unwrap();
    let client = Client::selected(&machine);
    machine.approve(&client.pending("write_to_file", &new_file("src/auth/deep/new.rs")));
    machine.approve(&client.pending("write_to_file", &new_file("src/auth/deep/other.rs")));
    let deep = machine.root().join("src/auth/deep");
    std::fs::rename(&deep, machine.root().join("src/auth/kept")).unwrap();
    std::os::unix::fs::symlink(&outside, &deep).unwrap();
    assert_eq!(client.code("write_to_file", &new_file("src/auth/deep/new.rs")), "OUTSIDE_WORKSPACE");
    assert_eq!(read(&outside.join("new.rs")), "safe\n");
    std::fs::remove_file(&deep).unwrap();
    std::fs::rename(machine.root().join("src/auth/kept"), &deep).unwrap();
    client.ok("write_to_file", &new_file("src/auth/deep/other.rs"));
    client.end();
}

// REQ 60, K-10
#[test]
fn what_changed_since_it_was_read_is_not_written_over() {
    let machine = Machine::new();
    machine.write("src/auth/login.rs", "pub fn login() {}\npub fn leave() {}\n");
    let client = Client::selected(&machine);
    let whole = json!({"path": "src/auth/login.rs", "content": "mine\n"});
    assert_eq!(client.code("write_to_file", &whole), "STALE_FILE", "never read");
    let some = client.ok("read_file", &json!({"path": "src/auth/login.rs", "offset": 1, "limit": 1}));
    assert!(some.contains("[lines 1 to 1 of 3]"), "{some}");
    assert_eq!(client.code("write_to_file", &whole), "STALE_FILE", "read in part");
    client.ok("read_file", &json!({"path": "src/auth/login.rs"}));
    let id = client.pending("write_to_file", &whole);
    machine.approve(&id);
    machine.write("src/auth/login.rs", "theirs\n");
    assert_eq!(client.code("write_to_file", &whole), "STALE_FILE");
    assert_eq!(read(&machine.root().join("src/auth/login.rs")), "theirs\n");
    client.ok("read_file", &json!({"path": "src/auth/login.rs"}));
    client.approved(&machine, "write_to_file", &whole);
    client.end();
}

// D-12: two clients at once
#[test]
fn two_clients_are_two_actors() {
    let machine = Machine::new();
    let (one, two) = (Client::selected(&machine), Client::of(&machine));
    assert_eq!(two.code("write_to_file", &new_file("src/auth/new.rs")), "STATE_VIOLATION");
    two.ok("select_active_intent", &json!({"intent_id": "INT-001"}));
    for client in [&one, &two] {
        client.ok("read_file", &json!({"path": "src/auth/login.rs"}));
    }
    let edit = json!({"path": "src/auth/login.rs", "old_string": "pub fn login() {}\n", "new_string": "x\n"});
    let (first, second) = (one.pending("edit_file", &edit), two.pending("edit_file", &edit));
    assert_ne!(first, second, "one's yes is not the other's");
    machine.approve(&first);
    two.pending("edit_file", &edit);
    one.ok("edit_file", &edit);
    assert_eq!(two.code("edit_file", &edit), "STALE_FILE");
    one.end();
    two.end();
}

// threat D10, D-39: parameters that no tool has, more than is looked at, a session that the hook did not say
#[test]
fn odd_calls_are_refused_before_anybody_is_asked() {
    let machine = Machine::new();
    let client = Client::selected(&machine);
    for (tool, params) in [
        ("write_to_file", json!({"path": "src/auth/new.rs", "content": "x", "mode": "append"})),
        ("write_to_file", json!({"path": "src/auth/new.rs", "content": 7})),
        ("write_to_file", json!({"path": "src/auth/new.rs"})),
        ("write_to_file", json!({"path": "src/auth/new.rs", "content": "x", "session": "claude-code/s1"})),
        ("read_file", json!({"path": "src/auth/login.rs", "session": "claude-code/s1"})),
        ("read_file", json!({"path": "src/auth/login.rs", "offset": 0})),
        ("execute_command", json!({"command": "ls", "env": {"A": "b"}})),
        ("execute_command", json!({"command": ""})),
        ("search_files", json!({"regex": "("})),
        ("search_files", json!({"regex": "a", "file_pattern": "{"})),
        ("edit_file", json!({"path": "src/auth/login.rs", "old_string": "nowhere", "new_string": "x"})),
        ("move_file", json!({"from": "src/auth/login.rs", "to": "src/auth/login.rs"})),
    ] {
        let code = client.code(tool, &params);
        assert!(["MALFORMED_CALL", "STALE_FILE"].contains(&code.as_str()), "{tool} {params}: {code}");
    }
    assert!(requests(&machine).is_empty());
    client.pending("write_to_file", &new_file("src/auth/new.rs"));
    client.end();
}

// D-14: without a store nothing passes
#[test]
fn a_repository_that_is_not_governed_is_not_worked_on() {
    let machine = Machine::new();
    let other = machine.world.path("repo2");
    std::fs::create_dir(&other).unwrap();
    git(&other, &["init", "--quiet"]);
    write(&other.join("a.rs"), "a\n");
    let client = Client::at(&machine, &other);
    assert_eq!(client.code("read_file", &json!({"path": "a.rs"})), "ORCHESTRATION_MISSING");
    assert_eq!(client.code("write_to_file", &new_file("a.rs")), "ORCHESTRATION_MISSING");
    assert_eq!(read(&other.join("a.rs")), "a\n");
    client.end();
}
