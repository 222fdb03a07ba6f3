//! What is said about a bad intents file: place, fault and way out (D-29). Cases are data, answers are snapshots.

use std::fs;

use bailiwick_adapters_fs::{FsIntentRepo, Layout};
use bailiwick_domain::{IntentRepo, PortError};

const HEAD: &str = "active_intents:\n  - id: INT-001\n    name: One\n    status: PENDING\n";

fn report(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(folder.path(), folder.path().join(".git/bailiwick"), None);
    fs::create_dir_all(layout.orchestration()).unwrap();
    fs::write(layout.intents_file(), bytes).unwrap();
    let repo = FsIntentRepo::new(layout);
    let report = repo.load_report().unwrap();
    assert!(!report.errors.is_empty(), "no error in\n{}", String::from_utf8_lossy(bytes));
    let first = report.errors[0].clone();
    assert_eq!(pollster::block_on(repo.load()), Err(PortError::Invalid(first)));
    report.errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Lines that follow a sound head, each wrong in one way.
const LINES: &[(&str, &str)] = &[
    ("near key", "    owned_scop: [src/]"),
    ("part of a key", "    scope: [src/]"),
    ("far key", "    color: red"),
    ("scope is one text", "    owned_scope: src/auth/"),
    ("scope is a number", "    owned_scope: 7"),
    ("scope item is a map", "    owned_scope: [{a: b}]"),
    ("unquoted exclusion", "    owned_scope:\n      - src/\n      - !src/legacy/**"),
    ("unquoted star", "    owned_scope:\n      - **/*.ts"),
    ("scope leaves the root", "    owned_scope: [\"../other/**\"]"),
    ("scope is absolute", "    owned_scope: [\"/etc/**\"]"),
    ("scope excludes only", "    owned_scope: [\"!src/**\"]"),
    ("scope is no glob", "    owned_scope: [\"src/[a\", \"src/{a,b\", \"src/a}\"]"),
    ("frozen is a word", "    frozen: yes"),
    ("end is no moment", "    expires: tomorrow"),
    ("end is not in UTC", "    expires: 2026-02-18T12:00:00+01:00"),
    ("kind is unknown", "    kind: refactr"),
    ("parent is unknown", "    parent: INT-002"),
    ("parent is itself", "    parent: INT-001"),
    ("constraint with a colon", "    constraints:\n      - Must not: break"),
    ("limit that nothing enforces", "    constraints:\n      - max_seconds: 12"),
    ("limit of nothing", "    constraints:\n      - max_files: 0\n      - max_lines: many"),
    ("constraint without text", "    constraints:\n      - because: it matters"),
    ("constraint that allows again", "    constraints:\n      - forbid_paths: [\"!src/\"]"),
    ("criterion is a number", "    acceptance_criteria: [5]"),
    ("criterion without text", "    acceptance_criteria: [{id: AC-1}]"),
    ("check is unknown", "    acceptance_criteria: [{text: a, check: {runs: b}}]"),
    ("key is there twice", "    name: Two"),
    ("both spellings", "    title: Two"),
    ("id is there twice", "  - id: INT-001\n    name: Two\n    status: PENDING"),
    ("example is unknown", "    examples: {allowed: [a]}"),
    ("tab", "\t why: tabs"),
    ("not closed", "    why: \"open"),
    ("alias", "    why: &a text\n    notes: *a"),
];

/// Whole files.
const FILES: &[(&str, &str)] = &[
    ("empty", ""),
    ("comments only", "# nothing\n"),
    ("a text", "hello\n"),
    ("misspelled root", "active_intent: []\n"),
    ("no root", "{}\n"),
    ("list is a map", "active_intents:\n  INT-001: {name: a}\n"),
    ("item is a text", "active_intents: [INT-001]\n"),
    ("no id", "active_intents:\n  - name: a\n    status: PENDING\n"),
    ("number for an id", "active_intents:\n  - {id: 001, name: a, status: PENDING}\n"),
    ("bad id", "active_intents:\n  - {id: \"a b\", name: a, status: PENDING}\n"),
    ("no name, no status", "active_intents:\n  - id: INT-001\n"),
    ("blank name", "active_intents:\n  - {id: INT-001, name: \" \", status: PENDING}\n"),
    ("status is near", "active_intents:\n  - {id: INT-001, name: a, status: PENDNG}\n"),
    (
        "cycle",
        "active_intents:\n  - {id: A, name: a, status: PENDING, parent: B}\n  - {id: B, name: b, status: PENDING, parent: A}\n",
    ),
    ("two documents", "active_intents: []\n---\nactive_intents: []\n"),
    ("bomb", "a: &a [x]\nb: &b [*a, *a]\nactive_intents: [*b, *b]\n"),
];

#[test]
fn every_fault_is_named_with_its_place_and_a_way_out() {
    let mut answers = Vec::new();
    for (name, lines) in LINES {
        answers.push(format!("## {name}\n{}", report(format!("{HEAD}{lines}\n").as_bytes())));
    }
    for (name, file) in FILES {
        answers.push(format!("## {name}\n{}", report(file.as_bytes())));
    }
    insta::assert_snapshot!(answers.join("\n\n"));
}

#[test]
fn bytes_that_are_not_text_are_named_with_their_place() {
    let answer = report(b"active_intents:\n  - id: \xff\n");
    assert_eq!(answer, ".orchestration/active_intents.yaml:2:9: the file is not UTF-8 (save it as UTF-8)");
}

#[test]
fn depth_and_number_of_keys_are_bounded() {
    assert!(report("[".repeat(200).as_bytes()).contains("nested more than 32 levels deep"));
    let keys: String = (0..2000).map(|n| format!("k{n}: 1\n")).collect();
    assert!(report(keys.as_bytes()).contains("more than 1,000 keys"));
}

#[test]
fn a_file_beyond_the_limit_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(folder.path(), folder.path().join(".git/bailiwick"), None);
    fs::create_dir_all(layout.orchestration()).unwrap();
    fs::File::create(layout.intents_file()).unwrap().set_len(8 * 1024 * 1024 + 1).unwrap();
    let repo = FsIntentRepo::new(layout);
    assert!(
        matches!(pollster::block_on(repo.load()), Err(PortError::Unavailable(why)) if why.contains("8 MiB"))
    );
}

#[test]
fn no_damage_to_a_file_makes_the_reader_panic() {
    let sound = format!(
        "{HEAD}    owned_scope: [\"src/**\", '!src/a']\n    constraints:\n      - text: |\n          a\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(folder.path(), folder.path().join(".git/bailiwick"), None);
    fs::create_dir_all(layout.orchestration()).unwrap();
    let repo = FsIntentRepo::new(layout.clone());
    for at in 0..sound.len() {
        for byte in *b"{[*&!:#-|>%@`\"'\n\t \0\xff" {
            let mut damaged = sound.clone().into_bytes();
            damaged[at] = byte;
            fs::write(layout.intents_file(), &damaged).unwrap();
            let report = repo.load_report().unwrap();
            assert!(report.set.len() <= 1);
        }
        fs::write(layout.intents_file(), &sound.as_bytes()[..at]).unwrap();
        assert!(repo.load_report().unwrap().set.len() <= 1);
    }
}
