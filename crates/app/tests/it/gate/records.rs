//! What is written down after a call: rows 134, 135, 139, 156, 162, 164; K-18, K-23, K-24, D-09, D-21.

use bailiwick::gate::{HostTraits, PostReport};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Action, Change, ErrorCode, FileState, Intent, ToolCall, VcsRevision, block_hash, json,
};
use pollster::block_on;

use super::world::{JWT, JWT_TEXT, World, broken, command, content};

fn settled(world: &World) -> Vec<PostReport> {
    block_on(world.gate.settle(&sample::actor())).unwrap()
}

fn notes(world: &World, call: &ToolCall) -> Vec<(Action, String)> {
    world.records_of(call).into_iter().map(|record| (record.action, record.note)).collect()
}

#[test]
fn req_162_each_write_is_one_entry_also_twice_to_the_same_file() {
    let world = World::ready();
    for n in 0..5 {
        world.mutates(&world.write(JWT, &format!("{n}\n")));
    }
    world.mutates(&world.write("src/auth/new.rs", "x\n"));
    assert_eq!(world.ledger.entries().len(), 6);
}

#[test]
fn req_134_req_135_the_entry_says_what_changed_where_and_under_what_authority() {
    let world = World::ready();
    block_on(world.gate.session_started(&sample::actor(), Some("model-x".to_owned()))).unwrap();
    let call = world.write(JWT, "fn sign() {}\nfn check() {}\nfn more() {}\n");
    let entry = world.mutates(&call);
    let file = &entry.files[0];
    assert_eq!((file.path.as_str(), file.change, file.binary), (JWT, Change::Modified, false));
    assert_eq!(
        (&file.before, &file.after),
        (&content(JWT_TEXT), &content("fn sign() {}\nfn check() {}\nfn more() {}\n"))
    );
    assert_eq!((file.ranges[0].start_line, file.ranges[0].end_line), (2, 3));
    assert_eq!(file.ranges[0].content_hash, block_hash(b"fn check() {}\nfn more() {}"));
    assert_eq!((entry.context.call, entry.context.tool.as_str()), (call.id, "write_to_file"));
    assert_eq!(entry.context.model.as_deref(), Some("model-x"));
    assert!(matches!(entry.vcs, VcsRevision::Commit(_)));
    assert!(!entry.context.late && !entry.context.amended);
}

// REQ 4, REQ 165, K-44
#[test]
fn the_question_and_the_entry_say_what_the_change_means() {
    let world = World::ready();
    let layout = world.write(JWT, &format!("\n{JWT_TEXT}"));
    assert!(world.asks_what(&layout).mutation.unwrap().is_refactor());
    let other = world.write(JWT, "fn check() {}\n");
    let shown = world.asks_what(&other).mutation.unwrap();
    assert_eq!(shown.in_a_line(), "INTENT_EVOLUTION: `f` changed");
    let entry = world.mutates(&other);
    assert_eq!(entry.context.mutation, Some(shown), "as the human saw it");
    assert_eq!(world.asks_what(&command(&world, "make")).mutation, None, "a command names no file");
}

// REQ 4, REQ 165, K-44
#[test]
fn an_entry_means_what_was_shown_exactly_where_that_was_done() {
    let world = World::ready();
    let layout = world.write(JWT, &format!("\n{JWT_TEXT}"));
    assert!(world.asks_what(&layout).mutation.unwrap().is_refactor());
    world.passes_by_yes(&layout);
    world.edit_outside(JWT, "fn other() {}\n");
    world.post(&layout);
    let mutation = world.ledger.entries()[0].context.mutation.clone().unwrap();
    assert!(!mutation.is_refactor(), "something else was written");

    let world = World::ready();
    let cell = json!({"notebook_path": "src/auth/n.ipynb", "new_source": "x", "edit_mode": "insert"});
    let call = world.call("NotebookEdit", cell);
    let shown = world.asks_what(&call).mutation.unwrap();
    assert!(shown.in_a_line().contains("cannot be computed"), "{shown:?}");
    world.passes_by_yes(&call);
    world.edit_outside("src/auth/n.ipynb", "{}\n");
    world.post(&call);
    assert_eq!(world.ledger.entries()[0].context.mutation, Some(shown));
}

