//! Formatters and one's own commands: the actor's memory follows what its own doing made of files, and the ledger holds
//! only what the call itself wrote (D-09).

use bailiwick::gate::Outcome;
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Action, Answer, ErrorCode, FileState, SessionStore, ToolCall, ToolResult, TraceEntry, json,
};
use pollster::block_on;

use super::world::{BILLING, JWT, JWT_TEXT, World, command, content};

const FORMATTED: &str = "fn sign() { }\nfn verify() { }\n";

fn lines(world: &World, action: Action) -> Vec<String> {
    let records = world.decisions.records().into_iter().filter(|record| record.action == action);
    records.flat_map(|record| record.paths).collect()
}

fn seen(world: &World, path: &str) -> Option<FileState> {
    block_on(world.sessions.observation(&sample::actor(), &sample::path(path)))
        .unwrap()
        .map(|seen| seen.state)
}

/// A command that was approved changes these files.
fn ran(world: &World, effects: impl FnOnce()) {
    let call = command(world, "npm run format");
    world.passes_by_yes(&call);
    effects();
    world.post(&call);
}

/// The calls of a turn are over.
fn batch(world: &World, calls: &[&ToolCall]) {
    let calls: Vec<ToolCall> = calls.iter().map(|call| (*call).clone()).collect();
    block_on(world.gate.adopt_behind(&calls)).unwrap();
}

fn ranges(entry: &TraceEntry) -> Vec<(usize, usize)> {
    entry.files[0].ranges.iter().map(|range| (range.start_line, range.end_line)).collect()
}

// D-09
#[test]
fn after_its_own_formatter_an_agent_writes_on_without_reading_again() {
    let world = World::ready();
    ran(&world, || world.edit_outside(JWT, FORMATTED));
    assert_eq!(lines(&world, Action::Adopted), [JWT]);
    assert!(world.ledger.entries().is_empty(), "nothing is attributed to anybody");
    world.mutates(&world.write(JWT, "new\n"));
}

// D-09
#[test]
fn what_a_command_removes_is_known_to_be_gone() {
    let world = World::ready();
    ran(&world, || world.remove_outside(JWT));
    world.mutates(&world.write(JWT, "new\n"));
}

// D-09: only what was as the actor knew it right before
#[test]
fn an_edit_by_hand_before_the_command_stays_unseen() {
    for formats in [false, true] {
        let world = World::ready();
        world.edit_outside(JWT, "theirs\n");
        ran(&world, || {
            if formats {
                world.edit_outside(JWT, "theirs;\n");
            }
        });
        world.refuses(&world.write(JWT, "new\n"), ErrorCode::StaleFile);
        assert!(lines(&world, Action::Adopted).is_empty());
    }
}

// D-09
#[test]
fn an_edit_by_hand_after_the_command_stays_unseen() {
    let world = World::ready();
    ran(&world, || world.edit_outside(JWT, FORMATTED));
    world.edit_outside(JWT, "theirs\n");
    world.refuses(&world.write(JWT, "new\n"), ErrorCode::StaleFile);
}

// D-09: in scope only
#[test]
fn what_a_command_does_outside_the_scope_is_not_followed() {
    let world = World::ready();
    world.read(BILLING);
    ran(&world, || world.edit_outside(BILLING, "formatted\n"));
    assert_eq!(seen(&world, BILLING), Some(content("fn bill() {}\n")));
    assert!(lines(&world, Action::Adopted).is_empty());
}

// D-09, D-12: the memory of others does not follow
#[test]
fn a_second_agent_reads_what_the_first_ones_command_changed() {
    let world = World::ready();
    let other = bailiwick_domain::Actor::root("claude-code", "other");
    world.select_as(&other, "INT-001");
    world.read_as(&other, JWT);
    ran(&world, || world.edit_outside(JWT, FORMATTED));
    let call = world.call_of(&other, "write_to_file", json!({"path": JWT, "content": "x"}));
    world.refuses(&call, ErrorCode::StaleFile);
}

// D-10 before D-09
#[test]
fn what_a_command_makes_version_control_move_is_read_again() {
    let world = World::ready();
    ran(&world, || world.moved(JWT, "fn other_branch() {}\n"));
    assert_eq!(
        (lines(&world, Action::Imported), lines(&world, Action::Adopted)),
        (vec![JWT.to_owned()], vec![])
    );
    world.refuses(&world.write(JWT, "new\n"), ErrorCode::StaleFile);
}

