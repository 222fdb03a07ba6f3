//! What changes while a human thinks: after the yes everything is decided again on fresh facts (K-09, threat C6).

use bailiwick::gate::Outcome;
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Classification, ErrorCode, Health, HealthFault, IntentStatus, OnViolation, OwnedScope, ToolCall, json,
};

use super::world::{JWT, World, broken, command, refused, yes};

/// Something that another party does.
type Meanwhile = fn(&World);

/// The yes comes after `meanwhile`, and the call is refused all the same.
fn check(call: impl Fn(&World) -> ToolCall, meanwhile: Meanwhile, code: ErrorCode) {
    let world = World::ready();
    let call = call(&world);
    let approval = world.asks(&call);
    meanwhile(&world);
    let before = world.files.bytes(&sample::path(JWT));
    let error = refused(world.resolve(&approval, yes()));
    assert_eq!(error.code(), code, "{}", error.message());
    assert!(world.pendings.calls().is_empty() && world.ledger.entries().is_empty());
    assert_eq!(world.files.bytes(&sample::path(JWT)), before);
    assert_eq!(world.last_record(&call).code, Some(code));
}

fn write(world: &World) -> ToolCall {
    world.write(JWT, "new\n")
}

fn run(world: &World) -> ToolCall {
    command(world, "make")
}

#[test]
fn the_file_changes() {
    // K-09, REQ 166
    check(write, |world| world.edit_outside(JWT, "theirs\n"), ErrorCode::StaleFile);
}

#[test]
fn the_file_goes_away() {
    // K-09
    check(write, |world| world.remove_outside(JWT), ErrorCode::StaleFile);
}

#[test]
fn a_file_appears_where_one_was_to_be_created() {
    // K-09
    check(
        |world| world.write("src/auth/new.rs", "x"),
        |world| world.edit_outside("src/auth/new.rs", "theirs"),
        ErrorCode::StaleFile,
    );
}

#[test]
fn the_file_changes_and_is_read_again_so_that_only_the_yes_is_old() {
    // K-09, D-17
    let meanwhile: Meanwhile = |world| {
        world.edit_outside(JWT, "theirs\n");
        world.read(JWT);
    };
    check(write, meanwhile, ErrorCode::StaleFile);
}

#[test]
fn the_quoted_text_stays_but_the_file_around_it_changes() {
    // K-09, D-17
    let edit = |world: &World| {
        world.call("edit_file", json!({"path": JWT, "old_string": "fn sign() {}", "new_string": "x"}))
    };
    check(edit, |world| world.edit_outside(JWT, "// hm\nfn sign() {}\n"), ErrorCode::StaleFile);
}

#[test]
fn the_source_of_a_copy_changes() {
    // K-09, D-17
    let copy = |world: &World| {
        let patch = "diff --git a/src/auth/jwt.rs b/src/auth/copy.rs\nsimilarity index 100%\n\
                     copy from src/auth/jwt.rs\ncopy to src/auth/copy.rs\n";
        world.call("apply_patch", json!({"patch": patch}))
    };
    check(copy, |world| world.edit_outside(JWT, "theirs\n"), ErrorCode::StaleFile);
}

#[test]
fn a_file_that_is_only_read_may_change() {
    // D-17: a yes is bound to what is changed or goes elsewhere
    let world = World::ready();
    world.classify("read_file", Classification::Destructive);
    let approval = world.asks(&world.call("read_file", json!({"path": JWT})));
    world.edit_outside(JWT, "theirs\n");
    assert!(matches!(world.resolve(&approval, yes()), Outcome::Allow(_)));
}

#[test]
fn the_intent_is_closed() {
    // K-09
    for call in [write, run] {
        check(
            call,
            |world| world.rewrite_intent(|draft| draft.status = IntentStatus::Completed),
            ErrorCode::IntentNotSelectable,
        );
    }
}

#[test]
fn the_intent_is_frozen() {
    // K-09
    check(run, |world| world.rewrite_intent(|draft| draft.frozen = true), ErrorCode::IntentNotSelectable);
}

#[test]
fn the_intent_is_narrowed() {
    // K-09
    let narrow: Meanwhile = |world| {
        world.rewrite_intent(|draft| draft.owned_scope = OwnedScope::parse(["src/auth/login/**"]).unwrap())
    };
    check(write, narrow, ErrorCode::ScopeViolation);
}

