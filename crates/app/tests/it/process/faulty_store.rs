//! A store that cannot be trusted stops every call before it runs and says what is wrong; it never stops the client
//! after a call (K-07, K-33, D-14, rows 26 and 102).

use std::path::Path;

use bailiwick_adapters_fs::Layout;

use super::machine::{Hooked, INTENTS, Machine};

/// How something is broken: what is done to a machine whose session `s1` works under INT-001.
type Breaks = fn(&Machine);

/// What is broken, how, the code of the refusal, and words that the refusal must hold.
const FAULTS: &[(&str, Breaks, &str, &[&str])] = &[
    ("no store", |m| remove(m, ".orchestration"), "ORCHESTRATION_MISSING", &[".orchestration"]),
    (
        "no intents",
        |m| remove(m, ".orchestration/active_intents.yaml"),
        "ORCHESTRATION_MISSING",
        &["active_intents.yaml"],
    ),
    (
        "a store that is a file",
        |m| file_instead(m, ".orchestration"),
        "ORCHESTRATION_INVALID",
        &[".orchestration"],
    ),
    (
        "intents that are a folder",
        |m| folder_instead(m, ".orchestration/active_intents.yaml"),
        "ORCHESTRATION_INVALID",
        &["active_intents.yaml"],
    ),
    (
        "broken YAML",
        |m| m.write(".orchestration/active_intents.yaml", "active_intents:\n  - id: [INT-001\n"),
        "ORCHESTRATION_INVALID",
        &[".orchestration/active_intents.yaml:3:1:"],
    ),
    (
        "a misspelled key",
        |m| m.write(".orchestration/active_intents.yaml", &INTENTS.replacen("status", "statsu", 1)),
        "ORCHESTRATION_INVALID",
        &[".orchestration/active_intents.yaml:4:5:", "`status`"],
    ),
    (
        "an id twice",
        |m| m.write(".orchestration/active_intents.yaml", &INTENTS.replace("INT-002", "INT-001")),
        "ORCHESTRATION_INVALID",
        &[".orchestration/active_intents.yaml:7:"],
    ),
    (
        "intents that are not UTF-8",
        |m| {
            std::fs::write(m.root().join(".orchestration/active_intents.yaml"), b"active_intents: [\xff]\n")
                .unwrap()
        },
        "ORCHESTRATION_INVALID",
        &["active_intents.yaml"],
    ),
    (
        "a misspelled setting",
        |m| m.write(".orchestration/config.yaml", "approval:\n  timeout: 5\n"),
        "ORCHESTRATION_INVALID",
        &[".orchestration/config.yaml:2:3:", "timeout_s"],
    ),
    (
        "a setting of the wrong type",
        |m| m.write(".orchestration/config.yaml", "handshake: { strict: sometimes }\n"),
        "ORCHESTRATION_INVALID",
        &[".orchestration/config.yaml:1:"],
    ),
    (
        "settings that are a folder",
        |m| folder_instead(m, ".orchestration/config.yaml"),
        "ORCHESTRATION_INVALID",
        &["config.yaml"],
    ),
    ("private state that is a file", |m| file_instead(m, ".git/bailiwick"), "LEDGER_UNAVAILABLE", &[]),
    ("actors that are a file", |m| file_instead(m, ".git/bailiwick/actors"), "LEDGER_UNAVAILABLE", &[]),
    (
        "a log that is a folder",
        |m| folder_instead(m, ".git/bailiwick/decisions.jsonl"),
        "LEDGER_UNAVAILABLE",
        &[],
    ),
    ("a lock that is a folder", |m| folder_instead(m, ".git/bailiwick/lock"), "LEDGER_UNAVAILABLE", &[]),
    (
        "an actor's state that is no JSON",
        |m| each_state(m, |file| std::fs::write(file, "{\"format\":1,").unwrap()),
        "ORCHESTRATION_INVALID",
        &["state.json"],
    ),
    (
        "an actor's state that is empty",
        |m| each_state(m, |file| std::fs::write(file, "").unwrap()),
        "ORCHESTRATION_INVALID",
        &["state.json"],
    ),
    (
        "another actor's state",
        |m| each_state(m, another_actor),
        "ORCHESTRATION_INVALID",
        &["not the state of this actor"],
    ),
    (
        "an actor's state that is a folder",
        |m| each_state(m, folder_at),
        "LEDGER_UNAVAILABLE",
        &["state.json"],
    ),
    (
        "a log that was overwritten",
        |m| m_private(m, "decisions.jsonl", "not a record\n"),
        "ORCHESTRATION_INVALID",
        &["decisions.jsonl"],
    ),
];

fn remove(machine: &Machine, name: &str) {
    let path = machine.root().join(name);
    if path.is_dir() { std::fs::remove_dir_all(path).unwrap() } else { std::fs::remove_file(path).unwrap() }
}

