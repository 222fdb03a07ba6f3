//! Who may read what is kept: private state and the user's state belong to one person, whatever the umask is (D-15).
#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use bailiwick_domain::json;

use super::machine::Machine;
use crate::world::said;

/// Every path below a folder, and itself, whose mode is another than that of private things.
fn open_to_others(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        check(&folder, 0o700, &mut found);
        for entry in std::fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else {
                check(&entry.path(), 0o600, &mut found);
            }
        }
    }
    found
}

fn check(path: &Path, wanted: u32, found: &mut Vec<String>) {
    let mode = path.symlink_metadata().unwrap().permissions().mode() & 0o7777;
    if mode != wanted {
        found.push(format!("{} has mode {mode:o}, not {wanted:o}", path.display()));
    }
}

// D-15
#[test]
fn what_is_private_is_readable_by_its_owner_alone() {
    let machine = Machine::selected();
    let line = format!("umask 0; {}", machine.bare_line());
    let hook = |event: &bailiwick_domain::Value| machine.through(&line, event.to_string().as_bytes());
    let person = |words: &[&str]| {
        let command = format!("umask 0; {}", machine.line(words));
        let output = machine.typed_line(&command, "y\n");
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", said(&output));
    };
    hook(&machine.prompt("s1"));
    machine.select("INT-001");
    hook(&machine.read_call("r1"));
    let mut read = machine.read_call("r1");
    read["hook_event_name"] = "PostToolUse".into();
    read["tool_response"] = json!({});
    hook(&read);
    let id = machine.pending("w1", "src/auth/login.rs.new");
    person(&["approval", "grant", &id]);
    let write = machine.write_call("w2", "src/auth/login.rs.new");
    assert_eq!(hook(&write).decision().as_deref(), Some("allow"));
    machine.write("src/auth/login.rs.new", "pub fn new() {}\n");
    let mut written = write;
    written["hook_event_name"] = "PostToolUse".into();
    written["tool_response"] = json!({});
    hook(&written);
    machine.write(".orchestration/config.yaml", "loop: { repeats: 9 }\n");
    person(&["config", "accept"]);
    person(&["pause", "--for", "5m"]);
    person(&["resume"]);
    machine.open_requests();
    for folder in [machine.private(), machine.state()] {
        assert_eq!(open_to_others(&folder), Vec::<String>::new());
    }
    assert!(machine.private().join("ledger/live.jsonl").exists(), "the walk saw a whole day");
}
