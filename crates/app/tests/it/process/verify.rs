//! `bailiwick verify` as a process: what runs and what is asked, what is recorded, and what reads it (D-32, D-42).
#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt;

use bailiwick_domain::{Value, json};

use super::machine::{Machine, installed};
use crate::world::{json as parsed, said};

const INTENTS_FILE: &str = ".orchestration/active_intents.yaml";

const INTENTS: &str = "\
active_intents:
  - id: INT-001
    name: Rotate tokens
    status: IN_PROGRESS
    why: Stolen tokens stay valid
    requirements: [REQ-1]
    owned_scope: [\"src/auth/\"]
    constraints:
      - text: The format stays
        check: {run: ./format.sh}
    acceptance_criteria:
      - id: AC-1
        text: A reused token is refused
        check: {run: ./check.sh}
      - text: There is a page about it
        check: {file: src/auth/page.md}
      - id: AC-3
        text: Somebody read the diff
        check: human
";

impl Machine {
    fn with_checks() -> Self {
        let machine = Self::new();
        machine.write(INTENTS_FILE, INTENTS);
        machine.script("check.sh", "exit 0");
        machine.script("format.sh", "exit 0");
        machine
    }

    fn script(&self, name: &str, body: &str) {
        self.write(name, &format!("#!/bin/sh\n{body}\n"));
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.root().join(name), mode).unwrap();
    }

    /// A program of this computer that commands find.
    fn with_program(&self, name: &str) {
        std::os::unix::fs::symlink(installed(name), self.world.path("bin").join(name)).unwrap();
    }

    fn commit_all(&self) {
        crate::world::git(&self.root(), &["add", "-A"]);
        crate::world::git(&self.root(), &["commit", "-q", "-m", "all"]);
    }

    /// How each check stands, by the last runs.
    #[track_caller]
    fn standings(&self) -> Vec<String> {
        let output = self.world.run(&["verify", "INT-001", "--last", "--json"]);
        let told: Value = parsed(&String::from_utf8(output.stdout).unwrap());
        let checks = told["intents"][0]["checks"].as_array().unwrap().clone();
        checks.iter().map(|check| check["standing"].as_str().unwrap().to_owned()).collect()
    }

    #[track_caller]
    fn allow_checks(&self) {
        for name in ["./check.sh", "./format.sh"] {
            let output = self.typed(&["allow", "--exact", "--", name], "y\n");
            assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        }
    }
}

// D-42: met, failing, unmet and human, with what was recorded
#[test]
fn verify_runs_the_checks_and_records_what_came_of_them() {
    let machine = Machine::with_checks();
    assert_eq!(machine.standings(), ["unmet", "unmet", "unmet", "human"]);
    let output = machine.typed(&["verify", "INT-001"], "y\ny\n");
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("would run:") && text.contains("  ./check.sh"), "{text}");
    assert!(text.contains("It runs unconfined"), "{text}");
    assert_eq!(machine.standings(), ["met", "met", "failing", "human"]);
    machine.write("src/auth/page.md", "about\n");
    machine.script("check.sh", "echo first; echo 'token \u{1b}[31mwas\u{1b}[0m taken' >&2; exit 3");
    let output = machine.typed(&["verify", "INT-001"], "y\ny\n");
    let text = said(&output);
    assert!(text.contains(" token \\u{1b}[31mwas"), "{text}");
    assert_eq!(machine.standings(), ["met", "failing", "met", "human"]);
    let told = machine.world.run(&["verify", "INT-001", "--last", "--json"]);
    let told: Value = parsed(&String::from_utf8(told.stdout).unwrap());
    let check = &told["intents"][0]["checks"][1];
    assert_eq!((&check["status"], &check["outcome"]), (&json!(3), &json!("failed")), "{check}");
    assert_eq!(check["by"], "dana");
    assert_eq!(check["revision"], told["intents"][0]["revision"]);
    assert!(check["at"].as_str().unwrap().ends_with('Z') && check["commit"].is_null(), "{check}");
    assert!(machine.world.git_status().lines().all(|line| !line.contains("verified")), "nothing in the tree");
}

