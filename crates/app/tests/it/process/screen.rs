//! What a person reads and a program parses: `--json` is JSON everywhere, paths are seen from where one stands, times and
//! ids are short, commands stand in the log.

use std::collections::BTreeSet;
use std::path::Path;

use bailiwick_domain::{Value, json};

use super::machine::Machine;
use super::trace::change;
use crate::world::{World, said};

/// What a command prints on standard output, run in a folder of the repository.
fn told_in(world: &World, folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    let output = world.command_in(folder, words).output().unwrap();
    (output.status.code(), said(&output))
}

/// Every command without commands of its own, as `--help` lists them.
fn leaves(world: &World, above: &[&str]) -> Vec<Vec<String>> {
    let help = world.ok(&[above, &["--help"]].concat());
    let list = help.split_once("Commands:\n").map(|(_, list)| list).unwrap_or_default();
    let names = list.lines().take_while(|line| !line.is_empty());
    let names = names.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<&str> = names.filter(|name| !name.is_empty() && *name != "help").collect();
    if names.is_empty() {
        return vec![above.iter().map(|word| (*word).to_owned()).collect()];
    }
    names.into_iter().flat_map(|name| leaves(world, &[above, &[name]].concat())).collect()
}

/// Commands that print no report, and why.
const SILENT: &[(&str, &str)] = &[
    ("hook", "speaks the host's own JSON on its pipes"),
    ("gate", "is JSON lines by itself"),
    ("mcp proxy", "speaks MCP on its pipes"),
    ("serve", "speaks JSON-RPC on its pipes"),
    ("acp", "speaks JSON-RPC on its pipes"),
    ("tool", "prints what an agent reads"),
    ("completions", "prints a script for a shell"),
    ("man", "writes files"),
    ("demo", "plays a story"),
    ("approval approve", "asks a person at a terminal"),
    ("approval reject", "asks a person at a terminal"),
    ("approval grant", "asks a person at a terminal"),
    ("intent accept", "asks a person at a terminal"),
    ("config accept", "asks a person at a terminal"),
    ("pause", "asks for a terminal"),
    ("resume", "asks for a terminal"),
    ("trace repair", "asks a person at a terminal where something is wrong"),
];

/// What follows each other command.
fn arguments(entry: &str) -> Vec<(&'static str, Vec<String>)> {
    let words = |text: &str| text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
    [
        ("init", "--dry-run".to_owned()),
        ("doctor", String::new()),
        ("status", String::new()),
        ("log", String::new()),
        ("tools", String::new()),
        ("prompt", String::new()),
        ("watch", "--once".to_owned()),
        ("select", "INT-001 --session gate/s1".to_owned()),
        ("restore", format!("--call {entry} --dry-run")),
        ("gc", String::new()),
        ("map", "--files INT-001".to_owned()),
        ("audit", String::new()),
        ("report", String::new()),
        ("verify", "INT-001 --last".to_owned()),
        ("intent list", String::new()),
        ("intent show", "INT-001".to_owned()),
        ("intent graph", String::new()),
        ("intent coverage", String::new()),
        ("intent check", String::new()),
        ("intent fmt", "--check".to_owned()),
        ("intent schema", String::new()),
        ("intent new", "Other --scope src/other.rs".to_owned()),
        ("intent import", "--dry-run".to_owned()),
        ("intent expand", "INT-001 --scope src/more.rs".to_owned()),
        ("intent close", "INT-002 --abandon".to_owned()),
        ("allow list", String::new()),
        ("allow revoke", "1".to_owned()),
        ("mcp trust", String::new()),
        ("approval list", String::new()),
        ("approval revoke", "--all".to_owned()),
        ("approval review", String::new()),
        ("config show", String::new()),
        ("config check", String::new()),
        ("trace log", String::new()),
        ("trace show", entry.to_owned()),
        ("trace blame", "src/auth/jwt.rs".to_owned()),
        ("trace why", "src/auth/jwt.rs:1".to_owned()),
        ("trace locate", entry.to_owned()),
        ("trace export", "--format json".to_owned()),
        ("trace key show", String::new()),
        ("trace key trust", format!("ed25519:{} dana", "0".repeat(64))),
        ("trace key rotate", "before".to_owned()),
        ("trace key lost", format!("ed25519:{} dana", "0".repeat(64))),
        ("trace key stolen", format!("ed25519:{}", "0".repeat(64))),
        ("trace key forget", "dana".to_owned()),
        ("trace verify", String::new()),
        ("trace checkpoint", String::new()),
        ("trace prove", entry.to_owned()),
        ("trace check", "change.proof".to_owned()),
        ("trace seal", String::new()),
        ("trace trailers", String::new()),
        ("lesson add", "INT-001 Learned".to_owned()),
        ("lesson list", String::new()),
        ("lesson prune", "--closed".to_owned()),
        ("uninstall", "--purge --yes".to_owned()),
    ]
    .into_iter()
    .map(|(name, text)| (name, words(&text)))
    .collect()
}

