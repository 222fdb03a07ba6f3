//! Messages that no honest editor sends: each is refused without work and answers nothing, and a person still can.

use bailiwick_domain::json;

use super::client::{Call, Editor};
use super::yes;
use crate::process::machine::Machine;

// D-38: mixed versions refuse
#[test]
fn req_124_nothing_is_answered_before_both_sides_speak_the_same_version() {
    let machine = Machine::selected();
    let mut editor = Editor::silent(&machine);
    let root = machine.root().display().to_string();
    assert_eq!(editor.refused("snapshot", &json!({})).0, -32002);
    editor.tell("attention", &json!({"focused": true}));
    for (protocol, told) in [(0, "Update the extension"), (2, "Update the program `bailiwick`")] {
        let error = editor.initialize(&[&root], protocol)["error"].clone();
        assert!(error["code"] == -32010 && error["message"].as_str().unwrap().contains(told), "{error}");
        assert_eq!(editor.refused("snapshot", &json!({})).0, -32002);
    }
    let status = crate::world::json(&machine.world.shown(&["status", "--json"]));
    assert_eq!(status["surfaces"], json!([]), "one that was refused is no surface");
    assert_eq!(editor.initialize(&[&root], 1)["result"]["folders"][0]["state"], "governed");
    assert_eq!(editor.refused("initialize", &json!({})).0, -32600, "once is enough");
    editor.attend(true);
    let call = Call::start(&machine, &machine.write_call("w1", "src/auth/renew.rs"));
    let (asked, _) = editor.question();
    editor.say(&asked, &yes());
    assert_eq!(call.answer().decision().as_deref(), Some("allow"));
}

// K-42
#[test]
fn req_143_an_answer_to_another_request_answers_nothing() {
    let machine = Machine::selected();
    let mut editor = Editor::focused(&machine);
    let root = machine.root().display().to_string();
    let call = Call::start(&machine, &machine.write_call("w1", "src/auth/renew.rs"));
    let (asked, shown) = editor.question();
    let id = shown["id"].as_str().unwrap().to_owned();
    let print = shown["fingerprint"].as_str().unwrap().to_owned();
    let approve =
        |root: &str, id: &str| json!({"root": root, "id": id, "fingerprint": print, "decision": "approve"});
    for wrong in [
        approve("/", &id),
        approve(&format!("{root}/"), &id),
        approve(&root, "ap-00000000"),
        approve(&root, "../approvals/ap-00000000"),
        approve(&root, ""),
        json!({"root": root, "id": id, "fingerprint": print, "decision": "APPROVE"}),
        json!({"root": root, "id": id, "fingerprint": print, "decision": true}),
        json!({"root": root, "id": id, "fingerprint": print}),
        json!({"root": root, "id": [id], "fingerprint": print, "decision": "approve"}),
        json!([root, id, print, "approve"]),
        json!(null),
    ] {
        editor.refused("approval/answer", &wrong);
    }
    for (method, params) in [
        ("approval/approve", approve(&root, &id)),
        ("approval/allow", json!({"root": root, "id": id, "fingerprint": print})),
        (
            "approval/amend",
            json!({"root": root, "id": id, "fingerprint": print, "shown": "", "draft": {"name": "x", "owned_scope": ["**"]}}),
        ),
        ("approval/grant", json!({"root": root, "id": id, "fingerprint": print, "bounds": {"files": 0}})),
        (
            "approval/grant",
            json!({"root": root, "id": id, "fingerprint": print, "bounds": {"files": 1000000}}),
        ),
        ("workspace/executeCommand", json!({"command": "bailiwick.approve"})),
    ] {
        editor.refused(method, &params);
    }
    // Answers to questions that nobody put.
    for other in [json!(99), json!("1"), json!(null), json!(-1)] {
        editor.say(&other, &yes());
    }
    assert_eq!(editor.snapshot()["approvals"].as_array().unwrap().len(), 1, "it is still open");
    editor.say(&asked, &yes());
    assert_eq!(call.answer().decision().as_deref(), Some("allow"), "a person still can");
}

// K-42: a click on a card that shows something else
#[test]
fn req_143_an_answer_to_a_request_as_it_was_not_shown_answers_nothing() {
    let machine = Machine::selected();
    let mut editor = Editor::focused(&machine);
    let call = Call::start(&machine, &machine.write_call("w1", "src/auth/renew.rs"));
    let (asked, shown) = editor.question();
    let other = format!("sha256:{}", "0".repeat(64));
    for (method, more) in [
        ("approval/answer", json!({"decision": "approve"})),
        ("approval/answer", json!({"decision": "reject"})),
        ("approval/grant", json!({})),
        ("approval/allow", json!({})),
        ("approval/amend", json!({"draft": {"name": "x", "owned_scope": ["src/"]}, "shown": other})),
    ] {
        let mut given = json!({"root": shown["root"], "id": shown["id"]});
        given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(editor.refused(method, &given).0, -32602, "{method} without a fingerprint");
        for wrong in [other.as_str(), ""] {
            given["fingerprint"] = json!(wrong);
            let (code, why) = editor.refused(method, &given);
            assert!(code == -32012 && why.contains("changed since it was shown"), "{method}: {why}");
        }
    }
    assert_eq!(editor.snapshot()["approvals"].as_array().unwrap().len(), 1, "it is still open");
    editor.say(&asked, &yes());
    assert_eq!(call.answer().decision().as_deref(), Some("allow"), "a person still can");
}

// K-42
#[test]
fn req_124_messages_that_nobody_understands_are_refused_and_the_talk_goes_on() {
    let machine = Machine::selected();
    let mut editor = Editor::focused(&machine);
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    for (text, code) in [
        ("{", -32700),
        ("\u{0}", -32700),
        (deep.as_str(), -32700),
        ("[]", -32600),
        ("{}", -32600),
        ("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"snapshot\"}", -32600),
        ("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"snapshot\"}", -32600),
        ("\"snapshot\"", -32600),
    ] {
        editor.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
        let answer = editor.until(|message| message["id"].is_null() && message.get("error").is_some());
        assert_eq!(answer["error"]["code"], code, "{}: {answer}", text.chars().take(60).collect::<String>());
    }
    assert_eq!(editor.refused("shutdown", &json!({})).0, -32601);
    let many: Vec<String> = (0..10_000).map(|at| format!("/nowhere/{at}")).collect();
    assert_eq!(editor.refused("folders", &json!({"folders": many})).0, -32602);
    assert_eq!(editor.refused("folders", &json!({"folders": ["relative"]})).0, -32602);
    let call = Call::start(&machine, &machine.write_call("w1", "src/auth/renew.rs"));
    let (asked, _) = editor.question();
    editor.say(&asked, &yes());
    assert_eq!(call.answer().decision().as_deref(), Some("allow"), "a person still can");
}

// D-38: what is no frame ends the talk, and that is no yes
#[test]
fn req_074_a_frame_that_is_none_ends_the_sidecar_and_rejects() {
    let machine = Machine::selected();
    for (at, frame) in
        ["Content-Length: 99999999999999\r\n\r\n{}", "approve\r\n\r\n", "Content-Length: x\r\n\r\n"]
            .into_iter()
            .enumerate()
    {
        let mut editor = Editor::focused(&machine);
        let call =
            Call::start(&machine, &machine.write_call(&format!("w{at}"), &format!("src/auth/f{at}.rs")));
        editor.question();
        editor.raw(frame.as_bytes());
        assert_eq!(call.code(), "DESTRUCTIVE_ACTION_REJECTED", "{frame:?}");
        assert_eq!(editor.close().code(), Some(1), "{frame:?}");
    }
}
