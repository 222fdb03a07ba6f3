//! Several versions of the program on one repository (D-08): an upgrade refreshes the hooks and nothing else, an older
//! state is read, and a state of a form that this program does not know stops every call with what to do.

use bailiwick_domain::json;

use super::machine::Machine;
use crate::world::{World, json as parsed, read, write};

// D-08
#[test]
fn an_upgrade_refreshes_old_hooks_and_leaves_others_alone() {
    let world = World::new();
    write(
        &world.local_settings(),
        &json!({"hooks": {
            "PreToolUse": [
                {"matcher": "Bash", "hooks": [{"type": "command", "command": "theirs"}]},
                {"matcher": "*", "hooks": [
                    {"type": "command", "command": "'/old/bin/bailiwick' hook --agent claude-code || exit 2", "timeout": 5},
                ]},
            ],
            "PermissionRequest": [{"hooks": [{"type": "command", "command": "/old/bin/bailiwick hook --agent claude-code"}]}],
            "Notification": [{"hooks": [{"type": "command", "command": "beep"}]}],
        }})
        .to_string(),
    );
    world.ok(&["init", "--agent", "claude-code"]);
    let text = read(&world.local_settings());
    assert!(!text.contains("/old/bin"), "{text}");
    let settings = parsed(&text);
    assert_eq!(settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"], "theirs");
    assert_eq!(settings["hooks"]["Notification"][0]["hooks"][0]["command"], "beep");
    assert_eq!(settings["hooks"].get("PermissionRequest"), None, "an event that is not used any more");
    assert_eq!(text.matches(env!("CARGO_BIN_EXE_bailiwick")).count(), 11);
}

// D-08
#[test]
fn doctor_tells_that_another_version_installed_the_hooks() {
    let machine = Machine::new();
    machine.world.ok(&["init", "--agent", "claude-code"]);
    let folder = machine.private().join("install");
    let record = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    write(&record, &read(&record).replace(env!("CARGO_PKG_VERSION"), "0.0.9"));
    let told = crate::world::said(&machine.world.run(&["doctor"]));
    assert!(told.contains("installed by version 0.0.9"), "{told}");
    machine.world.ok(&["init", "--agent", "claude-code"]);
    assert!(!read(&record).contains("0.0.9"));
}

// D-08: fail closed
#[test]
fn a_state_of_a_newer_form_stops_every_call_and_says_what_to_do() {
    for form in ["format 3", "format 10\n", "format 0", "something else"] {
        let machine = Machine::selected();
        write(&machine.private().join("lock"), form);
        for event in [machine.read_call("r1"), machine.write_call("w1", "src/auth/new.rs")] {
            let error = machine.hook(&event).denied();
            assert_eq!(error["code"], "ORCHESTRATION_INVALID");
            let said = error.to_string();
            assert!(said.contains("newer Bailiwick") && said.contains("bailiwick uninstall"), "{said}");
        }
        let own = std::fs::read_dir(machine.state().join("roots")).into_iter().flatten().flatten();
        let mut calls = own.map(|root| root.path().join("pending")).filter(|calls| calls.exists());
        assert_eq!(calls.next(), None, "nothing of the newer state is touched");
    }
    for form in ["format 1\n", "format 2\n"] {
        let machine = Machine::selected();
        write(&machine.private().join("lock"), form);
        assert_eq!(machine.hook(&machine.read_call("r1")).decision(), None);
    }
}

// C: what an older version kept of open calls in git's folder could be anybody's: it counts for nothing, and is named
#[test]
fn records_of_open_calls_of_an_older_version_are_named() {
    let machine = Machine::selected();
    let told = || crate::world::said(&machine.world.run(&["status"]));
    assert!(!told().contains("Open calls"), "{}", told());
    write(&machine.private().join("pending/session/call.json"), "{}");
    let said = told();
    assert!(said.contains("Open calls: 1 record of an older version lies in"), "{said}");
    assert!(crate::world::said(&machine.world.run(&["doctor"])).contains("remove that folder"));
}
