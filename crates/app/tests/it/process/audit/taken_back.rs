//! What a person took back vouches for nothing that comes again by other means (D-43, D-21).

use bailiwick_domain::json;

use super::beside::change_of;
use super::{audited, commit, labels};
use crate::process::machine::Machine;
use crate::process::sealing::{bailiwick_in, sealing};
use crate::process::trace::change;
use crate::world::{json as parsed, read, said};

const FILE: &str = "src/auth/a.rs";
const BASE: &str = "// one line by hand\n// and a second one\n";
const MORE: &str = "// one line by hand\n// and a second one\nfn backdoor() { open_it() }\n";

/// A recorded change of the file; its entry.
fn changes(machine: &Machine, text: &str) -> String {
    let mut wire = machine.wire();
    wire.select("INT-001");
    let params = json!({ "path": FILE });
    wire.pre("read_file", &params);
    wire.post("read_file", &params, true);
    let id = change(machine, &mut wire, FILE, text);
    wire.end();
    id
}

fn restored(machine: &Machine, id: &str) {
    let output = bailiwick_in(machine, &machine.root(), &["restore", "--call", id, "--yes"]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(read(&machine.root().join(FILE)), BASE);
}

fn drifted(machine: &Machine) -> usize {
    let output = bailiwick_in(machine, &machine.root(), &["trace", "verify", "--drift", "--json"]);
    parsed(&said(&output))["drift"]["files"].as_array().unwrap().len()
}

#[test]
fn what_was_taken_back_is_not_traced_when_it_comes_again() {
    let machine = sealing();
    machine.write(FILE, BASE);
    commit(&machine, "by hand");
    let id = changes(&machine, MORE);
    restored(&machine, &id);
    assert_eq!(drifted(&machine), 0);
    machine.write(FILE, MORE);
    assert_eq!(drifted(&machine), 1, "nobody recorded that");
    commit(&machine, "again\n\nIntent: INT-001");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(1), vec![vec!["unexplained"]]), "{audit}");
}

#[test]
fn what_is_approved_again_is_traced() {
    let machine = sealing();
    machine.write(FILE, BASE);
    commit(&machine, "by hand");
    let id = changes(&machine, MORE);
    restored(&machine, &id);
    changes(&machine, MORE);
    assert_eq!(drifted(&machine), 0);
    commit(&machine, "agent");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["traced"]]), "{audit}");
}

// The put-back itself is on the way
#[test]
fn work_of_which_a_later_part_was_taken_back_is_traced() {
    let machine = sealing();
    machine.write(FILE, "// begun\n");
    commit(&machine, "by hand");
    change_of(&machine, FILE, BASE);
    let id = changes(&machine, MORE);
    restored(&machine, &id);
    commit(&machine, "agent");
    let (code, audit) = audited(&machine, &["HEAD"]);
    assert_eq!((code, labels(&audit)), (Some(0), vec![vec!["traced"]]), "{audit}");
}
