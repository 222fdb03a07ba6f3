//! `bailiwick acp` between a scripted editor and a scripted agent whose real hooks wait: who is asked, what each end means,
//! and that nothing but a person's answer lets anything through.

mod ends;
mod room;

use bailiwick_domain::{Value, json};

use super::machine::Machine;
use room::{Room, permission};

// D-40, K-42: one question, with intent and diff
#[test]
fn req_144_a_hook_below_asks_once_in_the_editor_and_a_yes_lets_exactly_this_call_through() {
    let machine = Machine::selected();
    let mut room = Room::turned_on(&machine);
    room.prompt(&machine.write_call("w1", "src/auth/renew.rs"));
    let asked = room.question();
    let call = &asked["params"]["toolCall"];
    assert_eq!(asked["params"]["sessionId"], "s1");
    let text = call["content"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("Intent: INT-001") && text.contains("src/auth/renew.rs"), "{text}");
    let path = machine.root().join("src/auth/renew.rs").display().to_string();
    let diff = json!({"type": "diff", "path": path, "oldText": null, "newText": "pub fn new() {}\n"});
    assert_eq!((&call["content"][1], &call["locations"]), (&diff, &json!([{"path": path}])));
    room.says_yes(&asked);
    assert_eq!(room.answer().decision().as_deref(), Some("allow"));
    // Recorded as the prompt of that editor; one use.
    let allowed = machine.decisions().pop().unwrap().to_string();
    assert!(allowed.contains("zed"), "{allowed}");
    room.turn_over();
    room.prompt(&machine.write_call("w2", "src/auth/other.rs"));
    let asked = room.question();
    room.says(&asked, "reject");
    assert_eq!(room.answer().denied()["code"], "DESTRUCTIVE_ACTION_REJECTED");
}

// D-40: off by default, and on for one client that a person accepted
#[test]
fn nobody_is_asked_in_an_editor_that_no_person_turned_on() {
    for (config, is_accepted, name) in [
        ("", false, Some("zed")),
        ("approval: { dialogs: [zed] }\n", false, Some("zed")),
        ("approval: { dialogs: [zed] }\n", true, Some("other")),
        ("approval: { dialogs: [zed] }\n", true, None),
        ("approval: { dialogs: [zed], channel: queue, timeout_s: 1 }\n", true, Some("zed")),
    ] {
        let machine = Machine::selected();
        let mut room = Room::of(&machine, config, is_accepted, "agent", name);
        room.prompt(&machine.write_call("w1", "src/auth/renew.rs"));
        assert_eq!(room.answer().denied()["code"], "APPROVAL_PENDING", "{config} {name:?}");
        assert!(room.was_quiet(), "{config} {name:?}");
    }
}

// D-40: what counts is whether the dialog is on when the answer comes
#[test]
fn a_yes_of_an_editor_whose_dialog_was_turned_off_meanwhile_lets_nothing_through() {
    let machine = Machine::selected();
    let mut room = Room::turned_on(&machine);
    room.prompt(&machine.write_call("w1", "src/auth/renew.rs"));
    let asked = room.question();
    machine.write(".orchestration/config.yaml", "approval: { dialogs: [] }\n");
    room.says(&asked, "approve");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let open = machine.open_requests();
    assert_eq!(open.len(), 1, "{open:?}");
    let id = open[0]["approval_id"].as_str().or_else(|| open[0]["id"].as_str()).unwrap().to_owned();
    machine.approve(&id);
    assert_eq!(room.answer().decision().as_deref(), Some("allow"));
    assert!(!machine.decisions().pop().unwrap().to_string().contains("zed"));
}

// D-40: never for intents, also where a yes to a call would accept one
#[test]
fn a_question_that_accepts_an_intent_stays_in_the_queue() {
    let machine = Machine::selected();
    let config = "approval: { dialogs: [zed] }\n";
    let mut room = Room::unaccepted(&machine, config, true, "agent", Some("zed"));
    room.prompt(&machine.write_call("w1", "src/auth/renew.rs"));
    assert_eq!(room.answer().denied()["code"], "APPROVAL_PENDING");
    assert!(room.was_quiet());
}

// D-40: never for intents
#[test]
fn a_draft_is_no_question_for_a_dialog() {
    let machine = Machine::selected();
    let mut room = Room::turned_on(&machine);
    let draft = json!({"name": "More", "why": "x", "owned_scope": ["docs/"], "acceptance_criteria": ["y"]});
    let command = format!("bailiwick tool propose_intent '{draft}'");
    room.prompt(&machine.pre("p1", "Bash", &json!({"command": command})));
    assert_eq!(room.answer().denied()["code"], "APPROVAL_PENDING");
    assert!(room.was_quiet());
    assert_eq!(machine.open_requests().len(), 1);
}