// D-09, D-21: without the end of the command nobody knows who changed the file
#[test]
fn a_command_without_a_post_event_is_not_followed() {
    let world = World::ready();
    world.passes_by_yes(&command(&world, "npm run format"));
    world.edit_outside(JWT, FORMATTED);
    block_on(world.gate.settle(&sample::actor())).unwrap();
    world.refuses(&world.write(JWT, "new\n"), ErrorCode::StaleFile);
}

// D-09: while the host's prompt is open a person may change the file
#[test]
fn a_command_that_the_hosts_prompt_asked_about_is_not_followed() {
    let world = World::ready();
    let call = command(&world, "npm run format");
    world.will_say(Answer::AskHost);
    assert!(matches!(world.pre(&call), Outcome::AskHost(_)));
    world.edit_outside(JWT, FORMATTED);
    world.post(&call);
    world.refuses(&world.write(JWT, "new\n"), ErrorCode::StaleFile);
}

// D-09
#[test]
fn a_formatter_on_save_is_adopted_and_the_ledger_keeps_the_agents_part() {
    let world = World::ready();
    let text = "fn seal()   {}\nfn verify() {}\nfn more() {}\n";
    let call = world.write(JWT, text);
    world.passes_by_yes(&call);
    // Line 1 is the agent's in another form, line 2 was never its own, line 3 is its own, line 4 is the formatter's.
    world.edit_outside(JWT, "fn seal() {}\nfn verify() { }\nfn more() {}\n// formatted\n");
    world.post(&call);
    let [entry] = world.ledger.entries().try_into().unwrap();
    assert!(entry.context.amended);
    let held = ranges(&entry);
    assert!(held.contains(&(1, 1)) || held.contains(&(1, 2)) || held.contains(&(1, 3)), "{held:?}");
    assert!(held.iter().all(|(_, end)| *end <= 3), "{held:?}");
    assert_eq!(lines(&world, Action::Adopted), [JWT]);
    world.mutates(&world.write(JWT, "new\n"));
}

// D-09
#[test]
fn lines_that_a_human_adds_in_the_dialog_are_the_humans() {
    let world = World::ready();
    let call = world.write(JWT, "fn sign() {}\nfn mine() {}\nfn verify() {}\n");
    world.will_say(Answer::AskHost);
    assert!(matches!(world.pre(&call), Outcome::AskHost(_)));
    world.edit_outside(JWT, "fn sign() {}\nfn mine() {}\nfn verify() {}\n// by a person\n");
    // The event tells what was written, not what was asked.
    let told = ToolCall { params: world.write(JWT, &world.text(JWT)).params, ..call };
    block_on(world.gate.post_amended(&told, &ToolResult::of(true), true)).unwrap();
    let [entry] = world.ledger.entries().try_into().unwrap();
    assert_eq!((entry.context.amended, ranges(&entry)), (true, vec![(2, 2)]));
    assert_eq!(
        (lines(&world, Action::HumanAmended), lines(&world, Action::Drift)),
        (vec![JWT.to_owned()], vec![])
    );
    world.mutates(&world.write(JWT, "new\n"));
}

// D-09: of each file of a call
#[test]
fn a_formatter_adds_no_line_to_the_agents_part_of_any_file_of_a_patch() {
    let world = World::ready();
    let patch =
        "*** Begin Patch\n*** Add File: src/auth/a.rs\n+a\n*** Add File: src/auth/b.rs\n+b\n*** End Patch\n";
    let call = world.call("apply_patch", json!({"patch": patch}));
    world.passes_by_yes(&call);
    world.edit_outside("src/auth/a.rs", "a\n// formatted\n");
    world.edit_outside("src/auth/b.rs", "b\n// formatted\n");
    world.post(&call);
    let [entry] = world.ledger.entries().try_into().unwrap();
    for file in &entry.files {
        let held: Vec<_> = file.ranges.iter().map(|range| (range.start_line, range.end_line)).collect();
        assert_eq!(held, [(1, 1)], "{}", file.path);
    }
}

// D-09: what the event tells otherwise than it was approved is no measure of the call's part
#[test]
fn a_content_that_was_not_approved_does_not_say_what_is_the_agents() {
    let world = World::ready();
    let call = world.write(JWT, "approved\n");
    world.passes_by_yes(&call);
    world.edit_outside(JWT, "told\nadded\n");
    let told = ToolCall { params: world.write(JWT, "told\n").params, ..call };
    world.post(&told);
    let [entry] = world.ledger.entries().try_into().unwrap();
    assert_eq!((entry.context.amended, ranges(&entry)), (true, vec![(1, 2)]));
}

