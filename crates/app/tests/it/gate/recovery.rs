//! An agent that reads nothing but the JSON of a refusal finds another way: rows 8, 20, 21, 42; K-06.

use bailiwick::gate::Outcome;
use bailiwick_domain::{Answer, ErrorCode, ToolCall, ToolError, Value, json};

use super::world::{BILLING, JWT, JWT_TEXT, World, no, yes};

/// What such an agent does next, from the wire alone: the calls to make before the goal is tried again, or another goal.
fn next_step(world: &World, goal: &ToolCall, wire: &str) -> Option<(Vec<ToolCall>, ToolCall)> {
    let error: Value = serde_json::from_str(wire).unwrap();
    let details = &error["details"];
    let again = || world.again(goal);
    let first = |key: &str| details[key][0].as_str().map(str::to_owned);
    let select = |id: String| world.call("select_active_intent", json!({ "intent_id": id }));
    let read = |path: String| world.call("read_file", json!({ "path": path }));
    match error["code"].as_str()? {
        "STATE_VIOLATION" | "INTENT_NOT_FOUND" | "INTENT_NOT_SELECTABLE" => {
            Some((vec![select(first("selectable")?)], again()))
        }
        "STALE_FILE" => Some((vec![read(details["path"].as_str()?.to_owned())], again())),
        "SCOPE_VIOLATION" => {
            let inside = first("scope")?.replace("**", "note.md");
            Some((Vec::new(), world.write(&inside, "Please change the other file.\n")))
        }
        "DESTRUCTIVE_ACTION_REJECTED" => {
            assert_eq!(details["retry"], json!({"same_call": false, "alternative": true}));
            Some((Vec::new(), world.write("src/auth/other.rs", details["feedback"].as_str()?)))
        }
        "MALFORMED_CALL" => Some((Vec::new(), world.write("src/auth/other.rs", "x\n"))),
        "APPROVAL_PENDING" => Some((Vec::new(), again())),
        _ => None,
    }
}

/// Plays until a mutation is let through; the codes that were met on the way.
fn recover(world: &World, goal: ToolCall) -> Vec<String> {
    let (mut goal, mut met) = (goal, Vec::new());
    for _ in 0..6 {
        let outcome = world.pre(&goal);
        let Outcome::Block(error) = outcome else {
            assert!(matches!(outcome, Outcome::Allow(_)), "{outcome:?}");
            return met;
        };
        let wire = error.to_json();
        assert_eq!(ToolError::from_text(&wire).as_ref(), Some(&*error));
        met.push(error.code().as_str().to_owned());
        let (before, next) =
            next_step(world, &goal, &wire).unwrap_or_else(|| panic!("no way on from {wire}"));
        for call in before {
            assert!(matches!(world.pre(&call), Outcome::Allow(_)), "{}", call.tool);
            world.post(&call);
        }
        goal = next;
    }
    panic!("went round in circles: {met:?}")
}

#[test]
fn req_020_req_021_from_nothing_to_an_approved_write_by_the_errors_alone() {
    // REQ 8, REQ 42: each error is parsed back from its JSON on the way
    let world = World::new();
    world.prompt();
    world.will_say(no("write a new file instead\n"));
    world.will_say(yes());
    let met = recover(&world, world.write(JWT, "new\n"));
    assert_eq!(met, ["STATE_VIOLATION", "STALE_FILE", "DESTRUCTIVE_ACTION_REJECTED"]);
    assert_eq!(world.text(JWT), JWT_TEXT);
}

#[test]
fn req_021_out_of_scope_the_agent_does_what_the_scope_allows() {
    let world = World::in_action();
    world.will_say(yes());
    assert_eq!(recover(&world, world.write(BILLING, "x")), ["SCOPE_VIOLATION"]);
}

#[test]
fn req_021_when_the_intent_is_closed_another_one_is_named() {
    let world = World::ready();
    world.rewrite_intent(|draft| draft.status = bailiwick_domain::IntentStatus::Completed);
    world.will_say(yes());
    let met = recover(&world, world.write("src/billing/new.rs", "x"));
    assert_eq!(met, [ErrorCode::IntentNotSelectable.as_str()]);
}

#[test]
fn req_021_when_nobody_is_there_the_same_call_is_tried_again() {
    let world = World::ready();
    world.will_say(Answer::Unanswered { why: "lunch".to_owned() });
    world.will_say(yes());
    assert_eq!(recover(&world, world.write(JWT, "new\n")), ["APPROVAL_PENDING"]);
}

#[test]
fn req_021_a_call_that_was_not_understood_is_made_properly() {
    let world = World::ready();
    world.will_say(yes());
    assert_eq!(recover(&world, world.call("write_to_file", json!({"path": JWT}))), ["MALFORMED_CALL"]);
}
