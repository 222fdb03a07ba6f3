//! A scope that somebody widened in the tree, and the person who lets it count (D-18).

use super::machine::{INTENTS, Machine};

fn widen(machine: &Machine) {
    let wider = INTENTS.replace("owned_scope: [src/auth/]", "owned_scope: [src/auth/, src/core/]");
    machine.write(".orchestration/active_intents.yaml", &wider);
}

/// What a request shows. Whoever lists the queue counts as looking for a while, and the next call would wait for them.
fn preview(machine: &Machine, id: &str) -> String {
    let found = machine.open_requests().into_iter().find(|request| request["id"] == id).unwrap();
    std::fs::remove_dir_all(machine.private().join("surfaces")).unwrap();
    found["diff_preview"].as_str().unwrap().to_owned()
}

// D-18
#[test]
fn a_wider_intent_from_the_tree_is_shown_with_the_next_question_and_then_counts() {
    let machine = Machine::new();
    machine.typed(&["intent", "accept", "INT-001"], "y\n");
    machine.select("INT-001");
    let first = preview(&machine, &machine.pending("w1", "src/auth/new.rs"));
    assert!(first.starts_with("--- /dev/null\n+++ b/src/auth/new.rs"), "accepted: no more to show");
    widen(&machine);
    let listed = machine.world.ok(&["intent", "list"]);
    assert!(listed.contains("INT-001") && listed.contains("not accepted on this machine yet"), "{listed}");
    assert!(machine.world.shown(&["status"]).contains("not accepted on this machine yet"));
    let shown = machine.world.ok(&["intent", "show", "INT-001"]);
    assert!(shown.contains("bailiwick intent accept INT-001"), "{shown}");
    let id = machine.pending("w2", "src/core/new.rs");
    let diff = preview(&machine, &id);
    assert!(diff.contains("+    - \"src/core/\"") && diff.contains("+++ b/src/core/new.rs"), "{diff}");
    machine.approve(&id);
    let call = machine.write_call("w2", "src/core/new.rs");
    assert_eq!(machine.hook(&call).decision().as_deref(), Some("allow"));
    let third = machine.pending("w3", "src/core/other.rs");
    assert!(!preview(&machine, &third).contains("active_intents.yaml"), "shown once");
}

// D-18, D-16
#[test]
fn a_person_accepts_an_intent_at_a_terminal_and_nobody_else_does() {
    let machine = Machine::new();
    let alone = machine.world.run(&["intent", "accept", "INT-001"]);
    assert_eq!(alone.status.code(), Some(2), "{}", crate::world::said(&alone));
    let no = machine.typed(&["intent", "accept", "INT-001"], "n\n");
    assert_eq!(no.status.code(), Some(1), "{}", crate::world::said(&no));
    assert!(String::from_utf8_lossy(&no.stdout).contains("src/auth/"), "shown before it is asked");
    assert!(machine.world.ok(&["intent", "show", "INT-001"]).contains("intent accept INT-001"));
    let yes = machine.typed(&["intent", "accept", "INT-001"], "y\n");
    assert_eq!(yes.status.code(), Some(0), "{}", crate::world::said(&yes));
    assert!(!machine.world.ok(&["intent", "show", "INT-001"]).contains("intent accept"));
    assert!(
        machine.world.ok(&["intent", "accept", "INT-001"]).contains("is already accepted on this machine")
    );
    assert!(!machine.world.path("repo").join(".orchestration/state").exists());
}
