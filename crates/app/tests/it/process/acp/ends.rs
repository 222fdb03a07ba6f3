//! What each end means for a question that is open in the editor.

use super::room::Room;
use crate::process::machine::Machine;

fn rejected(room: Room) {
    let error = room.answer_later().denied();
    assert_eq!(error["code"], "DESTRUCTIVE_ACTION_REJECTED", "{error}");
}

fn asked(machine: &Machine) -> Room {
    let mut room = Room::turned_on(machine);
    room.prompt(&machine.write_call("w1", "src/auth/renew.rs"));
    room.question();
    room
}

// D-38
#[test]
fn req_074_closing_the_editor_rejects_what_is_open_in_it() {
    let machine = Machine::selected();
    let mut room = asked(&machine);
    room.close();
    rejected(room);
}

// D-38
#[test]
fn req_074_killing_the_program_between_rejects_what_is_open_in_it() {
    let machine = Machine::selected();
    let mut room = asked(&machine);
    room.kill();
    rejected(room);
}

// D-38
#[test]
fn req_074_a_cancelled_turn_rejects_its_question() {
    let machine = Machine::selected();
    let mut room = asked(&machine);
    room.cancel();
    rejected(room);
}

// D-38: the hook's wait is over, the question stays; a late yes lets the same call pass once
#[test]
fn a_question_outlives_the_hooks_wait_and_is_not_asked_twice() {
    let machine = Machine::selected();
    let config = "approval: { dialogs: [zed], timeout_s: 1 }\n";
    let mut room = Room::of(&machine, config, true, "agent", Some("zed"));
    room.prompt(&machine.write_call("w1", "src/auth/renew.rs"));
    let asked = room.question();
    assert_eq!(room.answer().denied()["code"], "APPROVAL_PENDING");
    assert_eq!(machine.open_requests().len(), 1);
    room.turn_over();
    room.prompt(&machine.write_call("w2", "src/auth/renew.rs"));
    assert_eq!(room.answer().denied()["code"], "APPROVAL_PENDING");
    room.turn_over();
    room.says_yes(&asked);
    room.prompt(&machine.write_call("w3", "src/auth/renew.rs"));
    assert_eq!(room.answer().decision().as_deref(), Some("allow"));
}

// One queue: what a person answers elsewhere is over here
#[test]
fn a_question_that_is_answered_in_a_terminal_is_taken_back() {
    let machine = Machine::selected();
    let mut room = asked(&machine);
    let id = machine.open_requests()[0]["id"].as_str().unwrap().to_owned();
    machine.approve(&id);
    assert_eq!(room.answer().decision().as_deref(), Some("allow"));
    assert_eq!(room.message_of("$/cancel_request")["params"]["requestId"], "bailiwick-1");
}
