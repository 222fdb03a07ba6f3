//! Hooks of whoever embeds the gate: rows 34, 120, 142; D-05 is not theirs to loosen.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bailiwick::gate::{Extension, Gate, HostTraits, Outcome, PostHook, PostReport, PreHook};
use bailiwick_domain::testing::memory::MemoryIntents;
use bailiwick_domain::testing::sample;
use bailiwick_domain::{ErrorCode, ToolCall, ToolError, json};

use super::world::{JWT, World, refused, yes};

type Log = Arc<Mutex<Vec<String>>>;

struct Noting {
    name: &'static str,
    log: Log,
    objects_to: Option<&'static str>,
}

#[async_trait]
impl PreHook for Noting {
    async fn before(&self, call: &ToolCall) -> Result<(), ToolError> {
        self.log.lock().unwrap().push(format!("{} {}", self.name, call.tool));
        if self.objects_to == Some(call.tool.as_str()) {
            return Err(ToolError::new(ErrorCode::ConstraintViolation, "not on a Friday"));
        }
        Ok(())
    }
}

#[async_trait]
impl PostHook for Noting {
    async fn after(&self, call: &ToolCall, report: &PostReport) {
        self.log.lock().unwrap().push(format!("{} {} {}", self.name, call.tool, report.trace_ids.len()));
    }
}

fn hook(name: &'static str, log: &Log, objects_to: Option<&'static str>) -> Arc<Noting> {
    Arc::new(Noting { name, log: Arc::clone(log), objects_to })
}

fn taken(log: &Log) -> Vec<String> {
    std::mem::take(&mut *log.lock().unwrap())
}

#[test]
fn req_120_custom_hooks_run_in_their_order_before_and_after() {
    // REQ 142
    let log = Log::default();
    let extensions = vec![
        Extension::Pre(10, hook("late", &log, None)),
        Extension::Post(5, hook("after-2", &log, None)),
        Extension::Pre(-1, hook("early", &log, None)),
        Extension::Pre(10, hook("late-too", &log, None)),
        Extension::Post(1, hook("after-1", &log, None)),
    ];
    let world = World::of(HostTraits::default(), extensions);
    world.read(JWT);
    let expected = [
        "early read_file",
        "late read_file",
        "late-too read_file",
        "after-1 read_file 0",
        "after-2 read_file 0",
    ];
    assert_eq!(taken(&log), expected);
}

#[test]
fn req_120_a_custom_hook_can_refuse_what_the_rules_let_through() {
    let log = Log::default();
    let world =
        World::of(HostTraits::default(), vec![Extension::Pre(0, hook("h", &log, Some("write_to_file")))]);
    world.select("INT-001");
    let error = world.refuses(&world.write("src/auth/a.rs", "x"), ErrorCode::ConstraintViolation);
    assert_eq!(error.message(), "not on a Friday");
    world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
}

#[test]
fn req_120_a_custom_hook_cannot_let_through_what_the_rules_refuse() {
    let log = Log::default();
    let world = World::of(HostTraits::default(), vec![Extension::Pre(0, hook("h", &log, None))]);
    world.refuses(&world.write("src/auth/a.rs", "x"), ErrorCode::StateViolation);
    assert!(taken(&log).is_empty());
    world.select("INT-001");
    world.asks(&world.write("src/auth/a.rs", "x"));
}

#[test]
fn req_120_custom_hooks_are_asked_again_after_the_yes() {
    // K-09
    let log = Log::default();
    let world = World::of(HostTraits::default(), vec![Extension::Pre(0, hook("h", &log, None))]);
    world.select("INT-001");
    let approval = world.asks(&world.write("src/auth/a.rs", "x"));
    assert_eq!(taken(&log).len(), 1);
    assert!(matches!(world.resolve(&approval, yes()), Outcome::Allow(_)));
    assert_eq!(taken(&log).len(), 1);
}

#[test]
fn req_120_a_hook_after_the_call_sees_what_was_recorded() {
    let log = Log::default();
    let world = World::of(HostTraits::default(), vec![Extension::Post(0, hook("after", &log, None))]);
    world.select("INT-001");
    world.mutates(&world.write("src/auth/a.rs", "x"));
    assert_eq!(taken(&log), ["after write_to_file 1"]);
}

#[test]
fn a_refusal_by_a_custom_hook_counts_for_the_loop() {
    let log = Log::default();
    let world =
        World::of(HostTraits::default(), vec![Extension::Pre(0, hook("h", &log, Some("write_to_file")))]);
    world.select("INT-001");
    let call = world.write("src/auth/a.rs", "x");
    for _ in 0..5 {
        let error = refused(world.pre(&world.again(&call)));
        assert!(matches!(error.code(), ErrorCode::ConstraintViolation | ErrorCode::LoopDetected));
    }
}

#[test]
fn req_034_the_gate_is_a_library_type_and_each_port_is_swapped_alone() {
    let (gate, memory) = Gate::in_memory();
    let mut ports = gate.ports().clone();
    ports.rules.intents = Arc::new(MemoryIntents::new(vec![sample::intent("INT-007", &["src/**"])]));
    let swapped = Gate::over(ports);
    let listed = |gate: &Gate| pollster::block_on(gate.own_tools().list_intents()).unwrap();
    assert!(!listed(&gate).contains("INT-007"));
    assert!(listed(&swapped).contains("INT-007"));
    memory.intents.set(vec![sample::intent("INT-008", &["src/**"])]);
    assert!(listed(&gate).contains("INT-008"), "what is behind a port is shared");
}