// K-26: a claim is shown where it is contradicted, and never decides.
#[test]
fn what_the_agent_claims_is_kept_as_a_claim() {
    let world = World::ready();
    let claiming = |text: &str, class: &str| {
        let params = json!({"path": JWT, "content": text, "mutation_class": class});
        world.call("write_to_file", params)
    };
    let lie = claiming("fn check() {}\n", "AST_REFACTOR");
    let shown = world.asks_what(&lie).mutation.unwrap();
    assert_eq!(shown.in_a_line(), "INTENT_EVOLUTION: claimed refactor; `f` changed");
    let entry = world.mutates(&lie);
    assert_eq!(entry.context.mutation, Some(shown.clone()));
    assert_eq!((shown.is_refactor(), shown.claimed.is_some()), (false, true));
    let modest = claiming("\nfn check() {}\n", "INTENT_EVOLUTION");
    assert_eq!(
        world.asks_what(&modest).mutation.unwrap().in_a_line(),
        "AST_REFACTOR, proved: claimed evolution"
    );
    let agreed = claiming("fn check(){}\n", "AST_REFACTOR");
    assert_eq!(world.asks_what(&agreed).mutation.unwrap().in_a_line(), "AST_REFACTOR, proved");
    let noise = claiming("fn sign() {}\n", "harmless");
    assert_eq!(world.asks_what(&noise).mutation.unwrap().claimed, None);
}

// K-26, D-02: where a grant covers the call and nobody is asked, the record still says what was claimed.
#[test]
fn a_claim_is_recorded_where_nobody_is_asked() {
    let world = World::ready();
    let params = json!({"path": JWT, "content": "fn check() {}\n", "mutation_class": "AST_REFACTOR"});
    let call = world.call("write_to_file", params);
    world.passes_by_yes(&call);
    let pending = world.pendings.calls();
    assert_eq!(pending[0].claimed.map(|class| class.to_string()).as_deref(), Some("AST_REFACTOR"));
    world.edit_outside(JWT, "fn other() {}\n");
    world.post(&call);
    let mutation = world.ledger.entries()[0].context.mutation.clone().unwrap();
    assert!(mutation.contradicted_claim().is_some(), "amended on the way, so not the class of the question");
}

#[test]
fn req_134_the_report_says_what_the_actor_has_now_seen() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.passes_by_yes(&call);
    let report = world.run(&call);
    assert_eq!(
        report.observations[JWT].as_ref().map(|hash| FileState::Content(hash.clone())),
        Some(content("new\n"))
    );
}

#[test]
fn deleting_and_moving_are_recorded_for_every_file() {
    // K-17, K-21
    let world = World::ready();
    let entry = world.mutates(&world.call("move_file", json!({"from": JWT, "to": "src/auth/token.rs"})));
    let changes: Vec<_> = entry.files.iter().map(|file| (file.path.as_str(), file.change)).collect();
    assert_eq!(changes, [(JWT, Change::Deleted), ("src/auth/token.rs", Change::Created)]);
    assert!(!entry.context.amended);
    let (from, to) = (&entry.files[0], &entry.files[1]);
    assert_eq!((from.moved_to.as_ref(), to.moved_from.as_ref()), (Some(&to.path), Some(&from.path)));
    assert!(from.removed.is_empty() && to.ranges.is_empty(), "a rename neither writes nor removes a line");
    assert!(to.moved_to.is_none() && from.moved_from.is_none());
    let entry = world.mutates(&world.call("delete_file", json!({"path": "src/auth/token.rs"})));
    assert_eq!((entry.files[0].change, &entry.files[0].after), (Change::Deleted, &FileState::Absent));
    assert!(entry.files[0].removed.len() == 1 && entry.files[0].moved_to.is_none(), "gone is gone");
}

