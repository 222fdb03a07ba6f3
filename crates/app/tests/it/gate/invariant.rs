//! Row 96 as a property: whatever happens in whatever order, every ledger entry has an intent that its actor selected
//! earlier and a yes of a human that was given to it; and no file inside the root changes through the agent otherwise.

use std::collections::BTreeMap;

use bailiwick::gate::Outcome;
use bailiwick_domain::testing::sample;
use bailiwick_domain::{Action, Actor, Answer, ApprovalStatus, DecisionRecord, ToolCall, json};
use pollster::block_on;
use proptest::prelude::*;

use super::world::{World, no, yes};

const PATHS: [&str; 5] =
    ["src/auth/jwt.rs", "src/auth/new.rs", "src/billing/bill.rs", "src/core/x.rs", ".intentignore"];
const IDS: [&str; 3] = ["INT-001", "INT-002", "INT-404"];

#[derive(Clone, Debug)]
enum Event {
    Prompt,
    Select(usize, usize),
    Read(usize, usize),
    Write { actor: usize, path: usize, text: u8, answer: u8 },
    Delete { actor: usize, path: usize, answer: u8 },
    Edit { path: usize, text: u8 },
    Settle,
    Freeze,
    Thaw,
    Wait(u16),
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let (actor, path) = (0..3_usize, 0..PATHS.len());
    let event = prop_oneof![
        1 => Just(Event::Prompt),
        3 => (actor.clone(), 0..IDS.len()).prop_map(|(actor, id)| Event::Select(actor, id)),
        4 => (actor.clone(), path.clone()).prop_map(|(actor, path)| Event::Read(actor, path)),
        6 => (actor.clone(), path.clone(), 0..3_u8, 0..5_u8)
            .prop_map(|(actor, path, text, answer)| Event::Write { actor, path, text, answer }),
        2 => (actor, path.clone(), 0..5_u8).prop_map(|(actor, path, answer)| Event::Delete { actor, path, answer }),
        2 => (path, 0..3_u8).prop_map(|(path, text)| Event::Edit { path, text }),
        1 => Just(Event::Settle),
        1 => Just(Event::Freeze),
        1 => Just(Event::Thaw),
        1 => (0..700_u16).prop_map(Event::Wait),
    ];
    proptest::collection::vec(event, 1..40)
}

fn actors() -> [Actor; 3] {
    [sample::actor(), sample::child("a1"), Actor::root("codex", "s9")]
}

/// What came of one answer: 0 approves, 1 rejects, 2 waits and approves later, 3 nobody is there, 4 loses the post event.
fn act(world: &World, call: &ToolCall, answer: u8) {
    let scripted = match answer {
        0 | 4 => yes(),
        1 => no("no"),
        2 => Answer::Deferred,
        _ => Answer::Unanswered { why: "gone".to_owned() },
    };
    let unused = world.human.asked().len();
    world.will_say(scripted);
    let mut outcome = world.pre(call);
    if let Outcome::WaitForApproval(approval) = &outcome {
        outcome = world.resolve(approval, yes());
    }
    if world.human.asked().len() == unused {
        // Nobody was asked: use the prepared answer up, so that it is not there for the next call.
        let spare = world.call("spare", json!({}));
        let _ = (spare, block_on(bailiwick_domain::Approver::ask(&world.human, &dummy(), 0)));
    }
    if matches!(outcome, Outcome::Allow(_)) {
        world.execute(call);
        if answer != 4 {
            world.post(call);
        }
    }
}

fn dummy() -> bailiwick_domain::Approval {
    bailiwick_domain::Approval {
        id: bailiwick_domain::ApprovalId("ap-none".to_owned()),
        request: sample::request("none"),
        created: sample::now(),
        expires: sample::now(),
        status: ApprovalStatus::Open,
        amended: None,
    }
}

