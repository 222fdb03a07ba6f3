//! Beside a host whose hook governs it: the hook lets calls of our server pass with who acts, and the server judges and
//! records them, once (D-39, D-19).

use bailiwick_domain::{Value, json};

use super::client::{Client, requests};
use crate::process::machine::Machine;
use crate::world::{json as parsed, read, write};

const WRITE: &str = "mcp__bailiwick__write_to_file";

fn hooked() -> Machine {
    let machine = Machine::selected();
    machine.world.ok(&["init", "--agent", "claude-code"]);
    machine
}

/// What the hook hands on for a call that it lets pass.
#[track_caller]
fn passed(machine: &Machine, id: &str, tool: &str, params: &Value) -> Value {
    let answer = machine.hook(&machine.pre(id, tool, params));
    assert_eq!(answer.decision().as_deref(), Some("allow"), "{answer:?}");
    parsed(&answer.stdout)["hookSpecificOutput"]["updatedInput"].clone()
}

fn new_file() -> Value {
    json!({"path": "src/auth/new.rs", "content": "x\n"})
}

#[test]
fn a_call_of_a_hooked_client_is_judged_and_recorded_once_for_its_session() {
    let machine = hooked();
    let client = Client::of(&machine);
    let first = passed(&machine, "t1", WRITE, &new_file());
    assert!(requests(&machine).is_empty(), "the hook asks nobody");
    let id = client.pending("write_to_file", &first);
    let asked = requests(&machine);
    assert!(asked.len() == 1 && asked[0].to_string().contains(r#""session":"s1""#), "{asked:?}");
    machine.approve(&id);
    let again = passed(&machine, "t2", WRITE, &new_file());
    client.ok("write_to_file", &again);
    assert_eq!(read(&machine.root().join("src/auth/new.rs")), "x\n");
    let mut post = machine.pre("t2", WRITE, &again);
    post["hook_event_name"] = json!("PostToolUse");
    post["tool_response"] = json!([{"type": "text", "text": "Done"}]);
    let answer = machine.hook(&post);
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(0), ""), "{answer:?}");
    let told = parsed(&machine.world.ok(&["trace", "log", "--json"]));
    assert_eq!(told["entries"].as_array().unwrap().len(), 1, "{told}");
    let of_call = |line: &Value| line["call"] == "t2";
    let actions: Vec<Value> =
        machine.decisions().iter().filter(|line| of_call(line)).map(|line| line["action"].clone()).collect();
    assert_eq!(actions, [json!("allow"), json!("recorded")], "judged once");
    // The session goes on: its own tool of the client changes the file that the server wrote.
    let file = machine.root().join("src/auth/new.rs").display().to_string();
    let own = machine.pre("t3", "Write", &json!({"file_path": file, "content": "y\n"}));
    assert_eq!(machine.hook(&own).denied()["code"], "APPROVAL_PENDING");
    client.end();
}

fn command(text: &str) -> Value {
    json!({"command": text})
}

// D-16, D-19: one yes is for one call, and so is one note of the hook
#[test]
fn a_note_is_good_for_one_call() {
    let machine = hooked();
    let (client, other) = (Client::of(&machine), Client::of(&machine));
    let append = command("echo x >> src/auth/ran");
    let tool = "mcp__bailiwick__execute_command";
    let first = passed(&machine, "t1", tool, &append);
    machine.approve(&client.pending("execute_command", &first));
    assert_eq!(
        client.code("execute_command", &first),
        "MALFORMED_CALL",
        "it was taken when it was asked about"
    );
    let again = passed(&machine, "t2", tool, &append);
    client.ok("execute_command", &again);
    for server in [&client, &other] {
        assert_eq!(server.code("execute_command", &again), "MALFORMED_CALL");
    }
    assert_eq!(read(&machine.root().join("src/auth/ran")), "x\n");
    client.end();
    other.end();
}

// D-16: the same call of the host, sent again with a note of its own while it is carried out
#[test]
fn a_call_that_is_under_way_is_not_carried_out_again() {
    let machine = hooked();
    let (client, other) = (Client::of(&machine), Client::of(&machine));
    let endless = command("exec /bin/sleep 1000");
    let tool = "mcp__bailiwick__execute_command";
    machine.approve(&client.pending("execute_command", &passed(&machine, "t1", tool, &endless)));
    client.begin("execute_command", &passed(&machine, "t2", tool, &endless));
    while !machine.decisions().iter().any(|line| line["call"] == "t2" && line["action"] == "allow") {
        std::thread::yield_now();
    }
    let error = other.refused("execute_command", &passed(&machine, "t2", tool, &endless));
    assert!(error["message"].as_str().is_some_and(|text| text.contains("under way")), "{error}");
    client.end();
    other.end();
}

