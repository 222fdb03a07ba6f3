//! Lines of an honest server that are no messages: one call may fail, and the next one is answered.

use bailiwick_domain::{Value, json};

use super::{Raw, Staged, all_tools, call, tool};
use crate::world::{json as parsed, write};

/// A server whose tool `odd` prints this instead of its answer; `%s` is the id, and `big` more than a frame has.
fn staged(prints: &str) -> Staged {
    let staged = Staged::new();
    staged.says(&format!("{},{}", all_tools(), tool("odd", true)));
    write(&staged.folder.join("odd"), &format!("{prints}\n"));
    staged.trust(&[]);
    staged
}

fn main() -> Value {
    json!({"path": "src/core/main.rs"})
}

/// A call whose answer is odd; what is said to it, and the next call passes.
fn answer_to_odd(prints: &str) -> Value {
    let staged = staged(prints);
    let mut raw = staged.raw();
    raw.started();
    raw.sends(&call(1, "odd", &json!({})));
    let said = parsed(&raw.line());
    assert_eq!(said["id"], 1, "{prints}: {said}");
    let next = raw.answer(&call(2, "read", &main()));
    assert_eq!(next["result"]["content"][0]["text"], "fn main() {}", "{prints}: {next}");
    raw.ended();
    said
}

// Threat D12, p5.py `emoji`
#[test]
fn a_text_that_is_cut_inside_a_sign_is_an_answer() {
    for half in [r"\\ud83d", r"\360\237"] {
        let text = format!(r#"{{"content":[{{"type":"text","text":"cut {half}"}}]}}"#);
        let said = answer_to_odd(&format!(r#"{{"result":{text},"jsonrpc":"2.0","id":%s}}"#));
        assert_eq!(said["result"]["content"][0]["text"], "cut \u{fffd}", "{said}");
    }
}

// Threat D12, p5.py `big`: only the request whose answer cannot be read has failed
#[test]
fn an_answer_that_cannot_be_read_fails_its_request_alone() {
    for (prints, why) in [
        (r#"{"result":{"text":"big"},"jsonrpc":"2.0","id":%s}"#, "at most 4 MiB"),
        (r#"{"jsonrpc":"2.0","id":%s,"result":{"text":"big"}}"#, "at most 4 MiB"),
        (r#"{"result":{},"id":%s,"jsonrpc":"2.0","more":1}"#, "no other members"),
        (r#"{"result":{"a":1,"a":2},"jsonrpc":"2.0","id":%s}"#, "stands twice"),
    ] {
        let said = answer_to_odd(prints);
        let told = said["error"]["message"].as_str().unwrap();
        assert!(told.contains("the server's answer cannot be read") && told.contains(why), "{said}");
    }
}

// Threat D12, p3.py `naive`: what answers nobody goes nowhere
#[test]
fn a_line_that_is_for_nobody_disturbs_nobody() {
    for line in [
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"}}"#,
        r#"{"method":"notifications/message","params":{"level":"info","data":"big"},"jsonrpc":"2.0"}"#,
        "server is ready",
        r#"{"level":"info","id":{"req":1},"msg":"hello"}"#,
        r#"{"level":30,"id":%s,"msg":"GET /x"}"#,
        "{ a: 1 }",
    ] {
        let staged = staged(line);
        let mut raw = staged.raw();
        raw.started();
        raw.sends(&call(1, "odd", &json!({})));
        Raw::until_seen(&staged, r#""name":"odd""#);
        let next = raw.answer(&call(2, "read", &main()));
        assert_eq!(next["id"], 2, "{line}: {next}");
        assert_eq!(next["result"]["content"][0]["text"], "fn main() {}", "{line}: {next}");
        let (_, told) = raw.ended();
        assert!(told.contains("no message"), "{line}: {told}");
    }
}

// Who asks with an id that is none is told, and waits for nothing
#[test]
fn a_server_that_asks_with_an_id_that_is_none_is_told() {
    let staged = staged(r#"{"jsonrpc":"2.0","id":1.0,"method":"roots/list"}"#);
    let mut raw = staged.raw();
    raw.started();
    raw.sends(&call(1, "odd", &json!({})));
    Raw::until_seen(&staged, r#""id":null"#);
    raw.ended();
    assert!(staged.seen().contains("an id is a text or a whole number"), "{}", staged.seen());
}

// Fail closed: a line that could be anything leaves nobody waiting, and the list is asked for anew
#[test]
fn a_line_that_could_be_anything_fails_what_is_open_and_no_later_call() {
    let staged = staged(r#"[{"jsonrpc":"2.0","id":%s,"result":{}}]"#);
    let mut raw = staged.raw();
    raw.started();
    raw.answer(&call(1, "read", &main()));
    let lists = || staged.seen().matches("tools/list").count();
    let before = lists();
    let answer = raw.answer(&call(2, "odd", &json!({})));
    assert!(answer["error"]["message"].as_str().unwrap().contains("no message"), "{answer}");
    staged.says(&tool("poke", true));
    let answer = raw.answer(&call(3, "read", &main()));
    assert!(answer.to_string().contains("lists no tool"), "what it lists now counts: {answer}");
    assert_eq!(lists(), before + 1);
    raw.ended();
}

// Fail closed: no call passes without a list, and a list that comes later counts at once
#[test]
fn a_list_that_cannot_be_read_is_asked_for_again_by_the_next_call() {
    let staged = staged("");
    write(&staged.folder.join("mode"), "garbage\n");
    let mut raw = staged.raw();
    raw.started();
    let refused = raw.answer(&call(1, "read", &main()));
    let told = refused["result"]["content"][0]["text"].as_str().unwrap();
    let error = parsed(told);
    assert!(error["message"].as_str().unwrap().contains("cannot be judged"), "{error}");
    let next = error["suggestion"].as_str().unwrap();
    assert!(next.contains("restart the MCP server `files`") && !next.contains("uninstall"), "{next}");
    std::fs::remove_file(staged.folder.join("mode")).unwrap();
    let answer = raw.answer(&call(2, "read", &main()));
    assert_eq!(answer["result"]["content"][0]["text"], "fn main() {}", "{answer}");
    raw.ended();
}

// A server that answers `notifications/initialized` is looked at, too
#[test]
fn a_server_with_odd_lines_can_be_trusted() {
    let staged = Staged::new();
    let script = staged.folder.join("server.sh");
    let naive = r#"*'"method":"notifications/initialized"'*) echo ready; echo '{"jsonrpc":"2.0","id":null,"error":{}}' ;;"#;
    let server = super::SERVER.replacen(
        "        *'\"method\":\"tools/list\"'*)",
        &format!("        {naive}\n        *'\"method\":\"tools/list\"'*)"),
        1,
    );
    assert!(server.contains("echo ready"));
    write(&script, &server);
    let said = staged.trust(&[]);
    assert!(said.contains("6 tools pass like reading"), "{said}");
    let client = staged.client();
    client.ok("read", &main());
    client.end();
}
