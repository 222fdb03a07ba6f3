//! The loop breaker and what resets it: D-06, K-34, and quarantine: K-45, threat D3.

use bailiwick::gate::{HostTraits, Outcome};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{Action, Answer, ErrorCode, json};
use pollster::block_on;

use super::world::{JWT, World, broken, command, no, refused};

#[test]
fn the_same_block_a_fourth_time_is_a_loop() {
    let world = World::in_action();
    let call = world.write("src/core/a.rs", "x");
    for _ in 0..3 {
        world.refuses(&world.again(&call), ErrorCode::ScopeViolation);
    }
    let error = world.refuses(&world.again(&call), ErrorCode::LoopDetected);
    assert_eq!(
        (&error.details()["cause"], &error.details()["count"]),
        (&json!("SCOPE_VIOLATION"), &json!(3))
    );
    assert!(!error.is_recoverable());
}

#[test]
fn what_the_gate_itself_cannot_carry_out_counts_as_blocked() {
    let world = World::on(HostTraits { carries_out: true, ..HostTraits::default() });
    world.prompt();
    world.select("INT-001");
    let call = world.call("delete_file", json!({"path": "src/auth/none.rs"}));
    for _ in 0..3 {
        let error = world.refuses(&world.again(&call), ErrorCode::MalformedCall);
        assert_eq!(error.message(), "Malformed call: there is no file `src/auth/none.rs`.");
    }
    world.ignore("src/auth/none.rs\n");
    let error = world.refuses(&world.again(&call), ErrorCode::LoopDetected);
    assert_eq!(error.details()["count"], json!(3));
}

#[test]
fn a_loop_is_noticed_in_any_interleaving() {
    let world = World::in_action();
    let calls = [world.write("src/core/a.rs", "x"), world.write("src/core/b.rs", "x"), command(&world, "")];
    let codes = [ErrorCode::ScopeViolation, ErrorCode::ScopeViolation, ErrorCode::MalformedCall];
    for round in 0..4 {
        for (call, code) in calls.iter().zip(codes) {
            let expected = if round < 3 { code } else { ErrorCode::LoopDetected };
            world.refuses(&world.again(call), expected);
            world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
        }
    }
}

#[test]
fn another_content_is_another_call() {
    let world = World::in_action();
    for n in 0..6 {
        world.refuses(&world.write("src/core/a.rs", &format!("{n}")), ErrorCode::ScopeViolation);
    }
}

#[test]
fn the_human_or_a_new_selection_resets_the_count() {
    let world = World::in_action();
    let call = world.write("src/core/a.rs", "x");
    let three = |world: &World| {
        (0..3).for_each(|_| drop(world.refuses(&world.again(&call), ErrorCode::ScopeViolation)))
    };
    three(&world);
    world.select("INT-002");
    three(&world);
    world.prompt();
    world.select("INT-001");
    three(&world);
    world.refuses(&world.again(&call), ErrorCode::LoopDetected);
}

#[test]
fn waiting_for_a_human_is_no_loop() {
    // D-06
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    for _ in 0..9 {
        assert_eq!(refused(world.pre(&world.again(&call))).code(), ErrorCode::ApprovalPending);
    }
    assert_eq!(world.approvals.all().len(), 1);
}

#[test]
fn retrying_a_rejected_call_becomes_a_loop_and_asks_nobody_again() {
    // K-06
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.will_say(no("no"));
    assert_eq!(refused(world.pre(&call)).code(), ErrorCode::DestructiveActionRejected);
    for _ in 0..2 {
        world.refuses(&world.again(&call), ErrorCode::DestructiveActionRejected);
    }
    let error = world.refuses(&world.again(&call), ErrorCode::LoopDetected);
    assert_eq!(error.details()["cause"], "DESTRUCTIVE_ACTION_REJECTED");
    assert_eq!(world.human.asked().len(), 1);
}

#[test]
fn how_many_repeats_are_a_loop_is_a_setting() {
    let world = World::in_action();
    world.settings(|settings| settings.loop_repeats = 1);
    let call = world.write("src/core/a.rs", "x");
    world.refuses(&call, ErrorCode::ScopeViolation);
    world.refuses(&world.again(&call), ErrorCode::LoopDetected);
}

#[test]
fn a_host_that_runs_a_refused_call_halts_the_session() {
    // K-34, K-45, threat D3
    let world = World::in_action();
    let call = world.write("src/core/a.rs", "x");
    world.refuses(&call, ErrorCode::ScopeViolation);
    let report = world.run(&call);
    assert!(report.trace_ids.is_empty() && world.ledger.entries().is_empty());
    assert_eq!(world.last_record(&call).action, Action::Drift);
    for tool in ["read_file", "write_to_file"] {
        world.refuses(&world.call(tool, json!({"path": JWT, "content": "x"})), ErrorCode::Quarantined);
    }
    for (tool, params) in
        [("select_active_intent", json!({"intent_id": "INT-002"})), ("list_intents", json!({}))]
    {
        world.refuses(&world.call(tool, params), ErrorCode::Quarantined);
    }
    world.prompt();
    world.refuses(&world.call("read_file", json!({"path": JWT})), ErrorCode::Quarantined);
    block_on(world.gate.own_tools().select_by_human(&sample::actor(), "INT-001")).unwrap();
    world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
}