// D-32: what a person allowed runs without a question, as long as it is what was allowed
#[test]
fn allowed_commands_run_without_a_terminal_and_others_do_not() {
    let machine = Machine::with_checks();
    let output = machine.world.run(&["verify", "--all"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("bailiwick allow -- './check.sh'"), "{text}");
    assert_eq!(machine.standings(), ["unmet", "unmet", "failing", "human"], "nothing ran");
    machine.allow_checks();
    let text = said(&machine.world.run(&["verify", "--all"]));
    assert!(text.contains("running ./check.sh (allow#1)"), "{text}");
    assert_eq!(machine.standings(), ["met", "met", "failing", "human"]);
    let logged = machine.decisions();
    let line =
        logged.iter().find(|line| line["tool"] == "verify" && line["command"] == "./check.sh").unwrap();
    assert_eq!(line["approval"], "allow#1");
    machine.script("check.sh", "touch src/auth/other.rs");
    let text = said(&machine.world.run(&["verify", "INT-001"]));
    assert!(text.contains("check.sh changed since"), "{text}");
    assert!(!machine.root().join("src/auth/other.rs").exists());
}

// D-32: what reads only asks nobody, also in CI
#[test]
fn readers_run_without_a_question() {
    let machine = Machine::with_checks();
    machine.with_program("grep");
    for (command, stands) in [
        ("grep -q login src/auth/login.rs", "met"),
        ("grep -q logout src/auth/login.rs", "failing"),
        ("grep -q digits src/auth/digits.txt", "failing"),
    ] {
        machine.write(INTENTS_FILE, &INTENTS.replace("./check.sh", command));
        machine.world.run(&["verify", "INT-001"]);
        assert_eq!(machine.standings(), ["unmet", stands, "failing", "human"], "{command}");
    }
}

// D-16, D-42: an agent neither runs checks of its own choice past its hook, nor ticks
#[test]
fn an_agent_does_not_verify_and_does_not_tick() {
    let machine = Machine::with_checks();
    for words in [&["verify", "INT-001"][..], &["verify", "INT-001", "--tick", "AC-3"]] {
        let output =
            machine.world.command_in(&machine.root(), words).env("CLAUDECODE", "1").output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", said(&output));
        assert!(said(&output).contains("terminal of your own"), "{}", said(&output));
    }
    let output = machine.world.run(&["verify", "INT-001", "--tick", "AC-3"]);
    assert!(said(&output).contains("needs a person at a terminal"), "{}", said(&output));
    assert_eq!(machine.standings(), ["unmet", "unmet", "unmet", "human"]);
    let words = ["verify", "INT-001", "--last"];
    let output = machine.world.command_in(&machine.root(), &words).env("CLAUDECODE", "1").output().unwrap();
    assert!(said(&output).contains("unmet"), "{}", said(&output));
}

// D-42: a person ticks what is a person's to say, and nothing else
#[test]
fn a_person_ticks_a_human_check_by_its_name() {
    let machine = Machine::with_checks();
    let output = machine.typed(&["verify", "INT-001", "--tick", "AC-1"], "y\n");
    assert!(said(&output).contains("no `check: human` named `AC-1`: it has `AC-3`"), "{}", said(&output));
    machine.typed(&["verify", "INT-001", "--tick", "AC-3"], "n\n");
    assert_eq!(machine.standings()[3], "human");
    machine.typed(&["verify", "INT-001", "--tick", "AC-3"], "y\n");
    assert_eq!(machine.standings(), ["unmet", "unmet", "unmet", "met"]);
    machine.write(INTENTS_FILE, &INTENTS.replace("Somebody read the diff", "Two people read the diff"));
    assert_eq!(machine.standings()[3], "human", "another text is another check");
}

// D-42, issue 6: COMPLETED needs its checks passed or ticked, after the last change
#[test]
fn an_intent_is_completed_when_its_checks_are_met() {
    let machine = Machine::with_checks();
    machine.allow_checks();
    let output = machine.world.run(&["intent", "close", "INT-001"]);
    assert_eq!(output.status.code(), Some(1));
    let text = said(&output);
    assert!(text.contains("AC-1 is unmet") && text.contains("AC-3 waits for your tick"), "{text}");
    assert!(text.contains("`bailiwick verify INT-001`"), "{text}");
    machine.write("src/auth/page.md", "about\n");
    machine.typed(&["verify", "INT-001", "--tick", "AC-3"], "y\n");
    machine.world.ok(&["verify", "INT-001"]);
    assert_eq!(machine.standings(), ["met", "met", "met", "met"]);
    // Work after the look makes the look an old one.
    machine.typed(&["intent", "accept", "INT-001"], "y\n");
    let mut wire = machine.wire();
    wire.select("INT-001");
    super::trace::change(&machine, &mut wire, "src/auth/jwt.rs", "pub fn a() {}\n");
    wire.end();
    assert_eq!(machine.standings(), ["unmet", "unmet", "unmet", "human"]);
    assert_eq!(machine.world.run(&["intent", "close", "INT-001"]).status.code(), Some(1));
    machine.world.ok(&["intent", "close", "INT-001", "--unverified"]);
    let note = machine.decisions().pop().unwrap()["note"].as_str().unwrap().to_owned();
    assert!(note.contains("closed INT-001 unverified: The format stays is unmet"), "{note}");
    assert!(crate::world::read(&machine.root().join(INTENTS_FILE)).contains("status: COMPLETED"));
}

// D-42: `check` runs nothing and reads what was recorded
#[test]
fn intent_check_reports_checks_that_prove_nothing_and_limits_that_fail() {
    let machine = Machine::with_checks();
    machine.allow_checks();
    let codes = |machine: &Machine| {
        let told = machine.world.run(&["intent", "check", "--json"]);
        let told: Value = parsed(&String::from_utf8(told.stdout).unwrap());
        let warnings = told["warnings"].as_array().unwrap().clone();
        warnings.iter().map(|one| one["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let none: &[&str] = &[];
    assert_eq!(codes(&machine), none);
    machine.with_program("git");
    machine.script("format.sh", "exit 1");
    machine.typed(&["allow", "--exact", "--", "./format.sh"], "y\n");
    machine.world.run(&["verify", "INT-001"]);
    assert_eq!(codes(&machine), ["constraint-fails"], "what is not committed may be work");
    machine.commit_all();
    machine.world.run(&["verify", "INT-001"]);
    assert_eq!(codes(&machine), ["constraint-fails", "passed-before"]);
}

// D-41 and issue 6: what a check changes is told and recorded, and no drift
#[test]
fn what_a_check_changes_is_recorded() {
    let machine = Machine::with_checks();
    crate::world::git(&machine.root(), &["add", "-A"]);
    crate::world::git(&machine.root(), &["commit", "-q", "-m", "all"]);
    machine.script("check.sh", "echo 'pub fn made() {}' > src/auth/made.rs");
    crate::world::git(&machine.root(), &["commit", "-q", "-am", "check"]);
    let output = machine.typed(&["verify", "INT-001"], "y\ny\ny\n");
    assert!(said(&output).contains("changed while the check ran: src/auth/made.rs"), "{}", said(&output));
    assert_eq!(machine.standings()[..2], ["unmet", "unmet"], "what they passed over is not there any more");
    let logged = machine.decisions();
    let line =
        logged.iter().find(|line| line["tool"] == "verify" && line["command"] == "./check.sh").unwrap();
    assert_eq!(line["paths"], json!(["src/auth/made.rs"]));
    assert!(
        line["left"]["src/auth/made.rs"].is_object() || line["left"]["src/auth/made.rs"].is_string(),
        "{line}"
    );
    let drift = machine.world.run(&["trace", "verify", "--drift", "--json"]);
    assert!(!said(&drift).contains("made.rs"), "{}", said(&drift));
}

// Issue 6: a check that does not end is ended
#[test]
fn a_check_that_runs_too_long_fails() {
    let machine = Machine::with_checks();
    machine.script("check.sh", "while :; do :; done");
    machine.allow_checks();
    machine.world.run(&["verify", "INT-001", "--timeout", "200ms"]);
    let told = machine.world.run(&["verify", "INT-001", "--last", "--json"]);
    let told: Value = parsed(&String::from_utf8(told.stdout).unwrap());
    assert_eq!(told["intents"][0]["checks"][1]["outcome"], "timed_out", "{told}");
}

// Threat A9: the intents file comes with git, so a check of a stranger must read nothing for the file that agents read
#[test]
fn readers_of_what_no_agent_may_read_wait_for_a_person() {
    let machine = Machine::with_checks();
    machine.with_program("cat");
    machine.write(".orchestration/config.yaml", "protect: {read: [\"hidden/**\"]}\n");
    let secret = "error: the password is hunter2\n";
    let home = machine.world.path("home/secret.txt");
    crate::world::write(&home, secret);
    for name in [".env", "hidden/a"] {
        machine.write(name, secret);
    }
    let commands = [
        format!("cat {} nothere", home.display()),
        format!("cd {} && cat secret.txt nothere", home.parent().unwrap().display()),
        "cat .env nothere".to_owned(),
        "cat hidden/a nothere".to_owned(),
        "cargo --version".to_owned(),
        // They read, and are asked about all the same.
        "ls src | xargs cat".to_owned(),
        "cat src/auth/login.rs > src/auth/copy.rs".to_owned(),
    ];
    for command in commands {
        machine.write(INTENTS_FILE, &INTENTS.replace("./check.sh", &command));
        let text = said(&machine.world.run(&["verify", "INT-001"]));
        assert!(!text.contains(&format!("running {command}")), "{text}");
        assert!(text.contains("nobody allowed its command"), "{text}");
        assert!(!machine.root().join("AGENTS.md").exists(), "{command}");
    }
}

// D-20, D-32: what no agent could run never runs as a check, and the reason stands there
#[test]
fn a_check_that_nobody_could_allow_says_why() {
    let machine = Machine::with_checks();
    for (command, why) in [
        ("bailiwick approval approve ap-1", "is a command that you run yourself"),
        ("HOME=/x claude -p x", "it starts an agent without a gate"),
    ] {
        machine.write(INTENTS_FILE, &INTENTS.replace("./check.sh", command));
        let text = said(&machine.world.run(&["verify", "INT-001"]));
        assert!(text.contains(why), "{command}: {text}");
    }
}

// D-32: an allowed check runs where it was allowed, and beside nothing that reads
#[test]
fn an_allowed_check_runs_in_its_folder_and_alone() {
    let machine = Machine::with_checks();
    machine.with_program("cat");
    machine.script("web/check.sh", "exit 0");
    machine.typed(&["allow", "--", "cd web && ./check.sh"], "y\n");
    for (command, runs) in [
        ("cd web && ./check.sh", true),
        ("./check.sh", false),
        ("cd web && ./check.sh && cat a.txt", false),
        ("cd web && ./check.sh && ls", false),
    ] {
        machine.write(INTENTS_FILE, &INTENTS.replace("./check.sh", command));
        let text = said(&machine.world.run(&["verify", "INT-001"]));
        assert_eq!(text.contains("(allow#1)"), runs, "{command}: {text}");
    }
}

// Of a reader that ran unasked no line of output is kept, not even of a file that agents may read
#[test]
fn the_lesson_of_a_reader_quotes_nothing() {
    let machine = Machine::with_checks();
    machine.with_program("cat");
    machine.write("src/auth/note.txt", "error: seven\n");
    machine.write(INTENTS_FILE, &INTENTS.replace("./check.sh", "cat src/auth/note.txt nothere"));
    let text = said(&machine.world.run(&["verify", "INT-001"]));
    assert!(text.contains("running cat") && text.contains("error: seven"), "{text}");
    let lessons = crate::world::read(&machine.root().join("AGENTS.md"));
    assert!(lessons.contains("`cat src/auth/note.txt nothere` failed"), "{lessons}");
    assert!(!lessons.contains("seven"), "{lessons}");
}

// D-19: where readers are asked about, those of checks are, too
#[test]
fn readers_of_checks_heed_the_setting_for_readers() {
    let machine = Machine::with_checks();
    machine.with_program("cat");
    machine.write(INTENTS_FILE, &INTENTS.replace("./check.sh", "cat src/auth/login.rs"));
    let text = said(&machine.world.run(&["verify", "INT-001"]));
    assert!(text.contains("running cat"), "{text}");
    machine.write(".orchestration/config.yaml", "commands: {read_only: destructive}\n");
    let text = said(&machine.world.run(&["verify", "INT-001"]));
    assert!(!text.contains("running cat") && text.contains("nobody allowed its command"), "{text}");
}

// D-42: a check that was to run and did not is not met, whatever an older run said
#[test]
fn a_check_that_did_not_run_is_not_met_in_that_run() {
    let machine = Machine::with_checks();
    machine.write("src/auth/page.md", "about\n");
    machine.typed(&["verify", "INT-001"], "y\ny\n");
    assert_eq!(machine.standings(), ["met", "met", "met", "human"]);
    let output = machine.world.run(&["verify", "INT-001"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let text = said(&output);
    assert!(!text.lines().any(|line| line.starts_with("  met") && line.contains("./check.sh")), "{text}");
    assert!(text.contains("not run now; last result"), "{text}");
    let told = machine.world.run(&["verify", "INT-001", "--json"]);
    let told: Value = parsed(&String::from_utf8(told.stdout).unwrap());
    assert_eq!(told["intents"][0]["checks"][1]["standing"], "unmet", "{told}");
    assert_eq!(machine.standings(), ["met", "met", "met", "human"], "nothing changed since they passed");
}

// D-42: what the gate has no entry of, such as the work of a command, ends what was checked before it
#[test]
fn results_end_with_the_files_that_they_were_made_over() {
    let machine = Machine::with_checks();
    machine.with_program("git");
    machine.write("src/auth/page.md", "about\n");
    let verified = || {
        machine.typed(&["verify", "INT-001"], "y\ny\n");
        machine.typed(&["verify", "INT-001", "--tick", "AC-3"], "y\n");
        assert_eq!(machine.standings(), ["met", "met", "met", "met"]);
    };
    verified();
    machine.write("src/core/main.rs", "fn main() { }\n");
    assert_eq!(machine.standings(), ["met", "met", "met", "met"], "not its file");
    machine.write("src/auth/login.rs", "pub fn login() { drop(1) }\n");
    assert_eq!(machine.standings(), ["unmet", "unmet", "unmet", "human"]);
    assert_eq!(machine.world.run(&["intent", "close", "INT-001"]).status.code(), Some(1));
    verified();
    machine.script("check.sh", "exit 0 # otherwise");
    assert_eq!(machine.standings(), ["met", "unmet", "met", "met"], "the script that it names");
    // Committing what was checked changes nothing of it; a commit of other files does.
    machine.commit_all();
    verified();
    machine.write("src/auth/page.md", "more\n");
    verified();
    machine.commit_all();
    assert_eq!(machine.standings(), ["met", "met", "met", "met"], "the same files, now kept");
    machine.write("Cargo.toml", "[package]\n");
    machine.commit_all();
    assert_eq!(machine.standings(), ["unmet", "unmet", "unmet", "human"], "another commit");
}

// D-42: a folder that a command names is what lies in it
#[test]
fn a_result_ends_with_the_files_of_a_folder_that_its_command_names() {
    let machine = Machine::new();
    let check =
        "    acceptance_criteria: [{id: AC-1, text: t, check: {run: \"grep -rq doc docs ./more/\"}}]\n";
    let intents = "active_intents:\n  - id: INT-001\n    name: n\n    status: IN_PROGRESS\n    owned_scope: [src/auth/]\n";
    machine.write(INTENTS_FILE, &format!("{intents}{check}"));
    machine.with_program("grep");
    machine.write("docs/deep/one.md", "doc\n");
    machine.write("more/two.md", "doc\n");
    machine.write("docs-not/one.md", "doc\n");
    let verified = || {
        machine.typed(&["verify", "INT-001", "--no-lesson"], "y\n");
        assert_eq!(machine.standings(), ["met"]);
    };
    verified();
    machine.write("docs-not/one.md", "other\n");
    assert_eq!(machine.standings(), ["met"], "it is beside the folder");
    machine.write("docs/deep/one.md", "doc, and more\n");
    assert_eq!(machine.standings(), ["unmet"]);
    assert_eq!(machine.world.run(&["intent", "close", "INT-001"]).status.code(), Some(1));
    verified();
    machine.write("docs/new.md", "");
    assert_eq!(machine.standings(), ["unmet"]);
    verified();
    std::fs::remove_file(machine.root().join("more/two.md")).unwrap();
    assert_eq!(machine.standings(), ["unmet"]);
    machine.write("more/two.md", "doc\n");
    for nth in 0..=5000 {
        machine.write(&format!("docs/{nth}.md"), "");
    }
    machine.typed(&["verify", "INT-001", "--no-lesson"], "y\n");
    assert_eq!(machine.standings(), ["unmet"], "more than can be looked at");
}

// D-41: who was at work while a check ran is not known, so the check explains nothing by itself
#[test]
fn a_check_does_not_explain_what_changed_while_it_ran() {
    let machine = Machine::with_checks();
    machine.commit_all();
    machine.script("check.sh", "echo 'pub fn made() {}' > src/auth/made.rs");
    machine.allow_checks();
    crate::world::git(&machine.root(), &["commit", "-q", "-am", "check"]);
    let output = machine.world.run(&["verify", "INT-001"]);
    assert!(said(&output).contains("changed while the check ran: src/auth/made.rs"), "{}", said(&output));
    let drift = machine.world.run(&["trace", "verify", "--drift", "--json"]);
    assert!(said(&drift).contains("made.rs"), "{}", said(&drift));
}

// D-42: Ctrl-C ends the run of every intent, and its exit status says so
#[test]
fn ctrl_c_ends_the_run() {
    let machine = Machine::with_checks();
    let second = "  - id: INT-002\n    name: Other\n    status: PENDING\n    owned_scope: [src/core/]\n    \
                  acceptance_criteria:\n      - text: t\n        check: {run: ./second.sh}\n";
    machine.write(INTENTS_FILE, &format!("{INTENTS}{second}"));
    machine.script("second.sh", "echo ran > second.txt");
    machine.allow_checks();
    machine.typed(&["allow", "--exact", "--", "./second.sh"], "y\n");
    // The shell that runs the line may stand between the script and the program.
    let stop = "read -r _ name _ grand _ < /proc/$PPID/stat\n\
                case $name in '(bailiwick)') grand=$PPID;; esac\n\
                kill -INT $grand\nwhile :; do :; done";
    machine.script("check.sh", stop);
    machine.typed(&["allow", "--exact", "--", "./check.sh"], "y\n");
    let output = machine.world.run(&["verify", "--all", "--timeout", "20s"]);
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    assert!(!machine.root().join("second.txt").exists(), "{}", said(&output));
}
