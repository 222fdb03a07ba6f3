//! Sub-agents: D-05, D-12, K-15.

use bailiwick::gate::HostTraits;
use bailiwick_domain::testing::sample;
use bailiwick_domain::{Actor, ErrorCode, Intent, State, json};

use super::world::{JWT, World, refused};

fn child() -> Actor {
    sample::child("a1")
}

#[test]
fn a_child_works_under_the_intent_of_its_parent() {
    // D-12
    let world = World::in_action();
    world.read_as(&child(), JWT);
    assert_eq!(world.state_of(&child()), (State::Action, Some("INT-001".to_owned())));
    let call = world.call_of(&child(), "write_to_file", json!({"path": JWT, "content": "new\n"}));
    let entry = world.mutates(&call);
    assert_eq!((entry.context.actor, entry.context.intent.as_str()), (child(), "INT-001"));
}

#[test]
fn a_child_of_a_parent_without_an_intent_changes_nothing() {
    // D-12
    let world = World::new();
    world.prompt();
    let call = world.call_of(&child(), "write_to_file", json!({"path": "src/auth/a.rs", "content": "x"}));
    world.refuses(&call, ErrorCode::StateViolation);
    let select = world.call_of(&child(), "select_active_intent", json!({"intent_id": "INT-001"}));
    assert_eq!(refused(world.pre(&select)).code(), ErrorCode::IntentNotSelectable);
}

#[test]
fn a_child_cannot_select_outside_the_intent_of_its_parent() {
    // D-12
    let world = World::in_action();
    let select = world.call_of(&child(), "select_active_intent", json!({"intent_id": "INT-002"}));
    let error = refused(world.pre(&select));
    assert_eq!(error.code(), ErrorCode::IntentNotSelectable);
    assert_eq!(error.reason(), "a sub-agent works under its parent's intent, which is INT-001");
    world.select_as(&child(), "INT-001");
}

#[test]
fn a_child_may_take_a_part_of_the_goal_and_stays_in_both_scopes() {
    // D-12
    let world = World::in_action();
    let mut part = sample::draft("INT-003", &["src/auth/login/**", "src/web/**"]);
    part.parent = Some(sample::intent_id("INT-001"));
    world.intents.set(vec![sample::intent("INT-001", &["src/auth/**"]), Intent::new(part).unwrap()]);
    world.select_as(&child(), "INT-003");
    assert_eq!(world.state(), (State::Action, Some("INT-001".to_owned())));
    let write = |path: &str| world.call_of(&child(), "write_to_file", json!({"path": path, "content": "x"}));
    world.asks(&write("src/auth/login/a.rs"));
    let error = world.refuses(&write("src/web/a.rs"), ErrorCode::ScopeViolation);
    assert!(error.reason().contains("A sub-agent also stays inside its parent's scope: src/auth/**"));
    world.refuses(&write("src/auth/other.rs"), ErrorCode::ScopeViolation);
}

#[test]
fn a_child_keeps_to_the_scope_that_its_parent_has_now() {
    // D-12
    let world = World::in_action();
    world.read_as(&child(), JWT);
    let write = |text: &str| world.call_of(&child(), "write_to_file", json!({"path": JWT, "content": text}));
    world.asks(&write("one"));
    world.select("INT-002");
    world.refuses(&write("two"), ErrorCode::ScopeViolation);
    world.prompt();
    world.refuses(&write("three"), ErrorCode::ScopeViolation);
}

#[test]
fn what_a_child_read_is_its_own() {
    // D-12
    let world = World::in_action();
    world.read_as(&child(), JWT);
    let error = world.refuses(&world.write(JWT, "new\n"), ErrorCode::StaleFile);
    assert_eq!(error.details()["cause"], "never_read");
    let world = World::ready();
    let call = world.call_of(&child(), "write_to_file", json!({"path": JWT, "content": "new\n"}));
    assert_eq!(world.refuses(&call, ErrorCode::StaleFile).details()["cause"], "never_read");
}

