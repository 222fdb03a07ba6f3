//! Calls that wait for a person while their client changes its mind, or goes (D-39).

use std::time::{Duration, Instant};

use bailiwick_domain::{Value, json};

use super::client::Client;
use crate::process::machine::Machine;
use crate::world::read;

/// When a client that closed its server's input ends it by force.
const PATIENCE: Duration = Duration::from_secs(4);

/// A yes that comes after a call was called off is for the same call, whether that waits already or comes later.
#[track_caller]
pub(super) fn assert_a_yes_is_for_the_next_call(machine: &Machine, client: &Client, tool: &str) {
    client.ok("select_active_intent", &json!({"intent_id": "INT-001"}));
    let file = |name: &str| json!({"path": format!("src/auth/{name}"), "content": "x\n"});
    let written = |name: &str| std::fs::exists(machine.root().join("src/auth").join(name)).unwrap();

    let (id, begun) = client.asked(machine, tool, &file("late.rs"));
    client.call_off(begun);
    machine.approve(&id);
    assert!(!written("late.rs"));
    client.ok(tool, &file("late.rs"));
    assert!(written("late.rs"));

    let (id, begun) = client.asked(machine, tool, &file("again.rs"));
    client.call_off(begun);
    std::thread::scope(|scope| {
        let again = scope.spawn(|| client.ok(tool, &file("again.rs")));
        while !waits_twice(machine, &id) {
            machine.open_requests();
        }
        machine.approve(&id);
        again.join().unwrap();
    });
    assert!(written("again.rs"));
    let allowed = machine.decisions().into_iter().filter(|line| line["action"] == "allow");
    assert_eq!(allowed.filter(|line| line["approval"] == id.as_str()).count(), 1);
}

/// Whether a second call waits for the answer to this question.
fn waits_twice(machine: &Machine, id: &str) -> bool {
    let waits = |line: &Value| line["action"] == "wait_for_approval" && line["approval"] == id;
    machine.decisions().iter().filter(|line| waits(line)).count() == 2
}

/// A client that goes while its call waits: its question goes with it, and before the client loses its patience.
#[track_caller]
pub(super) fn assert_a_question_goes_with_its_client(machine: &Machine, client: Client, tool: &str) {
    client.ok("select_active_intent", &json!({"intent_id": "INT-001"}));
    let new = json!({"path": "src/auth/new.rs", "content": "x\n"});
    let (id, _begun) = client.asked(machine, tool, &new);
    let begin = Instant::now();
    client.end();
    assert!(begin.elapsed() < PATIENCE, "{:?}", begin.elapsed());
    assert!(machine.open_requests().is_empty());
    let late = machine.typed(&["approval", "approve", &id], "y\n");
    assert_ne!(late.status.code(), Some(0), "{}", crate::world::said(&late));
    let told = crate::world::json(&machine.world.shown(&["status", "--json"]));
    assert_eq!(told["sessions"], json!([]), "{told}");
}

#[test]
fn a_yes_after_a_call_was_called_off_is_for_the_same_call_again() {
    let machine = Machine::new();
    let client = Client::of(&machine);
    assert_a_yes_is_for_the_next_call(&machine, &client, "write_to_file");
    client.end();
}

#[test]
fn a_question_goes_with_a_client_that_leaves_while_its_call_waits() {
    let machine = Machine::new();
    let client = Client::of(&machine);
    assert_a_question_goes_with_its_client(&machine, client, "write_to_file");
}

// Sixteen calls that wait fill the room for calls that change something
#[test]
fn calls_that_were_called_off_leave_room_for_others() {
    let machine = Machine::new();
    let client = Client::selected(&machine);
    let begun: Vec<_> = (0..16)
        .map(|number| {
            let new = json!({"path": format!("src/auth/{number}.rs"), "content": "x\n"});
            client.asked(&machine, "write_to_file", &new).1
        })
        .collect();
    for call in begun {
        client.call_off(call);
    }
    let begin = Instant::now();
    assert_eq!(client.code("delete_file", &json!({"path": "src/core/main.rs"})), "SCOPE_VIOLATION");
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
    assert_eq!(read(&machine.root().join("src/core/main.rs")), "fn main() {}\n");
    client.end();
}
