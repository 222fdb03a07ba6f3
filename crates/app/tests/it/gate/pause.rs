//! The human's off switch (D-07): what goes through, what stays closed, what is written down, and that it ends.

use bailiwick::gate::{Because, Outcome};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Action, Change, Classification, ErrorCode, Health, HealthFault, Pause, ToolCall, Value, json,
};
use pollster::block_on;
use proptest::prelude::*;

use super::world::{BILLING, JWT, World, broken, refused};

impl World {
    fn paused(self) -> (Self, Pause) {
        let pause = Pause::new("ada", self.now(), 900);
        self.pauses.set(Some(pause.clone()));
        (self, pause)
    }

    fn overwrites(&self, path: &str) -> ToolCall {
        self.call("write_to_file", json!({"path": path, "content": "fn new() {}\n"}))
    }

    #[track_caller]
    fn passes_paused(&self, call: &ToolCall, pause: &Pause) {
        let asked = (self.human.asked().len(), self.approvals.all().len());
        assert_eq!(
            self.pre(call),
            Outcome::Allow(Because::Paused(pause.clone())),
            "{} {:?}",
            call.tool,
            call.params
        );
        assert_eq!((self.human.asked().len(), self.approvals.all().len()), asked, "nobody is asked");
        let record = self.last_record(call);
        assert_eq!(record.action, Action::Paused);
        assert!(record.note.contains("paused by ada"), "{}", record.note);
    }
}

// D-07
#[test]
fn in_a_pause_nothing_is_asked_and_the_change_is_in_the_ledger_as_paused() {
    let (world, pause) = World::ready().paused();
    let call = world.overwrites(JWT);
    world.passes_paused(&call, &pause);
    assert_eq!(world.run(&call).trace_ids.len(), 1);
    let context = world.ledger.entries().pop().unwrap().context;
    assert_eq!(context.approval.map(|id| id.0).as_deref(), Some(Pause::MARK));
    assert_eq!((context.approved_by, context.scope_override), (None, false));
    assert_eq!(world.last_record(&call).action, Action::Recorded);
}

// D-07, D-21: a pause lets through what is too big to be shown; the ledger knows it by its hashes, and claims no line
#[test]
fn what_is_too_big_to_be_looked_into_is_recorded_by_its_hashes() {
    type Changes = &'static [(&'static str, Change)];
    const BIG: &str = "src/auth/big.bin";
    let big = "x".repeat((4 << 20) + 1);
    let cases: [(&str, Value, bool, Changes); 4] = [
        ("write_to_file", json!({"path": BIG, "content": "small\n"}), true, &[(BIG, Change::Modified)]),
        ("write_to_file", json!({"path": BIG, "content": big}), false, &[(BIG, Change::Created)]),
        ("delete_file", json!({"path": BIG}), true, &[(BIG, Change::Deleted)]),
        (
            "move_file",
            json!({"from": BIG, "to": "src/auth/b.bin"}),
            true,
            &[(BIG, Change::Deleted), ("src/auth/b.bin", Change::Created)],
        ),
    ];
    for (tool, params, was_there, changes) in cases {
        let world = World::ready();
        if was_there {
            world.edit_outside(BIG, &big);
            world.read(BIG);
        }
        let (world, pause) = world.paused();
        let call = world.call(tool, params);
        world.passes_paused(&call, &pause);
        world.execute(&call);
        // The event of the call never comes: what was foreseen is recorded, and nothing is drift.
        block_on(world.gate.settle(&sample::actor())).unwrap();
        let entry = world.ledger.entries().pop().unwrap_or_else(|| panic!("{tool}: {changes:?}"));
        let found: Vec<_> = entry.files.iter().map(|file| (file.path.as_str(), file.change)).collect();
        assert_eq!(found, changes, "{tool}");
        assert!(entry.files.iter().all(|file| file.binary && file.ranges.is_empty()), "{tool}: {entry:?}");
        assert!(!world.actions_of(&call).contains(&Action::Drift), "{tool}");
    }
}

// D-07
#[test]
fn what_would_be_refused_is_logged_with_its_code() {
    let (world, pause) = World::ready().paused();
    let outside = world.overwrites(BILLING);
    world.passes_paused(&outside, &pause);
    assert_eq!(world.last_record(&outside).code, Some(ErrorCode::ScopeViolation));
    world.run(&outside);
    let entry = world.ledger.entries().pop().unwrap();
    assert!(entry.context.scope_override, "a change outside of the scope says so");

    let (world, pause) = World::new().paused();
    let early = world.overwrites(JWT);
    world.passes_paused(&early, &pause);
    let record = world.last_record(&early);
    assert_eq!((record.code, record.paths), (Some(ErrorCode::StateViolation), vec![JWT.to_owned()]));
    world.run(&early);
    assert!(world.ledger.entries().is_empty(), "without an intent there is nothing to attribute it to");
}

