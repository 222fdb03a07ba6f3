//! Bounds that count and bounds of ancestors: what an intent may change in all, beyond which paths it owns.

use bailiwick::gate::{Because, Outcome};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Action, Actor, AncestorScope, Constraint, ErrorCode, IntentKind, MutationClass, OwnedScope, ToolCall,
    json,
};

use super::world::{JWT, World, broken};

fn bounded(constraints: &[Constraint]) -> World {
    let world = World::new();
    let constraints = constraints.to_vec();
    world.rewrite_intent(|draft| draft.constraints = constraints);
    world.select("INT-001");
    world
}

// D-42, the reference on the intent language, §6
#[test]
fn no_more_files_than_the_intent_says_are_changed() {
    let world = bounded(&[Constraint::MaxFiles(2)]);
    world.mutates(&world.write("src/auth/a.rs", "a\n"));
    world.mutates(&world.write("src/auth/b.rs", "b\n"));
    world.mutates(&world.write("src/auth/a.rs", "a again\n"));
    let error = world.refuses(&world.write("src/auth/c.rs", "c\n"), ErrorCode::ConstraintViolation);
    assert_eq!(
        error.message(),
        "Constraint Violation: intent INT-001 may change 2 files; 2 are counted, this call adds 1."
    );
    assert!(error.suggestion().contains("raise `max_files` of INT-001"), "{}", error.suggestion());
    assert_eq!(
        (&error.details()["constraint"], &error.details()["limit"], &error.details()["counted"]),
        (&json!("max_files"), &json!(2), &json!(2))
    );
    world.mutates(&world.write("src/auth/b.rs", "b again\n"));
}

// D-42
#[test]
fn no_more_lines_than_the_intent_says_are_changed() {
    let world = bounded(&[Constraint::MaxLines(5)]);
    world.mutates(&world.write("src/auth/a.rs", "1\n2\n3\n"));
    let error = world.refuses(&world.write("src/auth/b.rs", "1\n2\n3\n"), ErrorCode::ConstraintViolation);
    assert_eq!(
        error.message(),
        "Constraint Violation: intent INT-001 may change 5 lines; 3 are counted, this call adds 3."
    );
    let swap = json!({"path": "src/auth/a.rs", "old_string": "2\n", "new_string": "two\n"});
    world.mutates(&world.call("edit_file", swap));
    world.refuses(&world.write("src/auth/b.rs", "1\n"), ErrorCode::ConstraintViolation);
}

// D-42
#[test]
fn a_removed_file_counts_its_lines_and_a_moved_one_none() {
    let world = bounded(&[Constraint::MaxLines(3)]);
    world.mutates(&world.write("src/auth/a.rs", "1\n2\n"));
    world.mutates(&world.call("move_file", json!({"from": "src/auth/a.rs", "to": "src/auth/b.rs"})));
    world.refuses(
        &world.call("delete_file", json!({"path": "src/auth/b.rs"})),
        ErrorCode::ConstraintViolation,
    );
    world.mutates(&world.write("src/auth/c.rs", "1\n"));
}

// D-42: what is lost where something is moved to counts before the call and after it
#[test]
fn what_a_move_replaces_counts() {
    let fill = |world: &World| {
        world.mutates(&world.write("src/auth/a.rs", "1\n2\n"));
        world.mutates(&world.write("src/auth/b.rs", "3\n4\n"));
    };
    let over = json!({"from": "src/auth/a.rs", "to": "src/auth/b.rs"});
    let world = bounded(&[Constraint::MaxLines(5)]);
    fill(&world);
    world.refuses(&world.call("move_file", over.clone()), ErrorCode::ConstraintViolation);
    let world = bounded(&[Constraint::MaxLines(7)]);
    fill(&world);
    world.mutates(&world.call("move_file", over));
    world.refuses(&world.write("src/auth/c.rs", "1\n2\n"), ErrorCode::ConstraintViolation);
    world.mutates(&world.write("src/auth/c.rs", "1\n"));
}

