//! Tools that change files: what was approved is what is written, once, whole, and recorded.

use std::os::unix::fs::PermissionsExt;

use bailiwick_domain::{Value, json};

use super::client::{Client, requests};
use crate::process::machine::Machine;
use crate::world::{json as parsed, read};

fn new_file(text: &str) -> Value {
    json!({"path": "src/auth/new.rs", "content": text})
}

// D-39, D-01
#[test]
fn the_list_of_tools_is_the_same_in_every_state() {
    let machine = Machine::new();
    let client = Client::of(&machine);
    let before = client.tools();
    client.ok("select_active_intent", &json!({"intent_id": "INT-001"}));
    assert_eq!(client.tools(), before);
    assert_eq!(before.as_array().unwrap().len(), 15);
    client.end();
}

// D-39, D-21, REQ 113
#[test]
fn a_session_without_a_hook_from_the_first_look_to_the_recorded_change() {
    let machine = Machine::new();
    let client = Client::of(&machine);
    assert_eq!(client.ok("read_file", &json!({"path": "src/auth/login.rs"})), "pub fn login() {}\n");
    assert_eq!(client.code("write_to_file", &new_file("one\n")), "STATE_VIOLATION");
    let context = client.ok("select_active_intent", &json!({"intent_id": "INT-001"}));
    assert!(context.starts_with("<intent_context>"), "{context}");
    let id = client.pending("write_to_file", &new_file("one\n"));
    assert_eq!(client.pending("write_to_file", &new_file("one\n")), id, "nobody is asked twice");
    assert!(!machine.root().join("src/auth/new.rs").exists());
    machine.approve(&id);
    assert_eq!(client.pending("write_to_file", &new_file("two\n")).len(), id.len(), "a yes is for one call");
    let done = client.ok("write_to_file", &new_file("one\n"));
    assert!(done.contains("src/auth/new.rs") && done.contains("Recorded as"), "{done}");
    assert_eq!(read(&machine.root().join("src/auth/new.rs")), "one\n");
    assert_ne!(client.pending("write_to_file", &new_file("one\n")), id, "a yes passes once");
    let told = parsed(&machine.world.ok(&["trace", "log", "--json"]));
    assert_eq!(told["entries"].as_array().unwrap().len(), 1, "{told}");
    machine.world.ok(&["trace", "verify"]);
    client.end();
}

// D-39: what the gate predicted is what the tool wrote
#[test]
fn each_tool_writes_what_the_question_showed() {
    let machine = Machine::new();
    let client = Client::selected(&machine);
    let file = machine.root().join("src/auth/login.rs");
    client.ok("read_file", &json!({"path": "src/auth/login.rs"}));
    let edit = json!({"path": "src/auth/login.rs", "old_string": "pub fn login() {}\n", "new_string": "pub fn login() {\r\n}\n"});
    client.approved(&machine, "edit_file", &edit);
    assert_eq!(read(&file), "pub fn login() {\r\n}\n", "the bytes of the call and nothing else");
    let patch = "*** Begin Patch\n*** Update File: src/auth/login.rs\n@@\n-}\n+  1;\n+}\n*** Add File: src/auth/b.rs\n+b\n*** End Patch\n";
    client.approved(&machine, "apply_patch", &json!({"patch": patch}));
    assert_eq!(read(&file), "pub fn login() {\r\n  1;\r\n}\r\n");
    assert_eq!(read(&machine.root().join("src/auth/b.rs")), "b\n");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).unwrap();
    client.ok("read_file", &json!({"path": "src/auth/login.rs"}));
    let moved = json!({"from": "src/auth/login.rs", "to": "src/auth/deep/entry.rs"});
    client.approved(&machine, "move_file", &moved);
    let there = machine.root().join("src/auth/deep/entry.rs");
    assert!(!file.exists() && there.metadata().unwrap().permissions().mode() & 0o111 != 0);
    client.ok("read_file", &json!({"path": "src/auth/b.rs"}));
    client.approved(&machine, "delete_file", &json!({"path": "src/auth/b.rs"}));
    assert!(!machine.root().join("src/auth/b.rs").exists());
    let told = parsed(&machine.world.ok(&["trace", "log", "--json"]));
    assert_eq!(told["entries"].as_array().unwrap().len(), 4, "{told}");
    assert!(!machine.decisions().iter().any(|line| line["action"] == "adopted"), "nothing was amended");
    machine.world.ok(&["trace", "verify"]);
    client.end();
}

