//! The end of a turn, as processes: what it meant, and the map that follows it (REQ-TRACE-004, K-44, D-22).

use bailiwick_domain::json;

use super::machine::{Machine, Wire};
use super::trace::change;
use crate::world::{git, json as parsed, read};

const MOVED: &str = "func helper(n int) int {\n\treturn n * 2\n}\n";

/// A machine on which a turn moved a function from one file to another, by two calls; the turn is over.
fn moved(edited: &str) -> Machine {
    let machine = Machine::new();
    machine.write("src/auth/a.go", &format!("package p\n\nfunc First() {{}}\n\n{MOVED}"));
    machine.write("src/auth/b.go", "package p\n\nfunc Second() {}\n");
    let mut wire = machine.wire();
    prompt(&mut wire);
    wire.select("INT-001");
    for (path, text) in [
        ("src/auth/a.go", "package p\n\nfunc First() {}\n".to_owned()),
        ("src/auth/b.go", format!("package p\n\nfunc Second() {{}}\n\n{edited}")),
    ] {
        let params = json!({"path": path});
        wire.pre("read_file", &params);
        wire.post("read_file", &params, true);
        change(&machine, &mut wire, path, &text);
    }
    prompt(&mut wire);
    wire.end();
    machine
}

fn prompt(wire: &mut Wire) {
    let answer = wire.ask(json!({"phase": "prompt", "prompt": "go on"}));
    assert_eq!(answer["action"], "allow", "{answer}");
}

// REQ 165: a move is an evolution file by file and a refactor over the turn.
#[test]
fn a_function_that_moves_by_two_calls_is_a_refactor_over_the_turn() {
    let machine = moved(MOVED);
    let world = &machine.world;
    let log = parsed(&world.ok(&["trace", "log", "--json"]));
    let own = |n: usize| &log["entries"][n]["metadata"]["dev.bailiwick"]["mutation"]["class"];
    assert_eq!((own(0), own(1)), (&json!("INTENT_EVOLUTION"), &json!("INTENT_EVOLUTION")));
    assert_eq!(log["turns"][0]["mutation"]["class"], "AST_REFACTOR", "{log}");
    assert_eq!(log["turns"].as_array().unwrap().len(), 1);
    let text = world.ok(&["trace", "log"]);
    assert!(
        text.lines().last().unwrap().trim().starts_with("turn: 2 calls together: AST_REFACTOR"),
        "{text}"
    );
    let id = log["entries"][0]["id"].as_str().unwrap();
    for shown in [world.ok(&["trace", "show", id]), world.ok(&["trace", "why", "src/auth/b.go:5"])] {
        assert!(shown.contains("2 calls together: AST_REFACTOR"), "{shown}");
        assert!(shown.contains("INTENT_EVOLUTION"), "{shown}");
    }
    world.ok(&["trace", "verify", "--strict"]);
    assert_eq!(read(&machine.private().join("ledger/live.jsonl")).lines().count(), 2, "D-22");
}

// REQ 165: one changed number on the way, and the turn is what it is.
#[test]
fn a_move_with_a_changed_number_is_an_evolution_over_the_turn() {
    let machine = moved(&MOVED.replace("* 2", "* 3"));
    let log = parsed(&machine.world.ok(&["trace", "log", "--json"]));
    assert_eq!(log["turns"][0]["mutation"]["class"], "INTENT_EVOLUTION", "{log}");
}

// K-44, REQ 4
#[test]
fn the_map_follows_a_turn_in_which_intent_evolved() {
    let machine = moved(MOVED);
    let text = read(&machine.root().join(".orchestration/intent_map.md"));
    assert!(text.contains("| INT-001 | src/auth/b.go | helper | REQ-AUTH-1 |  |"), "{text}");
    machine.world.ok(&["map"]);
    assert_eq!(read(&machine.root().join(".orchestration/intent_map.md")), text, "as `map` makes it");
    assert!(!machine.world.git_status().contains("intent_map"), "{}", machine.world.git_status());
}

// D-22: a turn leaves no change of a tracked page behind; sealing writes it.
#[test]
fn a_tracked_map_changes_only_when_entries_are_sealed() {
    let machine = Machine::new();
    let page = machine.root().join(".orchestration/intent_map.md");
    machine.world.ok(&["map"]);
    let before = read(&page);
    git(&machine.root(), &["add", "-f", ".orchestration/intent_map.md"]);
    let mut wire = machine.wire();
    prompt(&mut wire);
    wire.select("INT-001");
    change(&machine, &mut wire, "src/auth/new.rs", "pub fn new() {}\n");
    prompt(&mut wire);
    wire.end();
    assert_eq!(read(&page), before);
    let mut seal = machine.world.command_in(&machine.root(), &["trace", "seal"]);
    let output = seal.env("PATH", std::env::var_os("PATH").unwrap()).output().unwrap();
    assert!(output.status.success(), "{}", crate::world::said(&output));
    assert!(read(&page).contains("| INT-001 | src/auth/new.rs | new |"), "{}", read(&page));
}

// K-44: the hook's own stop event does the same, and a link in the place of the store is not followed.
#[test]
fn a_stop_of_the_host_ends_the_turn() {
    let machine = Machine::new();
    machine.hook(&machine.prompt("s1"));
    machine.select("INT-001");
    let call = machine.write_call("w1", "src/auth/new.rs");
    let id = machine.pending("w1", "src/auth/new.rs");
    machine.approve(&id);
    assert_eq!(machine.hook(&call).decision().as_deref(), Some("allow"));
    machine.write("src/auth/new.rs", "pub fn new() {}\n");
    let mut after = call;
    after["hook_event_name"] = "PostToolUse".into();
    after["tool_response"] = json!({"ok": true});
    machine.hook(&after);
    let page = machine.root().join(".orchestration/intent_map.md");
    assert!(!page.exists(), "no call pays for it");
    let mut stop = machine.prompt("s1");
    stop["hook_event_name"] = "Stop".into();
    machine.hook(&stop);
    assert!(read(&page).contains("| INT-001 | src/auth/new.rs | new |"), "{}", read(&page));
}