#[test]
fn what_a_child_does_leaves_the_state_of_its_parent_alone() {
    // D-12
    let world = World::in_action();
    let before = world.sessions.peek(&sample::actor());
    let call = world.call_of(&child(), "write_to_file", json!({"path": "src/core/a.rs", "content": "x"}));
    world.refuses(&call, ErrorCode::ScopeViolation);
    world.read_as(&child(), JWT);
    assert_eq!(world.sessions.peek(&sample::actor()), before);
    world.read_as(&sample::child("a2"), JWT);
    assert!(world.sessions.peek(&sample::child("a2")).unwrap().blocked.is_empty());
}

#[test]
fn the_yes_of_a_child_is_not_the_yes_of_its_sibling() {
    // D-12, D-17
    let world = World::in_action();
    let write = |agent: &str| {
        world.call_of(
            &sample::child(agent),
            "write_to_file",
            json!({"path": "src/auth/a.rs", "content": "x"}),
        )
    };
    assert_ne!(world.asks(&write("a1")).id, world.asks(&write("a2")).id);
}

#[test]
fn spawning_is_safe_only_where_the_calls_of_the_child_are_hooked_too() {
    // D-05
    let world = World::new();
    for tool in ["Task", "new_task", "runSubagent"] {
        world.refuses(&world.call(tool, json!({"prompt": "go"})), ErrorCode::StateViolation);
    }
    let hooked = World::on(HostTraits { hooks_subagents: true, ..HostTraits::default() });
    hooked.passes_unasked(&hooked.call("Task", json!({"prompt": "go"})));
    hooked.classify("Task", bailiwick_domain::Classification::Destructive);
    hooked.refuses(&hooked.call("Task", json!({"prompt": "go"})), ErrorCode::StateViolation);
}

#[test]
fn req_045_two_sessions_in_one_process_hold_different_intents() {
    let world = World::in_action();
    let other = Actor::root("claude-code", "s2");
    world.select_as(&other, "INT-002");
    assert_eq!(world.state().1.as_deref(), Some("INT-001"));
    assert_eq!(world.state_of(&other).1.as_deref(), Some("INT-002"));
    world.refuses(
        &world.call_of(&other, "write_to_file", json!({"path": "src/auth/a.rs", "content": "x"})),
        ErrorCode::ScopeViolation,
    );
}

// B: the sentence names who owns nothing
#[test]
fn a_child_hears_that_its_parent_works_under_nothing_any_more() {
    let world = World::in_action();
    world.read_as(&child(), JWT);
    world.select_as(&child(), "INT-001");
    world.prompt();
    let call = world.call_of(&child(), "write_to_file", json!({"path": JWT, "content": "x"}));
    let error = world.refuses(&call, ErrorCode::ScopeViolation);
    assert!(!error.message().contains("INT-001 is not authorized"), "{}", error.message());
    assert!(error.message().contains("the session that started this sub-agent works under no intent"));
    assert!(error.message().contains(JWT) && error.suggestion().contains("Stop this task"));
}

// D-12
#[test]
fn what_became_of_the_parent_before_is_not_the_childs() {
    let world = World::ready();
    world.mutates(&world.write(JWT, "new\n"));
    let outside = world.write("src/core/a.rs", "x");
    for _ in 0..3 {
        world.refuses(&world.again(&outside), ErrorCode::ScopeViolation);
    }
    let of_child = bailiwick_domain::ToolCall { actor: child(), ..world.again(&outside) };
    world.refuses(&of_child, ErrorCode::ScopeViolation);
    let state = world.sessions.peek(&child()).unwrap();
    assert!(!state.mutated, "it has changed nothing itself");
}

// D-12, threat D3: a person lifts the halt for the session and all that works for it
#[test]
fn a_child_that_met_a_halt_works_on_once_it_is_lifted() {
    let world = World::in_action();
    let outside = world.write("src/core/a.rs", "x");
    world.refuses(&outside, ErrorCode::ScopeViolation);
    world.run(&outside);
    let params = json!({"path": "src/auth/a.rs", "content": "x"});
    let call = world.call_of(&child(), "write_to_file", params);
    world.refuses(&call, ErrorCode::Quarantined);
    pollster::block_on(world.gate.own_tools().select_by_human(&sample::actor(), "INT-001")).unwrap();
    let status = pollster::block_on(world.gate.status(&child())).unwrap();
    assert_eq!(status.actor.quarantine, None);
    world.mutates(&world.again(&call));
}
