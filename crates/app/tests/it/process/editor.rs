//! The editor's side of the queue, through the real sidecar and with real hooks that wait: who is asked, what each end
//! means, and that nothing but a person's answer lets anything through.

mod acts;
mod client;
mod hostile;
mod past;
mod prompts;

use bailiwick_domain::json;

use super::machine::Machine;
use client::{Call, Editor};

fn yes() -> bailiwick_domain::Value {
    json!({"decision": "approve"})
}

// K-42, D-37
#[test]
fn req_144_a_yes_in_the_editor_lets_exactly_this_call_through() {
    let machine = Machine::selected();
    let mut editor = Editor::focused(&machine);
    let call = Call::start(&machine, &machine.write_call("w1", "src/auth/renew.rs"));
    let (asked, shown) = editor.question();
    assert_eq!(shown["intent_id"], "INT-001");
    assert_eq!(shown["changed_paths"], json!(["src/auth/renew.rs"]));
    assert_eq!(shown["root"], machine.root().display().to_string());
    assert!(shown["diff_preview"].as_str().unwrap().contains("+pub fn new() {}"), "{shown}");
    assert!(!shown["reason"].as_str().unwrap().is_empty());
    assert_eq!((&shown["class"], &shown["kind"]), (&json!("DESTRUCTIVE · write"), &json!("destructive")));
    assert_eq!(shown["intent"]["name"], "Fix login timeout");
    let listed = machine.open_requests();
    assert!(shown["fingerprint"].as_str().unwrap().starts_with("sha256:"), "{shown}");
    for (key, value) in listed[0].as_object().unwrap() {
        assert_eq!(shown[key], *value, "{key} is as `approval list --json` has it");
    }
    editor.say(&asked, &yes());
    assert_eq!(call.answer().decision().as_deref(), Some("allow"));
    let over = editor.over();
    assert!(over["id"] == shown["id"] && over["why"] == "approved by dana", "{over}");
    // One use: the next call is asked about anew.
    let next = Call::start(&machine, &machine.write_call("w2", "src/auth/other.rs"));
    let (asked, _) = editor.question();
    editor.say(&asked, &json!({"decision": "reject"}));
    assert_eq!(next.code(), "DESTRUCTIVE_ACTION_REJECTED");
}

// D-38: anything but the positive choice is a no
#[test]
fn req_074_everything_that_is_no_yes_rejects() {
    let machine = Machine::selected();
    let mut editor = Editor::focused(&machine);
    for (at, answer) in [
        json!({"decision": "reject", "feedback": "keep the old name"}),
        json!({"decision": "yes"}),
        json!({"decision": null}),
        json!({}),
        json!(null),
        json!(true),
        json!("approve"),
    ]
    .into_iter()
    .enumerate()
    {
        let call =
            Call::start(&machine, &machine.write_call(&format!("w{at}"), &format!("src/auth/f{at}.rs")));
        let (asked, _) = editor.question();
        editor.say(&asked, &answer);
        let error = call.answer().denied();
        assert_eq!(error["code"], "DESTRUCTIVE_ACTION_REJECTED", "{answer}: {error}");
        assert!(at > 0 || error["details"]["feedback"] == "keep the old name", "{error}");
    }
    let call = Call::start(&machine, &machine.write_call("last", "src/auth/last.rs"));
    let (asked, _) = editor.question();
    editor.say(&asked, &yes());
    assert_eq!(call.answer().decision().as_deref(), Some("allow"), "a person still can");
}

// D-38
#[test]
fn req_074_closing_the_last_window_rejects_what_is_open_in_it() {
    let machine = Machine::selected();
    let mut editor = Editor::focused(&machine);
    let call = Call::start(&machine, &machine.write_call("w1", "src/auth/renew.rs"));
    editor.question();
    assert_eq!(editor.close().code(), Some(0));
    let error = call.answer().denied();
    assert_eq!(error["code"], "DESTRUCTIVE_ACTION_REJECTED", "{error}");
    assert!(error.to_string().contains("the editor in which the question was open was closed"), "{error}");
}

// D-38
#[test]
fn req_074_a_killed_sidecar_rejects_what_is_open_in_it_and_what_waits_behind_it() {
    let machine = Machine::selected();
    machine.select_in("s2", "INT-001");
    let mut editor = Editor::focused(&machine);
    let first = Call::start(&machine, &machine.write_call("w1", "src/auth/renew.rs"));
    editor.question();
    let mut other = machine.write_call("w2", "src/auth/other.rs");
    other["session_id"] = json!("s2");
    let second = Call::start(&machine, &other);
    editor.changed(|folder| folder["approvals"].as_array().is_some_and(|open| open.len() == 2));
    editor.kill();
    // Its extension starts another one at once; what was open is rejected all the same.
    let _again = Editor::focused(&machine);
    assert_eq!(
        (first.code().as_str(), second.code().as_str()),
        ("DESTRUCTIVE_ACTION_REJECTED", "DESTRUCTIVE_ACTION_REJECTED")
    );
}

