//! The server over HTTP (D-39): who is answered, what ends, and who answers for a person.

mod client;
mod hostile;

use std::os::unix::fs::PermissionsExt as _;

use bailiwick_domain::json;

use self::client::{Agent, Served, said};
use crate::process::asking::Answer;
use crate::process::machine::Machine;
use crate::world::read;

// D-39: what a client does over HTTP is judged, waits for a person and is recorded as over pipes
// D-16: the client is the program that connects, and nothing below it answers for a person
#[test]
fn a_write_over_http_is_approved_by_a_person_and_not_by_the_client() {
    let machine = Machine::new();
    let served = Served::new(&machine);
    let mut agent = Agent::new(&machine);
    let session = agent.session(&served);
    let new = json!({"path": "src/auth/new.rs", "content": "x\n"});
    let write = served.call(&session, "write_to_file", &new);
    let code = |answer: &Answer| said(answer)["code"].as_str().map(str::to_owned);

    assert_eq!(code(&agent.send(&served, &write)).as_deref(), Some("STATE_VIOLATION"));
    let select = served.call(&session, "select_active_intent", &json!({"intent_id": "INT-001"}));
    assert!(agent.send(&served, &select).body.contains("<intent_context>"));
    let waits = said(&agent.send(&served, &write));
    assert_eq!(waits["code"], "APPROVAL_PENDING", "{waits}");
    let id = waits["details"]["approval_id"].as_str().unwrap().to_owned();

    let (status, told) = agent.own_shell(&agent.typed(&machine, &["approval", "approve", &id]));
    assert!(status != "0" && told.contains(", of a client of `bailiwick mcp`)"), "{status} {told}");
    assert_eq!(said(&agent.send(&served, &write))["code"], "APPROVAL_PENDING");
    machine.approve(&id);
    let written = agent.send(&served, &write);
    assert!(written.body.contains("Recorded as"), "{written:?}");
    assert_eq!(read(&machine.root().join("src/auth/new.rs")), "x\n");
    served.interrupt();
}

// D-39: each session is an actor of its own
#[test]
fn one_session_knows_nothing_of_another() {
    let machine = Machine::new();
    let served = Served::new(&machine);
    let (one, other) = (served.session(), served.session());
    let select = served.call(&one, "select_active_intent", &json!({"intent_id": "INT-001"}));
    assert!(served.send(&select).body.contains("<intent_context>"));
    let current = |session: &str| served.send(&served.call(session, "current_intent", &json!({}))).body;
    assert!(current(&one).contains("INT-001"));
    assert!(!current(&other).contains("INT-001"));
    served.interrupt();
}

// D-39: what a client asked that is gone leaves the queue, also where it ends without a word
#[test]
fn requests_end_with_their_session_and_with_the_server() {
    let machine = Machine::new();
    let served = Served::new(&machine);
    let mut agent = Agent::new(&machine);
    let mut waits = |content: &str| {
        let session = agent.session(&served);
        let select = served.call(&session, "select_active_intent", &json!({"intent_id": "INT-001"}));
        agent.send(&served, &select);
        let new = json!({"path": "src/auth/new.rs", "content": content});
        let told = said(&agent.send(&served, &served.call(&session, "write_to_file", &new)));
        assert_eq!(told["code"], "APPROVAL_PENDING", "{told}");
        session
    };
    let (one, _other) = (waits("one\n"), waits("other\n"));
    assert_eq!(machine.open_requests().len(), 2);
    assert_eq!(agent.send(&served, &served.end(&one)).status, 202);
    while machine.open_requests().len() > 1 {
        std::thread::yield_now();
    }
    served.interrupt();
    assert!(machine.open_requests().is_empty());
}

// D-39: nobody can say yes to what nobody can use
#[test]
fn a_session_that_was_ended_while_its_call_waits_has_no_question_any_more() {
    let machine = Machine::new();
    let served = Served::new(&machine);
    let mut agent = Agent::new(&machine);
    let session = agent.session(&served);
    let select = served.call(&session, "select_active_intent", &json!({"intent_id": "INT-001"}));
    agent.send(&served, &select);
    machine.open_requests();
    let new = json!({"path": "src/auth/new.rs", "content": "x\n"});
    agent.begin(&served, &served.call(&session, "write_to_file", &new));
    while machine.open_requests().is_empty() {}
    assert_eq!(agent.send(&served, &served.end(&session)).status, 202);
    assert!(machine.open_requests().is_empty());
    served.interrupt();
}

// D-39: the token is private and stays, until a person wants another one
#[test]
fn the_token_is_private_and_stays_until_there_is_a_new_one() {
    let machine = Machine::new();
    let first = Served::new(&machine);
    let mode = std::fs::metadata(&first.file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(read(&first.file).trim(), first.token);
    first.session();
    let (token, file) = (first.token.clone(), first.file.clone());
    let taken = first.port.to_string();
    let words = ["mcp", "--http", "--port", &taken, "--new-token"];
    let refused = machine.terminal_for(&machine.line(&words)).output().unwrap();
    assert!(String::from_utf8_lossy(&refused.stdout).contains(&taken), "{refused:?}");
    assert_eq!(read(&first.file).trim(), first.token, "a server that cannot start changes no token");
    first.interrupt();

    let again = Served::new(&machine);
    assert_eq!(again.token, token);
    again.session();
    again.interrupt();

    let mut other = Served::with(&machine, &["--new-token"]);
    assert!(other.token != token && other.file == file);
    other.session();
    other.token = token;
    assert_eq!(other.send(&other.begin()).status, 401);
    other.interrupt();
}
