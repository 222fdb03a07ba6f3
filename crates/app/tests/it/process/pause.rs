//! The human's off switch as people meet it (D-07): typed at a terminal, seen by hooks, told to agents, ended by hand.

use bailiwick_domain::{Value, json};

use super::machine::Machine;
use crate::world::{json as parsed, said};

impl Machine {
    #[track_caller]
    fn pauses(&self, words: &[&str]) {
        let words = [&["pause"], words].concat();
        let output = self.typed(&words, "");
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }

    /// What a call that goes through in a pause is told beside the host's own rules.
    #[track_caller]
    fn passes_paused(&self, event: &Value) -> String {
        let answer = self.hook(event);
        assert_eq!(answer.code, Some(0), "{answer:?}");
        let said: Value =
            serde_json::from_str(&answer.stdout).unwrap_or_else(|why| panic!("{why}: {answer:?}"));
        let said = &said["hookSpecificOutput"];
        assert_eq!(said.get("permissionDecision"), None, "the host's own rules stay in force: {answer:?}");
        said["additionalContext"].as_str().unwrap().to_owned()
    }

    fn said_of_pauses(&self) -> Vec<String> {
        let lines = self.decisions().into_iter().filter(|record| record["tool"] == "pause");
        lines.map(|record| record["note"].as_str().unwrap().to_owned()).collect()
    }
}

// D-07
#[test]
fn a_person_pauses_and_resumes_and_both_are_in_the_log() {
    let machine = Machine::selected();
    machine.pauses(&["--for", "20m"]);
    let told = machine.passes_paused(&machine.write_call("w1", "src/auth/new.rs"));
    assert!(told.contains("paused by a human (dana)"), "{told}");
    machine.passes_paused(&machine.write_call("w2", "src/core/out_of_scope.rs"));
    assert_eq!(
        machine.hook(&machine.write_call("w3", ".claude/settings.json")).denied()["code"],
        "PROTECTED_PATH"
    );
    assert_eq!(machine.hook(&machine.read_call("r1")).decision(), None);

    let status = machine.world.shown(&["status"]);
    assert!(status.contains("paused by dana until"), "{status}");
    assert_eq!(parsed(&machine.world.shown(&["status", "--json"]))["paused"]["by"], "dana");
    let prompted = machine.hook(&machine.prompt("s1"));
    assert!(prompted.stdout.contains("paused by a human"), "{prompted:?}");

    let output = machine.typed(&["resume"], "");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    machine.select("INT-001");
    machine.pending("w4", "src/auth/new.rs");
    assert_eq!(parsed(&machine.world.shown(&["status", "--json"]))["paused"], Value::Null);
    let lines = machine.said_of_pauses();
    assert!(
        lines[0].starts_with("paused by dana until") && lines[1].starts_with("resumed by dana"),
        "{lines:?}"
    );
    assert_eq!(lines.len(), 2);
    let log = machine.world.ok(&["log"]);
    assert!(log.contains("would be asked about") && log.contains("would be refused"), "{log}");
}

// D-07
#[test]
fn a_change_in_a_pause_is_in_the_ledger_as_paused() {
    let machine = Machine::selected();
    machine.pauses(&[]);
    let mut event = machine.write_call("w1", "src/auth/new.rs");
    machine.passes_paused(&event);
    machine.write("src/auth/new.rs", "pub fn new() {}\n");
    event["hook_event_name"] = "PostToolUse".into();
    event["tool_response"] = json!({});
    assert_eq!(machine.hook(&event).code, Some(0));
    let ledger = std::fs::read_to_string(machine.private().join("ledger/live.jsonl")).unwrap();
    let own = &parsed(ledger.trim())["metadata"]["dev.bailiwick"];
    assert_eq!((&own["approval"], &own["approved_by"]), (&json!("paused"), &Value::Null));
    let id = parsed(ledger.trim())["id"].as_str().unwrap().to_owned();
    for words in [
        &["trace", "log"][..],
        &["trace", "show", &id],
        &["trace", "why", "src/auth/new.rs:1"],
        &["report", "-o", "-"],
    ] {
        let told = machine.world.ok(words);
        assert!(told.contains("not approved: paused"), "{words:?}: {told}");
        for wrong in ["approved at the host", "the person at the host", "own prompt"] {
            assert!(!told.contains(wrong), "{words:?}: {told}");
        }
    }
    let log = machine.world.ok(&["log"]);
    assert!(log.contains("paused by dana until") && !log.contains("Z:"), "local times: {log}");
}

// D-07: a pause that is over ends by itself, also where no clock since the start helps.
#[test]
fn a_pause_that_is_over_is_over_and_said_once() {
    let machine = Machine::selected();
    machine.pauses(&["--for", "1s"]);
    let file = machine.private().join("pause.json");
    let until =
        parsed(&std::fs::read_to_string(&file).unwrap())["pause"]["until"].as_str().unwrap().to_owned();
    let over = |machine: &Machine| {
        let now = bailiwick_domain::Clock::now(&bailiwick_adapters_fs::SystemClock).to_string();
        drop(machine.hook(&machine.read_call("r")));
        now > until
    };
    while !over(&machine) {}
    machine.pending("w1", "src/auth/new.rs");
    machine.pending("w2", "src/auth/new.rs");
    assert!(!file.exists());
    let lines = machine.said_of_pauses();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[1].ends_with("is over"), "{lines:?}");
}

// D-07, D-16
#[test]
fn only_a_person_at_a_terminal_pauses() {
    let machine = Machine::selected();
    for words in [&["pause"][..], &["pause", "--for", "1m"], &["resume"]] {
        let output = machine.world.run(words);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("terminal"), "{}", said(&output));
        let command = format!("bailiwick {}", words.join(" "));
        let answer = machine.hook(&machine.pre("b", "Bash", &json!({"command": command})));
        assert_eq!(answer.denied()["code"], "PROTECTED_PATH", "{command}");
        let mut terminal = machine.terminal(words);
        let output = super::machine::fed(terminal.env("CLAUDECODE", "1"), b"");
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    }
    for words in [&["pause", "--for", "9h"][..], &["pause", "--for", "0s"], &["pause", "--for", "soon"]] {
        assert_eq!(machine.typed(words, "").status.code(), Some(2), "{words:?}");
    }
    assert!(!machine.private().join("pause.json").exists());
    machine.pending("w1", "src/auth/new.rs");
}
