//! Post events that nothing waits for (D-34), calls that could not be decided, and calls whose hook was killed on the way
//! (A16): what stands in the log, what is recorded, and who is halted.

use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Action, ApprovalQueue, Classification, CommandReading, ErrorCode, NeverRead, Pause, PendingStore,
    ToolCall, json,
};
use pollster::block_on;

use super::world::{HUMAN, JWT, World, broken, command, refused};

const NEW: &str = "src/auth/new.rs";

/// A session that the gate saw begin.
fn begun() -> World {
    let world = World::new();
    block_on(world.gate.session_started(&sample::actor(), None)).unwrap();
    world.prompt();
    world.select("INT-001");
    world.read(JWT);
    world
}

fn halted(world: &World) -> Option<String> {
    world.sessions.peek(&sample::actor()).unwrap().quarantine
}

/// The event of a call is in the log, nothing is recorded, and nobody is halted.
fn is_logged_only(world: &World, call: &ToolCall, entries: usize) {
    assert_eq!(halted(world), None);
    assert!(!world.actions_of(call).contains(&Action::Drift));
    assert_eq!(world.ledger.entries().len(), entries);
    let last = world.last_record(call);
    assert_eq!(last.note, "the host told of its end, and nothing waits for it");
    assert!(last.paths.is_empty() && last.left.is_empty());
}

// A11, D-34, threat D3
#[test]
fn a_post_event_of_a_call_that_the_gate_never_saw_halts_the_session_and_is_drift() {
    let world = begun();
    let call = world.write(NEW, "x\n");
    world.run(&call);
    assert_eq!(halted(&world).as_deref(), Some("the host ran write_to_file without asking the gate"));
    let record = world.last_record(&call);
    assert_eq!((record.action, record.paths), (Action::Drift, vec![NEW.to_owned()]));
    assert!(record.left.is_empty() && world.ledger.entries().is_empty(), "attributed to nobody");
    world.refuses(&world.write("src/auth/b.rs", "x"), ErrorCode::Quarantined);
    let child = sample::child("a1");
    let call = world.call_of(&child, "write_to_file", json!({"path": "src/auth/c.rs", "content": "x"}));
    world.refuses(&call, ErrorCode::Quarantined);
}

// A11, D-34
#[test]
fn the_same_of_a_sub_agent_and_of_a_command() {
    let world = begun();
    let child = sample::child("a1");
    world.run(&world.call_of(&child, "write_to_file", json!({"path": NEW, "content": "x"})));
    assert!(halted(&world).is_some());
    let world = begun();
    world.post(&command(&world, "make install"));
    assert!(halted(&world).is_some());
}

// D-34: a hook that was installed in the middle of the session
#[test]
fn a_session_that_the_gate_did_not_see_begin_is_not_halted() {
    let world = World::ready();
    let call = world.write(NEW, "x\n");
    world.run(&call);
    is_logged_only(&world, &call, 0);
}

// D-34: two installed hooks, a late event of a settled call, a failed run, an id that a door made up
#[test]
fn honest_events_that_nothing_waits_for_are_logged_only() {
    let world = begun();
    let call = world.write(NEW, "x\n");
    world.mutates(&call);
    world.post(&call);
    is_logged_only(&world, &call, 1);

    let world = begun();
    let call = world.write(NEW, "x\n");
    world.passes_by_yes(&call);
    world.execute(&call);
    block_on(world.gate.settle(&sample::actor())).unwrap();
    world.post(&call);
    is_logged_only(&world, &call, 1);

    let world = begun();
    let call = world.write(NEW, "x\n");
    world.post_failed(&call);
    is_logged_only(&world, &call, 0);

    let world = begun();
    let made_up = bailiwick_domain::CallId("made-up-1".to_owned());
    let call = ToolCall { id: made_up, ..world.write(NEW, "x\n") };
    world.post(&call);
    is_logged_only(&world, &call, 0);
}

// D-34: only what changes something can go past the gate
#[test]
fn the_event_of_a_read_or_of_an_own_tool_is_no_line_of_its_own_and_halts_nobody() {
    let world = begun();
    let shell = "bailiwick tool current_intent";
    let (name, params) = ("current_intent".to_owned(), serde_json::Map::new());
    world.commands.insert(shell, CommandReading::OwnTool { folder: None, name, params });
    let read = |path: &str| world.call("read_file", json!({"path": path}));
    for call in [read(JWT), read("README.md"), world.call("list_intents", json!({})), command(&world, shell)]
    {
        world.post(&call);
        assert_eq!(halted(&world), None, "{} {:?}", call.tool, call.params);
        assert!(world.records_of(&call).is_empty(), "{} {:?}", call.tool, call.params);
    }
}