#[test]
fn a_patch_that_moves_and_changes_a_file_is_predicted() {
    // D-21
    let world = World::ready();
    let patch = "*** Begin Patch\n*** Update File: src/auth/jwt.rs\n*** Move to: src/auth/token.rs\n@@\n-fn sign() {}\n+fn seal() {}\n*** End Patch\n";
    let call = world.call("apply_patch", json!({"patch": patch}));
    world.passes_by_yes(&call);
    world.remove_outside(JWT);
    world.edit_outside("src/auth/token.rs", "fn seal() {}\nfn verify() {}\n");
    assert_eq!(settled(&world)[0].trace_ids.len(), 1);
    let entry = world.ledger.entries().remove(0);
    assert!(entry.context.late && !entry.context.amended);
    assert_eq!(entry.files.len(), 2);
    let moved = entry.files.iter().find(|file| file.path.as_str() == "src/auth/token.rs").unwrap();
    assert_eq!(moved.moved_from.as_ref().map(|path| path.as_str()), Some(JWT));
    let ranges: Vec<_> = moved.ranges.iter().map(|range| (range.start_line, range.end_line)).collect();
    assert_eq!(ranges, [(1, 1)], "only what was changed on the way");
}

// K-21: of several files each move has its own ends, and what is deleted went nowhere
#[test]
fn of_a_patch_only_what_moves_is_told_as_moved() {
    let world = World::ready();
    for name in ["src/auth/one.rs", "src/auth/gone.rs"] {
        world.mutates(&world.write(name, &format!("fn {}() {{}}\n", name.len())));
    }
    let patch = "*** Begin Patch\n*** Update File: src/auth/jwt.rs\n*** Move to: src/auth/token.rs\n@@\n\
                 -fn sign() {}\n+fn seal() {}\n*** Delete File: src/auth/gone.rs\n\
                 *** Update File: src/auth/one.rs\n*** Move to: src/auth/two.rs\n@@\n-fn 15() {}\n+fn 2() {}\n\
                 *** End Patch\n";
    let call = world.call("apply_patch", json!({"patch": patch}));
    world.passes_by_yes(&call);
    world.edit_outside("src/auth/token.rs", "fn seal() {}\nfn verify() {}\n");
    world.edit_outside("src/auth/two.rs", "fn 2() {}\n");
    [JWT, "src/auth/gone.rs", "src/auth/one.rs"].iter().for_each(|name| world.remove_outside(name));
    world.post(&call);
    let entry = world.ledger.entries().pop().unwrap();
    let mut ends: Vec<_> =
        entry.files.iter().map(|file| (file.path.as_str(), file.moved_to.as_ref())).collect();
    ends.sort();
    let to = |name: &str| Some(sample::path(name));
    let (token, two) = (to("src/auth/token.rs"), to("src/auth/two.rs"));
    let expected = [
        ("src/auth/gone.rs", None),
        (JWT, token.as_ref()),
        ("src/auth/one.rs", two.as_ref()),
        ("src/auth/token.rs", None),
        ("src/auth/two.rs", None),
    ];
    assert_eq!(ends, expected);
}

// D-21: the ends of a move name each other, also where the same patch writes other files
#[test]
fn a_file_that_a_patch_adds_is_no_end_of_its_move() {
    let world = World::ready();
    let patch = "*** Begin Patch\n*** Add File: src/auth/a.rs\n+a\n*** Update File: src/auth/jwt.rs\n*** Move to: src/auth/token.rs\n@@\n-fn sign() {}\n+fn seal() {}\n*** End Patch\n";
    let call = world.call("apply_patch", json!({"patch": patch}));
    world.passes_by_yes(&call);
    world.edit_outside("src/auth/a.rs", "a\n");
    world.remove_outside(JWT);
    world.edit_outside("src/auth/token.rs", "fn seal() {}\nfn verify() {}\n");
    world.post(&call);
    let entry = world.ledger.entries().remove(0);
    let ends = |path: &str| {
        let file = entry.files.iter().find(|file| file.path.as_str() == path).unwrap();
        (file.moved_from.as_ref().map(|path| path.as_str()), file.moved_to.as_ref().map(|path| path.as_str()))
    };
    assert_eq!(ends("src/auth/a.rs"), (None, None));
    assert_eq!(ends(JWT), (None, Some("src/auth/token.rs")));
    assert_eq!(ends("src/auth/token.rs"), (Some(JWT), None));
}

