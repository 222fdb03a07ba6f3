//! Starting a sub-agent is free once the calls of one were seen to meet the hook (A13, D-05).

use serde_json::json;

use super::machine::Machine;

// A13, D-05, threat D4
#[test]
fn a_sub_agent_is_asked_about_until_a_call_of_one_has_met_the_hook() {
    let machine = Machine::selected();
    machine.world.ok(&["init", "--agent", "claude-code"]);
    let spawn = |id: &str| machine.pre(id, "Agent", &json!({"prompt": "look", "subagent_type": "Explore"}));
    assert!(doctor(&machine).contains("no call of a sub-agent has reached the hook here yet"));
    assert_eq!(machine.hook(&spawn("a1")).denied()["error"], "APPROVAL_PENDING");
    let mut child = machine.read_call("r1");
    child["agent_id"] = json!("explore-7");
    assert_eq!(machine.hook(&child).decision(), None);
    assert_eq!(machine.hook(&spawn("a2")).decision(), None);
    assert!(
        doctor(&machine)
            .contains("calls of sub-agents reach the hook here, so starting one needs no approval")
    );
    let elsewhere = machine.pre("a3", "Agent", &json!({"prompt": "look", "isolation": "remote"}));
    assert_eq!(machine.hook(&elsewhere).denied()["error"], "APPROVAL_PENDING");
}

// A13: what a sub-agent says of itself before it calls anything is no proof
#[test]
fn the_start_of_a_sub_agent_proves_nothing() {
    let machine = Machine::selected();
    let start = json!({
        "session_id": "s1", "cwd": machine.root().display().to_string(), "hook_event_name": "SubagentStart",
        "agent_id": "explore-7", "agent_type": "Explore",
    });
    machine.hook(&start);
    let spawn = machine.pre("a1", "Agent", &json!({"prompt": "look"}));
    assert_eq!(machine.hook(&spawn).denied()["error"], "APPROVAL_PENDING");
}

/// What `bailiwick doctor` says.
fn doctor(machine: &Machine) -> String {
    crate::world::said(&machine.world.run(&["doctor"]))
}
