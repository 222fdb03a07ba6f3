//! Checkpoints that are kept elsewhere, and proofs of single entries: what holds, and what a tampered ledger, checkpoint
//! or proof comes to (D-25, threats H2, H3).

use std::path::{Path, PathBuf};

use bailiwick_domain::{Value, json};

use super::machine::Machine;
use super::sealing::{bailiwick_in, git, git_in, sealing};
use super::trace::change;
use crate::world::{json as parsed, read, said};

/// A machine with three recorded changes, and the entries' ids.
fn recorded() -> (Machine, Vec<String>) {
    let machine = Machine::new();
    let ids = more(&machine, &["one", "two", "three"]);
    (machine, ids)
}

fn more(machine: &Machine, names: &[&str]) -> Vec<String> {
    let mut wire = machine.wire();
    wire.select("INT-001");
    let write = |name: &&str| {
        let (path, text) = (format!("src/auth/{name}.rs"), format!("pub fn {name}() {{}}\n"));
        change(machine, &mut wire, &path, &text)
    };
    let ids = names.iter().map(write).collect();
    wire.end();
    ids
}

/// What a command prints, kept outside the repository.
fn kept(machine: &Machine, name: &str, words: &[&str]) -> String {
    let text = machine.world.ok(words);
    keep(machine, name, &text)
}