// A move over another file writes no line either: what lay there is gone, and what came is whose it was.
#[test]
fn a_move_onto_a_file_claims_no_line() {
    let world = World::ready();
    world.edit_outside("src/auth/token.rs", "fn other() {}\nfn verify() {}\n");
    world.read("src/auth/token.rs");
    let entry = world.mutates(&world.call("move_file", json!({"from": JWT, "to": "src/auth/token.rs"})));
    let moved = entry.files.iter().find(|file| file.path.as_str() == "src/auth/token.rs").unwrap();
    assert_eq!(
        (moved.change, moved.before.clone()),
        (Change::Modified, content("fn other() {}\nfn verify() {}\n"))
    );
    assert_eq!(moved.moved_from.as_ref().map(|path| path.as_str()), Some(JWT));
    assert!(moved.ranges.is_empty(), "{moved:?}");
    assert!(moved.lineage.as_ref().is_none_or(|lineage| lineage.hunks.is_empty()), "{moved:?}");
}

// D-21, K-21
#[test]
fn a_file_that_only_half_moved_is_told_as_what_happened() {
    let world = World::ready();
    let call = world.call("move_file", json!({"from": JWT, "to": "src/auth/token.rs"}));
    world.passes_by_yes(&call);
    let content = world.text(JWT);
    world.edit_outside("src/auth/token.rs", &content);
    let entry = world.post(&call);
    assert_eq!(entry.trace_ids.len(), 1);
    let entry = world.ledger.entries().remove(0);
    let [file] = entry.files.as_slice() else { panic!("{entry:?}") };
    assert!(file.moved_from.is_none() && !file.ranges.is_empty(), "the old file is still there: a copy");
}

// K-44, D-17
#[test]
fn a_record_says_when_the_human_said_yes() {
    let world = World::ready();
    let call = world.write(JWT, "a\n");
    let answered = world.now();
    world.passes_by_yes(&call);
    world.clock.advance(20);
    world.run(&call);
    let entry = world.ledger.entries().remove(0);
    assert_eq!(entry.context.approved_at, Some(answered));
    assert!(answered < entry.timestamp, "{entry:?}");
}

#[test]
fn req_164_requirements_are_the_declared_ones_or_derived_from_the_intent() {
    // K-18
    let world = World::ready();
    let entry = world.mutates(&world.write(JWT, "a\n"));
    assert_eq!((entry.context.requirements, entry.context.derived), (vec!["REQ-1".to_owned()], false));
    let world = World::new();
    world.rewrite_intent(|draft| draft.requirements = Vec::new());
    world.select("INT-001");
    let entry = world.mutates(&world.write("src/auth/a.rs", "a\n"));
    assert_eq!((entry.context.requirements, entry.context.derived), (vec!["REQ-INT-001".to_owned()], true));
    let naming =
        ToolCall { requirement_ids: vec!["REQ-INT-001".to_owned()], ..world.write("src/auth/b.rs", "b\n") };
    assert!(world.mutates(&naming).context.derived);
}

#[test]
fn req_164_a_call_may_narrow_to_declared_requirements_and_to_no_others() {
    // K-18
    let world = World::new();
    world.rewrite_intent(|draft| draft.requirements = vec!["REQ-1".into(), "REQ-2".into(), "REQ-3".into()]);
    world.select("INT-001");
    let naming = |ids: &[&str], text: &str| ToolCall {
        requirement_ids: ids.iter().map(|id| (*id).to_owned()).collect(),
        ..world.write("src/auth/a.rs", text)
    };
    world.refuses(&naming(&["REQ-2", "REQ-9"], "x"), ErrorCode::TraceLinkMissing);
    let entry = world.mutates(&naming(&["REQ-2"], "x"));
    assert_eq!((entry.context.requirements, entry.context.derived), (vec!["REQ-2".to_owned()], false));
}

#[test]
fn req_164_where_the_settings_ask_for_it_an_intent_without_requirements_changes_nothing() {
    // K-18
    let world = World::new();
    world.rewrite_intent(|draft| draft.requirements = Vec::new());
    world.settings(|settings| settings.require_requirement = true);
    world.select("INT-001");
    world.refuses(&world.write("src/auth/a.rs", "x"), ErrorCode::TraceLinkMissing);
}