// D-37
#[test]
fn req_074_a_hidden_window_is_no_surface_and_asks_nothing() {
    let machine = Machine::selected();
    let mut editor = Editor::hidden(&machine);
    let call = Call::start(&machine, &machine.write_call("w1", "src/auth/renew.rs"));
    assert_eq!(call.code(), "APPROVAL_PENDING", "as without an editor");
    assert!(!editor.was_asked());
    assert_eq!(
        editor.snapshot()["approvals"].as_array().unwrap().len(),
        1,
        "it shows what waits all the same"
    );
    let status = crate::world::json(&machine.world.shown(&["status", "--json"]));
    assert_eq!(status["surfaces"], json!([]));
    editor.attend(true);
    let (asked, _) = editor.question();
    let status = crate::world::json(&machine.world.shown(&["status", "--json"]));
    assert_eq!(status["surfaces"], json!(["editor"]));
    editor.say(&asked, &yes());
    editor.over();
    let again = Call::start(&machine, &machine.write_call("w1b", "src/auth/renew.rs"));
    assert_eq!(again.answer().decision().as_deref(), Some("allow"), "the yes counts for the same call");
}

// D-37: first in, first out, one at a time
#[test]
fn req_143_two_agents_are_asked_about_one_after_the_other() {
    let machine = Machine::selected();
    machine.select_in("s2", "INT-001");
    let mut editor = Editor::focused(&machine);
    let first = Call::start(&machine, &machine.write_call("w1", "src/auth/renew.rs"));
    let (asked, shown) = editor.question();
    let mut other = machine.write_call("w2", "src/auth/other.rs");
    other["session_id"] = json!("s2");
    let second = Call::start(&machine, &other);
    editor.changed(|folder| folder["approvals"].as_array().is_some_and(|open| open.len() == 2));
    assert!(!editor.was_asked(), "one at a time");
    editor.say(&asked, &yes());
    let (then, next) = editor.question();
    assert_eq!(
        (&shown["changed_paths"][0], &next["changed_paths"][0]),
        (&json!("src/auth/renew.rs"), &json!("src/auth/other.rs"))
    );
    assert_eq!(first.answer().decision().as_deref(), Some("allow"));
    editor.say(&then, &json!({"decision": "reject"}));
    assert_eq!(second.code(), "DESTRUCTIVE_ACTION_REJECTED");
}

// D-38: several windows
#[test]
fn req_143_one_window_decides_and_all_of_them_see_it() {
    let machine = Machine::selected();
    let (mut one, mut other) = (Editor::focused(&machine), Editor::focused(&machine));
    let call = Call::start(&machine, &machine.write_call("w1", "src/auth/renew.rs"));
    let (asked, shown) = one.question();
    let (late, _) = other.question();
    one.say(&asked, &yes());
    assert_eq!(call.answer().decision().as_deref(), Some("allow"));
    assert_eq!(other.over()["id"], shown["id"]);
    other.changed(|folder| folder["approvals"] == json!([]));
    // A late no changes nothing, and the window can be asked again.
    other.say(&late, &json!({"decision": "reject"}));
    let next = Call::start(&machine, &machine.write_call("w2", "src/auth/other.rs"));
    one.question();
    let (asked, _) = other.question();
    // One of two windows is closed: the question stays open in the other one.
    assert_eq!(one.close().code(), Some(0));
    other.say(&asked, &yes());
    assert_eq!(next.answer().decision().as_deref(), Some("allow"));
}

// D-38: a person answers in the Approvals view, or elsewhere
#[test]
fn req_143_the_view_answers_what_the_modal_leaves_open() {
    let machine = Machine::selected();
    let mut editor = Editor::focused(&machine);
    let root = machine.root().display().to_string();
    let call = Call::start(&machine, &machine.write_call("w1", "src/auth/renew.rs"));
    let (asked, shown) = editor.question();
    editor.say(&asked, &json!({"decision": "view"}));
    let said = editor.done(
        "approval/answer",
        &json!({"root": root, "id": shown["id"], "fingerprint": shown["fingerprint"], "decision": "approve"}),
    );
    assert_eq!(said["message"], format!("{} approved", shown["id"].as_str().unwrap()));
    assert_eq!(call.answer().decision().as_deref(), Some("allow"));
    editor.over();
    let call = Call::start(&machine, &machine.write_call("w2", "src/auth/other.rs"));
    let (_, shown) = editor.question();
    machine.approve(shown["id"].as_str().unwrap());
    assert_eq!(call.answer().decision().as_deref(), Some("allow"));
    assert_eq!(editor.over()["id"], shown["id"]);
    let (code, message) = editor.refused(
        "approval/answer",
        &json!({"root": root, "id": shown["id"], "fingerprint": shown["fingerprint"], "decision": "reject"}),
    );
    assert!(code == -32012 && message.contains("is over: approved by dana"), "{message}");
}

// D-42: what a draft forgot, and what an agent calls done, stand in the snapshot
#[cfg(target_os = "linux")]
#[test]
fn the_editor_shows_what_a_draft_forgot_and_what_is_called_done() {
    let (machine, id) = super::scopes::drafted();
    machine.select("INT-001");
    let params = json!({"intent_id": "INT-001", "summary": "All of it"});
    let call = json!({"command": format!("bailiwick tool report_done '{params}'")});
    assert_eq!(machine.hook(&machine.pre("r1", "Bash", &call)).decision().as_deref(), Some("allow"));
    let mut editor = Editor::focused(&machine);
    let folder = editor.snapshot();
    let asked = &folder["approvals"][0];
    assert_eq!(asked["id"], id.as_str());
    assert!(asked["diff_preview"].as_str().unwrap().contains(super::scopes::FORGOTTEN), "{asked}");
    let done = &folder["done"][0];
    assert_eq!((&done["intent"], &done["summary"]), (&json!("INT-001"), &json!("All of it")), "{folder}");
    assert!(done["actor"].as_str().unwrap().starts_with("claude-code"), "{done}");
}