fn play(world: &World, event: &Event) {
    let who = |index: &usize| actors()[*index].clone();
    match event {
        Event::Prompt => world.prompt(),
        Event::Select(actor, id) => {
            drop(world.pre(&world.call_of(
                &who(actor),
                "select_active_intent",
                json!({"intent_id": IDS[*id]}),
            )));
        }
        Event::Read(actor, path) => {
            let call = world.call_of(&who(actor), "read_file", json!({"path": PATHS[*path]}));
            if matches!(world.pre(&call), Outcome::Allow(_)) {
                world.post(&call);
            }
        }
        Event::Write { actor, path, text, answer } => {
            let params = json!({"path": PATHS[*path], "content": format!("text {text}\n")});
            act(world, &world.call_of(&who(actor), "write_to_file", params), *answer);
        }
        Event::Delete { actor, path, answer } => {
            act(world, &world.call_of(&who(actor), "delete_file", json!({"path": PATHS[*path]})), *answer);
        }
        Event::Edit { path, text } => world.edit_outside(PATHS[*path], &format!("outside {text}\n")),
        Event::Settle => {
            for actor in actors() {
                drop(block_on(world.gate.settle(&actor)).unwrap());
            }
        }
        Event::Freeze => world.rewrite_intent(|draft| draft.frozen = true),
        Event::Thaw => world.rewrite_intent(|_| {}),
        Event::Wait(seconds) => world.clock.advance(u64::from(*seconds)),
    }
}

/// When each actor had selected which intent, by the position in the log.
fn selections(records: &[DecisionRecord]) -> BTreeMap<(Actor, String), u64> {
    let mut first = BTreeMap::new();
    for record in records.iter().filter(|record| record.tool == "select_active_intent") {
        if let (Some(id), None) = (&record.intent, record.code) {
            first.entry((record.actor.clone(), id.to_string())).or_insert(record.seq);
        }
    }
    first
}

fn check(world: &World) {
    let records = world.decisions.records();
    let selected = selections(&records);
    let mut used = Vec::new();
    for entry in world.ledger.entries() {
        let context = &entry.context;
        let allowed = records
            .iter()
            .find(|record| record.call.as_ref() == Some(&context.call) && record.action == Action::Allow)
            .unwrap_or_else(|| panic!("{entry:?} was never allowed"));
        let by = |actor: &Actor| selected.get(&(actor.clone(), context.intent.to_string()));
        // A sub-agent works under its parent's selection until it has its own.
        let mut whose = [by(&context.actor), by(&context.actor.parent())].into_iter().flatten();
        assert!(whose.any(|seq| *seq < allowed.seq), "{entry:?} has no earlier selection");
        let id = context.approval.clone().unwrap();
        assert!(!used.contains(&id), "{id:?} was used twice");
        let approval = world.approvals.all().into_iter().find(|approval| approval.id == id).unwrap();
        assert!(matches!(approval.status, ApprovalStatus::Used { .. }));
        assert_eq!(approval.request.fingerprint, context.fingerprint);
        assert_eq!(
            (approval.request.actor, approval.request.intent_id.as_ref()),
            (context.actor.clone(), Some(&context.intent))
        );
        used.push(id);
        for file in &entry.files {
            let owned = if context.intent.as_str() == "INT-001" { "src/auth/" } else { "src/billing/" };
            assert!(file.path.as_str().starts_with(owned), "{entry:?}");
        }
    }
    assert!(records.iter().enumerate().all(|(at, record)| record.seq == at as u64));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn req_096_every_entry_has_an_earlier_selection_and_its_own_yes(events in events()) {
        let world = World::new();
        for event in &events {
            play(&world, event);
        }
        check(&world);
    }
}

#[test]
fn req_096_the_property_is_not_empty() {
    let world = World::new();
    let script = [
        Event::Select(0, 0),
        Event::Write { actor: 0, path: 1, text: 0, answer: 0 },
        Event::Write { actor: 0, path: 1, text: 1, answer: 2 },
        Event::Write { actor: 1, path: 1, text: 2, answer: 0 },
        Event::Read(1, 1),
        Event::Write { actor: 1, path: 1, text: 2, answer: 4 },
        Event::Settle,
        Event::Write { actor: 0, path: 2, text: 0, answer: 0 },
    ];
    for event in &script {
        play(&world, event);
    }
    assert_eq!(world.ledger.entries().len(), 3);
    check(&world);
}