#[test]
fn a_refused_call_that_the_host_did_not_run_halts_nothing() {
    let world = World::in_action();
    let call = world.write("src/core/a.rs", "x");
    world.refuses(&call, ErrorCode::ScopeViolation);
    world.post_failed(&call);
    world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
}

#[test]
fn a_call_that_was_refused_and_later_approved_under_the_same_id_is_no_drift() {
    // D-21: hosts that reuse an id, and hooks that are installed twice
    let world = World::in_action();
    let call = world.write(JWT, "new\n");
    world.refuses(&call, ErrorCode::StaleFile);
    world.read(JWT);
    world.mutates(&call);
    let again = world.post(&call);
    assert!(again.trace_ids.is_empty());
    world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
    assert_eq!(world.ledger.entries().len(), 1);
}

#[test]
fn a_rejected_call_that_the_host_runs_halts_the_session() {
    // threat D3
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.will_say(no("no"));
    assert!(matches!(world.pre(&call), Outcome::Block(_)));
    world.run(&call);
    world.refuses(&world.call("read_file", json!({"path": JWT})), ErrorCode::Quarantined);
}

#[test]
fn a_host_that_runs_what_still_waits_halts_the_session() {
    // threat D3, REQ 3
    for answer in [Answer::Deferred, Answer::Unanswered { why: "nobody".to_owned() }] {
        let world = World::ready();
        let call = world.write(JWT, "new\n");
        world.will_say(answer);
        let _ = world.pre(&call);
        assert!(world.run(&call).trace_ids.is_empty());
        world.refuses(&world.call("read_file", json!({"path": JWT})), ErrorCode::Quarantined);
    }
}

#[test]
fn what_the_host_asked_about_itself_is_no_drift() {
    // K-12: hooks that are installed twice report twice
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.will_say(Answer::AskHost);
    let _ = world.pre(&call);
    world.run(&call);
    world.post(&call);
    world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
}

#[test]
fn a_refused_call_of_a_sub_agent_that_ran_halts_the_whole_session_until_a_human_lifts_it() {
    // D-12, K-45
    let world = World::in_action();
    let read = |agent: &str| world.call_of(&sample::child(agent), "read_file", json!({"path": JWT}));
    for agent in ["a1", "a2"] {
        world.passes_unasked(&read(agent));
    }
    let stray = json!({"path": "src/core/a.rs", "content": "x"});
    let call = world.call_of(&sample::child("a1"), "write_to_file", stray);
    world.refuses(&call, ErrorCode::ScopeViolation);
    world.run(&call);
    for agent in ["a1", "a2", "a3"] {
        world.refuses(&read(agent), ErrorCode::Quarantined);
    }
    let select = world.call_of(&sample::child("a2"), "select_active_intent", json!({"intent_id": "INT-001"}));
    world.refuses(&select, ErrorCode::Quarantined);
    world.refuses(&world.call("read_file", json!({"path": JWT})), ErrorCode::Quarantined);
    block_on(world.gate.own_tools().select_by_human(&sample::actor(), "INT-001")).unwrap();
    for agent in ["a1", "a2", "a3"] {
        world.passes_unasked(&read(agent));
    }
}

// K-24, K-45; threats D3, E2: one failing read must not lift a quarantine, nor take an acknowledged selection.
#[test]
fn a_state_that_could_not_be_read_is_not_written_over() {
    let world = World::in_action();
    let known = world.state_of(&sample::actor());
    let before = world.sessions.peek(&sample::actor());
    world.sessions.fail_to_load(Some(broken()));
    for call in [world.write("src/auth/new.rs", "x"), world.call("read_file", json!({"path": JWT}))] {
        world.refuses(&call, ErrorCode::LedgerUnavailable);
    }
    world.sessions.fail_to_load(None);
    assert_eq!(world.sessions.peek(&sample::actor()), before);
    assert_eq!(world.state_of(&sample::actor()), known);
}

// B: the same words in another folder are another call
#[test]
fn the_same_call_in_another_folder_is_another_call() {
    let world = World::in_action();
    for folder in 0..5 {
        let mut call = world.write("../../core/a.rs", "x");
        call.cwd = Some(format!("/repo/src/f{folder}"));
        world.refuses(&call, ErrorCode::ScopeViolation);
    }
}

// B: selecting again is a new selection, the same intent or not
#[test]
fn selecting_the_same_intent_again_resets_the_count() {
    let world = World::in_action();
    let call = world.write("src/core/a.rs", "x");
    for _ in 0..3 {
        world.refuses(&world.again(&call), ErrorCode::ScopeViolation);
    }
    world.select("INT-001");
    world.refuses(&world.again(&call), ErrorCode::ScopeViolation);
}

// B: the fixed sentence stays in the answer of the loop
#[test]
fn the_answer_of_a_loop_keeps_the_sentence_of_the_scope() {
    let world = World::in_action();
    let call = world.write("src/core/a.rs", "x");
    for _ in 0..3 {
        world.refuses(&world.again(&call), ErrorCode::ScopeViolation);
    }
    let error = world.refuses(&world.again(&call), ErrorCode::LoopDetected);
    let sentence =
        "Scope Violation: INT-001 is not authorized to edit src/core/a.rs. Request scope expansion.";
    assert!(error.message().contains(sentence), "{}", error.message());
    assert!(error.reason().contains(sentence), "{}", error.reason());
}
