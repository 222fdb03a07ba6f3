//! A formatter behind an agent, as processes: an approved command that changes what the agent read, and a hook of the
//! host that changes what it wrote (D-09).

use bailiwick_domain::{Value, json};

use super::machine::Machine;

const LOGIN: &str = "src/auth/login.rs";

fn after(mut event: Value) -> Value {
    event["hook_event_name"] = "PostToolUse".into();
    event["tool_response"] = json!({"ok": true});
    event
}

#[track_caller]
fn read(machine: &Machine) {
    let file = machine.root().join(LOGIN).display().to_string();
    let call = machine.pre("r", "Read", &json!({"file_path": file}));
    assert_eq!(machine.hook(&call).decision(), None);
    machine.hook(&after(call));
}

/// Asks, lets a person approve, and asks again as a host does on a retry.
#[track_caller]
fn approved(machine: &Machine, call: &Value) {
    let error = machine.hook(call).denied();
    assert_eq!(error["code"], "APPROVAL_PENDING", "{error}");
    machine.approve(error["details"]["approval_id"].as_str().unwrap());
    assert_eq!(machine.hook(call).decision().as_deref(), Some("allow"));
}

fn adopted(machine: &Machine) -> Vec<Value> {
    let all = machine.decisions();
    all.into_iter()
        .filter(|record| record["action"] == "adopted")
        .map(|record| record["paths"].clone())
        .collect()
}

// D-09
#[test]
fn a_file_that_the_agents_own_command_formatted_may_be_written_at_once() {
    let machine = Machine::selected();
    read(&machine);
    let format = machine.pre("c1", "Bash", &json!({"command": "npm run format"}));
    approved(&machine, &format);
    machine.write(LOGIN, "pub fn login() { }\n");
    machine.hook(&after(format));
    assert_eq!(adopted(&machine), [json!([LOGIN])]);
    let error = machine.hook(&machine.write_call("w1", LOGIN)).denied();
    assert_eq!(error["code"], "APPROVAL_PENDING", "{error}");
}

// D-09
#[test]
fn a_file_that_a_hook_of_the_host_formatted_may_be_written_at_once() {
    let machine = Machine::selected();
    read(&machine);
    let call = machine.write_call("w1", LOGIN);
    approved(&machine, &call);
    machine.write(LOGIN, "pub fn new() {}\n");
    machine.hook(&after(call.clone()));
    machine.write(LOGIN, "pub fn new() { }\n");
    let mut batch = call.clone();
    batch["hook_event_name"] = "PostToolBatch".into();
    let calls = json!([{"tool_name": "Write", "tool_input": call["tool_input"], "tool_use_id": "w1"}]);
    batch["tool_calls"] = calls;
    machine.hook(&batch);
    assert_eq!(adopted(&machine), [json!([LOGIN])]);
    let file = machine.root().join(LOGIN).display().to_string();
    let next = machine.pre("w2", "Write", &json!({"file_path": file, "content": "pub fn newer() {}\n"}));
    assert_eq!(machine.hook(&next).denied()["code"], "APPROVAL_PENDING");
}
