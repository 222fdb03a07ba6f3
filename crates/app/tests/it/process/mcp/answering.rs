//! Who answers what a client without a hook asks (D-16): a person elsewhere, and nothing below the client.

use bailiwick_adapters_fs::{AgentProcesses, Layout};
use bailiwick_domain::{Value, json};

use super::client::Client;
use crate::process::machine::{Machine, installed};
use crate::world::{read, write};

fn new_file() -> Value {
    json!({"path": "src/auth/new.rs", "content": "x\n"})
}

/// A line of shell that types yes to this command at a terminal.
fn typed(machine: &Machine, words: &[&str]) -> String {
    let script = installed("script").display().to_string();
    format!("echo y | {script} -qec \"{}\" /dev/null", machine.line(words))
}

/// The client's own shell can do nothing that is a person's; a person in another terminal can.
#[track_caller]
fn assert_only_a_person_answers(machine: &Machine, mut client: Client) {
    client.ok("select_active_intent", &json!({"intent_id": "INT-001"}));
    let id = client.pending("write_to_file", &new_file());
    for words in [&["approval", "approve", &id][..], &["approval", "grant", &id], &["pause", "--for", "5m"]] {
        let (status, said) = client.own_shell(&typed(machine, words));
        assert!(status != "0" && said.contains("under a governed agent"), "{words:?}: {status} {said}");
        assert!(said.contains(", of a client of `bailiwick mcp`)"), "{said}");
    }
    let (status, said) = client.own_shell(&machine.line(&["intent", "list"]));
    assert_eq!(status, "0", "what is open to agents stays open: {said}");
    client.pending("write_to_file", &new_file());
    machine.approve(&id);
    client.ok("write_to_file", &new_file());
    assert_eq!(read(&machine.root().join("src/auth/new.rs")), "x\n");
    client.end();
}

// D-16, D-39, threat D7
#[test]
fn a_shell_of_the_clients_own_does_not_answer_for_a_person() {
    let machine = Machine::new();
    let client = Client::of(&machine);
    assert_only_a_person_answers(&machine, client);
}

// D-16: most clients let a shell start what their settings say
#[test]
fn the_client_is_found_above_a_shell_that_only_starts_the_server() {
    let machine = Machine::new();
    let root = machine.root();
    let line = format!("{}; exit $?", machine.line(&["--root", &root.display().to_string(), "mcp"]));
    let client = Client::through(&machine, &root, &["/bin/sh", "-c", &line]);
    assert_only_a_person_answers(&machine, client);
}

/// The words of the server of this machine's root, behind the program's name.
fn server_words(machine: &Machine) -> [String; 4] {
    let words = [env!("CARGO_BIN_EXE_bailiwick"), "--root", &machine.root().display().to_string(), "mcp"];
    words.map(str::to_owned)
}

// D-16, threat D7: a script that starts the server and does not become it
#[test]
fn the_client_is_found_above_a_script_that_starts_the_server() {
    let machine = Machine::new();
    let script = machine.world.path("wrap.sh");
    write(&script, "\"$@\"\nexit $?\n");
    let script = script.display().to_string();
    let server = server_words(&machine);
    let words: Vec<&str> =
        ["/bin/sh", &script].into_iter().chain(server.iter().map(String::as_str)).collect();
    let client = Client::through(&machine, &machine.root(), &words);
    assert_only_a_person_answers(&machine, client);
}

// D-16, threat D7: a launcher that is in no list
#[test]
fn the_client_is_found_above_another_programs_launchers() {
    let machine = Machine::new();
    let git = installed("git").display().to_string();
    let alias = format!("alias.serve=!'{}'", server_words(&machine).join("' '"));
    let client = Client::through(&machine, &machine.root(), &[&git, "-c", &alias, "serve"]);
    assert_only_a_person_answers(&machine, client);
}

// D-16: before the first call
#[test]
fn a_client_is_an_agent_as_soon_as_its_server_runs() {
    let machine = Machine::selected();
    let id = machine.pending("t1", "src/auth/new.rs");
    let mut client = Client::of(&machine);
    let (status, said) = client.own_shell(&typed(&machine, &["approval", "approve", &id]));
    assert!(status != "0" && said.contains("under a governed agent"), "{status} {said}");
    machine.approve(&id);
    client.end();
}

// One client is one agent, however many processes it takes.
#[test]
fn a_client_counts_as_one_agent() {
    let machine = Machine::new();
    let client = Client::of(&machine);
    client.ok("list_intents", &json!({}));
    let layout = Layout::new(machine.root(), machine.private(), Some(machine.state()));
    assert_eq!(AgentProcesses::new(layout).running().unwrap(), 1);
    client.end();
}

/// What a person sees of sessions and of the queue.
fn seen(machine: &Machine) -> (Value, Value) {
    let told = crate::world::json(&machine.world.shown(&["status", "--json"]));
    (told["sessions"].clone(), told["approvals"].clone())
}

// D-39: a client that is gone acts no more, and nobody can use an answer to it
#[test]
fn what_a_client_asked_goes_with_it_and_so_does_its_session() {
    let machine = Machine::new();
    let (client, other) = (Client::selected(&machine), Client::selected(&machine));
    let id = client.pending("write_to_file", &new_file());
    let kept = other.pending("write_to_file", &new_file());
    assert_eq!(seen(&machine).0.as_array().unwrap().len(), 2);
    client.end();
    let (sessions, approvals) = seen(&machine);
    assert_eq!(sessions.as_array().unwrap().len(), 1, "{sessions}");
    let ids: Vec<&str> =
        approvals.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(ids, [kept.as_str()]);
    let late = machine.typed(&["approval", "approve", &id], "y\n");
    assert_ne!(late.status.code(), Some(0), "{}", crate::world::said(&late));
    machine.approve(&kept);
    other.ok("write_to_file", &new_file());
    other.end();
}
