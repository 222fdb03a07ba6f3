//! Intents are born, grow and end in the real file, by hooks below an agent and by a person at a terminal.

use bailiwick_domain::{Value, json};

use super::machine::{INTENTS, Machine};

const FILE: &str = ".orchestration/active_intents.yaml";

fn intents(machine: &Machine) -> String {
    std::fs::read_to_string(machine.root().join(FILE)).unwrap()
}

/// A call of an own tool through the agent's shell.
fn own(machine: &Machine, id: &str, tool: &str, params: &Value) -> Value {
    machine.pre(id, "Bash", &json!({"command": format!("bailiwick tool {tool} '{params}'")}))
}

/// Asks, approves at a terminal, and makes the same call again.
fn accepted(machine: &Machine, tool: &str, params: &Value) {
    let error = machine.hook(&own(machine, "d1", tool, params)).denied();
    assert_eq!(error["code"], "APPROVAL_PENDING", "{error}");
    machine.approve(error["details"]["approval_id"].as_str().unwrap());
    let answer = machine.hook(&own(machine, "d2", tool, params));
    assert_eq!(answer.decision().as_deref(), Some("allow"), "{answer:?}");
}

// D-01, D-19
#[test]
fn an_accepted_draft_is_in_the_file_and_can_be_worked_under() {
    let machine = Machine::new();
    let params = json!({"name": "Round the bill", "why": "Cents get lost", "owned_scope": ["src/billing/**"],
        "acceptance_criteria": ["0.005 is 0.01"]});
    accepted(&machine, "propose_intent", &params);
    let text = intents(&machine);
    assert!(
        text.starts_with(INTENTS) && text.contains("- id: INT-005\n    name: Round the bill\n"),
        "{text}"
    );
    machine.select("INT-005");
    machine.pending("w1", "src/billing/round.rs");
    let shown = machine.world.ok(&["tool", "propose_intent", &params.to_string()]);
    assert!(shown.contains("INT-005"), "{shown:?}");
}

// K-01
#[test]
fn an_approved_expansion_counts_from_the_next_call_on() {
    let machine = Machine::selected();
    let error = machine.hook(&machine.write_call("w1", "src/core/new.rs")).denied();
    assert_eq!(error["code"], "SCOPE_VIOLATION", "{error}");
    let params = json!({"paths": ["src/core/new.rs"], "reason": "the login starts there"});
    accepted(&machine, "request_scope_expansion", &params);
    let expected = INTENTS.replace("[src/auth/]", "[src/auth/, \"src/core/new.rs\"]");
    assert_eq!(intents(&machine), expected);
    machine.pending("w2", "src/core/new.rs");
}

// K-01, K-30, K-37
#[test]
fn what_a_person_expands_and_closes_counts_at_once() {
    let machine = Machine::selected();
    machine.world.ok(&["intent", "expand", "INT-001", "--scope", "src/core/"]);
    machine.pending("w1", "src/core/new.rs");
    assert_eq!(machine.world.run(&["intent", "expand", "INT-001", "--scope", "**"]).status.code(), Some(2));
    machine.world.ok(&["intent", "close", "INT-001"]);
    let error = machine.hook(&machine.write_call("w2", "src/auth/new.rs")).denied();
    assert_eq!(error["code"], "INTENT_NOT_SELECTABLE", "{error}");
    machine.world.ok(&["intent", "close", "INT-002", "--abandon"]);
    let closed = INTENTS.replace("IN_PROGRESS", "COMPLETED").replacen("PENDING", "ABANDONED", 1);
    assert_eq!(intents(&machine), closed.replace("[src/auth/]", "[src/auth/, \"src/core/\"]"));
    assert_eq!(machine.world.run(&["intent", "close", "INT-404"]).status.code(), Some(1));
}

// D-01
#[test]
fn a_person_says_so_when_a_scope_shall_be_broad() {
    let machine = Machine::new();
    for number in 0..30 {
        machine.write(&format!("lib/f{number}.rs"), "");
    }
    let words = ["intent", "new", "Tidy up", "--scope", "lib/"];
    let refused = machine.world.run(&words);
    assert_eq!(refused.status.code(), Some(2));
    assert!(crate::world::said(&refused).contains("30 of "), "{refused:?}");
    assert_eq!(intents(&machine), INTENTS);
    machine.world.ok(&[&words[..], &["--allow-broad"]].concat());
    let expand = ["intent", "expand", "INT-001", "--scope", "lib/"];
    assert_eq!(machine.world.run(&expand).status.code(), Some(2));
    machine.world.ok(&[&expand[..], &["--allow-broad"]].concat());
}

// D-16
#[test]
fn an_agent_closes_and_expands_nothing() {
    let machine = Machine::selected();
    for command in ["bailiwick intent close INT-001", "bailiwick intent expand INT-001 --scope src/"] {
        let error = machine.hook(&machine.pre("c1", "Bash", &json!({"command": command}))).denied();
        assert_ne!(error["code"], "APPROVAL_PENDING", "{command}: {error}");
    }
    assert_eq!(intents(&machine), INTENTS);
}