// D-34, D-07
#[test]
fn what_ran_in_a_pause_is_not_held_against_anybody() {
    let world = World::new();
    block_on(world.gate.session_started(&sample::actor(), None)).unwrap();
    let (from, until) = (world.now(), world.now().plus_seconds(60));
    world.pauses.set(Some(Pause { from, until, by: HUMAN.to_owned() }));
    let call = world.write(NEW, "x\n");
    drop(world.pre(&call));
    world.pauses.set(None);
    world.run(&call);
    is_logged_only(&world, &call, 0);
}

// D-34: a call that was safe before it ran is none that went past the gate
#[test]
fn a_call_that_is_judged_otherwise_after_it_ran_is_known_by_its_id() {
    let world = begun();
    world.classify("Peek", Classification::Safe);
    let call = world.call("Peek", json!({}));
    world.passes_unasked(&call);
    world.classify("Peek", Classification::Destructive);
    world.post(&call);
    is_logged_only(&world, &call, 0);
}

// A11
#[test]
fn a_call_that_could_not_be_decided_is_in_the_log() {
    let faults: [fn(&World); 3] = [
        |world| world.ledger.fail(Some(broken())),
        |world| world.pendings.fail(Some(broken())),
        |world| world.approvals.fail(Some(broken())),
    ];
    for fault in faults {
        let world = begun();
        let call = world.write(NEW, "x\n");
        world.will_say(super::world::yes());
        fault(&world);
        let error = refused(world.pre(&call));
        let record = world.last_record(&call);
        assert_eq!((record.action, record.code), (Action::Block, Some(error.code())), "{record:?}");
    }
}

/// What a hook leaves that is killed between keeping the call and using the yes.
fn killed_before_the_yes_was_used(world: &World, call: &ToolCall) {
    let open = world.asks(call);
    block_on(world.approvals.answer(&open.id, &super::world::yes(), world.now())).unwrap();
    let approvals = world.approvals.all();
    assert!(matches!(world.pre(call), bailiwick::gate::Outcome::Allow(_)));
    for approval in approvals {
        world.approvals.leave(approval);
    }
}

// A16, K-24: the kept call of a killed hook and its retry are one write
#[test]
fn a_hook_that_was_killed_before_it_used_the_yes_leaves_one_entry() {
    let world = begun();
    let call = world.write(NEW, "x\n");
    killed_before_the_yes_was_used(&world, &call);
    let retry = world.again(&call);
    assert!(matches!(world.pre(&retry), bailiwick::gate::Outcome::Allow(_)), "the yes still counts");
    assert_eq!(world.run(&retry).trace_ids.len(), 1);
    assert_eq!(block_on(world.pendings.list(&sample::actor())).unwrap().len(), 1, "what was left");
    block_on(world.gate.settle(&sample::actor())).unwrap();
    assert_eq!(world.ledger.entries().len(), 1);
    assert!(!world.actions_of(&call).contains(&Action::Drift));
    assert!(world.last_record(&call).note.starts_with("not executed"));
}

// A16, K-24: nor does a later change of the same file become its drift
#[test]
fn what_a_later_call_made_of_the_file_is_not_held_against_the_killed_one() {
    let world = begun();
    let call = world.write(NEW, "x\n");
    killed_before_the_yes_was_used(&world, &call);
    let retry = world.again(&call);
    assert!(matches!(world.pre(&retry), bailiwick::gate::Outcome::Allow(_)));
    world.run(&retry);
    world.mutates(&world.write(NEW, "y\n"));
    block_on(world.gate.settle(&sample::actor())).unwrap();
    assert_eq!(world.ledger.entries().len(), 2);
    assert!(!world.actions_of(&call).contains(&Action::Drift));
}

// A16, D-17: beside somebody who writes all the time
#[test]
fn the_diff_that_is_shown_is_the_one_that_the_fingerprint_binds() {
    let texts: Vec<String> = (0..7).map(|number| format!("line {number}\n")).collect();
    let asked = |prepare: &dyn Fn(&World)| {
        let world = World::in_action();
        world.settings(|settings| settings.never_read = NeverRead::Allow);
        prepare(&world);
        let request = world.asks_what(&world.write(JWT, "new\n"));
        (request.diff_preview, request.fingerprint)
    };
    let still: Vec<_> = texts.iter().map(|text| asked(&|world| world.edit_outside(JWT, text))).collect();
    for first in 0..texts.len() {
        let mut contents: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
        contents.rotate_left(first);
        let found = asked(&|world| world.files.flicker(&sample::path(JWT), contents.clone()));
        assert!(still.contains(&found), "{}", found.0);
    }
}

// D-39: what a server could not start
#[test]
fn a_call_that_was_never_begun_is_logged_as_that_and_nothing_waits_for_it() {
    let world = World::ready();
    for call in [command(&world, "make all"), world.write(JWT, "x\n")] {
        world.passes_by_yes(&call);
        block_on(world.gate.recording().not_run(&call)).unwrap();
        assert_eq!(world.last_record(&call).note, "never begun");
        assert!(block_on(world.pendings.list(&call.actor)).unwrap().is_empty());
    }
    assert!(world.ledger.entries().is_empty());
}
