//! Trace records of other programs, as a person sees them: labelled, never part of the ledger, approved by nobody.

use bailiwick_domain::{Value, block_hash, json};

use super::machine::Machine;
use super::trace::change;
use crate::world::{json as parsed, said};

const OLD: &str = "pub fn login() {}\npub fn logout_of_every_session_at_once() {}\n";

fn range(start: usize, end: usize, block: Option<&str>) -> Value {
    let mut range = json!({"start_line": start, "end_line": end});
    if let Some(block) = block {
        range["content_hash"] = json!(block_hash(block.as_bytes()));
    }
    range
}

fn foreign(id: &str, tool: &str, path: &str, ranges: &[Value]) -> String {
    let talk = json!({"contributor": {"type": "ai", "model_id": "openai/gpt-4o"}, "ranges": ranges});
    let record = json!({
        "version": "0.1.0", "id": id, "timestamp": "2026-01-23T14:30:00Z",
        "tool": {"name": tool, "version": "2.4.0"},
        "files": [{"path": path, "conversations": [talk]}],
    });
    format!("{record}\n")
}

/// A machine whose repository has records of another program as well as one of ours.
fn both() -> (Machine, String) {
    let machine = Machine::new();
    machine.write("src/auth/login.rs", OLD);
    let mut wire = machine.wire();
    wire.select("INT-001");
    let ours = change(&machine, &mut wire, "src/auth/new.rs", "pub fn new() {}\n");
    wire.end();
    let records = [
        foreign("11111111-0000-4000-8000-000000000000", "cursor", "src/auth/login.rs", &[range(1, 2, None)]),
        foreign(
            "22222222-0000-4000-8000-000000000000",
            "aider",
            "src/auth/login.rs",
            &[
                range(7, 7, Some("pub fn logout_of_every_session_at_once() {}")),
                range(1, 1, Some("fn of_before() {}")),
            ],
        ),
        foreign("33333333-0000-4000-8000-000000000000", "cursor", "src/auth/new.rs", &[range(1, 1, None)]),
    ];
    machine.write(".agent-trace/traces.jsonl", &(records.concat() + "torn {\n"));
    (machine, ours)
}

const FROM: [&str; 2] = ["--from", ".agent-trace/traces.jsonl"];

// K-19
#[test]
fn records_of_another_program_are_shown_as_its_own() {
    let (machine, ours) = both();
    let world = &machine.world;
    let log = world.ok(&[&["trace", "log"][..], &FROM].concat());
    for part in ["11111111 cursor 2.4.0 src/auth/login.rs:1-2", "22222222 aider", "not of this ledger"] {
        assert!(log.contains(part), "{part} in {log}");
    }
    assert!(!log.contains(ours.get(..8).unwrap()) && !log.contains("approved"), "{log}");
    let few = world.ok(&[&["trace", "log", "--path", "src/auth/new.rs"][..], &FROM].concat());
    assert!(few.contains("33333333") && !few.contains("11111111"), "{few}");
    let json = parsed(&world.ok(&[&["trace", "log", "--json", "-n", "1"][..], &FROM].concat()));
    assert_eq!((json["foreign"].as_array().unwrap().len(), &json["not_records"]), (1, &json!(1)), "{json}");
    let shown = world.ok(&[&["trace", "show", "1111"][..], &FROM].concat());
    for part in ["cursor 2.4.0", "openai/gpt-4o", "not known here: another program wrote this record"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert!(!world.run(&[&["trace", "show", "9"][..], &FROM].concat()).status.success());
    let output = world.run(&[&["trace", "log", "--intent", "INT-001"][..], &FROM].concat());
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let own = world.ok(&["trace", "log"]);
    assert!(own.contains(ours.get(..8).unwrap()) && !own.contains("cursor"), "never mixed in: {own}");
    world.ok(&["trace", "verify", "--strict"]);
}

// K-19, REQ 163
#[test]
fn what_another_program_claims_fills_only_what_the_ledger_does_not_know() {
    let (machine, ours) = both();
    let world = &machine.world;
    let blame = |file: &str| {
        parsed(&world.ok(&[&["trace", "blame", "--json", file][..], &FROM].concat()))["lines"].clone()
    };
    let lines = blame("src/auth/login.rs");
    assert_eq!(
        (&lines[0]["entry"], &lines[0]["claim"]["tool"]),
        (&Value::Null, &json!("cursor 2.4.0")),
        "{lines}"
    );
    assert_eq!(lines[0]["claim"]["certainty"], "claimed", "nothing proves it");
    assert_eq!(lines[1]["claim"]["tool"], "aider 2.4.0", "its hash proves where its line is now: {lines}");
    assert_eq!(lines[1]["claim"]["certainty"], "moved");
    let lines = blame("src/auth/new.rs");
    assert_eq!(lines[0]["entry"], ours.as_str(), "{lines}");
    assert!(lines[0].get("claim").is_none(), "what was seen stands above what is claimed: {lines}");
    let text = world.ok(&[&["trace", "blame", "src/auth/login.rs"][..], &FROM].concat());
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[0].starts_with("cursor 2.4.0 -   ai") && rows[0].contains(" ? "), "{text}");
    let porcelain = world.ok(&[&["trace", "blame", "--porcelain", "src/auth/login.rs"][..], &FROM].concat());
    let fields: Vec<&str> = porcelain.lines().next().unwrap().split('\t').collect();
    assert_eq!(
        (fields.len(), fields[1], fields[2], fields[4]),
        (9, "claimed", "-", "cursor 2.4.0"),
        "{fields:?}"
    );
    let without = parsed(&world.ok(&["trace", "blame", "--json", "src/auth/login.rs"]));
    assert!(without["lines"][0].get("claim").is_none(), "only where it is asked for");
}

// D-16: a file that is named is read with the rights of the person who asks; an agent reads files through the gate.
#[test]
fn an_agent_does_not_read_files_this_way() {
    let (machine, _) = both();
    let world = &machine.world;
    for words in [&["trace", "log"][..], &["trace", "show", "1111"], &["trace", "blame", "src/auth/login.rs"]]
    {
        let mut below = world.command_in(&world.root(), &[words, &FROM].concat());
        let output = below.env("CLAUDECODE", "1").output().unwrap();
        assert!(!output.status.success() && !said(&output).contains("cursor"), "{}", said(&output));
    }
}
