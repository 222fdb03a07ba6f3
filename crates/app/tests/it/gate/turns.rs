//! The end of a turn: all of its changes taken together (REQ-TRACE-004), told once, never at the cost of a call.

use bailiwick::gate::TurnReport;
use bailiwick_domain::testing::sample;
use bailiwick_domain::{Actor, DecisionRecord, MutationMethod, TurnMeaning, json};
use pollster::block_on;

use super::world::{JWT, JWT_TEXT, World, broken};

const NEW: &str = "src/auth/new.rs";

fn turn_over(world: &World) -> TurnReport {
    block_on(world.gate.turn_over(&sample::actor())).unwrap()
}

fn told(world: &World) -> Vec<TurnMeaning> {
    let turns = world.decisions.records().into_iter().filter_map(|record: DecisionRecord| record.turn);
    turns.map(|turn| *turn).collect()
}

// REQ 165: two evolutions, and nothing evolved.
#[test]
fn what_one_call_does_and_another_takes_back_is_a_refactor_as_a_whole() {
    let world = World::ready();
    let one = world.mutates(&world.write(JWT, "fn check() {}\n"));
    let two = world.mutates(&world.write(JWT, &format!("\n{JWT_TEXT}")));
    assert!(
        world.ledger.entries().iter().all(|entry| !entry.context.mutation.as_ref().unwrap().is_refactor())
    );
    let report = turn_over(&world);
    assert!(report.evolved && report.mutation.as_ref().unwrap().is_refactor(), "{report:?}");
    let told = told(&world);
    assert_eq!((told.len(), &told[0].entries), (1, &vec![one.id, two.id]));
    assert_eq!(told[0].mutation, report.mutation.unwrap());
    assert_eq!(world.ledger.entries().len(), 2, "D-22: one line for each write");
}

#[test]
fn a_turn_is_told_once_and_again_only_when_it_went_on() {
    let world = World::ready();
    world.mutates(&world.write(JWT, "1\n"));
    world.mutates(&world.write(NEW, "1\n"));
    assert!(turn_over(&world).mutation.is_some());
    assert_eq!(turn_over(&world), TurnReport::default());
    world.mutates(&world.write(NEW, "2\n"));
    assert!(turn_over(&world).evolved);
    let told = told(&world);
    assert_eq!(told.iter().map(|turn| turn.entries.len()).collect::<Vec<_>>(), [2, 3]);
    world.prompt();
    assert_eq!(turn_over(&world), TurnReport::default(), "the next turn begins with nothing");
}

#[test]
fn one_call_is_its_own_turn_and_a_turn_without_changes_is_none() {
    let world = World::ready();
    assert_eq!(turn_over(&world), TurnReport::default());
    world.mutates(&world.write(JWT, &format!("\n{JWT_TEXT}")));
    assert_eq!(turn_over(&world), TurnReport { evolved: false, mutation: None });
    assert!(told(&world).is_empty());
}

// REQ 165: what something else did in between proves nothing for the turn.
#[test]
fn a_file_that_changed_between_two_calls_of_the_turn_is_no_proof() {
    let world = World::ready();
    world.mutates(&world.write(JWT, &format!("\n{JWT_TEXT}")));
    world.edit_outside(JWT, JWT_TEXT);
    world.read(JWT);
    world.mutates(&world.write(JWT, &format!("\n\n{JWT_TEXT}")));
    let mutation = turn_over(&world).mutation.unwrap();
    assert_eq!(mutation.in_a_line(), "INTENT_EVOLUTION: something else changed the file during the turn");
}

#[test]
fn a_file_that_is_not_as_the_turn_left_it_is_no_proof() {
    let world = World::ready();
    world.mutates(&world.write(JWT, &format!("\n{JWT_TEXT}")));
    world.mutates(&world.write(JWT, &format!("\n\n{JWT_TEXT}")));
    world.edit_outside(JWT, "fn other() {}\n");
    let mutation = turn_over(&world).mutation.unwrap();
    assert!(!mutation.is_refactor());
    assert!(mutation.in_a_line().contains("version of the file is gone"), "{mutation:?}");
}

#[test]
fn files_that_are_too_big_together_are_no_proof() {
    let world = World::ready();
    let line = format!("// {}\n", "x ".repeat(1 << 15));
    let big = format!("{JWT_TEXT}{}", line.repeat(46));
    world.mutates(&world.write(JWT, &big));
    world.mutates(&world.write(NEW, &big));
    world.mutates(&world.write("src/auth/other.rs", &big));
    assert_eq!(turn_over(&world).mutation.unwrap().method, MutationMethod::Limit);
}

// D-12: a sub-agent works for the turn of its session, and its own stop ends none.
#[test]
fn the_calls_of_sub_agents_belong_to_the_turn_of_their_session() {
    let world = World::ready();
    let child = Actor { agent: Some("a1".to_owned()), ..sample::actor() };
    world.select_as(&child, "INT-001");
    world.mutates(&world.write(JWT, &format!("\n{JWT_TEXT}")));
    world.mutates(&world.call_of(&child, "write_to_file", json!({"path": NEW, "content": "1\n"})));
    assert_eq!(block_on(world.gate.turn_over(&child)).unwrap(), TurnReport::default());
    assert!(turn_over(&world).mutation.is_some());
    assert_eq!(told(&world)[0].entries.len(), 2);
}

#[test]
fn a_turn_that_cannot_be_told_of_loses_no_entry_and_is_told_later() {
    let world = World::ready();
    world.mutates(&world.write(JWT, "1\n"));
    world.mutates(&world.write(NEW, "1\n"));
    world.ledger.fail(Some(broken()));
    assert!(block_on(world.gate.turn_over(&sample::actor())).is_err());
    world.ledger.fail(None);
    assert!(turn_over(&world).mutation.is_some());
    assert_eq!(world.ledger.entries().len(), 2);
}