fn file_instead(machine: &Machine, name: &str) {
    remove(machine, name);
    machine.write(name, "");
}

fn folder_instead(machine: &Machine, name: &str) {
    let path = machine.root().join(name);
    if path.is_file() {
        std::fs::remove_file(&path).unwrap();
    }
    std::fs::create_dir(&path).unwrap();
}

fn folder_at(file: &Path) {
    std::fs::remove_file(file).unwrap();
    std::fs::create_dir(file).unwrap();
}

fn another_actor(file: &Path) {
    let text = std::fs::read_to_string(file).unwrap();
    // Without the line end it is a file of an earlier version, whose sum nobody looks at.
    std::fs::write(file, text.trim_end().replace("\"s1\"", "\"s2\"")).unwrap();
}

fn m_private(machine: &Machine, name: &str, text: &str) {
    std::fs::write(machine.private().join(name), text).unwrap();
}

fn each_state(machine: &Machine, change: impl Fn(&Path)) {
    for entry in std::fs::read_dir(machine.private().join("actors")).unwrap() {
        change(&entry.unwrap().path().join("state.json"));
    }
}

// REQ 26, REQ 102; K-07, D-14; threat E2
#[test]
fn req_102_every_call_is_refused_under_a_broken_store() {
    for (name, breaks, code, words) in FAULTS {
        let machine = Machine::selected();
        breaks(&machine);
        for call in [machine.write_call("w1", "src/auth/new.rs"), machine.read_call("r1")] {
            let said = machine.hook(&call);
            said.refused(name);
            let error = said.denied();
            assert_eq!(error["code"], *code, "{name}: {error}");
            let said = error["reason"].as_str().unwrap();
            assert!(words.iter().all(|word| said.contains(word)), "{name}: {said}");
            assert_eq!(error["recoverable"], false, "{name}");
            // D-08: whoever is locked out is told the line that lets out.
            let way_out = format!("cd {} && bailiwick uninstall", machine.root().display());
            assert!(error.to_string().contains(&way_out), "{name}: {error}");
        }
    }
}

// D-21; threat E2
#[test]
fn a_broken_store_never_stops_the_client_after_a_call() {
    for (name, breaks, _, _) in FAULTS {
        let machine = Machine::selected();
        breaks(&machine);
        for event in [
            "PostToolUse",
            "PostToolUseFailure",
            "PostToolBatch",
            "Stop",
            "SubagentStop",
            "SessionEnd",
            "SessionStart",
        ] {
            let mut post = machine.read_call("r1");
            post["hook_event_name"] = event.into();
            let said = machine.hook(&post);
            assert!(matches!(said.code, Some(0 | 1)), "{name}, {event}: {said:?}");
            assert!(!said.stdout.contains("\"block\""), "{name}, {event}: {said:?}");
        }
    }
}

// K-07: a session is told that nothing works, and not how to work
#[test]
fn a_session_is_told_that_a_broken_store_refuses_every_call() {
    for (event, name) in [("SessionStart", "source"), ("UserPromptSubmit", "prompt")] {
        let machine = Machine::selected();
        machine.write(".orchestration/config.yaml", "approval:\n  timeout: 5\n");
        let mut told = machine.prompt("s1");
        told["hook_event_name"] = event.into();
        told[name] = "startup".into();
        let said = machine.hook(&told).stdout;
        assert!(said.contains("Every call is refused, also those that only read"), "{event}: {said}");
        assert!(said.contains(".orchestration/config.yaml:2:3:"), "{event}: {said}");
        assert!(!said.contains("read-only actions are permitted"), "{event}: {said}");
    }
}

// D-14
#[cfg(unix)]
#[test]
fn a_store_behind_a_link_is_not_trusted() {
    let machine = Machine::selected();
    let elsewhere = machine.world.path("elsewhere");
    std::fs::rename(machine.root().join(".orchestration"), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, machine.root().join(".orchestration")).unwrap();
    let error = machine.hook(&machine.read_call("r1")).denied();
    assert_eq!(error["code"], "ORCHESTRATION_INVALID");
    assert!(error["reason"].as_str().unwrap().contains("symlink"), "{error}");
}

// REQ 26; K-33
#[test]
fn req_026_ignore_rules_that_cannot_be_read_stop_changes_and_not_reading() {
    let broken: [Breaks; 4] = [
        |m| folder_instead(m, ".intentignore"),
        |m| m.write(".intentignore", "[INT-001\nsrc/auth/secret\n"),
        |m| std::fs::write(m.root().join(".intentignore"), b"src/\xff\n").unwrap(),
        |m| folder_instead(m, ".orchestration/.intentignore"),
    ];
    for breaks in broken {
        let machine = Machine::selected();
        breaks(&machine);
        assert_eq!(
            machine.hook(&machine.write_call("w1", "src/auth/new.rs")).denied()["code"],
            "INTENTIGNORE_INVALID"
        );
        assert_eq!(machine.hook(&machine.read_call("r1")).decision(), None);
    }
}