#[test]
fn the_intent_gets_another_revision_under_which_nobody_said_yes() {
    // D-17, D-18
    for call in [write, run] {
        check(
            call,
            |world| world.rewrite_intent(|draft| draft.why = Some("changed".to_owned())),
            ErrorCode::StaleFile,
        );
    }
}

#[test]
fn the_intent_is_removed() {
    // K-09
    check(write, |world| world.intents.set(Vec::new()), ErrorCode::IntentNotFound);
}

#[test]
fn another_intent_is_selected() {
    // K-09
    let switch: Meanwhile = |world| drop(world.select("INT-002"));
    check(write, switch, ErrorCode::ScopeViolation);
    check(run, switch, ErrorCode::StaleFile);
}

#[test]
fn the_human_asks_for_something_new() {
    // K-28
    check(write, World::prompt, ErrorCode::StateViolation);
}

#[test]
fn an_ignore_rule_is_added() {
    // K-09
    check(write, |world| world.ignore("src/auth/\n"), ErrorCode::IntentIgnored);
}

#[test]
fn the_ignore_file_breaks() {
    // REQ 26
    check(run, |world| world.ignore("[INT-001\n"), ErrorCode::IntentignoreInvalid);
}

#[test]
fn the_path_becomes_protected() {
    // D-13
    check(
        write,
        |world| world.settings(|settings| settings.protect_write = vec!["src/auth/**".to_owned()]),
        ErrorCode::ProtectedPath,
    );
}

#[test]
fn the_store_breaks() {
    // K-07
    check(
        write,
        |world| world.policy.set_health(Health::Broken(HealthFault::Missing(".orchestration".into()))),
        ErrorCode::OrchestrationMissing,
    );
}

#[test]
fn the_permission_to_override_is_taken_back() {
    // K-01
    let world = World::ready();
    world.settings(|settings| settings.on_violation = OnViolation::Ask);
    let approval = world.asks(&world.write("src/core/x.rs", "x"));
    world.settings(|_| {});
    assert_eq!(refused(world.resolve(&approval, yes())).code(), ErrorCode::ScopeViolation);
}

#[test]
fn a_yes_to_a_call_inside_the_rules_is_no_yes_to_an_override() {
    // K-01, D-12
    let world = World::ready();
    world.settings(|settings| settings.on_violation = OnViolation::Ask);
    let child = sample::child("a1");
    world.passes_unasked(&world.call_of(&child, "read_file", json!({"path": JWT})));
    let call = world.call_of(&child, "write_to_file", json!({"path": "src/auth/new.rs", "content": "x"}));
    let approval = world.asks(&call);
    world.select("INT-002");
    let error = refused(world.resolve(&approval, yes()));
    assert_eq!(
        (error.code(), &error.details()["cause"]),
        (ErrorCode::StaleFile, &json!("changed_during_approval"))
    );
    world.asks(&world.again(&call));
}

#[test]
fn the_ledger_fails() {
    // K-24
    let world = World::ready();
    let call = write(&world);
    let approval = world.asks(&call);
    world.ledger.fail(Some(broken()));
    assert_eq!(refused(world.resolve(&approval, yes())).code(), ErrorCode::LedgerUnavailable);
    assert!(world.pendings.calls().is_empty());
}

#[test]
fn nothing_that_matters_changes() {
    // K-09
    let world = World::ready();
    let call = write(&world);
    let approval = world.asks(&call);
    world.edit_outside("README.md", "other\n");
    world.rewrite_intent(|draft| draft.status = IntentStatus::Pending);
    world.clock.advance(599);
    assert!(matches!(world.resolve(&approval, yes()), Outcome::Allow(_)));
}

#[test]
fn the_file_changes_before_the_prompt_of_the_host_is_shown() {
    // K-12: what is handed to the host is what was decided
    let world = World::ready();
    world.will_say(bailiwick_domain::Answer::AskHost);
    let call = write(&world);
    assert!(matches!(world.pre(&call), Outcome::AskHost(_)));
    world.edit_outside(JWT, "theirs\n");
    let reports = pollster::block_on(world.gate.settle(&sample::actor())).unwrap();
    assert!(reports.iter().all(|report| report.trace_ids.is_empty()));
}