// D-16: never both; the agent's request for another call is the person's
#[test]
fn the_agents_own_request_for_a_call_that_was_let_through_is_answered_and_no_other_one() {
    let machine = Machine::selected();
    let mut room = Room::turned_on(&machine);
    room.asks_itself(&permission("w1"));
    room.prompt(&machine.write_call("w1", "src/auth/renew.rs"));
    let asked = room.question();
    room.says_yes(&asked);
    assert_eq!(room.answer().decision().as_deref(), Some("allow"));
    assert!(room.was_quiet(), "the agent's own request was answered");
    let answer: Value = serde_json::from_str(room.seen().lines().last().unwrap()).unwrap();
    let once = json!({"outcome": {"outcome": "selected", "optionId": "once"}});
    assert_eq!((&answer["id"], &answer["result"]), (&json!(70), &once));
    room.asks_itself(&permission("w9"));
    room.prompt(&machine.read_call("r1"));
    assert_eq!(room.message()["id"], 70, "nobody said yes to that one");
}

// A file that the editor writes for an agent is one of a call that was let through, with that text.
#[test]
fn the_editor_writes_no_file_that_no_call_was_let_through_for() {
    let machine = Machine::selected();
    let write = |path: &str, text: &str| {
        let path = machine.root().join(path).display().to_string();
        let params = json!({"sessionId": "s1", "path": path, "content": text});
        json!({"jsonrpc": "2.0", "id": 71, "method": "fs/write_text_file", "params": params})
    };
    let mut room = Room::turned_on(&machine);
    room.asks_itself(&write("src/auth/renew.rs", "pub fn new() {}\n"));
    room.prompt(&machine.write_call("w1", "src/auth/renew.rs"));
    let asked = room.question();
    room.says_yes(&asked);
    let passed = room.message();
    assert_eq!(passed["method"], "fs/write_text_file", "that very file");
    room.is_done(&passed);
    room.turn_over();
    for (path, text) in [
        ("src/auth/renew.rs", "another text"),
        ("src/core/main.rs", "x"),
        (".orchestration/config.yaml", "x"),
    ] {
        room.asks_itself(&write(path, text));
        room.prompt(&machine.read_call("r1"));
        assert!(room.was_quiet(), "{path}");
        let refused = room.seen().lines().last().unwrap().to_owned();
        assert!(refused.contains("no call that was let through"), "{refused}");
    }
    std::os::unix::fs::symlink(machine.root().join("src"), machine.world.path("link")).unwrap();
    let linked = machine.world.path("link/core/main.rs").display().to_string();
    let params = json!({"sessionId": "s1", "path": linked, "content": "x"});
    room.asks_itself(&json!({"jsonrpc": "2.0", "id": 71, "method": "fs/write_text_file", "params": params}));
    room.prompt(&machine.read_call("r1"));
    assert!(room.was_quiet(), "a link leads into the repository");
    let outside = machine.world.path("notes.md").display().to_string();
    let params = json!({"sessionId": "s1", "path": outside, "content": "x"});
    room.asks_itself(&json!({"jsonrpc": "2.0", "id": 72, "method": "fs/write_text_file", "params": params}));
    room.prompt(&machine.read_call("r1"));
    assert_eq!(room.message()["id"], 72, "what is not governed is the editor's and the agent's");
}

// An agent whose hooks are silent there would work ungoverned.
#[test]
fn an_agent_that_runs_no_hooks_gets_no_prompt_in_a_governed_repository() {
    let machine = Machine::selected();
    let mut room = Room::of(&machine, "", false, "gemini-cli", Some("zed"));
    room.prompt(&machine.read_call("r1"));
    let refused = room.message();
    assert!(refused["error"]["message"].as_str().unwrap().contains("nothing would judge"), "{refused}");
    assert!(!room.seen().contains("session/prompt"));
    let elsewhere = machine.world.path("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    room.works_in(&elsewhere);
    room.prompt(&machine.read_call("r1"));
    room.turn_over();
}

// A hook that is missing or not trusted is noticed at the first call.
#[test]
fn an_agent_whose_hooks_are_not_heard_is_stopped_at_its_first_call() {
    let machine = Machine::new();
    let mut room = Room::of(&machine, "", false, "agent", Some("zed"));
    room.has_no_hooks();
    room.prompt(&machine.read_call("r1"));
    room.turn_over();
    assert!(room.seen().lines().last().unwrap().contains("session/cancel"), "{}", room.seen());
    room.prompt(&machine.read_call("r2"));
    let refused = room.message();
    assert!(refused["error"]["message"].as_str().unwrap().contains("no hook of it was"), "{refused}");
}