fn mode_of(file: &std::path::Path) -> u32 {
    file.metadata().unwrap().permissions().mode() & 0o777
}

// D-39: a file that was for its owner alone stays so
#[test]
fn a_file_keeps_its_mode_when_it_is_edited_moved_or_both() {
    let machine = Machine::new();
    let client = Client::selected(&machine);
    let file = machine.root().join("src/auth/login.rs");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    client.ok("read_file", &json!({"path": "src/auth/login.rs"}));
    let edit =
        json!({"path": "src/auth/login.rs", "old_string": "pub fn login() {}\n", "new_string": "one\n"});
    client.approved(&machine, "edit_file", &edit);
    assert_eq!(mode_of(&file), 0o600);
    let both = "*** Begin Patch\n*** Update File: src/auth/login.rs\n*** Move to: src/auth/moved.rs\n@@\n-one\n+two\n*** End Patch\n";
    client.approved(&machine, "apply_patch", &json!({"patch": both}));
    let moved = machine.root().join("src/auth/moved.rs");
    assert_eq!((read(&moved).as_str(), mode_of(&moved)), ("two\n", 0o600));
    client.ok("read_file", &json!({"path": "src/auth/moved.rs"}));
    client.approved(&machine, "move_file", &json!({"from": "src/auth/moved.rs", "to": "src/auth/last.rs"}));
    assert_eq!(mode_of(&machine.root().join("src/auth/last.rs")), 0o600);
    client.end();
}

// D-39: what is below a linked folder is no link
#[test]
fn a_file_below_a_linked_folder_is_deleted_and_moved() {
    let machine = Machine::new();
    let auth = machine.root().join("src/auth");
    for name in ["real/a.rs", "real/b.rs"] {
        machine.write(&format!("src/auth/{name}"), "x\n");
    }
    std::os::unix::fs::symlink("real", auth.join("linked")).unwrap();
    std::os::unix::fs::symlink("a.rs", auth.join("real/link.rs")).unwrap();
    let client = Client::selected(&machine);
    for path in ["src/auth/linked/a.rs", "src/auth/linked/b.rs"] {
        client.ok("read_file", &json!({ "path": path }));
    }
    let link = client.refused("delete_file", &json!({"path": "src/auth/linked/link.rs"}));
    assert!(link["message"].as_str().unwrap().contains("symbolic link"), "{link}");
    client.approved(&machine, "delete_file", &json!({"path": "src/auth/linked/a.rs"}));
    let moved = json!({"from": "src/auth/linked/b.rs", "to": "src/auth/linked/c.rs"});
    client.approved(&machine, "move_file", &moved);
    let mut left: Vec<_> =
        std::fs::read_dir(auth.join("real")).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["c.rs", "link.rs"]);
    client.end();
}

// D-39: `rm` and `mv` act on a link, and what was judged is the file that it leads to
#[test]
fn a_link_is_not_deleted_moved_or_replaced_and_neither_is_what_it_leads_to() {
    let machine = Machine::new();
    for (link, to) in [("link.rs", "login.rs"), ("dangling.rs", "none.rs")] {
        std::os::unix::fs::symlink(to, machine.root().join("src/auth").join(link)).unwrap();
    }
    let client = Client::selected(&machine);
    for path in ["src/auth/link.rs", "src/auth/login.rs"] {
        client.ok("read_file", &json!({ "path": path }));
    }
    let patch = "*** Begin Patch\n*** Delete File: src/auth/link.rs\n*** End Patch\n";
    for (tool, params) in [
        ("delete_file", json!({"path": "src/auth/link.rs"})),
        ("move_file", json!({"from": "src/auth/link.rs", "to": "src/auth/moved.rs"})),
        ("move_file", json!({"from": "src/auth/login.rs", "to": "src/auth/dangling.rs"})),
        ("apply_patch", json!({"patch": patch})),
    ] {
        let error = client.refused(tool, &params);
        assert_eq!(error["code"], "MALFORMED_CALL", "{error}");
        assert!(error["message"].as_str().unwrap().contains("symbolic link"), "{error}");
    }
    assert!(requests(&machine).is_empty());
    assert!(machine.root().join("src/auth/link.rs").is_symlink());
    client.approved(&machine, "delete_file", &json!({"path": "src/auth/login.rs"}));
    assert!(!machine.root().join("src/auth/login.rs").exists());
    client.end();
}

