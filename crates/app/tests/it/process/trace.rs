//! What a person and an agent can ask of the ledger: log, show, verify, repair (D-16, D-22, D-25, K-24).

use bailiwick_domain::{Value, json};

use super::machine::Machine;
use crate::world::{World, json as parsed, read, said};

/// A machine with one recorded change, and the entry's id.
fn recorded() -> (Machine, String) {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let id = change(&machine, &mut wire, "src/auth/new.rs", "pub fn new() {}\n");
    wire.end();
    (machine, id)
}

pub(super) fn change(
    machine: &Machine,
    wire: &mut super::machine::Wire,
    path: &str,
    content: &str,
) -> String {
    let params = json!({"path": path, "content": content});
    let asked = wire.pre("write_to_file", &params);
    let id = asked["approvalId"].clone();
    let allowed =
        wire.ask(json!({"phase": "resolve", "approvalId": id, "decision": "approve", "approver": "dana"}));
    assert_eq!(allowed["action"], "allow", "{allowed}");
    machine.write(path, content);
    let done = wire.post("write_to_file", &params, true);
    done["traceIds"][0].as_str().unwrap().to_owned()
}

fn live(machine: &Machine) -> std::path::PathBuf {
    machine.private().join("ledger/live.jsonl")
}

fn tamper(machine: &Machine) {
    let text = read(&live(machine)).replace("src/auth/new.rs", "src/auth/old.rs");
    std::fs::write(live(machine), text).unwrap();
}

fn fails(world: &World, words: &[&str]) -> String {
    let output = world.run(words);
    assert_eq!(output.status.code(), Some(1), "{words:?}: {}", said(&output));
    said(&output)
}