// C: `--json` is JSON, for each command that knows it
#[test]
fn every_command_that_reports_prints_one_json_value() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let entry = change(&machine, &mut wire, "src/auth/jwt.rs", "pub fn a() {}\n");
    wire.end();
    machine.write("specs/001-one/spec.md", "# One\n\n- **FR-001**: It MUST work\n");
    machine.write("change.proof", &machine.world.ok(&["trace", "prove", &entry]));
    let arguments = arguments(&entry);
    let known: BTreeSet<&str> =
        arguments.iter().map(|(name, _)| *name).chain(SILENT.iter().map(|(name, _)| *name)).collect();
    let all: BTreeSet<String> = leaves(&machine.world, &[]).iter().map(|words| words.join(" ")).collect();
    let all: BTreeSet<&str> = all.iter().map(String::as_str).collect();
    assert_eq!(all, known, "a command is not in the table");
    for (name, rest) in &arguments {
        let words: Vec<&str> =
            name.split(' ').chain(rest.iter().map(String::as_str)).chain(["--json"]).collect();
        let output = machine.world.run(&words);
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        let parsed: Result<Value, _> = serde_json::from_str(&text);
        assert!(parsed.is_ok(), "{words:?}: {} {text}", said(&output));
    }
}

// C: a path is one from where the person stands
#[test]
fn paths_are_seen_from_the_folder_that_one_stands_in() {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    change(&machine, &mut wire, "src/auth/jwt.rs", "pub fn a() {}\n");
    wire.end();
    let (world, auth) = (&machine.world, machine.root().join("src/auth"));
    let root = machine.root().display().to_string();
    for words in [
        &["trace", "log", "--path", "jwt.rs"][..],
        &["trace", "log", "--path", "."],
        &["trace", "log", "--path", "../auth/jwt.rs"],
        &["map", "--intents", "jwt.rs"],
        &["map", "--intents", ".."],
        &["trace", "blame", "jwt.rs"],
        &["trace", "why", "jwt.rs:1"],
        &["trace", "log", "--path", "src/auth/jwt.rs", "--root", &root],
    ] {
        let (code, text) = told_in(world, &auth, words);
        assert!(code == Some(0) && text.contains("INT-001"), "{words:?}: {text}");
    }
    let elsewhere = machine.root().join("src/other");
    std::fs::create_dir_all(&elsewhere).unwrap();
    for words in [&["trace", "log", "--path", "jwt.rs"][..], &["trace", "log", "--path", "src/auth/jwt.rs"]] {
        let (_, text) = told_in(world, &elsewhere, words);
        assert!(!text.contains("INT-001"), "{words:?}: {text}");
    }
}

// C, K-52: the log says which command it was, and never its secrets
#[test]
fn the_log_has_the_text_of_a_command() {
    let machine = Machine::selected();
    let run = |id: &str, command: &str| machine.hook(&machine.pre(id, "Bash", &json!({"command": command})));
    run("c1", "git log --oneline -3");
    run("c2", "curl -H 'x: ghp_0123456789abcdefghijABCDEFGHIJ012345' https://x.example/a");
    let text = machine.world.ok(&["log"]);
    assert!(text.contains("$ git log --oneline -3"), "{text}");
    assert!(
        text.contains("$ curl -H") && text.contains("redacted›") && !text.contains("ABCDEFGHIJ"),
        "{text}"
    );
    let commands: Vec<Value> = machine.decisions().iter().map(|line| line["command"].clone()).collect();
    assert!(commands.contains(&json!("git log --oneline -3")), "{commands:?}");
    assert!(commands.iter().all(|command| !command.to_string().contains("ABCDEFGHIJ")), "{commands:?}");
}