// D-16: a person is asked only about what can be done
#[test]
fn a_file_below_a_file_asks_nobody() {
    let machine = Machine::new();
    let client = Client::selected(&machine);
    for path in ["src/auth/login.rs/x", "src/auth/login.rs/deep/x"] {
        let error = client.refused("write_to_file", &json!({"path": path, "content": "x\n"}));
        assert_eq!(error["code"], "MALFORMED_CALL", "{error}");
        assert!(error["message"].as_str().unwrap().contains("is a file, not a folder"), "{error}");
    }
    assert!(requests(&machine).is_empty());
    client.approved(&machine, "write_to_file", &json!({"path": "src/auth/new/deep/x", "content": "x\n"}));
    client.end();
}

// D-39: all files of a call or none
#[test]
fn a_patch_of_which_one_part_may_not_be_changes_nothing() {
    let machine = Machine::new();
    let client = Client::selected(&machine);
    let before = read(&machine.root().join("src/auth/login.rs"));
    let patch = |other: &str| json!({"patch": format!("*** Begin Patch\n*** Add File: src/auth/b.rs\n+b\n{other}*** End Patch\n")});
    let out = patch("*** Add File: src/core/c.rs\n+c\n");
    assert_eq!(client.code("apply_patch", &out), "SCOPE_VIOLATION");
    client.ok("read_file", &json!({"path": "src/auth/login.rs"}));
    for (what, other) in [
        ("does not fit", "*** Update File: src/auth/login.rs\n@@\n-nothing like it\n+x\n"),
        ("is not there", "*** Delete File: src/auth/none.rs\n"),
    ] {
        let error = client.refused("apply_patch", &patch(other));
        let code = error["code"].as_str().unwrap();
        assert!(["MALFORMED_CALL", "STALE_FILE"].contains(&code), "{what}: {error}");
    }
    let mode = "diff --git a/src/auth/login.rs b/src/auth/login.rs\nold mode 100644\nnew mode 100755\n";
    assert_eq!(client.code("apply_patch", &json!({"patch": mode})), "MALFORMED_CALL");
    assert!(!machine.root().join("src/auth/b.rs").exists());
    assert_eq!(read(&machine.root().join("src/auth/login.rs")), before);
    assert!(requests(&machine).is_empty(), "nobody is asked about what cannot be done");
    client.approved(&machine, "apply_patch", &patch("*** Add File: src/auth/c.rs\n+c\n"));
    client.end();
}

// D-16, D-38: a person answers while the call waits
#[test]
fn a_call_waits_for_a_person_who_is_there() {
    let machine = Machine::new();
    let client = Client::selected(&machine);
    machine.open_requests();
    std::thread::scope(|scope| {
        let call = scope.spawn(|| client.ok("write_to_file", &new_file("one\n")));
        let id = loop {
            if let [request] = machine.open_requests().as_slice() {
                break request["id"].as_str().unwrap().to_owned();
            }
        };
        machine.approve(&id);
        call.join().unwrap();
    });
    assert_eq!(read(&machine.root().join("src/auth/new.rs")), "one\n");
    client.end();
}

// D-02
#[test]
fn a_grant_covers_further_edits_of_that_client_alone() {
    let machine = Machine::new();
    let (client, other) = (Client::selected(&machine), Client::selected(&machine));
    let id = client.pending("write_to_file", &new_file("one\n"));
    let given = machine.typed(&["approval", "grant", &id], "y\n");
    assert_eq!(given.status.code(), Some(0), "{}", crate::world::said(&given));
    client.ok("write_to_file", &new_file("one\n"));
    client.ok("write_to_file", &json!({"path": "src/auth/more.rs", "content": "more\n"}));
    other.pending("write_to_file", &json!({"path": "src/auth/other.rs", "content": "more\n"}));
    client.end();
    let text = machine.world.ok(&["approval", "list", "--json"]);
    assert_eq!(parsed(&text)["grants"], json!([]), "a grant ends with its client");
    other.end();
}

// D-07
#[test]
fn a_pause_lets_a_change_through_and_it_is_recorded() {
    let machine = Machine::new();
    let client = Client::selected(&machine);
    let paused = machine.typed(&["pause", "--for", "5m"], "y\n");
    assert_eq!(paused.status.code(), Some(0), "{}", crate::world::said(&paused));
    let told = client.ok("write_to_file", &new_file("one\n"));
    assert!(told.contains("paused") && told.contains("Recorded as"), "{told}");
    assert_eq!(
        client.code("write_to_file", &json!({"path": ".orchestration/config.yaml", "content": ""})),
        "PROTECTED_PATH"
    );
    client.end();
}