// REQ 162, REQ 164
#[test]
fn the_log_and_an_entry_say_what_was_changed_and_why() {
    let (machine, id) = recorded();
    let short = id.get(..8).unwrap();
    let world = &machine.world;
    let log = world.ok(&["trace", "log"]);
    for part in [short, "INT-001", "write_to_file", "+src/auth/new.rs", "approved by dana"] {
        assert!(log.contains(part), "{part} in {log}");
    }
    let entries = parsed(&world.ok(&["trace", "log", "--json", "--intent", "INT-001", "--file", "src/auth"]));
    assert_eq!(entries["entries"][0]["id"], id.as_str(), "{entries}");
    for other in [["--intent", "INT-002"], ["--file", "src/aut"], ["--session", "s9"], ["-n", "0"]] {
        let words = [&["trace", "log", "--json"][..], &other].concat();
        assert_eq!(parsed(&world.ok(&words)), json!({"entries": [], "trust": [], "turns": []}), "{other:?}");
    }
    let shown = world.ok(&["trace", "show", short]);
    for part in [&id, "INT-001", "REQ-AUTH-1", "by dana", "entry 0 of this clone's ledger"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let record: Value = parsed(&world.ok(&["trace", "show", &id, "--json"]));
    assert_eq!(record, parsed(&read(&live(&machine))));
    assert!(fails(world, &["trace", "show", "nothing"]).contains("no entry `nothing`"));
}

/// Runs it and returns its exit status and what it says on standard error; standard output stays empty.
#[track_caller]
fn aside(world: &World, words: &[&str]) -> (Option<i32>, String) {
    let output = world.run(words);
    assert!(output.stdout.is_empty(), "{words:?}: {}", said(&output));
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

// REQ 162: an empty answer says why it is empty, and what to ask instead
#[test]
fn an_answer_without_an_entry_says_what_to_do_next() {
    let empty = Machine::new();
    let (status, hint) = aside(&empty.world, &["trace", "log"]);
    assert!(status == Some(0) && hint.contains("nothing yet"), "{hint}");
    let (status, hint) = aside(&empty.world, &["log"]);
    assert!(status == Some(0) && hint.contains("bailiwick doctor"), "{hint}");
    let (machine, _) = recorded();
    for words in [&["--intent", "INT-404"], &["--file", "src/none"], &["--since", "2100-01-01"]] {
        let (status, hint) = aside(&machine.world, &[&["trace", "log"], &words[..]].concat());
        assert!(status == Some(0) && hint.contains("no entry matches"), "{words:?}: {hint}");
    }
    let (status, hint) = aside(&machine.world, &["log", "--session", "s404"]);
    assert!(status == Some(0) && hint.contains("no line matches"), "{hint}");
    let (status, why) = aside(&machine.world, &["restore", "--call", "none"]);
    assert!(status == Some(1) && why.contains("`bailiwick trace log`"), "{why}");
}

// REQ 162: too few characters of an id name nobody, and that is said
#[test]
fn a_session_that_is_named_by_too_few_signs_is_asked_for_again() {
    let (machine, _) = recorded();
    let sentence = "no session is called `123`; write at least 4 characters of its id";
    let exported = ["trace", "export", "--format", "json"];
    for words in [&["trace", "log"][..], &exported, &["log"], &["restore", "--dry-run"]] {
        let (_, hint) = aside(&machine.world, &[words, &["--session", "123"]].concat());
        assert!(hint.contains(sentence), "{words:?}: {hint}");
        let (_, hint) = aside(&machine.world, &[words, &["--session", "1234"]].concat());
        assert!(!hint.contains("signs"), "{words:?}: {hint}");
    }
    let report = said(&machine.world.run(&["report", "--session", "123"]));
    assert!(report.contains(sentence), "{report}");
    let (_, hint) = aside(&machine.world, &["select", "INT-001", "--session", "123"]);
    assert!(hint.contains(sentence), "{hint}");
    let (_, hint) = aside(&machine.world, &["restore", "--call", "12"]);
    assert!(hint.contains("at least 4 characters of its id"), "{hint}");
    let (_, hint) = aside(&machine.world, &["lesson", "prune", "12"]);
    assert!(hint.contains("write at least 4 characters of the lesson's id"), "{hint}");
}

// REQ 162: half an answer is not called a whole one
#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_a_full_disk_does_not_take_is_an_error() {
    let (machine, _) = recorded();
    for words in [&["trace", "log", "--json"][..], &["trace", "blame", "src/auth/new.rs"], &["status"]] {
        let mut command = machine.world.command_in(&machine.root(), words);
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command.stdout(full).output().unwrap();
        assert!(output.status.code() == Some(2), "{words:?}: {}", said(&output));
        assert!(said(&output).contains("standard output: "), "{words:?}: {}", said(&output));
    }
}

// REQ 162: an id that is left out by a script's mistake is none that every entry begins with
#[test]
fn an_empty_id_is_no_entry() {
    let (machine, _) = recorded();
    for command in ["show", "locate"] {
        let (status, why) = aside(&machine.world, &["trace", command, ""]);
        assert!(status == Some(2) && why.contains("<ID>"), "{why}");
    }
    let (status, why) = aside(&machine.world, &["trace", "why", "src/auth/new.rs:9"]);
    assert!(status == Some(2) && why.contains("has 1 line\n"), "{why}");
}

#[test]
fn a_root_that_is_not_there_is_named() {
    let world = World::new();
    let (status, why) = aside(&world, &["trace", "log", "--root", "/nonexistent"]);
    assert!(status == Some(2) && why.contains("there is no folder `/nonexistent`"), "{why}");
}

// D-25
#[test]
fn verify_tells_alarm_from_note_by_its_exit_status() {
    let (machine, _) = recorded();
    let world = &machine.world;
    assert!(world.ok(&["trace", "verify", "--strict"]).contains("1 entry"));
    let view = machine.root().join(".orchestration/agent_trace.jsonl");
    std::fs::remove_file(&view).unwrap();
    assert!(world.ok(&["trace", "verify"]).contains("the view is missing"));
    fails(world, &["trace", "verify", "--strict"]);
    assert!(world.ok(&["trace", "repair"]).contains("the view was created again"));
    assert!(world.ok(&["trace", "repair"]).contains("nothing to repair"));
    world.ok(&["trace", "verify", "--strict"]);
    tamper(&machine);
    let found = fails(world, &["trace", "verify"]);
    assert!(found.contains("live.jsonl:1: line 1 was changed"), "{found}");
    let value = parsed(&fails(world, &["trace", "verify", "--json"]));
    assert_eq!((&value["ok"], &value["findings"][0]["kind"]), (&json!(false), &json!("edited")), "{value}");
}

// K-24, K-07: who looks why nothing is let through is told, by every command that says how things stand
#[test]
fn a_ledger_that_stops_changes_is_named_wherever_a_person_looks() {
    let (machine, _) = recorded();
    let world = &machine.world;
    let fault = |is_there: bool| {
        let status = world.run(&["status", "--json"]);
        let ledger = parsed(&String::from_utf8(status.stdout).unwrap())["ledger"].clone();
        for words in [["status"], ["doctor"]] {
            let told = said(&world.run(&words));
            let names = told.contains("the ledger cannot be continued");
            assert!(told.matches("bailiwick trace repair").count() <= 1, "said once: {told}");
            assert!(names == is_there && names == ledger.is_string(), "{words:?}: {told}");
        }
    };
    fault(false);
    let whole = read(&live(&machine));
    tamper(&machine);
    fault(true);
    assert!(fails(world, &["trace", "verify"]).contains("hint: run `bailiwick trace repair`"));
    std::fs::remove_file(live(&machine)).unwrap();
    fault(true);
    assert!(!live(&machine).exists(), "looking at it changes nothing");
    std::fs::write(live(&machine), whole).unwrap();
    fault(false);
}

// K-24, K-07: a ledger that was tampered with stops mutations until a person ends it.
#[test]
fn a_tampered_ledger_stops_changes_until_a_person_ends_it() {
    let (machine, _) = recorded();
    tamper(&machine);
    let world = &machine.world;
    let mut wire = machine.wire();
    wire.select("INT-001");
    let params = json!({"path": "src/auth/next.rs", "content": "x\n"});
    let id = wire.pre("write_to_file", &params)["approvalId"].clone();
    let refused = wire.ask(json!({"phase": "resolve", "approvalId": id, "decision": "approve"}));
    assert_eq!(refused["action"], "block", "{refused}");
    let next = refused["error"]["suggestion"].as_str().unwrap_or_default();
    assert!(next.contains("`bailiwick trace verify`") && next.contains("bailiwick uninstall"), "{refused}");
    let said = fails(world, &["trace", "repair"]);
    assert!(said.contains("trace repair --new-chain"), "{said}");
    let unattended = world.run(&["trace", "repair", "--new-chain"]);
    assert_eq!(unattended.status.code(), Some(2), "nobody said yes");
    let kept = read(&live(&machine));
    assert!(world.ok(&["trace", "repair", "--new-chain", "--yes"]).contains("ended as number 1"));
    assert_eq!(read(&machine.private().join("ledger/ended/1.jsonl")), kept, "nothing is lost");
    change(&machine, &mut wire, "src/auth/other.rs", "x\n");
    wire.end();
    assert!(world.ok(&["trace", "verify"]).contains("ledger 1 was ended by a person"));
}

// REQ 162: a file without lines has an entry, too
#[test]
fn why_answers_about_a_file() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let id = change(&machine, &mut wire, "src/auth/empty.txt", "");
    wire.end();
    let world = &machine.world;
    let none = world.run(&["trace", "why", "src/auth/empty.txt:1"]);
    assert!(
        said(&none).contains("has 0 lines: `bailiwick trace why src/auth/empty.txt` asks"),
        "{}",
        said(&none)
    );
    let told = world.ok(&["trace", "why", "src/auth/empty.txt"]);
    assert!(told.contains(id.get(..8).unwrap()) && !told.contains(&id) && told.contains("INT-001"), "{told}");
    let told = parsed(&world.ok(&["trace", "why", "src/auth/empty.txt", "--json"]));
    assert_eq!(told["entry"]["id"], id.as_str(), "{told}");
    let none = world.run(&["trace", "why", "src/auth/login.rs"]);
    assert_eq!(none.status.code(), Some(1), "{}", said(&none));
    for wrong in ["src/auth/login.rs:0", "src/auth/login.rs:-1"] {
        assert_eq!(world.run(&["trace", "why", wrong]).status.code(), Some(2), "{wrong}");
    }
}