// D-07, D-13, D-16
#[test]
fn protected_paths_and_secrets_stay_closed() {
    let (world, _) = World::ready().paused();
    for path in
        [".orchestration/config.yaml", ".git/bailiwick/pause.json", ".claude/settings.json", ".mcp.json"]
    {
        assert_eq!(refused(world.pre(&world.overwrites(path))).code(), ErrorCode::ProtectedPath, "{path}");
    }
    let secret = world.call("read_file", json!({"path": ".env"}));
    assert_eq!(refused(world.pre(&secret)).code(), ErrorCode::ProtectedPath);
    let blind = world.call("write_to_file", json!({"content": "x"}));
    assert_eq!(refused(world.pre(&blind)).code(), ErrorCode::MalformedCall);
}

// D-07
#[test]
fn a_broken_store_and_a_broken_ledger_are_reasons_to_pause() {
    let (world, pause) = World::ready().paused();
    world.policy.set_health(Health::Broken(HealthFault::Missing("it".to_owned())));
    world.passes_paused(&world.overwrites(JWT), &pause);
    world.policy.set_health(Health::Ok);
    world.pendings.fail(Some(broken()));
    let call = world.overwrites(JWT);
    world.passes_paused(&call, &pause);
    assert!(world.last_record(&call).note.contains("not for the ledger"));
}

// D-07: fail closed
#[test]
fn what_cannot_be_logged_does_not_pass() {
    let (world, _) = World::ready().paused();
    world.decisions.fail(Some(broken()));
    let call = world.overwrites(JWT);
    assert_eq!(refused(world.pre(&call)).code(), ErrorCode::LedgerUnavailable);
    world.decisions.fail(None);
    assert!(world.pendings.calls().is_empty(), "nothing is left that could count as let through");
}

// D-07
#[test]
fn a_pause_ends_by_itself_and_its_end_is_logged_once() {
    let (world, pause) = World::ready().paused();
    world.clock.advance(899);
    world.passes_paused(&world.overwrites(JWT), &pause);
    world.clock.advance(1);
    for _ in 0..2 {
        world.asks(&world.call("write_to_file", json!({"path": JWT, "content": format!("{}", world.now())})));
    }
    let ends = world.decisions.records().into_iter().filter(|record| record.note.contains("is over")).count();
    assert_eq!(ends, 1);
}

// D-07, D-17
#[test]
fn a_call_that_passed_in_a_pause_does_not_pass_again_after_it() {
    let (world, pause) = World::ready().paused();
    let call = world.overwrites(JWT);
    world.passes_paused(&call, &pause);
    world.pauses.set(None);
    world.asks(&call);
}

// D-07, threat D3
#[test]
fn a_call_that_waited_and_passed_in_a_pause_halts_nothing() {
    let world = World::ready();
    let call = world.overwrites(JWT);
    world.asks(&call);
    let (world, pause) = world.paused();
    world.passes_paused(&call, &pause);
    world.run(&call);
    assert_eq!(block_on(world.gate.status(&sample::actor())).unwrap().actor.quarantine, None);
}

fn any_call() -> impl Strategy<Value = (&'static str, Value)> {
    let path = prop_oneof![
        Just(JWT),
        Just(BILLING),
        Just("x"),
        Just(".intentignore"),
        Just("a/.git/config"),
        Just(".env"),
        Just("../out"),
        Just(".orchestration/active_intents.yaml"),
        Just(".CLAUDE/settings.json"),
    ];
    prop_oneof![
        path.clone().prop_map(|path| ("write_to_file", json!({"path": path, "content": "n\n"}))),
        path.clone().prop_map(|path| ("delete_file", json!({"path": path}))),
        path.clone().prop_map(|path| ("move_file", json!({"from": JWT, "to": path}))),
        path.prop_map(|path| ("read_file", json!({"path": path}))),
        Just(("execute_command", json!({"command": "make"}))),
        Just(("never_heard_of_it", json!({"path": JWT}))),
    ]
}

proptest! {
    // D-07, D-13: a pause opens everything but what it says, and never answers a question.
    #[test]
    fn every_call_of_a_pause_is_written_down_and_protected_paths_stay(calls in proptest::collection::vec(any_call(), 1..8)) {
        let (world, _) = World::ready().paused();
        for (tool, params) in calls {
            let call = world.call(tool, params);
            let before = world.decisions.records().len();
            let outcome = world.pre(&call);
            prop_assert_eq!(world.decisions.records().len(), before + 1);
            let text = call.params.values().filter_map(Value::as_str).collect::<Vec<_>>().join(" ").to_lowercase();
            let guarded = [".git", ".intentignore", ".orchestration", ".claude", ".env"];
            match outcome {
                Outcome::Allow(Because::Safe) => prop_assert_eq!(world.last_record(&call).class, Some(Classification::Safe)),
                Outcome::Allow(Because::Paused(_)) => {
                    let read_env = tool != "read_file" && text.contains(".env");
                    prop_assert!(read_env || !guarded.iter().any(|name| text.contains(name)), "{}", text);
                }
                Outcome::Block(error) => prop_assert_eq!(error.code(), ErrorCode::ProtectedPath),
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }
}