#[test]
fn what_a_human_changed_in_the_accept_dialog_is_recorded_as_amended() {
    // D-09
    let world = World::ready();
    let call = world.write(JWT, "proposed\n");
    world.passes_by_yes(&call);
    world.edit_outside(JWT, "proposed, and better\n");
    let report = world.post(&call);
    assert_eq!(report.trace_ids.len(), 1);
    let entry = world.ledger.entries().remove(0);
    assert!(entry.context.amended && !entry.context.late);
    assert_eq!(entry.files[0].after, content("proposed, and better\n"));
    world.mutates(&world.write(JWT, "next\n"));
}

// What ran and left its files as they were did run.
#[test]
fn a_tool_that_ran_and_changed_nothing_is_not_told_as_not_executed() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.passes_by_yes(&call);
    assert!(world.post(&call).trace_ids.is_empty());
    let note = "ran; the named files are as before";
    assert_eq!(notes(&world, &call).pop(), Some((Action::Recorded, note.to_owned())));
}

#[test]
fn a_tool_that_failed_and_changed_nothing_leaves_no_entry() {
    // D-21
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.passes_by_yes(&call);
    assert!(world.post_failed(&call).trace_ids.is_empty());
    let note = "ended without success; the named files are as before";
    assert_eq!(notes(&world, &call).pop(), Some((Action::Recorded, note.to_owned())));
    assert!(world.pendings.calls().is_empty() && world.ledger.entries().is_empty());
}

#[test]
fn a_tool_that_says_it_failed_but_wrote_is_recorded_all_the_same() {
    // D-21
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.passes_by_yes(&call);
    world.execute(&call);
    assert_eq!(world.post_failed(&call).trace_ids.len(), 1);
}

#[test]
fn req_156_a_write_whose_post_event_never_came_is_recorded_late() {
    // D-21
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.passes_by_yes(&call);
    world.execute(&call);
    let reports = settled(&world);
    assert_eq!((reports.len(), reports[0].trace_ids.len()), (1, 1));
    let entry = world.ledger.entries().remove(0);
    assert!(entry.context.late);
    assert_eq!(
        notes(&world, &call).pop(),
        Some((Action::Recorded, "recorded, found without a post event".to_owned()))
    );
    assert!(settled(&world).is_empty());
    world.mutates(&world.write(JWT, "next\n"));
}

// K-24, D-26: killed between the entry and forgetting the call.
#[test]
fn a_change_that_was_recorded_already_is_not_recorded_twice() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.passes_by_yes(&call);
    let pendings = &world.gate.ports().records.pendings;
    let pending = block_on(pendings.list(&sample::actor())).unwrap().remove(0);
    let recorded = world.run(&call).trace_ids;
    block_on(pendings.put(&pending)).unwrap();
    assert_eq!(settled(&world)[0].trace_ids, recorded);
    block_on(pendings.put(&pending)).unwrap();
    assert_eq!(world.post(&call).trace_ids, recorded, "the host's own event comes after all");
    assert_eq!(world.ledger.entries().len(), 1);
    assert!(block_on(pendings.list(&sample::actor())).unwrap().is_empty());
}

// K-24: the same change made again within the same moment is another change
#[test]
fn a_change_that_is_made_again_is_recorded_again() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.mutates(&call);
    world.edit_outside(JWT, JWT_TEXT);
    world.read(JWT);
    world.mutates(&world.again(&call));
}

// D-21: nobody can tell whether a call that was let through just now still runs
#[test]
fn a_person_settles_no_call_that_may_still_run() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.passes_by_yes(&call);
    let settled = |before| block_on(world.gate.recording().settle_abandoned(before)).unwrap().len();
    assert_eq!((settled(world.now()), world.pendings.calls().len()), (0, 1));
    assert_eq!((settled(world.now().plus_seconds(1)), world.pendings.calls().len()), (1, 0));
}