// K-24, D-21: the pending record outlives whoever should have reported.
#[test]
fn repair_finds_out_what_became_of_a_call_that_nobody_reported() {
    let (machine, _) = recorded();
    let mut wire = machine.wire();
    wire.select("INT-001");
    for (path, happens) in [("src/auth/late.rs", true), ("src/auth/never.rs", false)] {
        let params = json!({"path": path, "content": "late\n"});
        let id = wire.pre("write_to_file", &params)["approvalId"].clone();
        wire.ask(json!({"phase": "resolve", "approvalId": id, "decision": "approve"}));
        if happens {
            machine.write(path, "late\n");
        }
    }
    wire.end();
    let repaired = parsed(&machine.world.ok(&["trace", "repair", "--json"]));
    assert_eq!(
        (&repaired["settled"], repaired["recorded"].as_array().map(Vec::len)),
        (&json!(1), Some(1)),
        "{repaired}"
    );
    let log = parsed(&machine.world.ok(&["trace", "log", "--json"]));
    assert_eq!(log["entries"][1]["metadata"]["dev.bailiwick"]["late"], true, "{log}");
    let again = parsed(&machine.world.ok(&["trace", "repair", "--json"]));
    assert_eq!(again["settled"], 0, "what may still run is left alone: {again}");
}

// D-16
#[test]
fn an_agent_may_ask_and_may_not_repair() {
    let (machine, _) = recorded();
    let below = |words: &[&str]| {
        let mut command = machine.world.command_in(&machine.root(), words);
        command.env("CLAUDECODE", "1").output().unwrap()
    };
    for words in [&["trace", "log"][..], &["trace", "verify"]] {
        assert_eq!(below(words).status.code(), Some(0), "{words:?}");
    }
    assert_eq!(below(&["trace", "repair"]).status.code(), Some(2));
}

// D-08, D-25: deleting the private records with one's own hands is no tampering.
#[test]
fn after_a_purge_the_ledger_begins_anew() {
    let (machine, _) = recorded();
    machine.world.ok(&["uninstall", "--purge", "--yes"]);
    machine.world.ok(&["init"]);
    let verified = machine.world.ok(&["trace", "verify"]);
    assert!(verified.contains("0 entries"), "{verified}");
}
