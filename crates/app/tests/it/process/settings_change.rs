//! Settings of the client that change while it runs: what takes the hooks away is not taken over, and a person's select
//! finds the session that is meant.

use bailiwick_domain::{Value, json};

use super::machine::Machine;
use crate::world::{read, said, write};

/// A machine with the client's hooks installed.
fn installed() -> Machine {
    let machine = Machine::selected();
    machine.world.ok(&["init", "--agent", "claude-code"]);
    machine
}

/// What the hook says of a changed settings file.
fn said_of(machine: &Machine, name: &str) -> Value {
    let answer = machine.hook(&json!({
        "session_id": "s1",
        "cwd": machine.root().display().to_string(),
        "hook_event_name": "ConfigChange",
        "source": "project_settings",
        "file_path": machine.root().join(name).display().to_string(),
    }));
    assert_eq!(answer.code, Some(0), "{answer:?}");
    if answer.stdout.is_empty() { Value::Null } else { serde_json::from_str(&answer.stdout).unwrap() }
}

const SHARED: &str = ".claude/settings.json";
const LOCAL: &str = ".claude/settings.local.json";

// D-18, threats F1, F5
#[test]
fn settings_that_turn_the_hooks_off_are_not_taken_over_and_logged() {
    let machine = installed();
    machine.write(SHARED, "{\"disableAllHooks\": true}\n");
    let answer = said_of(&machine, SHARED);
    assert_eq!(answer["decision"], "block", "{answer}");
    assert!(answer["reason"].as_str().unwrap().contains("turns every hook off"), "{answer}");
    let last = machine.decisions().pop().unwrap();
    assert_eq!((&last["action"], &last["code"]), (&json!("block"), &json!("PROTECTED_PATH")), "{last}");
}

// D-18, threats F1, F5
#[test]
fn our_own_file_without_our_hooks_is_not_taken_over() {
    let machine = installed();
    machine.write(LOCAL, "{}\n");
    assert_eq!(said_of(&machine, LOCAL)["decision"], "block");
    std::fs::remove_file(machine.root().join(LOCAL)).unwrap();
    assert_eq!(said_of(&machine, LOCAL)["decision"], "block");
}

// threat F1: the host reads every file anew when it takes over one of them
#[test]
fn a_harmless_change_beside_a_harmful_one_is_not_taken_over() {
    let machine = installed();
    machine.write(SHARED, "{\"model\": \"x\"}\n");
    machine.write(LOCAL, "{}\n");
    assert_eq!(said_of(&machine, SHARED)["decision"], "block");
}

// D-08: what is not about the gate, and the person's own uninstall, is nobody's business
#[test]
fn other_changes_and_uninstall_are_taken_over() {
    let machine = installed();
    machine.write(SHARED, "{\"model\": \"x\"}\n");
    assert_eq!(said_of(&machine, SHARED), Value::Null);
    let local = machine.root().join(LOCAL);
    write(&local, &read(&local).replacen('{', "{\"model\": \"x\",", 1));
    assert_eq!(said_of(&machine, LOCAL), Value::Null);
    machine.world.ok(&["uninstall"]);
    assert_eq!(said_of(&machine, LOCAL), Value::Null);
}

// D-12, D-16
#[test]
fn a_persons_select_means_the_session_and_not_its_sub_agent() {
    let machine = Machine::selected();
    let mut child = machine.read_call("r1");
    child["agent_id"] = json!("explore-7");
    machine.hook(&child);
    for words in [&["select", "INT-002"][..], &["select", "INT-002", "--session", "s1"]] {
        let output = machine.typed(words, "");
        assert!(said(&output).contains("INT-002 is active for claude-code s1\r\n"), "{}", said(&output));
    }
    let output = machine.typed(&["select", "INT-002", "--session", "s9"], "");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
}

// D-08
#[test]
fn going_over_to_the_teams_hooks_and_a_humans_uninstall_are_let_go() {
    let machine = Machine::new();
    machine.world.ok(&["init", "--agent", "claude-code"]);
    let changed = |machine: &Machine| {
        let answer = machine.hook(&serde_json::json!({
            "session_id": "s1",
            "cwd": machine.root().display().to_string(),
            "hook_event_name": "ConfigChange",
            "file_path": machine.world.local_settings().display().to_string(),
        }));
        assert_eq!(answer.code, Some(0), "{answer:?}");
        answer.stdout
    };
    machine.world.ok(&["init", "--agent", "claude-code", "--shared"]);
    assert_eq!(changed(&machine), "", "the team's hooks are as good");
    std::fs::write(machine.root().join(".claude/settings.json"), "{}").unwrap();
    assert!(changed(&machine).contains("\"block\""));
    machine.world.ok(&["init", "--agent", "claude-code", "--shared"]);
    machine.world.ok(&["uninstall", "--shared"]);
    assert_eq!(changed(&machine), "");
}