#[test]
fn req_156_a_call_that_never_ran_is_found_not_executed() {
    // D-21
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.passes_by_yes(&call);
    assert!(settled(&world)[0].trace_ids.is_empty());
    assert_eq!(
        notes(&world, &call).pop(),
        Some((Action::Recorded, "not executed, found without a post event".to_owned()))
    );
    assert!(world.ledger.entries().is_empty());
    world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
}

#[test]
fn req_156_a_file_that_holds_something_else_is_drift_and_nobodys_entry() {
    // D-21, principle 5
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.passes_by_yes(&call);
    world.edit_outside(JWT, "theirs\n");
    assert!(settled(&world)[0].trace_ids.is_empty());
    assert!(world.ledger.entries().is_empty());
    let drift: Vec<_> =
        world.records_of(&call).into_iter().filter(|record| record.action == Action::Drift).collect();
    assert_eq!(drift.len(), 1);
    assert_eq!(
        (drift[0].paths.as_slice(), drift[0].note.as_str()),
        (&[JWT.to_owned()][..], "changed otherwise than approved, not attributed")
    );
    world.refuses(&world.write(JWT, "next\n"), ErrorCode::StaleFile);
}

#[test]
fn a_late_call_of_two_files_is_judged_file_by_file() {
    // D-21
    let world = World::ready();
    let patch =
        "*** Begin Patch\n*** Add File: src/auth/a.rs\n+a\n*** Add File: src/auth/b.rs\n+b\n*** End Patch\n";
    let call = world.call("apply_patch", json!({"patch": patch}));
    world.passes_by_yes(&call);
    world.edit_outside("src/auth/a.rs", "a\n");
    world.edit_outside("src/auth/b.rs", "theirs\n");
    assert_eq!(settled(&world)[0].trace_ids.len(), 1);
    let entry = world.ledger.entries().remove(0);
    assert_eq!(entry.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["src/auth/a.rs"]);
    assert!(
        world.records_of(&call).iter().any(|r| r.action == Action::Drift && r.paths == ["src/auth/b.rs"])
    );
}

#[test]
fn the_calls_of_a_sub_agent_are_settled_when_it_stops() {
    // D-12, D-21
    let world = World::in_action();
    let call = world.call_of(
        &sample::child("a1"),
        "write_to_file",
        json!({"path": "src/auth/a.rs", "content": "x"}),
    );
    world.passes_by_yes(&call);
    world.execute(&call);
    let reports = block_on(world.gate.settle(&sample::child("a1"))).unwrap();
    assert_eq!(reports[0].trace_ids.len(), 1);
    assert_eq!(world.ledger.entries()[0].context.actor, sample::child("a1"));
}

#[test]
fn an_entry_that_cannot_be_written_stays_pending_until_it_can() {
    // K-24
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.passes_by_yes(&call);
    world.execute(&call);
    world.ledger.fail(Some(broken()));
    let error = block_on(world.gate.post(&call, &bailiwick_domain::ToolResult::of(true))).unwrap_err();
    assert_eq!(error.code(), ErrorCode::LedgerUnavailable);
    assert_eq!(world.pendings.calls().len(), 1);
    let next = world.write("src/auth/b.rs", "x");
    world.will_say(super::world::yes());
    assert_eq!(super::world::refused(world.pre(&next)).code(), ErrorCode::LedgerUnavailable);
    world.ledger.fail(None);
    assert_eq!(settled(&world)[0].trace_ids.len(), 1);
    assert_eq!(world.ledger.entries().len(), 1);
}

#[test]
fn the_content_from_before_is_kept_before_anything_is_let_through() {
    // REQ 75, K-24
    let world = World::ready();
    world.passes_by_yes(&world.write(JWT, "new\n"));
    let FileState::Content(hash) = world.pendings.calls()[0].files[0].before.clone() else {
        panic!("no content")
    };
    let kept = block_on(bailiwick_domain::PendingStore::kept(&world.pendings, &hash)).unwrap();
    assert_eq!(kept.as_deref(), Some(JWT_TEXT.as_bytes()));
}

#[test]
fn a_command_leaves_a_record_and_no_entry() {
    // K-25
    let world = World::in_action();
    let call = command(&world, "make");
    world.passes_by_yes(&call);
    assert!(world.post(&call).trace_ids.is_empty());
    assert_eq!(notes(&world, &call).pop(), Some((Action::Recorded, "ran".to_owned())));
}