/// A write that was recorded, and then formatted by what the host runs behind it.
fn formatted_behind() -> (World, ToolCall) {
    let world = World::ready();
    let call = world.write(JWT, "fn sign()  {}\n");
    world.mutates(&call);
    world.edit_outside(JWT, "fn sign() {}\n");
    (world, call)
}

// D-09
#[test]
fn what_the_host_runs_behind_a_write_is_adopted_when_the_turn_is_over() {
    let (world, call) = formatted_behind();
    batch(&world, &[&call]);
    assert_eq!(lines(&world, Action::Adopted), [JWT]);
    let line = world.last_record(&call);
    assert_eq!(line.class, Some(bailiwick_domain::Classification::Destructive));
    assert_eq!(line.left, [(JWT.to_owned(), content("fn sign() {}\n"))].into(), "what stands there now");
    assert_eq!(world.ledger.entries().len(), 1);
    world.mutates(&world.write(JWT, "new\n"));
}

// D-09: nothing else is
#[test]
fn later_changes_and_changes_of_others_are_not_adopted_behind_a_write() {
    type Meanwhile = fn(&World, &ToolCall) -> ToolCall;
    let cases: [(&str, Meanwhile); 6] = [
        ("too late", |world, call| {
            world.clock.advance(31);
            call.clone()
        }),
        ("another call's batch", |world, call| world.again(call)),
        ("moved by version control", |world, call| {
            world.moved(JWT, "fn other_branch() {}\n");
            call.clone()
        }),
        ("removed", |world, call| {
            world.remove_outside(JWT);
            call.clone()
        }),
        ("written by a sub-agent", |world, call| {
            let child = sample::child("a1");
            world.read_as(&child, JWT);
            let write = world.call_of(&child, "write_to_file", json!({"path": JWT, "content": "child\n"}));
            world.mutates(&write);
            call.clone()
        }),
        ("written by another session whose host counts its calls alike", |world, call| {
            let other = bailiwick_domain::Actor::root("claude-code", "other");
            world.select_as(&other, "INT-001");
            world.read_as(&other, JWT);
            let write = world.call_of(&other, "write_to_file", json!({"path": JWT, "content": "other\n"}));
            world.mutates(&ToolCall { id: call.id.clone(), ..write });
            call.clone()
        }),
    ];
    for (name, meanwhile) in cases {
        let (world, call) = formatted_behind();
        let ended = meanwhile(&world, &call);
        batch(&world, &[&ended]);
        assert!(lines(&world, Action::Adopted).is_empty(), "{name}");
        if world.files.bytes(&sample::path(JWT)).is_some() {
            world.refuses(&world.write(JWT, "new\n"), ErrorCode::StaleFile);
        } else {
            // D-44: nothing is there that would have to be read, but it is said in the question.
            assert!(world.asks_what(&world.write(JWT, "new\n")).reason.contains("is gone since"));
        }
    }
}

// D-09: a refused call wrote nothing that could be followed
#[test]
fn a_call_that_was_refused_adopts_nothing() {
    let world = World::ready();
    world.edit_outside(JWT, "theirs\n");
    let call = world.write(JWT, "new\n");
    world.refuses(&call, ErrorCode::StaleFile);
    batch(&world, &[&call]);
    world.refuses(&world.write(JWT, "other\n"), ErrorCode::StaleFile);
    assert_eq!(seen(&world, JWT), Some(content(JWT_TEXT)));
}

// B, D-09: what the command names and makes is the session's own
#[test]
fn a_file_that_the_own_command_names_and_makes_needs_no_reading() {
    let world = World::ready();
    let call = command(&world, "cp src/auth/jwt.rs src/auth/copy.rs");
    world.passes_by_yes(&call);
    world.edit_outside("src/auth/copy.rs", JWT_TEXT);
    world.edit_outside("src/auth/stray.rs", "somebody else's\n");
    world.post(&call);
    assert_eq!(lines(&world, Action::Adopted), ["src/auth/copy.rs"]);
    world.mutates(&world.write("src/auth/copy.rs", "new\n"));
    world.refuses(&world.write("src/auth/stray.rs", "new\n"), ErrorCode::StaleFile);
}
