//! Files that version control moves or a human takes back: explained, never accused, and read again before they are
//! written (D-09, D-10).

use bailiwick::gate::Outcome;
use bailiwick_domain::testing::sample;
use bailiwick_domain::{Action, Answer, DecisionRecord, ErrorCode, ToolCall, ToolResult, json};
use pollster::block_on;

use super::world::{JWT, JWT_TEXT, World};

const OTHER: &str = "fn other_branch() {}\n";

fn lines(world: &World, action: Action) -> Vec<DecisionRecord> {
    world.decisions.records().into_iter().filter(|record| record.action == action).collect()
}

#[track_caller]
fn stale(world: &World, call: &ToolCall, cause: &str) -> String {
    let error = world.refuses(call, ErrorCode::StaleFile);
    assert_eq!(error.details()["cause"], cause);
    error.reason().to_owned()
}

/// A call that was handed to the host's own prompt; whether it ran is not known.
fn handed_over(world: &World, call: &ToolCall) {
    world.will_say(Answer::AskHost);
    assert!(matches!(world.pre(call), Outcome::AskHost(_)));
}

fn settle(world: &World) -> usize {
    let reports = block_on(world.gate.settle(&sample::actor())).unwrap();
    assert!(world.pendings.calls().is_empty());
    reports.iter().map(|report| report.trace_ids.len()).sum()
}

// D-10
#[test]
fn what_version_control_put_there_is_read_again_and_told_as_that() {
    let world = World::ready();
    world.moved(JWT, OTHER);
    let call = world.write(JWT, "new\n");
    assert!(stale(&world, &call, "imported").starts_with("Version control changed src/auth/jwt.rs"));
    let [line] = lines(&world, Action::Imported).try_into().unwrap();
    assert_eq!((line.paths, line.code), (vec![JWT.to_owned()], None));
    stale(&world, &world.again(&call), "imported");
    assert_eq!(lines(&world, Action::Imported).len(), 1, "one movement, one line");
    world.read(JWT);
    world.mutates(&world.again(&call));
    assert!(lines(&world, Action::Drift).is_empty());
}

// D-10: an explanation is no permission
#[test]
fn what_version_control_put_there_is_as_stale_as_anything_else() {
    for text in [OTHER, "theirs\n"] {
        let world = World::ready();
        world.edit_outside(JWT, text);
        if text == OTHER {
            world.vcs.keep(text.as_bytes());
        }
        for call in [world.write(JWT, "x"), world.call("delete_file", json!({"path": JWT}))] {
            world.refuses(&call, ErrorCode::StaleFile);
        }
        assert_eq!(world.text(JWT), text);
    }
}

// D-10, D-09
#[test]
fn a_quoted_edit_needs_only_its_match_after_a_movement() {
    let world = World::ready();
    world.moved(JWT, "// rebased\nfn sign() {}\n");
    let edit = json!({"path": JWT, "old_string": "fn sign() {}", "new_string": "fn seal() {}"});
    world.mutates(&world.call("edit_file", edit));
    assert_eq!(lines(&world, Action::Imported).len(), 1);
}

// D-10, D-21: the prediction comes first
#[test]
fn a_call_whose_prediction_came_true_is_recorded_although_version_control_keeps_it_too() {
    let world = World::ready();
    let call = world.write(JWT, OTHER);
    handed_over(&world, &call);
    world.moved(JWT, OTHER);
    assert_eq!(settle(&world), 1);
    assert!(lines(&world, Action::Imported).is_empty());
}

// D-10, D-21
#[test]
fn a_call_that_never_ran_before_a_branch_switch_leaves_no_accusation() {
    let world = World::ready();
    handed_over(&world, &world.write(JWT, "new\n"));
    world.moved(JWT, OTHER);
    assert_eq!(settle(&world), 0);
    assert_eq!((lines(&world, Action::Imported).len(), lines(&world, Action::Drift).len()), (1, 0));
}

// D-10
#[test]
fn files_that_a_branch_has_or_lacks_are_movements_too() {
    let world = World::ready();
    handed_over(&world, &world.write("src/auth/new.rs", "mine\n"));
    world.moved("src/auth/new.rs", OTHER);
    settle(&world);
    handed_over(&world, &world.write(JWT, "mine\n"));
    world.vcs.keep(JWT_TEXT.as_bytes());
    world.vcs.untrack(&sample::path(JWT));
    world.remove_outside(JWT);
    settle(&world);
    assert_eq!((lines(&world, Action::Imported).len(), lines(&world, Action::Drift).len()), (2, 0));
}

