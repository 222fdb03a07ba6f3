//! Files of any size that a commit brings, which are small in git: they stop no question, neither while they are there nor
//! for ever after (D-22).

use std::process::{Command, Output};

use super::machine::Machine;
use super::sealing::{git, sealing};
use super::trace::change;
use crate::world::{read, said};

/// So much of zeros is more than a command below may have in all.
const HUGE: u64 = 1 << 30;
const MOST_KB: u64 = 700_000;

/// A person's command, with little memory.
fn little(machine: &Machine, words: &[&str]) -> Output {
    let mut command = Command::new("/bin/sh");
    let line = format!("ulimit -v {MOST_KB}; exec \"$@\"");
    command.args(["-c", &line, "sh", env!("CARGO_BIN_EXE_bailiwick")]).args(words);
    command.current_dir(machine.root()).env_clear().env("HOME", machine.world.path("home"));
    command.env("PATH", std::env::var_os("PATH").unwrap()).output().unwrap()
}

fn unhooked(machine: &Machine, words: &[&str]) {
    git(machine, &[&["-c", "core.hooksPath=/dev/null", "-c", "core.bigFileThreshold=1m"], words].concat());
}

#[track_caller]
fn all_answer(machine: &Machine) {
    let questions: &[&[&str]] = &[
        &["status"],
        &["trace", "verify"],
        &["trace", "log"],
        &["trace", "blame", "src/auth/a.rs"],
        &["trace", "seal"],
        &["trace", "trailers"],
        &["audit", "HEAD~1.."],
        &["map"],
        &["doctor"],
    ];
    for words in questions {
        let output = little(machine, words);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{words:?}: {}", said(&output));
    }
}

#[test]
fn a_huge_file_in_a_commit_stops_no_question() {
    let machine = sealing();
    let mut wire = machine.wire();
    wire.select("INT-001");
    change(&machine, &mut wire, "src/auth/a.rs", "fn a() {}\n");
    wire.end();
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-qm", "agent"]);
    let segment = format!(".orchestration/trace/{}.jsonl", "0".repeat(64));
    let (path, governed) = (machine.root().join(&segment), machine.root().join("src/auth/a.rs"));
    let text = read(&governed);
    for file in [&path, &governed] {
        std::fs::File::create(file).unwrap().set_len(HUGE).unwrap();
    }
    unhooked(&machine, &["add", "-A"]);
    unhooked(&machine, &["commit", "-qm", "huge"]);
    std::fs::write(&governed, text).unwrap();
    all_answer(&machine);
    let verified = little(&machine, &["trace", "verify", "--json"]);
    assert!(said(&verified).contains("it is too large for a segment"), "{}", said(&verified));
    unhooked(&machine, &["rm", "-q", &segment]);
    unhooked(&machine, &["commit", "-qam", "taken away"]);
    all_answer(&machine);
    let verified = little(&machine, &["trace", "verify"]);
    assert_eq!(verified.status.code(), Some(0), "{}", said(&verified));
    let blame = said(&little(&machine, &["trace", "blame", "src/auth/a.rs"]));
    assert!(blame.contains("INT-001"), "{blame}");
}

// A device has no end
#[test]
fn a_named_file_without_an_end_is_refused() {
    let machine = sealing();
    for words in [
        &["trace", "verify", "--keys", "/dev/zero"][..],
        &["trace", "log", "--from", "/dev/zero"],
        &["trace", "blame", "src/auth/login.rs", "--from", "/dev/zero"],
    ] {
        let output = little(&machine, words);
        assert!(said(&output).contains("larger than such a file can be"), "{words:?}: {}", said(&output));
    }
}