// C: moments and ids are short for people, exact for programs, and a short id is accepted
#[test]
fn people_read_short_times_and_ids_and_programs_exact_ones() {
    let machine = Machine::new();
    let session = "6f0c2d1e-90aa-4c57-8d1a-0123456789ab";
    machine.select_in(session, "INT-001");
    for words in [&["log"][..], &["status"], &["approval", "list"]] {
        let text = machine.world.shown(words);
        assert!(!text.contains(session) && !text.contains("000Z"), "{words:?}: {text}");
    }
    let text = machine.world.ok(&["log"]);
    assert!(text.contains("just now") && !text.contains("T2"), "{text}");
    let exact = crate::world::json(&machine.world.ok(&["log", "--json", "--session", "6f0c2d1e"]));
    let lines = exact["decisions"].as_array().unwrap();
    assert!(!lines.is_empty() && lines.iter().all(|line| line["actor"]["session"] == session), "{exact}");
    assert!(lines.iter().all(|line| line["at"].as_str().unwrap().ends_with('Z')), "{exact}");
    assert!(machine.world.ok(&["select", "INT-002", "--session", "6f0c2d1e"]).contains("INT-002 is active"));
    let none = machine.world.run(&["select", "INT-002", "--session", "7f"]);
    assert_eq!(none.status.code(), Some(1), "{}", said(&none));
}

// C: the registry as it is in force, with every name
#[test]
fn tools_are_listed_with_their_other_names_and_the_classes_of_the_settings() {
    let machine = Machine::new();
    machine.write(
        ".orchestration/config.yaml",
        "classification: { my_mcp_writer: DESTRUCTIVE, list_files: DESTRUCTIVE }\n",
    );
    let text = machine.world.ok(&["tools"]);
    for shown in ["also ", "MultiEdit", "my_mcp_writer", "(class from config.yaml)"] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    let list = crate::world::json(&machine.world.ok(&["tools", "--json"]));
    let of = |name: &str| {
        let all = list["tools"].as_array().unwrap();
        all.iter().find(|tool| tool["name"] == name).cloned().unwrap_or_default()
    };
    assert_eq!(
        (&of("my_mcp_writer")["class"], &of("my_mcp_writer")["set"]),
        (&json!("DESTRUCTIVE"), &json!(true))
    );
    assert_eq!(of("list_files")["class"], "DESTRUCTIVE");
    assert!(of("write_to_file")["aliases"].as_array().is_some_and(|names| names.contains(&json!("Write"))));
    let reading = machine.world.ok(&["tools", "--state", "reasoning"]);
    assert!(!reading.contains("my_mcp_writer"), "{reading}");
}

// C, D-34: a session in which every call is refused is no live gate
#[test]
fn doctor_fails_while_a_session_is_halted() {
    let machine = Machine::selected();
    let call = machine.write_call("w1", "lib/out.rs");
    machine.hook(&call).denied();
    let mut ran = call;
    ran["hook_event_name"] = "PostToolUse".into();
    ran["tool_response"] = json!({"filePath": "lib/out.rs"});
    machine.write("lib/out.rs", "pub fn new() {}\n");
    machine.hook(&ran);
    let output = machine.world.run(&["doctor"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("is halted") && text.contains("bailiwick select INTENT --session s1"), "{text}");
    let next = "Start a new session, or lift the halt with `bailiwick select INTENT --session s1`.";
    for words in [&["status"][..], &["watch", "--once"]] {
        let output = machine.world.run(words);
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        assert!(said(&output).contains("Every call of a session is refused"), "{}", said(&output));
        assert!(said(&output).contains(next), "{}", said(&output));
    }
    let refused = machine.hook(&machine.write_call("w2", "src/auth/new.rs")).denied();
    let sentence = "Quarantined: this session is halted: the host ran";
    assert!(refused["message"].as_str().unwrap().starts_with(sentence), "{refused}");
    let lifted = machine.world.ok(&["select", "INT-001"]);
    assert!(lifted.contains("lifted the halt of claude-code s1"), "{lifted}");
    assert!(!machine.world.ok(&["select", "INT-001"]).contains("lifted"));
}