// D-42
#[test]
fn what_was_removed_counts_and_so_does_each_file_of_a_patch_by_its_own_lines() {
    let world = bounded(&[Constraint::MaxLines(4)]);
    world.mutates(&world.write("src/auth/a.rs", "1\n2\n"));
    world.mutates(&world.call("delete_file", json!({"path": "src/auth/a.rs"})));
    world.refuses(&world.write("src/auth/b.rs", "1\n"), ErrorCode::ConstraintViolation);

    let world = bounded(&[Constraint::MaxLines(11)]);
    world.mutates(&world.write("src/auth/a.rs", "1\n2\n3\n"));
    world.mutates(&world.write("src/auth/b.rs", "4\n5\n6\n"));
    let part = |file: &str, old: u32| format!("*** Update File: src/auth/{file}.rs\n@@\n-{old}\n+changed\n");
    let patch = format!("*** Begin Patch\n{}{}*** End Patch\n", part("a", 2), part("b", 5));
    let call = world.call("apply_patch", json!({"patch": patch}));
    world.passes_by_yes(&call);
    world.edit_outside("src/auth/a.rs", "1\nchanged\n3\n");
    world.edit_outside("src/auth/b.rs", "4\nchanged\n6\n");
    world.post(&call);
    world.mutates(&world.write("src/auth/c.rs", "1\n"));
    world.refuses(&world.write("src/auth/d.rs", "1\n"), ErrorCode::ConstraintViolation);
}

// D-42
#[test]
fn a_copy_counts_all_its_lines() {
    let world = bounded(&[Constraint::MaxLines(3)]);
    world.mutates(&world.write("src/auth/a.rs", "1\n2\n"));
    let patch = "diff --git a/src/auth/a.rs b/src/auth/c.rs\nsimilarity index 100%\n\
                 copy from src/auth/a.rs\ncopy to src/auth/c.rs\n";
    world.refuses(&world.call("apply_patch", json!({"patch": patch})), ErrorCode::ConstraintViolation);
}

// D-42
#[test]
fn another_revision_counts_from_zero() {
    let world = bounded(&[Constraint::MaxFiles(1)]);
    world.mutates(&world.write("src/auth/a.rs", "a\n"));
    world.refuses(&world.write("src/auth/b.rs", "b\n"), ErrorCode::ConstraintViolation);
    world.rewrite_intent(|draft| draft.constraints = vec![Constraint::MaxFiles(2)]);
    world.mutates(&world.write("src/auth/b.rs", "b\n"));
    world.mutates(&world.write("src/auth/c.rs", "c\n"));
    world.refuses(&world.write("src/auth/d.rs", "d\n"), ErrorCode::ConstraintViolation);
}

// D-42: two sessions cannot use up the same rest of a bound
#[test]
fn a_call_that_is_under_way_counts() {
    let world = bounded(&[Constraint::MaxFiles(1)]);
    let first = world.write("src/auth/a.rs", "a\n");
    world.passes_by_yes(&first);
    world.refuses(&world.write("src/auth/b.rs", "b\n"), ErrorCode::ConstraintViolation);
    world.post_failed(&first);
    world.mutates(&world.write("src/auth/b.rs", "b\n"));
}

// D-42: the call itself is no other one that is under way, and what is bounded by other words is not counted with it
#[test]
fn only_other_calls_of_the_same_revision_count_as_under_way() {
    let world = bounded(&[Constraint::MaxFiles(1)]);
    let first = world.write("src/auth/a.rs", "a\n");
    world.passes_by_yes(&first);
    assert_eq!(world.pre(&first), Outcome::Allow(Because::Repeated));
    world.rewrite_intent(|draft| {
        draft.name = "Changed by hand".to_owned();
        draft.constraints = vec![Constraint::MaxFiles(1)];
    });
    world.passes_by_yes(&world.write("src/auth/b.rs", "b\n"));
    world.refuses(&world.write("src/auth/c.rs", "c\n"), ErrorCode::ConstraintViolation);
    let world = bounded(&[Constraint::MaxLines(3)]);
    let first = world.write("src/auth/a.rs", "1\n2\n");
    world.passes_by_yes(&first);
    let other = world.write("src/auth/a.rs", "3\n4\n");
    world.passes_by_yes(&ToolCall { id: first.id, ..other });
    let world = bounded(&[Constraint::MaxFiles(1)]);
    let bills = Actor::root("claude-code", "s2");
    world.select_as(&bills, "INT-002");
    world.passes_by_yes(&world.call_of(
        &bills,
        "write_to_file",
        json!({"path": "src/billing/a.rs", "content": "a\n"}),
    ));
    world.passes_by_yes(&world.write("src/auth/a.rs", "a\n"));
}

