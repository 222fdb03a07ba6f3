//! What a list says of a request, and requests to which a yes would let nothing through (REQ 144, D-06).

use bailiwick_domain::{Value, json};

use super::machine::Machine;
use crate::world::said;

const NEW: &str = "src/auth/new.rs";

/// A machine with a write of a new file that waits for a person, and the request's id.
fn asked() -> (Machine, String) {
    let machine = Machine::selected();
    let id = machine.pending("w1", NEW);
    (machine, id)
}

#[track_caller]
fn refused(machine: &Machine, words: &[&str]) -> String {
    let output = machine.typed(words, "y\n");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    said(&output)
}

#[test]
fn req_144_a_list_says_that_a_command_has_more_lines() {
    let machine = Machine::selected();
    machine.hook(&machine.pre("c1", "Bash", &json!({"command": "rm -rf src\ncargo build"}))).denied();
    let list = machine.world.ok(&["approval", "list"]);
    assert!(list.contains("rm -rf src … +1 line"), "{list}");
}

#[test]
fn a_request_whose_file_changed_is_void() {
    let (machine, id) = asked();
    assert!(!machine.world.ok(&["approval", "list"]).contains("void"));
    machine.write(NEW, "somebody else's\n");
    let why = "src/auth/new.rs changed since it was asked; the agent will ask again";
    let text = refused(&machine, &["approval", "grant", &id]);
    assert!(text.contains(&format!("is void: {why}")) && !text.contains("Approve"), "{text}");
    let list = machine.world.ok(&["approval", "list"]);
    assert!(list.contains("void: src/auth/new.rs changed"), "{list}");
    assert_eq!(machine.open_requests()[0]["void"], json!(why));
    let screen = machine.world.ok(&["watch", "--once"]);
    assert!(screen.contains("VOID: src/auth/new.rs changed"), "{screen}");
    // An agent that waits hears of it at once, whatever the answer is.
    let text = said(&machine.typed(&["approval", "approve", &id], "y\n"));
    assert!(text.contains(&format!("a yes lets nothing through: {why}")), "{text}");
    assert!(text.contains(&format!("{id} is void")) && !text.contains("approved"), "{text}");
}

// An answer is no call that passes, and the log says who gave it, to what, and with which words.
#[test]
fn the_log_tells_answers_with_who_gave_them() {
    let (machine, id) = asked();
    let output = machine.typed(&["approval", "reject", &id, "--message", "use the helper"], "y\n");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(machine.hook(&machine.write_call("w2", NEW)).denied()["code"], "DESTRUCTIVE_ACTION_REJECTED");
    let log = machine.world.ok(&["log"]);
    assert!(log.contains(&format!("{id} rejected by dana: use the helper")), "{log}");
    let blocked = machine.decisions().into_iter().rfind(|record| record["action"] == "block").unwrap();
    assert_eq!(blocked["approval"], json!(id), "{blocked}");

    let mut wire = machine.wire();
    wire.select("INT-001");
    let call = json!({"path": "src/auth/other.rs", "content": "x\n"});
    for decision in ["approve", "reject"] {
        let asked = wire.pre("write_to_file", &call)["approvalId"].clone();
        let answer = json!({"phase": "resolve", "approvalId": asked, "decision": decision, "approver": "nina",
            "feedback": "too wide"});
        wire.ask(answer);
        wire.post("write_to_file", &call, false);
    }
    wire.end();
    let log = machine.world.ok(&["log"]);
    let of = |words: &str| log.lines().find(|line| line.contains(words)).unwrap_or_default().to_owned();
    assert!(of("approved by nina").contains("answer"), "{log}");
    assert!(of("rejected by nina: too wide").contains("answer"), "{log}");
}

#[test]
fn a_request_under_a_changed_intent_is_void_and_closing_it_withdraws_what_is_open() {
    let (machine, id) = asked();
    machine.world.ok(&["intent", "expand", "INT-001", "--scope", "tests/auth/"]);
    let text = said(&machine.typed(&["approval", "approve", &id], "y\n"));
    assert!(text.contains("is void: INT-001 changed since it was asked"), "{text}");

    let (machine, id) = asked();
    let closed = machine.world.ok(&["intent", "close", "INT-001", "--abandon"]);
    assert!(closed.contains(&format!("{id} is withdrawn")), "{closed}");
    assert_eq!(machine.open_requests(), Vec::<Value>::new());
}

// G6: what is asked and cannot be read does not vanish in silence
#[test]
fn a_request_that_cannot_be_read_is_told() {
    let (machine, id) = asked();
    let file = machine.private().join("approvals").join(format!("{id}.json"));
    std::fs::write(file, "{").unwrap();
    let told = format!("1 request cannot be read ({id}), so nobody is asked");
    for words in [&["approval", "list"][..], &["status"], &["doctor"]] {
        let text = said(&machine.world.run(words)).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&told), "{words:?}: {text}");
    }
}