#[test]
fn a_hooked_client_selects_in_the_hook_and_the_server_shows() {
    let machine = hooked();
    let client = Client::of(&machine);
    let select =
        passed(&machine, "t1", "mcp__bailiwick__select_active_intent", &json!({"intent_id": "INT-002"}));
    assert!(client.ok("select_active_intent", &select).contains("INT-002"));
    let core = json!({"path": "src/core/new.rs", "content": "x\n"});
    client.pending("write_to_file", &passed(&machine, "t2", WRITE, &core));
    assert_eq!(
        client.code("write_to_file", &core),
        "STATE_VIOLATION",
        "the connection itself has selected nothing"
    );
    let auth = passed(&machine, "t3", WRITE, &new_file());
    assert_eq!(client.code("write_to_file", &auth), "SCOPE_VIOLATION");
    client.end();
}

// threat D7, D-19
#[test]
fn who_acts_is_said_by_the_hook_alone() {
    let machine = hooked();
    let client = Client::of(&machine);
    let given = passed(
        &machine,
        "t1",
        WRITE,
        &json!({"path": "src/auth/new.rs", "content": "x\n", "session": "claude-code/other"}),
    );
    let pass = given["session"].as_str().unwrap().to_owned();
    let with = |path: &str, content: &str, session: &str| json!({"path": path, "content": content, "session": session});
    let forged = pass.replace("\"s1\"", "\"s2\"");
    assert_ne!(forged, pass);
    for (tool, params) in [
        ("write_to_file", with("src/auth/new.rs", "other\n", &pass)),
        ("write_to_file", with("src/auth/other.rs", "x\n", &pass)),
        ("write_to_file", with("src/auth/new.rs", "x\n", &forged)),
        ("write_to_file", with("src/auth/new.rs", "x\n", "claude-code/s1")),
        ("write_to_file", with("src/auth/new.rs", "x\n", "{}")),
        ("delete_file", json!({"path": "src/auth/new.rs", "session": pass})),
    ] {
        assert_eq!(client.code(tool, &params), "MALFORMED_CALL", "{tool} {params}");
    }
    client.pending("write_to_file", &given);
    client.end();
}

// D-15: the state folder is an argument, as the hook's is
#[test]
fn a_server_in_another_environment_takes_the_hooks_notes() {
    let machine = hooked();
    let root = machine.root().display().to_string();
    let (program, elsewhere) = (env!("CARGO_BIN_EXE_bailiwick"), machine.world.path("elsewhere"));
    let lost = format!("XDG_STATE_HOME='{}' exec '{program}' --root '{root}' mcp", elsewhere.display());
    let client = Client::through(&machine, &machine.root(), &["/bin/sh", "-c", &lost]);
    let first = passed(&machine, "t1", WRITE, &new_file());
    assert_eq!(client.code("write_to_file", &first), "MALFORMED_CALL", "it seals with another key");
    client.end();
    let told = format!("{lost} --state '{}'", machine.state().display());
    let client = Client::through(&machine, &machine.root(), &["/bin/sh", "-c", &told]);
    client.pending("write_to_file", &passed(&machine, "t2", WRITE, &new_file()));
    client.end();
}

// D-19: whose state is shown is said by the hook as well
#[test]
fn an_own_tool_shows_the_state_of_another_session_to_nobody() {
    let machine = hooked();
    let client = Client::of(&machine);
    for claimed in ["claude-code/s1", "{}", ""] {
        assert_eq!(client.code("current_intent", &json!({ "session": claimed })), "MALFORMED_CALL");
    }
    let current = passed(&machine, "t1", "mcp__bailiwick__current_intent", &json!({}));
    assert_eq!(client.code("list_intents", &current), "MALFORMED_CALL", "it is a note for another call");
    let current =
        passed(&machine, "t2", "mcp__bailiwick__current_intent", &json!({"session": "claude-code/s9"}));
    assert!(client.ok("current_intent", &current).contains("INT-001"));
    assert!(!client.ok("current_intent", &json!({})).contains("INT-001"), "the connection itself has none");
    client.end();
}

// threat D7: another server of that name
#[test]
fn a_server_that_is_not_proved_to_be_ours_gets_no_pass() {
    let machine = hooked();
    let servers = read(&machine.world.servers());
    write(&machine.world.servers(), &servers.replace("\"mcp\"", "\"evil\""));
    let answer = machine.hook(&machine.pre("t1", WRITE, &new_file()));
    assert_eq!(answer.denied()["code"], "APPROVAL_PENDING", "an unknown tool asks");
    write(&machine.world.servers(), &servers);
    passed(&machine, "t2", WRITE, &new_file());
    for name in ["mcp__bailiwick__rm", "mcp__bailiwick2__write_to_file", "mcp__bailiwick__write_to_file "] {
        machine.hook(&machine.pre("t3", name, &new_file())).denied();
    }
}

#[test]
fn the_hook_knows_each_tool_that_the_server_judges() {
    let known = |name: &&str| {
        bailiwick_adapters_hooks::claude_code::served_tool(&format!("mcp__bailiwick__{name}")).is_some()
    };
    let served: Vec<&str> = bailiwick_adapters_mcp::tool_names().filter(known).collect();
    assert_eq!(served, bailiwick_adapters_mcp::governed_names().collect::<Vec<_>>());
}