// D-10, D-21: what nobody explains stays an alarm
#[test]
fn changes_that_version_control_does_not_know_are_drift() {
    let world = World::ready();
    handed_over(&world, &world.write(JWT, "new\n"));
    world.edit_outside(JWT, "theirs\n");
    settle(&world);
    assert_eq!((lines(&world, Action::Imported).len(), lines(&world, Action::Drift).len()), (0, 1));
    let world = World::ready();
    handed_over(&world, &world.write(JWT, "new\n"));
    world.vcs.keep(JWT_TEXT.as_bytes());
    world.remove_outside(JWT);
    settle(&world);
    assert_eq!(lines(&world, Action::Drift).len(), 1, "a tracked file that is gone was removed by hand");
}

// D-10
#[test]
fn a_failed_call_is_not_given_what_version_control_moved_meanwhile() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    handed_over(&world, &call);
    world.moved(JWT, OTHER);
    let report = block_on(world.gate.post(&call, &ToolResult::of(false))).unwrap();
    assert!(report.trace_ids.is_empty() && world.ledger.entries().is_empty());
    assert_eq!(lines(&world, Action::Imported).len(), 1);
}

// D-09
#[test]
fn a_rewind_is_the_humans_and_is_read_again() {
    let world = World::ready();
    world.mutates(&world.write(JWT, "one\n"));
    world.mutates(&world.write("src/auth/new.rs", "two\n"));
    world.edit_outside(JWT, JWT_TEXT);
    world.remove_outside("src/auth/new.rs");
    let reason = stale(&world, &world.write(JWT, "three\n"), "taken_back");
    assert!(reason.starts_with("A human took src/auth/jwt.rs back"), "{reason}");
    // D-44: what is gone can be made again, and the question says that it was there.
    let question = world.asks_what(&world.write("src/auth/new.rs", "three\n"));
    assert!(question.reason.contains("src/auth/new.rs was read in this session and is gone since"));
    assert_eq!((lines(&world, Action::HumanAmended).len(), lines(&world, Action::Drift).len()), (2, 0));
}

// D-09: only what this session itself found there
#[test]
fn what_another_session_found_there_is_no_rewind_of_this_one() {
    let world = World::ready();
    let stranger = bailiwick_domain::Actor::root("claude-code", "other");
    world.select_as(&stranger, "INT-001");
    world.read_as(&stranger, JWT);
    world.mutates(&world.call_of(&stranger, "write_to_file", json!({"path": JWT, "content": "one\n"})));
    world.read(JWT);
    world.edit_outside(JWT, JWT_TEXT);
    stale(&world, &world.write(JWT, "two\n"), "changed");
    assert!(lines(&world, Action::HumanAmended).is_empty());
}

// D-09, D-21
#[test]
fn a_lost_call_on_a_rewound_file_is_no_drift() {
    let world = World::ready();
    world.mutates(&world.write(JWT, "one\n"));
    handed_over(&world, &world.write(JWT, "two\n"));
    world.edit_outside(JWT, JWT_TEXT);
    assert_eq!(settle(&world), 0);
    assert_eq!((lines(&world, Action::HumanAmended).len(), lines(&world, Action::Drift).len()), (1, 0));
}

// D-10, D-21: the host tells that the call ran, so what it left is its own
#[test]
fn a_call_that_ran_is_recorded_although_version_control_keeps_what_it_left() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.passes_by_yes(&call);
    world.moved(JWT, OTHER);
    assert_eq!(world.post(&call).trace_ids.len(), 1);
    assert!(lines(&world, Action::Imported).is_empty());
}

// D-10: the line of the log names the file
#[test]
fn the_log_names_the_file_that_version_control_moved() {
    let world = World::ready();
    world.moved(JWT, OTHER);
    world.refuses(&world.write(JWT, "x\n"), ErrorCode::StaleFile);
    let told = lines(&world, Action::Imported);
    assert_eq!(told[0].paths, [JWT]);
    let both = format!(
        "*** Begin Patch\n*** Update File: {JWT}\n@@\n-fn other_branch() {{}}\n+x\n*** Add File: src/auth/n.rs\n+n\n*** End Patch\n"
    );
    world.moved(JWT, "fn third() {}\n");
    world.refuses(&world.call("apply_patch", json!({"patch": both})), ErrorCode::StaleFile);
    assert_eq!(lines(&world, Action::Imported)[1].paths, [JWT], "what did not move is not named");
}

// D-10: what is there by now is not what was looked at
#[test]
fn a_file_that_changes_between_two_looks_is_explained_by_nothing() {
    let world = World::ready();
    world.edit_outside(JWT, "by hand\n");
    world.vcs.keep(OTHER.as_bytes());
    world.files.flicker(&sample::path(JWT), vec![b"by hand\n".to_vec(), OTHER.as_bytes().to_vec()]);
    stale(&world, &world.write(JWT, "x\n"), "changed");
    assert!(lines(&world, Action::Imported).is_empty());
}