#[test]
fn a_selection_in_between_does_not_change_whose_entry_it_is() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.passes_by_yes(&call);
    world.select("INT-002");
    world.run(&call);
    let entry = world.ledger.entries().remove(0);
    assert_eq!(entry.context.intent.as_str(), "INT-001");
    let owner = Intent::new(sample::draft("INT-001", &["src/auth/**"])).unwrap();
    assert_eq!(entry.context.revision, *owner.revision());
}

#[test]
fn the_revision_of_a_tree_without_commits_is_nothing_with_a_reason() {
    // K-23
    let text = serde_json::to_value(VcsRevision::None("no commit yet".to_owned())).unwrap();
    assert_eq!(text, json!({"none": "no commit yet"}));
}

fn early() -> World {
    let world = World::on(HostTraits { tells_early: true, ..HostTraits::default() });
    world.prompt();
    world.select("INT-001");
    world
}

// A host that tells that a call ran before its file is written, as VS Code 1.139 does.
#[test]
fn what_is_written_after_the_host_told_of_it_is_recorded_by_the_next_call() {
    let world = early();
    let write = world.write("src/auth/new.rs", "one\n");
    world.passes_by_yes(&write);
    assert_eq!(world.post(&write).trace_ids, [""; 0]);
    world.read(JWT);
    assert!(world.ledger.entries().is_empty(), "nothing is written yet");
    world.execute(&write);
    let next = world.write("src/auth/new.rs", "two\n");
    world.passes_by_yes(&next);
    let entries = world.ledger.entries();
    assert_eq!((entries.len(), &entries[0].context.call), (1, &write.id));
    assert!(!entries[0].context.late, "the host told of it");
    assert_eq!(world.post(&next).trace_ids, [""; 0]);
    world.execute(&next);
    settled(&world);
    assert_eq!(world.ledger.entries().len(), 2);
    assert!(world.pendings.calls().is_empty());
}

#[test]
fn what_is_written_when_the_host_tells_of_it_is_recorded_at_once_and_what_never_is_at_the_end_of_the_turn() {
    let world = early();
    world.mutates(&world.write("src/auth/new.rs", "one\n"));
    let never = world.write("src/auth/other.rs", "one\n");
    world.passes_by_yes(&never);
    world.post(&never);
    settled(&world);
    assert_eq!(world.ledger.entries().len(), 1);
    assert!(world.pendings.calls().is_empty());
    assert_eq!(world.last_record(&never).note, "ran; the named files are as before");
}

#[test]
fn what_the_host_has_not_told_of_yet_is_left_to_its_event() {
    let world = early();
    let write = world.write("src/auth/new.rs", "one\n");
    world.passes_by_yes(&write);
    world.execute(&write);
    world.asks(&world.write("src/auth/other.rs", "one\n"));
    assert_eq!(world.ledger.entries().len(), 0, "it may be written to once more before the host tells of it");
    world.post(&write);
    assert!(!world.ledger.entries()[0].context.late);
}

#[test]
fn a_call_of_a_sub_agent_is_not_settled_by_a_call_of_its_session() {
    let world = early();
    let child = sample::child("a1");
    let params = json!({"path": "src/auth/new.rs", "content": "one\n"});
    let write = world.call_of(&child, "write_to_file", params);
    world.passes_by_yes(&write);
    world.post(&write);
    world.execute(&write);
    world.asks(&world.write("src/auth/other.rs", "one\n"));
    assert!(world.ledger.entries().is_empty());
    block_on(world.gate.settle(&child)).unwrap();
    assert_eq!(world.ledger.entries().len(), 1);
}

// D-21: the record of what became of a call
#[test]
fn the_line_of_an_outcome_says_what_class_of_call_it_was_under_which_intent_and_on_which_files() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.mutates(&call);
    let line = world.last_record(&call);
    assert_eq!(line.action, Action::Recorded);
    assert_eq!(line.class, Some(bailiwick_domain::Classification::Destructive));
    assert_eq!((line.intent, line.paths), (Some(sample::intent_id("INT-001")), vec![JWT.to_owned()]));
}
