//! Commands through the server: judged as everywhere, bounded, and gone with their call or their client.

use std::process::Command;

use bailiwick_domain::{Value, json};

use super::client::{Client, requests, written};
use crate::process::machine::{Machine, installed};
use crate::world::read;

fn command(text: &str) -> Value {
    json!({"command": text})
}

/// Waits until there is no such process; a test that hangs here has found one that outlives its call.
fn gone(id: &str) {
    while Command::new(installed("kill"))
        .args(["-0", id])
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap()
        .success()
    {}
}

// D-03
#[test]
fn a_proved_reader_runs_at_once_and_counts_as_reading() {
    let machine = Machine::new();
    std::os::unix::fs::symlink(installed("cat"), machine.world.path("bin/cat")).unwrap();
    let client = Client::selected(&machine);
    let told = client.ok("execute_command", &command("cat src/auth/login.rs"));
    assert_eq!(told, "pub fn login() {}\n[exit status 0]");
    client.pending("write_to_file", &json!({"path": "src/auth/login.rs", "content": "x\n"}));
    client.end();
}

// D-16, D-39
#[test]
fn another_command_asks_a_person_and_passes_once() {
    let machine = Machine::new();
    let client = Client::of(&machine);
    let text = "echo out; echo err >&2; echo made > src/auth/made.rs; exit 3";
    assert_eq!(client.code("execute_command", &command(text)), "STATE_VIOLATION");
    client.ok("select_active_intent", &json!({"intent_id": "INT-001"}));
    let told = client.approved(&machine, "execute_command", &command(text));
    assert_eq!(told, "out\nerr\n[exit status 3]");
    assert_eq!(read(&machine.root().join("src/auth/made.rs")), "made\n");
    client.pending("execute_command", &command(text));
    for own in ["bailiwick approval approve ap-1", "bailiwick pause --for 5m"] {
        assert_eq!(client.code("execute_command", &command(own)), "PROTECTED_PATH", "{own}");
    }
    assert_eq!(client.code("execute_command", &json!({"command": "ls", "cwd": ".."})), "OUTSIDE_WORKSPACE");
    let below = json!({"command": "/bin/pwd > here", "cwd": "src/auth"});
    client.approved(&machine, "execute_command", &below);
    assert!(read(&machine.root().join("src/auth/here")).trim().ends_with("src/auth"));
    client.end();
}

// D-16: what is asked about is what runs, and not for how long
#[test]
fn a_yes_holds_for_any_time_limit() {
    let machine = Machine::new();
    let client = Client::selected(&machine);
    let with = |timeout: u64| json!({"command": "echo x > src/auth/made", "timeout_ms": timeout});
    machine.approve(&client.pending("execute_command", &with(60_000)));
    assert_eq!(client.ok("execute_command", &with(90_000)), "[exit status 0]");
    client.pending("execute_command", &command("echo x > src/auth/made"));
    client.end();
}

// D-16: a person is asked only about what can be done
#[test]
fn a_command_that_cannot_be_started_asks_nobody() {
    let machine = Machine::new();
    let client = Client::selected(&machine);
    for cwd in ["src/none", "src/auth/login.rs", "src/auth/login.rs/below"] {
        let call = json!({"command": "echo x > made", "cwd": cwd});
        assert_eq!(client.code("execute_command", &call), "MALFORMED_CALL", "{cwd}");
    }
    let long = format!("echo {} > made", "x".repeat(128 << 10));
    for text in [long.as_str(), "echo x > made\u{0}"] {
        assert_eq!(client.code("execute_command", &command(text)), "COMMAND_NOT_UNDERSTOOD");
    }
    assert!(requests(&machine).is_empty());
    client.approved(&machine, "execute_command", &json!({"command": "echo x > made", "cwd": "src/auth"}));
    client.end();
}

// D-16, D-18: also a call that could not begin is judged and logged, and says nothing of folders that are nobody's
#[test]
fn a_command_that_cannot_be_started_is_judged_and_logged() {
    let machine = Machine::new();
    let client = Client::of(&machine);
    let code = |cwd: &str| client.code("execute_command", &json!({"command": "echo x > made", "cwd": cwd}));
    let state = machine.private().strip_prefix(machine.root()).unwrap().display().to_string();
    for cwd in ["src/none", &format!("{state}/none"), &state] {
        assert_eq!(code(cwd), "STATE_VIOLATION", "{cwd}");
    }
    client.ok("select_active_intent", &json!({"intent_id": "INT-001"}));
    assert_eq!(code("src/none"), "MALFORMED_CALL");
    assert_eq!(code(&format!("{state}/none")), code(&state));
    let decisions = machine.decisions();
    let own = decisions.iter().filter(|one| one["command"] == "echo x > made");
    assert_eq!(own.count(), 6, "{decisions:?}");
    client.end();
}

// D-16: what the server runs is below an agent
#[test]
fn a_command_below_the_server_does_not_answer_for_a_person() {
    let machine = Machine::new();
    let client = Client::selected(&machine);
    let id = client.pending("write_to_file", &json!({"path": "src/auth/new.rs", "content": "x\n"}));
    let script = format!(
        "#!/bin/sh\nHOME='{}' exec {}\n",
        machine.world.path("home").display(),
        machine.line(&["approval", "approve", &id])
    );
    machine.write("src/auth/answer.sh", &script);
    let told = client.approved(&machine, "execute_command", &command("sh src/auth/answer.sh"));
    assert!(!told.contains("[exit status 0]") && told.contains("agent"), "{told}");
    client.pending("write_to_file", &json!({"path": "src/auth/new.rs", "content": "x\n"}));
    client.end();
}

// D-39: nothing goes on when its call is over
#[test]
fn what_a_command_leaves_running_ends_with_it() {
    let machine = Machine::new();
    let client = Client::selected(&machine);
    let file = machine.root().join("left");
    let told = client.approved(&machine, "execute_command", &command("/bin/sleep 1000 & echo $! > left"));
    assert_eq!(told, "[exit status 0]");
    gone(&written(&file));
    let endless = json!({"command": "echo $$ > own; exec /bin/sleep 1000", "timeout_ms": 50});
    assert!(client.approved(&machine, "execute_command", &endless).contains("its time was over"));
    gone(&written(&machine.root().join("own")));
    client.end();
}

// D-39: nothing goes on when its client is gone
#[test]
fn a_command_ends_when_its_client_goes_away() {
    for ends in [Client::end, Client::terminate] {
        let machine = Machine::new();
        let client = Client::selected(&machine);
        let text = command("echo $$ > own; /bin/sleep 1000");
        machine.approve(&client.pending("execute_command", &text));
        client.begin("execute_command", &text);
        let id = written(&machine.root().join("own"));
        ends(client);
        gone(&id);
    }
}

// D-39: a bounded output
#[test]
fn a_long_output_loses_its_middle() {
    let machine = Machine::new();
    let client = Client::selected(&machine);
    let text = "i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done";
    let told = client.approved(&machine, "execute_command", &command(text));
    assert!(told.starts_with("line 0\n") && told.ends_with("line 19999\n[exit status 0]"), "{}", told.len());
    assert!(told.contains("bytes left out") && told.len() < 70_000);
    client.end();
}