fn keep(machine: &Machine, name: &str, text: &str) -> String {
    let path: PathBuf = machine.state().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn against(machine: &Machine, checkpoint: &str) -> Value {
    let output = machine.world.run(&["trace", "verify", "--against", checkpoint, "--json"]);
    parsed(&String::from_utf8(output.stdout).unwrap())
}

fn kinds(report: &Value) -> Vec<&str> {
    report["findings"].as_array().unwrap().iter().map(|finding| finding["kind"].as_str().unwrap()).collect()
}

fn live(machine: &Machine) -> PathBuf {
    machine.private().join("ledger/live.jsonl")
}

// D-25
#[test]
fn a_ledger_that_went_on_is_proved_against_an_older_checkpoint() {
    let (machine, _) = recorded();
    let checkpoint = kept(&machine, "then", &["trace", "checkpoint"]);
    let text = read(std::path::Path::new(&checkpoint));
    assert!(text.starts_with("bailiwick.dev/chain/") && text.contains("\n3\n"), "{text}");
    more(&machine, &["four"]);
    assert_eq!(against(&machine, &checkpoint)["ok"], json!(true));
    let said = machine.world.ok(&["trace", "verify", "--against", &checkpoint]);
    assert!(said.contains("goes on from the checkpoint of 3 entries"), "{said}");
    let output = machine.world.run(&["trace", "check", &checkpoint]);
    let text = crate::world::said(&output);
    assert!(text.contains("this is a checkpoint and no proof"), "{text}");
    assert!(text.contains("trace verify --against"), "{text}");
}

// threats H2, H3
#[test]
fn a_ledger_that_was_cut_or_made_again_does_not_go_on_from_a_checkpoint() {
    let (machine, _) = recorded();
    let checkpoint = kept(&machine, "then", &["trace", "checkpoint"]);
    let whole = read(&live(&machine));
    let witness = machine.state().join("witness");
    let cut: String = whole.lines().take(2).map(|line| format!("{line}\n")).collect();
    std::fs::write(live(&machine), cut).unwrap();
    std::fs::remove_dir_all(&witness).unwrap();
    let report = against(&machine, &checkpoint);
    assert_eq!((&report["ok"], kinds(&report).contains(&"checkpoint_differs")), (&json!(false), true));
    std::fs::remove_file(live(&machine)).unwrap();
    std::fs::remove_file(machine.root().join(".orchestration/agent_trace.jsonl")).unwrap();
    more(&machine, &["four", "five", "six"]);
    let report = against(&machine, &checkpoint);
    assert!(kinds(&report).contains(&"checkpoint_differs"), "{report}");
    let message = report["findings"].to_string();
    assert!(message.contains("of another ledger"), "{message}");
}

/// What a clone says, on a machine that has nothing but the clone and the keys that it is given.
fn in_ci(ci: &Machine, clone: &Path, checkpoint: &str, keys: &str) -> (Value, String) {
    let words = ["trace", "verify", "--against", checkpoint, "--keys", keys];
    let output = bailiwick_in(ci, clone, &[&words[..], &["--json"]].concat());
    let report = parsed(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(output.status.success(), report["ok"] == true);
    (report, said(&bailiwick_in(ci, clone, &words)))
}

// D-25: a clone without private state is proved from what was committed
#[test]
fn a_fresh_clone_is_proved_against_a_checkpoint_by_its_segments() {
    let machine = sealing();
    let commit = |names: &[&str]| {
        more(&machine, names);
        git(&machine, &["add", "-A"]);
        git(&machine, &["commit", "-qm", "work"]);
    };
    commit(&["one", "two"]);
    commit(&["three"]);
    let then = kept(&machine, "then", &["trace", "checkpoint"]);
    commit(&["four"]);
    more(&machine, &["five"]);
    let newer = kept(&machine, "newer", &["trace", "checkpoint"]);
    let ci = Machine::new();
    let clone = ci.world.path("clone");
    let from = machine.root().display().to_string();
    git_in(&ci, &ci.root(), &["clone", "-q", "--no-local", &from, clone.to_str().unwrap()]);
    let key = parsed(&machine.world.ok(&["trace", "key", "--json"]))["own"].as_str().unwrap().to_owned();
    let keys = keep(&ci, "keys", &format!("{key} dana\n"));
    let (report, said) = in_ci(&ci, &clone, &then, &keys);
    assert_eq!((&report["ok"], kinds(&report)), (&json!(true), Vec::new()), "{report}");
    assert_eq!(report["against"], json!({"entries": 3, "proved": true}));
    assert!(said.contains("goes on from the checkpoint of 3 entries"), "{said}");
    assert!(
        said.contains("complete up to 4 entries") && said.contains("what is newer cannot be known"),
        "{said}"
    );
    let (report, said) = in_ci(&ci, &clone, &newer, &keys);
    assert_eq!((&report["ok"], kinds(&report)), (&json!(false), vec!["checkpoint_ahead"]), "{report}");
    assert!(said.contains("complete here up to 4; what is newer cannot be known"), "{said}");
    assert!(!said.contains("goes on from the checkpoint") && !said.contains("not intact"), "{said}");
    // The newest commits taken away: that is what a checkpoint is kept for.
    git_in(&ci, &clone, &["reset", "-q", "--hard", "HEAD~2"]);
    let (report, _) = in_ci(&ci, &clone, &then, &keys);
    assert_eq!(
        (&report["ok"], kinds(&report).contains(&"checkpoint_ahead")),
        (&json!(false), true),
        "{report}"
    );
    std::fs::remove_dir_all(clone.join(".orchestration/trace")).unwrap();
    git_in(&ci, &clone, &["checkout", "-q", "--orphan", "other"]);
    let (report, said) = in_ci(&ci, &clone, &then, &keys);
    assert_eq!(report["ok"], json!(false), "{report}");
    assert!(said.contains("no segment here has any of them"), "{said}");
}

// D-25: a person's key decides, and a damaged ledger is not signed
#[test]
fn a_checkpoint_of_nobody_or_of_a_damaged_ledger_is_none() {
    let (machine, _) = recorded();
    let others = keep(&machine, "others", &recorded().0.world.ok(&["trace", "checkpoint"]));
    let output = machine.world.run(&["trace", "verify", "--against", &others]);
    assert!(!output.status.success() && said(&output).contains("not signed with a key"), "{}", said(&output));
    let tampered = read(&live(&machine)).replace("src/auth/two.rs", "src/auth/owt.rs");
    std::fs::write(live(&machine), tampered).unwrap();
    let output = machine.world.run(&["trace", "checkpoint"]);
    assert!(
        !output.status.success() && said(&output).contains("the ledger was changed"),
        "{}",
        said(&output)
    );
    let fresh = Machine::new();
    let output = fresh.world.run(&["trace", "checkpoint"]);
    assert!(!output.status.success() && said(&output).contains("there is no entry yet"), "{}", said(&output));
}

// D-25: what was changed is said, and not that a key is missing
#[test]
fn a_checkpoint_that_was_changed_is_said_not_to_fit_its_signature() {
    let (machine, _) = recorded();
    let checkpoint = machine.world.ok(&["trace", "checkpoint"]);
    let lines: Vec<&str> = checkpoint.lines().collect();
    let (origin, root, signature) = (lines[0], lines[2], lines[4].rsplit_once(' ').unwrap().1);
    let flip = |text: &str, at: usize| -> String {
        let other = |sign: char| if sign == 'A' { 'B' } else { 'A' };
        text.chars().enumerate().map(|(nth, sign)| if nth == at { other(sign) } else { sign }).collect()
    };
    let name = origin.rsplit_once('/').unwrap().1;
    let other_name: String = name.chars().rev().collect();
    for (what, changed) in [
        ("entries", checkpoint.replace("\n3\n", "\n2\n")),
        ("root", checkpoint.replacen(root, &flip(root, 5), 1)),
        ("ledger", checkpoint.replacen(name, &other_name, 1)),
        ("signature", checkpoint.replacen(signature, &flip(signature, 40), 1)),
    ] {
        assert_ne!(changed, checkpoint, "{what}");
        let changed = keep(&machine, "changed", &changed);
        let output = machine.world.run(&["trace", "verify", "--against", &changed]);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{what}: {said}");
        assert!(said.contains("its text is not what was signed"), "{what}: {said}");
        assert!(!said.contains("trace key trust"), "{what}: {said}");
    }
}

// REQ 147
#[test]
fn an_entry_is_proved_to_whoever_has_the_key_and_not_the_ledger() {
    let (machine, ids) = recorded();
    let entry = kept(&machine, "whole", &["trace", "prove", &ids[1], "--entry"]);
    let sum = kept(&machine, "sum", &["trace", "prove", ids[1].get(..8).unwrap()]);
    assert!(read(std::path::Path::new(&sum)).len() <= 2_048, "beside the entry a proof is small");
    assert!(!read(std::path::Path::new(&sum)).contains("two.rs"));
    let own = machine.world.ok(&["trace", "check", &entry]);
    for part in ["proved", "3 entries", "entry 1, counted from 0", "src/auth/two.rs", "by dana"] {
        assert!(own.contains(part), "{part} in {own}");
    }
    let key = parsed(&machine.world.ok(&["trace", "key", "--json"]))["own"].as_str().unwrap().to_owned();
    let stranger = Machine::new();
    let unknown = stranger.world.run(&["trace", "check", &sum]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(said(&unknown).contains("not signed with a key that you trust"), "{}", said(&unknown));
    let report = parsed(&stranger.world.ok(&["trace", "check", &sum, "--key", &key, "--json"]));
    assert_eq!(
        (&report["ok"], &report["index"], &report["included"]),
        (&json!(true), &json!(1), &json!(true))
    );
}

// REQ 147
#[test]
fn a_damaged_proof_proves_nothing() {
    let (machine, ids) = recorded();
    let text = machine.world.ok(&["trace", "prove", &ids[1]]);
    for (from, to) in [
        ("index 1\n", "index 0\n"),
        ("index 1\n", "index 01\n"),
        ("\n3\n", "\n4\n"),
        ("\nbailiwick.dev", "\nbailiwick.com"),
        ("c2sp.org", "c3sp.org"),
        ("extra ", "extra A"),
        ("=\n\n", "=\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from:?}");
        let damaged = keep(&machine, "damaged", &changed);
        let output = machine.world.run(&["trace", "check", &damaged]);
        assert_eq!(output.status.code(), Some(1), "{from:?}: {}", said(&output));
    }
}

// D-16: keys are a person's
#[test]
fn an_agent_signs_nothing() {
    let (machine, ids) = recorded();
    let world = &machine.world;
    for words in [&["trace", "checkpoint"][..], &["trace", "prove", &ids[0]], &["trace", "check", "x"]] {
        let marked = world.command_in(&world.root(), words).env("CLAUDECODE", "1").output().unwrap();
        assert!(!marked.status.success(), "{words:?}");
    }
}