// D-42: what was approved is held against the bound once more before it runs
#[test]
fn an_approval_does_not_pass_a_bound_that_was_used_up_meanwhile() {
    let world = bounded(&[Constraint::MaxFiles(1)]);
    let waiting = world.write("src/auth/a.rs", "a\n");
    let approval = world.asks(&waiting);
    world.mutates(&world.write("src/auth/b.rs", "b\n"));
    let outcome = world.resolve(&approval, super::world::yes());
    assert_eq!(super::world::refused(outcome).code(), ErrorCode::ConstraintViolation);
    assert!(!world.exists("src/auth/a.rs"));
}

// The budget of the hook: nothing is counted or looked up for an intent without such a bound.
#[test]
fn an_intent_without_a_bound_is_not_counted() {
    let world = World::in_action();
    world.tallies.fail(Some(broken()));
    world.mutates(&world.write("src/auth/a.rs", "a\n"));
    world.tallies.fail(None);
    assert!(world.tallies.is_empty());
}

// A rule that cannot be evaluated forbids.
#[test]
fn a_count_that_cannot_be_read_lets_nothing_through() {
    let world = bounded(&[Constraint::MaxFiles(9)]);
    world.tallies.fail(Some(broken()));
    let error = super::world::refused(world.pre(&world.write("src/auth/a.rs", "a\n")));
    assert_eq!(error.code(), ErrorCode::LedgerUnavailable);
    world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
}

// The reference on the intent language, §6: a child stays inside its parent.
#[test]
fn a_child_changes_nothing_that_its_parent_does_not_own() {
    let world = World::new();
    world.rewrite_intent(|draft| {
        draft.parent = Some(sample::intent_id("INT-002"));
        draft.within = vec![AncestorScope {
            intent: sample::intent_id("INT-002"),
            owned_scope: OwnedScope::parse(["src/auth/keys/"]).unwrap(),
        }];
    });
    world.select("INT-001");
    world.mutates(&world.write("src/auth/keys/a.rs", "a\n"));
    let error = world.refuses(&world.write("src/auth/a.rs", "a\n"), ErrorCode::ScopeViolation);
    assert!(error.reason().contains("Its parent INT-002 does not own this path"), "{}", error.reason());
    assert_eq!(error.details()["parent"], json!("INT-002"));
}

// The reference on the intent language, §6: shown at approval, never blocked.
#[test]
fn an_evolution_under_a_refactor_is_shown_in_the_question() {
    let world = World::new();
    world.rewrite_intent(|draft| draft.kind = Some(IntentKind::Refactor));
    world.select("INT-001");
    let call = world.write("src/auth/a.rs", "fn new() {}\n");
    let request = world.asks_what(&call);
    assert_eq!(request.mutation.map(|mutation| mutation.class), Some(MutationClass::IntentEvolution));
    assert!(request.reason.contains("INT-001 is a refactor, but nothing proves"), "{}", request.reason);
    assert_eq!(world.last_record(&call).action, Action::WaitForApproval);

    world.rewrite_intent(|draft| draft.kind = Some(IntentKind::Change));
    let request = world.asks_what(&world.write("src/auth/b.rs", "fn new() {}\n"));
    assert!(!request.reason.contains("is a refactor"), "{}", request.reason);
}
