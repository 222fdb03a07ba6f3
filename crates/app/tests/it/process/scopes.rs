//! `bailiwick intent new` without a scope: what is suggested, and that nothing counts before a person takes it.
#![cfg(target_os = "linux")]

use std::process::Output;

use bailiwick_domain::Value;

use super::machine::{Hooked, Machine, fed};
use crate::world::{git, json as parsed, said};

const INTENTS_FILE: &str = ".orchestration/active_intents.yaml";
const GOAL: &str = "Fix the retry backoff in the mail client";

/// A repository in which a test and a template were changed together with the retries.
fn with_history() -> Machine {
    let machine = Machine::new();
    machine.write("src/mail/retry.rs", "fn backoff() { retry() }\n");
    machine.write("src/mail/client.rs", "fn send() {}\n");
    machine.write("tests/waits.rs", "fn waits() {}\n");
    machine.write(".env", "MAIL_RETRY_BACKOFF=secret\n");
    machine.write(".intentignore", "vendor/\n");
    machine.write("vendor/mail_retry_backoff.rs", "mail client retry backoff\n");
    machine.write(".gitignore", "target/\n");
    machine.write("target/mail_retry_backoff.rs", "mail client retry backoff\n");
    let root = machine.root();
    for round in 0..3 {
        machine.write("src/mail/retry.rs", &format!("fn backoff() {{ retry({round}) }}\n"));
        machine.write("tests/waits.rs", &format!("fn waits() {{ {round} }}\n"));
        git(&root, &["add", "src", "tests"]);
        git(&root, &["commit", "-qm", "Wait longer"]);
    }
    machine
}

/// The command where git can be found.
fn run(machine: &Machine, words: &[&str]) -> Output {
    let mut command = machine.world.command_in(&machine.root(), words);
    command.env("PATH", std::env::var_os("PATH").unwrap()).output().unwrap()
}

/// The command at a person's terminal, where git can be found.
fn typed(machine: &Machine, words: &[&str], keys: &str) -> Output {
    let mut command = machine.terminal(words);
    fed(command.env("PATH", std::env::var_os("PATH").unwrap()), keys.as_bytes())
}