// REQ 26; K-33
#[test]
fn req_026_a_missing_file_is_told_once_and_everything_goes_on() {
    let times = |text: &str| text.matches(".intentignore").count();
    let machine = Machine { world: crate::world::World::new() };
    let first = machine.world.run(&["init", "--agent", "claude-code"]);
    assert_eq!(times(&crate::world::said(&first)), 1, "{}", crate::world::said(&first));
    let again = machine.world.run(&["init", "--agent", "claude-code"]);
    assert_eq!(times(&crate::world::said(&again)), 0, "{}", crate::world::said(&again));
    let told = machine.world.ok(&["doctor"]);
    let note = told.lines().find(|line| line.contains(".intentignore")).unwrap();
    assert!(times(&told) == 1 && note.trim_start().starts_with("note no"), "{told}");

    let machine = Machine::selected();
    let answers = [
        machine.hook(&machine.prompt("s2")),
        machine.hook(&machine.read_call("r1")),
        machine.hook(&machine.write_call("w1", "src/auth/new.rs")),
    ];
    assert!(answers.iter().all(|answer| times(&answer.stdout) + times(&answer.stderr) == 0), "{answers:?}");
    assert_eq!(answers[2].denied()["code"], "APPROVAL_PENDING", "the change goes to a person as ever");

    machine.write(".intentignore", "*.lock\n");
    let told = crate::world::said(&machine.world.run(&["doctor"]));
    assert_eq!(times(&told), 0, "nothing is missing: {told}");
}

// D-14, D-15; threat F9
#[cfg(target_os = "linux")]
#[test]
fn private_state_that_is_deleted_takes_every_yes_with_it() {
    let machine = Machine::selected();
    let id = machine.pending("w1", "src/auth/new.rs");
    machine.approve(&id);
    std::fs::remove_dir_all(machine.private()).unwrap();
    let error = machine.hook(&machine.write_call("w2", "src/auth/new.rs")).denied();
    assert_eq!(error["code"], "STATE_VIOLATION", "no selection is remembered");
    machine.select("INT-001");
    assert_eq!(
        machine.hook(&machine.write_call("w3", "src/auth/new.rs")).denied()["code"],
        "APPROVAL_PENDING"
    );
}

// D-16; threat E2
#[test]
fn a_queue_that_cannot_be_used_refuses_what_needs_a_yes() {
    let broken: [(&str, Breaks); 5] = [
        ("the queue is a file", |m| m_private(m, "approvals", "")),
        ("the key is a folder", |m| std::fs::create_dir_all(m.state().join("approval.key")).unwrap()),
        ("the key is too short", |m| {
            std::fs::create_dir_all(m.state()).unwrap();
            std::fs::write(m.state().join("approval.key"), "short").unwrap();
        }),
        ("the pending calls are a file", |m| {
            let layout = Layout::new(m.root(), m.private(), Some(m.state()));
            let remembered = layout.remembered().unwrap();
            std::fs::create_dir_all(&remembered).unwrap();
            std::fs::write(remembered.join("pending"), "").unwrap();
        }),
        ("the agents are a file", |m| file_instead(m, ".git/bailiwick/agents")),
    ];
    for (name, breaks) in broken {
        let machine = Machine::selected();
        breaks(&machine);
        let said: Hooked = machine.hook(&machine.write_call("w1", "src/auth/new.rs"));
        let error = said.denied();
        assert!(
            matches!(error["code"].as_str().unwrap(), "LEDGER_UNAVAILABLE" | "ORCHESTRATION_INVALID"),
            "{name}: {error}"
        );
    }
}

// D-14: governed is known by private state and by the hook's own words, so a deleted store is not an ungoverned one
#[test]
fn a_governed_repository_does_not_become_free_by_deleting_its_store() {
    let machine = Machine::selected();
    remove(&machine, ".orchestration");
    let ungoverned_words = machine.bare_line().replace(" --governed", "");
    let call = machine.write_call("w1", "src/auth/new.rs").to_string();
    assert_eq!(machine.through(&ungoverned_words, call.as_bytes()).denied()["code"], "ORCHESTRATION_MISSING");
    remove(&machine, ".git/bailiwick");
    assert_eq!(
        machine.through(&machine.bare_line(), call.as_bytes()).denied()["code"],
        "ORCHESTRATION_MISSING"
    );
    remove(&machine, ".git");
    assert_eq!(
        machine.through(&machine.bare_line(), call.as_bytes()).denied()["code"],
        "MISSING_WORKSPACE_ROOT"
    );
}
