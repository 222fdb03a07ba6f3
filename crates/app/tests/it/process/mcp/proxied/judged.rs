//! What a person is asked about calls that the gate knows only from their arguments, and what becomes of them.

use bailiwick_domain::{Value, json};

use super::{Raw, Staged, call, file};
use crate::world::{json as parsed, read};

// A client behind the proxy has no tool to read with: the person is told, and says yes or no
#[test]
fn a_file_that_is_there_is_asked_about_and_changed_after_a_yes() {
    let staged = Staged::new();
    let client = staged.client();
    client.ok("select_active_intent", &json!({"intent_id": "INT-001"}));
    let change = file("src/auth/login.rs");
    let id = client.pending("write", &change);
    let shown = parsed(&staged.machine.world.ok(&["approval", "list", "--json"]));
    assert!(shown.to_string().contains("was never read"), "{shown}");
    staged.machine.approve(&id);
    assert_eq!(client.ok("write", &change), "written");
    assert_eq!(read(&staged.machine.root().join("src/auth/login.rs")), "one");
    client.pending("write", &json!({"path": "src/auth", "content": "one"}));
    // The same once more changes nothing; the log does not say that it did not run.
    client.approved(&staged.machine, "write", &change);
    let notes: Vec<Value> = staged.machine.decisions().into_iter().map(|line| line["note"].clone()).collect();
    assert!(notes.contains(&json!("ran; the named files are as before")), "{notes:?}");
    client.end();
}

// What the client waits for no more takes no place, and its late answer goes nowhere
#[test]
fn calls_that_are_called_off_leave_room_for_others() {
    let staged = Staged::new();
    staged.trust(&[]);
    let mut raw = staged.raw();
    raw.started();
    raw.answer(&call(1, "read", &json!({"path": "src/core/main.rs"})));
    for id in 1000..1300 {
        raw.sends(&json!({"jsonrpc": "2.0", "id": id, "method": "prompts/get", "params": {}}).to_string());
        let told = json!({"requestId": id});
        raw.sends(
            &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": told}).to_string(),
        );
    }
    let answer = raw.answer(&call(2, "read", &json!({"path": "src/core/main.rs"})));
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(2), &Value::Null), "{answer}");
    raw.sends(&call(3, "hang", &json!({})));
    Raw::until_seen(&staged, r#""name":"hang""#);
    let told = json!({"requestId": 3});
    raw.sends(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": told}).to_string());
    let answer = raw.answer(&call(4, "late", &json!({})));
    assert_eq!(answer["id"], 4, "the answer to 3 came late and went nowhere: {answer}");
    raw.ended();
}
