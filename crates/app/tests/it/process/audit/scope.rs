//! Whether lines that an entry wrote stand where its intent may change files.

use super::super::machine::Machine;
use super::super::sealing::{git, sealing};
use super::{audited, commit, labels, merging, written};

const INTENTS: &str = ".orchestration/active_intents.yaml";
const TEXT: &str = "fn first(count: usize) {\n    run_it_once(count);\n    tell_the_others(count + 1);\n}\n";

fn intents(machine: &Machine) -> String {
    std::fs::read_to_string(machine.root().join(INTENTS)).unwrap()
}

/// The labels of the last commit's runs, without those of Bailiwick's own files.
fn is_labelled(machine: &Machine, expected: &[&str], why: &str) {
    let (_, audit) = audited(machine, &["HEAD"]);
    assert_eq!(labels(&audit), [expected], "{why}: {audit}");
}

// D-43: the gate looked at the file that the entry names, and at no copy of it
#[test]
fn a_copy_beyond_the_scope_is_no_traced_work_when_the_intent_is_gone() {
    let machine = sealing();
    written(&machine, &[("src/auth/a.rs", TEXT)]);
    machine.write("lib/a.rs", TEXT);
    commit(&machine, "agent, and a copy");
    is_labelled(&machine, &["out_of_scope", "traced"], "the intent is there");
    for left in ["active_intents: []\n", "active_intents: ["] {
        machine.write(INTENTS, left);
        git(&machine, &["add", "-A"]);
        git(&machine, &["commit", "-q", "--amend", "--no-edit"]);
        is_labelled(&machine, &["out_of_scope", "traced"], left);
    }
}

// D-43: an older entry of the file does not answer for lines that came from another one
#[test]
fn an_older_revision_opens_a_file_to_its_own_entries_alone() {
    let machine = sealing();
    let narrow = intents(&machine);
    machine.write(INTENTS, &narrow.replacen("[src/auth/]", "[src/auth/, lib/]", 1));
    written(&machine, &[("lib/x.rs", "fn old() {}\n")]);
    machine.write(INTENTS, &narrow);
    commit(&machine, "under the older revision");
    is_labelled(&machine, &["traced"], "the gate looked at it then");
    written(&machine, &[("src/auth/y.rs", TEXT)]);
    machine.write("lib/x.rs", &format!("fn old() {{}}\n{TEXT}"));
    commit(&machine, "agent, and a copy");
    is_labelled(&machine, &["out_of_scope", "traced"], "copied under the newer revision");
}

// D-11: a merge that brings entries of its own is an agent's as well
#[test]
fn a_merge_that_an_agent_worked_on_answers_for_what_nobody_recorded() {
    let machine = merging();
    written(&machine, &[("src/auth/merged.rs", TEXT)]);
    machine.write("docs/sneaked.md", "nobody wrote this down\n");
    commit(&machine, "Merge the topic");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["unexplained", "traced"]]), "{audit}");
    assert_eq!(audit["commits"][0]["marks"][0], "sealed entries", "{audit}");
}
