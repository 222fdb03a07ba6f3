//! The mode and the kind of a file: entries know of neither, so neither is ever traced.
#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::{audited, commit, labels, written};
use crate::process::machine::Machine;
use crate::process::sealing::{bailiwick_in, sealing};
use crate::world::said;

const FILE: &str = "src/auth/run.sh";

fn make_executable(machine: &Machine, path: &str) {
    let path = machine.root().join(path);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[track_caller]
fn says(machine: &Machine, places: &[&str]) {
    let output = bailiwick_in(machine, &machine.root(), &["audit", "HEAD"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    places.iter().for_each(|place| assert!(text.contains(place), "{place}: {text}"));
}

/// The commit has an approved content and a mode that nobody answers for.
#[track_caller]
fn only_the_mode_is_unexplained(machine: &Machine) {
    let (code, audit) = audited(machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["unexplained", "traced"]]), "{audit}");
    says(machine, &["unexplained   src/auth/run.sh (mode)\n"]);
}

// D-43
#[test]
fn a_new_mode_beside_an_approved_change_is_unexplained() {
    let machine = sealing();
    machine.write(FILE, "echo one\n");
    commit(&machine, "by hand");
    super::beside::change_of(&machine, FILE, "echo two\n");
    make_executable(&machine, FILE);
    commit(&machine, "agent");
    only_the_mode_is_unexplained(&machine);
}

// D-43
#[test]
fn a_new_file_that_can_be_run_is_unexplained() {
    let machine = sealing();
    written(&machine, &[(FILE, "#!/bin/sh\necho hi\n")]);
    make_executable(&machine, FILE);
    commit(&machine, "agent");
    only_the_mode_is_unexplained(&machine);
}

// D-43
#[test]
fn a_link_is_not_the_text_that_leads_it() {
    let machine = sealing();
    written(&machine, &[("src/auth/x", "../.env"), ("src/auth/a.rs", "fn a() {}\n")]);
    std::fs::remove_file(machine.root().join("src/auth/x")).unwrap();
    symlink("../.env", machine.root().join("src/auth/x")).unwrap();
    let output = bailiwick_in(&machine, &machine.root(), &["trace", "verify", "--drift"]);
    assert!(said(&output).contains("src/auth/x"), "{}", said(&output));
    commit(&machine, "agent");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["traced", "unexplained"]]), "{audit}");
    says(&machine, &["unexplained   src/auth/x (link)\n"]);
}