fn suggested(machine: &Machine) -> Value {
    let output = run(machine, &["--json", "intent", "new", GOAL]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    parsed(&String::from_utf8(output.stdout).unwrap())
}

fn patterns(value: &Value) -> Vec<&str> {
    value["suggested_scope"].as_array().unwrap().iter().map(|one| one["pattern"].as_str().unwrap()).collect()
}

// D-01: a scope is suggested with reasons, and only a person makes an intent of it
#[test]
fn without_a_scope_one_is_suggested_and_nothing_is_created() {
    let machine = with_history();
    let before = std::fs::read(machine.root().join(INTENTS_FILE)).unwrap();
    let value = suggested(&machine);
    let found = patterns(&value);
    assert_eq!(found.first(), Some(&"src/mail/retry.rs"), "{value}");
    assert!(found.contains(&"src/mail/client.rs") && found.contains(&"tests/waits.rs"), "{value}");
    for kept_out in [".env", "vendor", "target", ".orchestration", "src/core"] {
        assert!(!found.iter().any(|pattern| pattern.contains(kept_out)), "{kept_out}: {value}");
    }
    assert!(value.to_string().contains("changed together in 3 of 3 commits: src/mail/retry.rs"), "{value}");
    let output = run(&machine, &["intent", "new", GOAL]);
    assert_eq!(output.status.code(), Some(2));
    let text = said(&output);
    assert!(text.contains("nothing is created") && text.contains("--scope 'src/mail/retry.rs'"), "{text}");
    assert_eq!(std::fs::read(machine.root().join(INTENTS_FILE)).unwrap(), before);
}

#[test]
fn the_kept_history_goes_on_and_a_damaged_one_is_made_anew() {
    let machine = with_history();
    let first = suggested(&machine);
    let caches = machine.state().join("cache");
    let cache = std::fs::read_dir(&caches).unwrap().next().unwrap().unwrap().path();
    let kept = || {
        let files = std::fs::read_dir(&cache).unwrap().map(|file| file.unwrap().path());
        files
            .into_iter()
            .find(|file| file.file_name().unwrap().to_str().unwrap().starts_with("past-"))
            .unwrap()
    };
    for damaged in ["", "{", "\u{0}\u{1}", "{\"form\":1,\"head\":\"--output=x\",\"commits\":[]}"] {
        std::fs::write(kept(), damaged).unwrap();
        assert_eq!(suggested(&machine), first, "{damaged:?}");
    }
    machine.write("src/mail/retry.rs", "fn backoff() { retry(9) }\n");
    machine.write("tests/waits.rs", "fn waits() { 9 }\n");
    let root = machine.root();
    git(&root, &["add", "src", "tests"]);
    git(&root, &["commit", "-qm", "Again"]);
    assert!(suggested(&machine).to_string().contains("changed together in 4 of 4 commits"));
}

// One look says where all files of a folder lie: what is odd about one of them is not odd about the others.
#[test]
fn a_link_and_an_odd_name_hide_no_file_beside_them() {
    let machine = with_history();
    std::os::unix::fs::symlink("client.rs", machine.root().join("src/mail/a.rs")).unwrap();
    machine.write("src/mail/A odd. ", "");
    let value = suggested(&machine);
    let found = patterns(&value);
    assert_eq!(found.first(), Some(&"src/mail/retry.rs"), "{value}");
    assert!(found.contains(&"src/mail/client.rs") && !found.contains(&"src/mail/a.rs"), "{value}");
}

#[test]
fn a_goal_that_fits_no_file_says_what_to_do() {
    let machine = with_history();
    let output = machine.world.run(&["intent", "new", "Quux frobnication"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("add --scope PATTERN"), "{}", said(&output));
}

#[test]
fn a_person_says_how_many_files_are_suggested() {
    let machine = with_history();
    let output = run(&machine, &["--json", "intent", "new", GOAL, "--suggest", "1"]);
    let value = parsed(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(patterns(&value), ["src/mail/retry.rs"]);
    let output = run(&machine, &["intent", "new", GOAL, "--suggest", "1", "--scope", "src/"]);
    assert!(said(&output).contains("--suggest"), "{}", said(&output));
    assert_eq!(output.status.code(), Some(2));
}

const PROPOSE: &str = "{\"name\": \"Wait longer\", \"why\": \"Servers are slow\", \"owned_scope\": [\"src/mail/**\"], \
                       \"acceptance_criteria\": [\"It waits\"]}";

fn propose(machine: &Machine, call: &str) -> Hooked {
    let input = bailiwick_domain::json!({"command": format!("bailiwick tool propose_intent '{PROPOSE}'")});
    machine.hook(&machine.pre(call, "Bash", &input))
}

/// An agent's draft that forgot a test, and its request. Somebody has looked at it.
pub(super) fn drafted() -> (Machine, String) {
    let machine = with_history();
    let error = propose(&machine, "d1").denied();
    let id = error["details"]["approval_id"].as_str().unwrap().to_owned();
    typed(&machine, &["intent", "accept", &id], "n\n");
    (machine, id)
}

/// What is said of the forgotten test below the preview of that draft.
pub(super) const FORGOTTEN: &str = "tests/waits.rs  (changed together in 3 of 3 commits: src/mail/retry.rs)";

// D-42: the agent hears of it as well, and can ask for it
#[test]
fn an_agent_is_told_what_its_accepted_draft_leaves_out() {
    let (machine, id) = drafted();
    machine.approve(&id);
    assert_eq!(propose(&machine, "d2").decision().as_deref(), Some("allow"));
    let told = machine.world.ok(&["tool", "propose_intent", PROPOSE]);
    assert!(told.contains("it does not own them: [\"tests/waits.rs\"]"), "{told}");
    assert!(told.contains("request_scope_expansion"), "{told}");
    let own = machine.decisions();
    assert!(own.iter().any(|line| line["action"] == "transition"), "{own:?}");
    machine.write(".intentignore", "tests/\n");
    let told = machine.world.ok(&["tool", "propose_intent", PROPOSE]);
    assert!(!told.contains("tests/waits.rs"), "no scope opens what is ignored: {told}");
}

// D-42: "changed together in 3 of 3 commits": a person sees what the agent's draft forgot
#[test]
fn a_draft_is_shown_with_what_it_forgot() {
    let (machine, id) = drafted();
    let id = id.as_str();
    for words in [["intent", "accept", id], ["approval", "approve", id]] {
        let shown = said(&typed(&machine, &words, "n\n"));
        let told = shown.split_once("Usually changed with these files").unwrap().1;
        let line = told.lines().nth(1).unwrap();
        assert!(
            line.starts_with("  tests/waits.rs ") && line.contains("3 of 3 commits: src/mail/retry.rs"),
            "{line}"
        );
    }
    let words = ["intent", "accept", id, "--scope", "src/mail/", "--scope", "tests/"];
    let shown = said(&typed(&machine, &words, "n\n"));
    assert!(!shown.contains("Usually changed"), "nothing is left out: {shown}");
}
