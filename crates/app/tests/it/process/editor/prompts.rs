//! The person's prompt beside a question: shown where it is answered, kept nowhere else, and gone with the session.

use bailiwick_domain::{Value, json};

use super::client::{Call, Editor};
use crate::process::machine::Machine;
use crate::world::read;

const SECRET: &str = "ghp_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";

fn prompted(machine: &Machine, text: &str) {
    let mut event = machine.prompt("s1");
    event["prompt"] = json!(text);
    assert_eq!(machine.hook(&event).code, Some(0));
    machine.select("INT-001");
}

/// The prompt alone, whatever comes of it.
fn asked_for(machine: &Machine, session: &str, text: &str) {
    let mut event = machine.prompt(session);
    event["prompt"] = json!(text);
    assert_eq!(machine.hook(&event).code, Some(0));
}

fn ended(machine: &Machine) {
    let event = json!({"session_id": "s1", "cwd": machine.root().display().to_string(),
        "hook_event_name": "SessionEnd", "reason": "exit"});
    assert_eq!(machine.hook(&event).code, Some(0));
}

/// The files of the repository and of all state that hold this text.
fn holding(machine: &Machine, text: &str) -> Vec<String> {
    let everything = machine.world.everything();
    let holds = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(text);
    everything.iter().filter(|(_, bytes)| holds(bytes)).map(|(path, _)| path.clone()).collect()
}

// D-15, K-42: each question with the person's own prompt beside it
#[test]
fn req_144_a_question_shows_what_the_person_asked_for_and_nothing_else_holds_it() {
    let machine = Machine::selected();
    let mut editor = Editor::focused(&machine);
    prompted(&machine, &format!("Make the login faster\nwith the token {SECRET}"));
    let call = Call::start(&machine, &machine.write_call("w1", "src/auth/renew.rs"));
    let (asked, shown) = editor.question();
    let prompt = shown["prompt"].as_str().unwrap_or_else(|| panic!("{shown}"));
    assert!(prompt.starts_with("Make the login faster\n") && prompt.contains("redacted"), "{prompt}");
    // The next prompt of the person is none of this question's.
    let mut event = machine.prompt("s1");
    event["prompt"] = json!("Something else");
    machine.hook(&event);
    assert_eq!(editor.snapshot()["approvals"][0]["prompt"], *prompt);
    editor.say(&asked, &json!({"decision": "reject"}));
    call.answer();
    prompted(&machine, "Make the login faster still");
    let call = Call::start(&machine, &machine.write_call("w2", "src/auth/renew.rs"));
    let (asked, _) = editor.question();
    editor.say(&asked, &json!({"decision": "approve"}));
    assert_eq!(call.answer().decision().as_deref(), Some("allow"));
    assert_eq!(holding(&machine, SECRET), Vec::<String>::new());
    let kept = holding(&machine, "Make the login faster still");
    assert!(kept.len() == 1 && kept.iter().all(|path| path.contains("prompts")), "{kept:?}");
    ended(&machine);
    assert_eq!(holding(&machine, "Make the login"), Vec::<String>::new(), "it outlives its session");
}

// D-15: a repository, and a person, can do without
#[test]
fn req_144_no_prompt_is_kept_where_the_settings_say_so() {
    let machine = Machine::selected();
    let mut editor = Editor::focused(&machine);
    prompted(&machine, "Make the login faster");
    assert_eq!(holding(&machine, "Make the login").len(), 1);
    machine.write(".orchestration/config.yaml", "approval: { show_prompt: false }\n");
    prompted(&machine, "Make the login slower");
    let call = Call::start(&machine, &machine.write_call("w1", "src/auth/renew.rs"));
    let (asked, shown) = editor.question();
    assert_eq!(shown["prompt"], Value::Null);
    assert_eq!(holding(&machine, "Make the login"), Vec::<String>::new());
    editor.say(&asked, &json!({"decision": "reject"}));
    call.answer();
    assert!(read(&machine.root().join(".orchestration/config.yaml")).contains("show_prompt"));
}

// D-15: a file that says no does not say yes because something else in it is wrong
#[test]
fn req_144_no_prompt_is_kept_where_the_settings_cannot_be_read() {
    let machine = Machine::selected();
    let off = "approval: { show_prompt: false }\n";
    let broken = [
        format!("{off}no_such_key: 1\n"),
        format!("{off}retention: {{ days: many }}\n"),
        format!("{off}retention: {{\n"),
    ];
    for broken in broken {
        machine.write(".orchestration/config.yaml", "");
        asked_for(&machine, "s1", "Make the login faster");
        assert_eq!(holding(&machine, "Make the login").len(), 1, "it is kept otherwise");
        machine.write(".orchestration/config.yaml", &broken);
        asked_for(&machine, "s1", "Make the login slower");
        assert_eq!(holding(&machine, "Make the login"), Vec::<String>::new(), "{broken}");
    }
}

// D-15: turned off is turned off, for all sessions
#[test]
fn req_144_what_was_kept_is_neither_shown_nor_left_once_the_settings_say_no() {
    let machine = Machine::selected();
    let mut editor = Editor::focused(&machine);
    asked_for(&machine, "s2", "Make the logout faster");
    prompted(&machine, "Make the login faster");
    let call = Call::start(&machine, &machine.write_call("w1", "src/auth/renew.rs"));
    let (asked, shown) = editor.question();
    assert_eq!(shown["prompt"], "Make the login faster");
    machine.write(".orchestration/config.yaml", "approval: { show_prompt: false }\n");
    assert_eq!(editor.snapshot()["approvals"][0]["prompt"], Value::Null);
    assert_eq!(Editor::focused(&machine).snapshot()["approvals"][0]["prompt"], Value::Null, "nor in another");
    asked_for(&machine, "s3", "Something else");
    assert_eq!(holding(&machine, "Make the log"), Vec::<String>::new(), "of any session");
    editor.say(&asked, &json!({"decision": "reject"}));
    call.answer();
}

// D-15: a question never stands below what its session was asked for before
#[test]
fn req_144_the_prompt_before_goes_also_where_the_next_one_fails() {
    let machine = Machine::selected();
    asked_for(&machine, "s1", "Make the login faster");
    assert_eq!(holding(&machine, "Make the login").len(), 1);
    let log = machine.private().join("decisions.jsonl");
    std::fs::remove_file(&log).unwrap();
    std::fs::create_dir(&log).unwrap();
    asked_for(&machine, "s1", "Something else");
    assert_eq!(holding(&machine, "Make the login"), Vec::<String>::new());
}
