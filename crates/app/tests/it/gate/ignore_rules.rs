//! `.intentignore` at the gate: rows 5, 26, 33, 113; K-33, K-34.

use bailiwick_domain::{ErrorCode, IgnoreSource, OwnedScope, json};

use super::world::{BILLING, JWT, World, command};

#[test]
fn req_005_req_033_a_section_binds_the_intents_that_it_names() {
    let world = World::new();
    world.ignore("[INT-001]\n/shared/\n");
    world.rewrite_intent(|draft| draft.owned_scope = OwnedScope::parse(["shared/**"]).unwrap());
    let owns_shared = bailiwick_domain::testing::sample::intent("INT-002", &["shared/**"]);
    let first = bailiwick_domain::testing::sample::intent("INT-001", &["shared/**"]);
    world.intents.set(vec![first, owns_shared]);
    world.select("INT-001");
    let error = world.refuses(&world.write("shared/a.rs", "x"), ErrorCode::IntentIgnored);
    assert!(!error.is_recoverable());
    world.select("INT-002");
    world.asks(&world.write("shared/a.rs", "x"));
}

#[test]
fn req_033_a_global_rule_binds_every_intent_and_only_takes_away() {
    let world = World::in_action();
    world.ignore("*.lock\n!src/billing/**\n");
    world.refuses(&world.write("src/auth/a.lock", "x"), ErrorCode::IntentIgnored);
    world.refuses(&world.write("src/billing/new.rs", "x"), ErrorCode::ScopeViolation);
    world.asks(&world.write("src/auth/a.rs", "x"));
}

#[test]
fn req_033_a_rule_added_during_the_session_counts_on_the_next_call() {
    let world = World::in_action();
    world.asks(&world.write("src/auth/a.rs", "x"));
    world.ignore("src/auth/\n");
    world.refuses(&world.write("src/auth/b.rs", "x"), ErrorCode::IntentIgnored);
}

#[test]
fn req_113_rules_restrict_reading_only_where_they_say_so() {
    // K-32
    let world = World::in_action();
    world.ignore("/src/billing/\n[INT-*] read\n/src/auth/\n");
    world.passes_unasked(&world.call("read_file", json!({"path": BILLING})));
    world.refuses(&world.call("read_file", json!({"path": JWT})), ErrorCode::IntentIgnored);
}

#[test]
fn req_026_without_the_file_everything_goes_on() {
    let world = World::in_action();
    world.policy.set_ignore(IgnoreSource::Absent);
    world.asks(&world.write("src/auth/a.rs", "x"));
}

#[test]
fn req_026_rules_that_cannot_be_understood_stop_what_is_destructive() {
    let world = World::in_action();
    let unreadable = IgnoreSource::Unreadable(".intentignore: permission denied".to_owned());
    for (stop, needle) in [(true, "[INT-001"), (false, "permission denied")] {
        if stop {
            world.ignore("[INT-001\n*.lock\n");
        } else {
            world.policy.set_ignore(unreadable.clone());
        }
        let error = world.refuses(&world.write("src/auth/a.rs", "x"), ErrorCode::IntentignoreInvalid);
        assert!(error.message().contains(".intentignore"), "{needle}: {}", error.message());
        world.refuses(&command(&world, "make"), ErrorCode::IntentignoreInvalid);
        world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
    }
}

#[test]
fn ignore_rules_win_over_the_scope() {
    // K-33, K-34
    let world = World::in_action();
    world.ignore("/src/billing/\n");
    let error = world.refuses(&world.write("src/billing/new.rs", "x"), ErrorCode::IntentIgnored);
    assert_eq!(error.details()["also"], json!(["SCOPE_VIOLATION"]));
}

#[test]
fn one_ignored_path_blocks_the_whole_call() {
    // REQ 85
    let world = World::ready();
    world.ignore("*.lock\n");
    world.refuses(
        &world.call("move_file", json!({"from": JWT, "to": "src/auth/jwt.lock"})),
        ErrorCode::IntentIgnored,
    );
}
