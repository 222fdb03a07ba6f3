//! What a person is asked about calls that the gate knows only from their arguments, and what becomes of them.

use bailiwick_domain::{Value, json};

use super::super::called_off::{assert_a_question_goes_with_its_client, assert_a_yes_is_for_the_next_call};
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

// D-39: as for the server's own tools
#[test]
fn a_yes_after_a_proxied_call_was_called_off_is_for_the_same_call_again() {
    let staged = Staged::new();
    let client = staged.client();
    assert_a_yes_is_for_the_next_call(&staged.machine, &client, "write");
    client.end();
}

// D-39: as for the server's own tools
#[test]
fn a_question_goes_with_a_proxys_client_that_leaves_while_its_call_waits() {
    let staged = Staged::new();
    assert_a_question_goes_with_its_client(&staged.machine, staged.client(), "write");
    assert!(!staged.seen().contains("tools/call"));
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

// Threat D12: the late answer of one request is not that of another
#[test]
fn an_id_that_was_called_off_is_free_when_its_answer_came() {
    let staged = Staged::new();
    staged.trust(&[]);
    let mut raw = staged.raw();
    raw.started();
    let main = json!({"path": "src/core/main.rs"});
    raw.sends(&call(5, "hang", &json!({})));
    Raw::until_seen(&staged, r#""name":"hang""#);
    let told = json!({"requestId": 5});
    raw.sends(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": told}).to_string());
    let refused = raw.answer(&call(5, "read", &main));
    assert!(refused["error"]["message"].as_str().unwrap().contains("called off"), "{refused}");
    assert_eq!(raw.answer(&call(6, "late", &json!({})))["id"], 6);
    let answer = raw.answer(&call(5, "read", &main));
    assert_eq!(answer["result"]["content"][0]["text"], "fn main() {}", "{answer}");
    raw.ended();
}

// Threat D9: nothing stands beside what is judged
#[test]
fn what_is_not_judged_of_a_request_does_not_reach_the_server() {
    let staged = Staged::new();
    staged.trust(&[]);
    let mut raw = staged.raw();
    raw.started();
    for method in ["resources/read", "resources/subscribe"] {
        let params = json!({"uri": "notes://one", "path": ".env", "arguments": {"path": ".env"}});
        let asked = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let answer = raw.answer(&asked.to_string());
        assert!(answer.to_string().contains("MALFORMED_CALL"), "{answer}");
    }
    assert!(!staged.seen().contains(".env"));
    let meta =
        r#"{"progressToken":2,"claudecode/toolUseId":"toolu_01","path":".env","tok":"ghp_x","vendor/x":{}}"#;
    let params = format!(r#"{{"name":"read","arguments":{{"path":"src/core/main.rs"}},"_meta":{meta}}}"#);
    let answer =
        raw.answer(&format!(r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{params}}}"#));
    assert_eq!(answer["result"]["content"][0]["text"], "fn main() {}", "no client is refused: {answer}");
    let asked = format!(
        r#"{{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{{"uri":"notes://one","_meta":{meta}}}}}"#
    );
    assert_eq!(raw.answer(&asked)["result"]["contents"][0]["text"], "of the resource");
    let seen = staged.seen();
    assert_eq!(
        seen.matches(r#""_meta":{"claudecode/toolUseId":"toolu_01","progressToken":2}"#).count(),
        2,
        "{seen}"
    );
    assert!(!seen.contains("ghp_x") && !seen.contains("vendor/x") && !seen.contains(".env"), "{seen}");
    raw.ended();
}

// The same for what the server asks
#[test]
fn what_the_server_calls_off_leaves_room_for_others() {
    let staged = Staged::new();
    let mut raw = staged.raw();
    raw.started();
    raw.sends(r#"{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}}"#);
    let mut asked = 0;
    loop {
        let said = parsed(&raw.line());
        if said["id"] == 1 {
            break;
        }
        asked += usize::from(said["method"] == "roots/list");
    }
    assert_eq!(asked, 300);
    raw.ended();
}

// Threat D9: no name, white space or sign hides from a trusted tool's call where it leads
#[test]
fn a_secret_is_found_under_any_name() {
    let staged = Staged::new();
    staged.machine.write(".env", "TOKEN=1\n");
    staged.trust(&[]);
    let root = staged.machine.root().display().to_string();
    let client = staged.client();
    for hidden in [
        json!({"document": format!("{root}/my dir/../.env")}),
        json!({"document": ".env"}),
        json!({"note": " .env "}),
        json!({"target": "@x/../.env"}),
        json!({"target": "https://a/../../.env"}),
        json!({"paths": {".env": 1}}),
        json!({"all": [{"src/../.env": {}}]}),
        json!({"text": "x".repeat(5000) + "/../.env"}),
        json!({"paths": "[\".env\"]"}),
        json!({"opts": format!("{{\"path\":\"{root}/.env\"}}")}),
        json!({"opts": {"a": "{\"path\":\".env\"}"}}),
        json!({"path": "\".env\""}),
        json!({"note": "`.env`"}),
    ] {
        assert_eq!(client.code("poke", &hidden), "PROTECTED_PATH", "{hidden}");
    }
    for text in ["/etc/passwd", "\"/etc/passwd\"", "[\"/etc/passwd\"]", "{\"a\": \"/etc/passwd\"}"] {
        assert_eq!(client.code("poke", &json!({"whatever": text})), "OUTSIDE_WORKSPACE", "{text}");
    }
    for plain in [
        json!({"pattern": "/api/login", "to": "v1.2", "name": "main.rs", "text": "src/core/main.rs"}),
        json!({"text": "copy it to config/.env", "url": "https://example.com/.env"}),
        json!({"note": "{\"scripts\": {\"test\": \"cargo test\"}, \"files\": [\"dist\"]}"}),
        json!({"message": "\"ci: keep .env out of config/\""}),
    ] {
        client.ok("poke", &plain);
    }
    client.end();
    let mut raw = staged.raw();
    raw.started();
    let answer =
        raw.answer(&call(1, "poke", &json!({"\u{17f}ources": [".env"], "sources": ["src/core/main.rs"]})));
    assert!(answer.to_string().contains("MALFORMED_CALL"), "{answer}");
    raw.ended();
}

// Who is asked sees all texts: only one that leads somewhere is held against the scope
#[test]
fn a_text_that_leads_nowhere_blocks_no_change() {
    let staged = Staged::new();
    staged.machine.write(".env", "TOKEN=1\n");
    let client = staged.client();
    client.ok("select_active_intent", &json!({"intent_id": "INT-001"}));
    let with = |name: &str, text: &str| json!({"path": "src/auth/new1.rs", name: text});
    for (name, text) in [
        ("new", "console.log(a/b)"),
        ("old", "a/b"),
        ("to", "v1.2"),
        ("name", "main.rs"),
        ("text", "/usr/bin/env"),
        ("pattern", "/api/login"),
        ("message", "src/core: a new way"),
        ("message", "\"src/core: a new way\""),
        ("note", "{\"name\": \"main.rs\", \"scripts\": [\"a/b\"]}"),
    ] {
        client.pending("write", &with(name, text));
    }
    for (name, text, code) in [
        ("to", "src/core/new.rs", "SCOPE_VIOLATION"),
        ("destination", "src/new/core.rs", "SCOPE_VIOLATION"),
        ("text", "src/core/main.rs", "SCOPE_VIOLATION"),
        ("to", "/usr/bin/env", "OUTSIDE_WORKSPACE"),
        ("text", ".git/config", "PROTECTED_PATH"),
        ("paths", "[\"src/core/new.rs\"]", "SCOPE_VIOLATION"),
        ("opts", "{\"path\": \"src/core/new.rs\"}", "SCOPE_VIOLATION"),
        ("opts", "[\".git/config\"]", "PROTECTED_PATH"),
    ] {
        assert_eq!(client.code("write", &with(name, text)), code, "{name} {text}");
    }
    let texts: Vec<String> = (0..5000).map(|number| format!("text {number}")).collect();
    assert_eq!(client.code("write", &json!({"path": "src/auth/new1.rs", "texts": texts})), "TOO_LARGE");
    client.end();
}
