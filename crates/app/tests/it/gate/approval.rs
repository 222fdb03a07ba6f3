//! Asking a human: rows 3, 11 to 15, 22, 29, 30, 37, 73, 74, 80, 83, 84, 86, 123, 131 to 133, 143, 144, 158, 159;
//! K-06, K-13, K-43, K-45, K-53, D-06, D-17.

use bailiwick::gate::{Because, Outcome};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Action, Answer, ApprovalKind, ApprovalQueue, ApprovalStatus, Classification, ErrorCode, FileState,
    NeverRead, ToolError, json,
};
use bailiwick_policy::registry;
use pollster::block_on;

use super::interception::sample_call;
use super::world::{HUMAN, JWT, JWT_TEXT, World, command, content, no, refused, yes};

#[test]
fn req_003_req_011_a_write_waits_until_a_human_answers() {
    // REQ 132, REQ 158
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    let approval = world.asks(&call);
    assert_eq!(world.actions_of(&call), [Action::WaitForApproval]);
    assert!(world.pendings.calls().is_empty());
    assert_eq!(world.text(JWT), JWT_TEXT);
    let outcome = world.resolve(&approval, yes());
    assert_eq!(outcome, Outcome::Allow(Because::Approved { approval: approval.id, by: HUMAN.to_owned() }));
}

#[test]
fn req_012_req_015_a_rejected_write_leaves_the_file_as_it_was() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    let approval = world.asks(&call);
    let error = refused(world.resolve(&approval, no("keep verify()")));
    assert_eq!(error.code(), ErrorCode::DestructiveActionRejected);
    assert_eq!(world.text(JWT), JWT_TEXT);
    assert!(world.ledger.entries().is_empty() && world.pendings.calls().is_empty());
    assert_eq!(world.actions_of(&call), [Action::WaitForApproval, Action::Rejected, Action::Block]);
}

#[test]
fn req_013_req_144_the_request_shows_tool_paths_intent_diff_and_reason() {
    let world = World::ready();
    let request = world.asks_what(&world.write(JWT, "fn sign() {}\nfn check() {}\n"));
    assert_eq!((request.tool.as_str(), request.kind), ("write_to_file", ApprovalKind::Destructive));
    assert_eq!(request.intent_id, Some(sample::intent_id("INT-001")));
    assert_eq!(request.changed_paths, [JWT]);
    assert!(request.diff_preview.contains("-fn verify() {}\n+fn check() {}"), "{}", request.diff_preview);
    assert_eq!(request.reason, format!("`write_to_file` changes {JWT} under INT-001 (Goal of INT-001)."));
    assert_eq!(request.actor, sample::actor());
}

#[test]
fn a_write_of_what_stands_there_is_told_as_that() {
    let world = World::ready();
    let request = world.asks_what(&world.write(JWT, JWT_TEXT));
    assert!(request.diff_preview.contains("This changes nothing"), "{}", request.diff_preview);
    let request = world.asks_what(&world.write(JWT, "other\n"));
    assert!(!request.diff_preview.contains("This changes nothing"), "{}", request.diff_preview);
}

#[test]
fn req_144_deletes_moves_patches_edits_and_commands_show_what_will_happen() {
    let world = World::ready();
    let patch = "*** Begin Patch\n*** Update File: src/auth/jwt.rs\n@@\n-fn sign() {}\n+fn seal() {}\n*** End Patch\n";
    let shown = |tool: &str, params| world.asks_what(&world.call(tool, params));
    let deleted = shown("delete_file", json!({"path": JWT}));
    assert!(deleted.diff_preview.contains("-fn sign() {}") && deleted.changed_paths == [JWT]);
    let moved = shown("move_file", json!({"from": JWT, "to": "src/auth/token.rs"}));
    assert_eq!(moved.changed_paths, [JWT, "src/auth/token.rs"]);
    assert!(
        moved.diff_preview.contains("move from src/auth/jwt.rs")
            && moved.diff_preview.contains("move to src/auth/token.rs")
    );
    let patched = shown("apply_patch", json!({"patch": patch}));
    assert!(patched.diff_preview.contains("-fn sign() {}\n+fn seal() {}"), "{}", patched.diff_preview);
    let edited = shown("edit_file", json!({"path": JWT, "old_string": "sign", "new_string": "seal"}));
    assert!(edited.diff_preview.contains("-fn sign() {}\n+fn seal() {}"));
    let run = shown("execute_command", json!({"command": "rm -rf target", "cwd": "/repo/sub"}));
    assert_eq!(run.diff_preview, "in /repo/sub\n$ rm -rf target");
    for request in [deleted, moved, patched, edited, run] {
        assert!(!request.reason.is_empty());
        assert_eq!(request.intent_id, Some(sample::intent_id("INT-001")));
    }
}

#[test]
fn a_patch_that_moves_and_changes_a_file_shows_the_change() {
    // REQ 144, threat G1
    let world = World::ready();
    let patch = "*** Begin Patch\n*** Update File: src/auth/jwt.rs\n*** Move to: src/auth/token.rs\n@@\n-fn sign() {}\n+fn backdoor() {}\n*** End Patch\n";
    let call = world.call("apply_patch", json!({"patch": patch}));
    let request = world.asks_what(&call);
    assert!(request.diff_preview.contains("+fn backdoor() {}"), "{}", request.diff_preview);
}

#[test]
fn a_question_about_a_patch_shows_modes_and_hunks_without_a_place() {
    // REQ 144, D-35, threat G1
    let world = World::ready();
    let shown =
        |patch: &str| world.asks_what(&world.call("apply_patch", json!({"patch": patch}))).diff_preview;
    let mode = "diff --git a/src/auth/jwt.rs b/src/auth/jwt.rs\nold mode 100644\nnew mode 100755\n";
    let seen = shown(mode);
    assert!(seen.contains("mode 100644 becomes 100755"), "{seen}");
    let stray = "--- a/src/auth/jwt.rs\n+++ b/src/auth/jwt.rs\n@@ -1 +1 @@\n-not there\n+seal\n";
    let seen = shown(stray);
    assert!(seen.contains("@@ -1 @@\n-not there\n+seal") && !seen.contains("Hunk {"), "{seen}");
    let link = "diff --git a/src/auth/l b/src/auth/l\nnew file mode 120000\n--- /dev/null\n+++ b/src/auth/l\n\
                @@ -0,0 +1 @@\n+../../README.md\n\\ No newline at end of file\n";
    let seen = shown(link);
    assert!(seen.contains("mode 120000") && seen.contains("+../../README.md"), "{seen}");
}

#[test]
fn req_014_an_approved_write_leaves_what_was_asked_for() {
    let world = World::ready();
    let entry = world.mutates(&world.write(JWT, "new\n"));
    assert_eq!(world.text(JWT), "new\n");
    assert_eq!(
        (entry.context.intent.as_str(), entry.context.approved_by.as_deref()),
        ("INT-001", Some(HUMAN))
    );
}

// REQ 89, REQ 90
#[test]
fn req_022_req_080_a_rejection_is_a_whole_json_error_that_carries_the_words_of_the_human() {
    // K-06
    let world = World::ready();
    world.will_say(no("use the key store"));
    let error = refused(world.pre(&world.write(JWT, "new\n")));
    assert_eq!(error.message(), "Rejected: a human refused write_to_file on src/auth/jwt.rs.");
    assert_eq!(error.reason(), "a human rejected this call and says: use the key store");
    assert!(!error.is_recoverable() && !error.suggestion().is_empty());
    assert_eq!(error.details()["retry"], json!({"same_call": false, "alternative": true}));
    assert_eq!(error.details()["feedback"], "use the key store");
    assert_eq!(ToolError::from_text(&error.to_json()), Some(error));
}

#[test]
fn req_030_req_159_after_a_rejection_the_session_goes_on() {
    let world = World::ready();
    world.will_say(no("no"));
    assert_eq!(refused(world.pre(&world.write(JWT, "bad\n"))).code(), ErrorCode::DestructiveActionRejected);
    world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
    world.mutates(&world.write(JWT, "better\n"));
}

#[test]
fn req_011_req_037_req_086_req_116_every_destructive_tool_of_the_registry_is_asked_about() {
    for row in registry::entries().filter(|row| row.class == Classification::Destructive) {
        for name in std::iter::once(&row.name).chain(row.aliases) {
            let world = World::ready();
            world.settings(|settings| settings.never_read = NeverRead::Allow);
            let call = bailiwick_domain::ToolCall { tool: (*name).to_owned(), ..sample_call(&world, row) };
            let approval = world.asks(&call);
            assert_eq!(approval.request.kind, ApprovalKind::Destructive, "{name}");
            assert_eq!(approval.request.tool, row.name);
            world.refuses_now(&approval);
        }
    }
}

impl World {
    /// The human says no, and the call does not get through.
    fn refuses_now(&self, approval: &bailiwick_domain::Approval) {
        let error = refused(self.resolve(approval, no("no")));
        assert_eq!(error.code(), ErrorCode::DestructiveActionRejected);
        assert!(self.pendings.calls().is_empty());
    }
}

#[test]
fn req_029_a_yes_is_for_one_call_and_not_for_the_next() {
    // K-13
    let world = World::ready();
    world.mutates(&world.write(JWT, "one\n"));
    world.mutates(&world.write(JWT, "two\n"));
    assert_eq!(world.human.asked().len(), 2);
    assert_eq!(world.approvals.all().len(), 2);
}

#[test]
fn req_073_the_question_about_a_command_shows_the_command_and_why_it_is_not_proved_harmless() {
    let world = World::ready();
    let request = world.asks_what(&command(&world, "cargo publish"));
    assert_eq!(request.kind, ApprovalKind::Destructive);
    assert_eq!(request.diff_preview, "in .\n$ cargo publish");
    assert_eq!(
        request.reason,
        "`execute_command` runs a command under INT-001 (Goal of INT-001). The command was not proved read-only: no table knows this command."
    );
}

#[test]
fn req_084_a_rejected_command_does_not_run() {
    let world = World::ready();
    world.will_say(no("not now"));
    let error = refused(world.pre(&command(&world, "cargo publish")));
    assert_eq!(error.message(), "Rejected: a human refused execute_command.");
}

#[test]
fn req_074_req_143_silence_is_never_a_yes() {
    // K-43
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    let silent = Answer::Unanswered { why: "the window was closed".to_owned() };
    for answer in [silent, Answer::Unanswered { why: "timeout".to_owned() }] {
        world.will_say(answer);
        let error = refused(world.pre(&world.again(&call)));
        assert_eq!(error.code(), ErrorCode::ApprovalPending);
        assert_eq!(error.details()["retry"], json!({"same_call": true}));
    }
    assert!(world.pendings.calls().is_empty());
    assert_eq!(world.approvals.all().len(), 1);
}

#[test]
fn req_074_a_waiting_request_that_is_never_answered_lapses() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    let approval = world.asks(&call);
    world.clock.advance(600);
    assert_eq!(refused(world.resolve(&approval, yes())).code(), ErrorCode::ApprovalTimeout);
    assert_eq!(refused(world.resolve(&approval, yes())).code(), ErrorCode::ApprovalTimeout);
    assert!(world.pendings.calls().is_empty());
}

#[test]
fn req_133_an_answer_to_a_request_that_does_not_wait_here_is_refused() {
    // K-45
    let world = World::ready();
    let error =
        refused(block_on(world.gate.resolve(&bailiwick_domain::ApprovalId("ap-nobody".to_owned()), yes())));
    assert_eq!(error.code(), ErrorCode::ApprovalTimeout);
}

#[test]
fn the_same_call_passes_once_after_a_late_yes() {
    // D-06, D-17
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    assert_eq!(refused(world.pre(&call)).code(), ErrorCode::ApprovalPending);
    let id = world.approvals.all()[0].id.clone();
    block_on(world.approvals.answer(&id, &yes(), world.now())).unwrap();
    let retry = world.again(&call);
    assert!(matches!(world.pre(&retry), Outcome::Allow(Because::Approved { .. })));
    assert_eq!(world.human.asked().len(), 1);
    let third = world.again(&call);
    assert_eq!(refused(world.pre(&third)).code(), ErrorCode::ApprovalPending);
    assert_eq!(world.human.asked().len(), 2);
    assert!(matches!(world.approvals.all()[0].status, ApprovalStatus::Used { .. }));
}

#[test]
fn a_late_yes_lapses_after_ten_minutes() {
    // D-17
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    assert_eq!(refused(world.pre(&call)).code(), ErrorCode::ApprovalPending);
    let id = world.approvals.all()[0].id.clone();
    block_on(world.approvals.answer(&id, &yes(), world.now())).unwrap();
    world.clock.advance(600);
    assert_eq!(refused(world.pre(&world.again(&call))).code(), ErrorCode::ApprovalPending);
    assert_eq!(world.approvals.all().len(), 2);
}

#[test]
fn a_yes_fits_no_other_call() {
    // D-17
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    assert_eq!(refused(world.pre(&call)).code(), ErrorCode::ApprovalPending);
    let id = world.approvals.all()[0].id.clone();
    block_on(world.approvals.answer(&id, &yes(), world.now())).unwrap();
    let other_session = bailiwick_domain::Actor::root("claude-code", "s2");
    world.select_as(&other_session, "INT-001");
    world.read_as(&other_session, JWT);
    let elsewhere = bailiwick_domain::ToolCall {
        cwd: Some("/repo/src".to_owned()),
        ..world.write("/repo/src/auth/jwt.rs", "new\n")
    };
    for unlike in [
        world.write(JWT, "newer\n"),
        world.call("write_to_file", json!({"path": JWT, "content": "new\n", "mode": "append"})),
        world.call_of(&other_session, "write_to_file", json!({"path": JWT, "content": "new\n"})),
        elsewhere,
    ] {
        assert_eq!(refused(world.pre(&unlike)).code(), ErrorCode::ApprovalPending, "{unlike:?}");
    }
    assert!(matches!(world.pre(&world.again(&call)), Outcome::Allow(Because::Approved { .. })));
}

#[test]
fn a_yes_to_a_script_does_not_fit_the_rewritten_script() {
    // D-17, threats B9, B10
    let world = World::ready();
    world.edit_outside("run.sh", "make test\n");
    let call = command(&world, "sh run.sh");
    let approval = world.asks(&call);
    world.edit_outside("run.sh", "rm -rf /\n");
    let error = refused(world.resolve(&approval, yes()));
    assert_eq!(
        (error.code(), &error.details()["cause"]),
        (ErrorCode::StaleFile, &json!("changed_during_approval"))
    );
    assert!(error.message().contains("run.sh"), "{}", error.message());
}

#[test]
fn retrying_what_was_rejected_repeats_the_rejection_until_the_human_speaks_again() {
    // K-06
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.will_say(no("keep it"));
    assert_eq!(refused(world.pre(&call)).code(), ErrorCode::DestructiveActionRejected);
    world.clock.advance(30);
    let error = world.refuses(&world.again(&call), ErrorCode::DestructiveActionRejected);
    assert_eq!(error.details()["feedback"], "keep it");
    world.prompt();
    world.select("INT-001");
    world.passes_by_yes(&world.again(&call));
}

// K-06: no longer than the request itself, and not where the human spoke in the same moment
#[test]
fn a_rejection_is_repeated_until_its_request_is_old() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.will_say(no("keep it"));
    refused(world.pre(&call));
    let rest = world.approvals.all()[0].expires.unix_ms() - world.now().unix_ms();
    world.clock.advance(u64::try_from(rest / 1000).unwrap());
    world.asks(&world.again(&call));
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.will_say(no("keep it"));
    refused(world.pre(&call));
    world.prompt();
    world.select("INT-001");
    world.asks(&world.again(&call));
}

// D-17: what was answered elsewhere is no other answer
#[test]
fn an_answer_that_came_first_is_not_turned_around() {
    for (first, second) in [(no("keep it"), yes()), (yes(), no("keep it"))] {
        let world = World::ready();
        let approval = world.asks(&world.write(JWT, "new\n"));
        block_on(world.approvals.answer(&approval.id, &first, world.now())).unwrap();
        assert_eq!(refused(world.resolve(&approval, second)).code(), ErrorCode::ApprovalTimeout);
        assert!(world.pendings.calls().is_empty());
    }
}

#[test]
fn a_rejection_does_not_touch_the_calls_beside_it() {
    // K-53
    let world = World::ready();
    let (first, second) = (world.write(JWT, "one\n"), world.write("src/auth/new.rs", "two\n"));
    let (one, two) = (world.asks(&first), world.asks(&second));
    assert_eq!(refused(world.resolve(&one, no("no"))).code(), ErrorCode::DestructiveActionRejected);
    assert!(matches!(world.resolve(&two, yes()), Outcome::Allow(Because::Approved { .. })));
}

#[test]
fn the_lock_is_not_held_while_a_human_thinks() {
    // K-09
    let world = World::ready();
    world.asks(&world.write(JWT, "new\n"));
    assert!(!world.lock.is_held());
    world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
}

#[test]
fn the_prompt_of_the_host_is_used_only_on_top_of_the_rules() {
    // K-12
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.will_say(Answer::AskHost);
    assert!(matches!(world.pre(&call), Outcome::AskHost(_)));
    assert_eq!(world.pendings.calls()[0].approved_by, None);
    let report = world.run(&call);
    assert_eq!(report.trace_ids.len(), 1);
    let entry = world.ledger.entries().remove(0);
    // D-33: the host's prompt is who answered.
    let asked = &world.approvals.all()[0].id;
    assert_eq!(entry.context.approval.as_ref(), Some(asked));
    assert_eq!(entry.context.approved_by.as_deref(), Some("the prompt of claude-code"));
    world.refuses(&world.write("src/core/x.rs", "x"), ErrorCode::ScopeViolation);
}

#[test]
fn an_own_claim_of_approval_counts_for_nothing() {
    // K-12
    let world = World::ready();
    let params = json!({"path": JWT, "content": "new\n", "approved": true, "requires_approval": false});
    world.asks(&world.call("write_to_file", params));
}

/// What the question about a command is bound to beside the command, by name; whether it is there.
fn bound(world: &World, text: &str) -> Vec<(String, bool)> {
    let premise = world.asks_what(&command(world, text)).premise.unwrap();
    let is_there = |state: &FileState| *state != FileState::Absent;
    let mut runs: Vec<_> =
        premise.runs.iter().map(|(path, state)| (path.to_string(), is_there(state))).collect();
    runs.sort();
    runs
}

// D-17, A15
#[test]
fn a_yes_to_a_command_is_bound_to_its_scripts_and_to_manifests_that_may_come() {
    let world = World::in_action();
    world.edit_outside("Makefile", "include a.mk b.mk\n");
    world.edit_outside("a.mk", "all:\n");
    let expected = [("GNUmakefile", false), ("Makefile", true), ("a.mk", true), ("makefile", false)];
    assert_eq!(bound(&world, "make all"), expected.map(|(name, there)| (name.to_owned(), there)));
    let files = |count: usize| (0..count).map(|number| format!(" i{number}.mk")).collect::<String>();
    for number in 0..65 {
        world.edit_outside(&format!("i{number}.mk"), "x:\n");
    }
    for (count, expected) in [(64, 3 + 64), (65, 3)] {
        world.edit_outside("Makefile", &format!("include{}\n", files(count)));
        assert_eq!(bound(&world, "make all").len(), expected, "{count} files are included");
    }
}

// D-17, "Time"
#[test]
fn a_command_that_names_more_than_a_yes_can_be_bound_to_is_refused() {
    let world = World::in_action();
    let largest = "#".repeat(16 << 20);
    for number in 0..4 {
        world.edit_outside(&format!("s{number}"), &largest);
    }
    world.edit_outside("s4", "#");
    assert_eq!(bound(&world, "sh s0 s1 s2 s3").len(), 4);
    let error = refused(world.pre(&command(&world, "sh s0 s1 s2 s3 s4")));
    assert_eq!(error.code(), ErrorCode::TooLarge);
}

#[test]
fn what_a_command_runs_is_read_once_for_each_look() {
    let world = World::in_action();
    let script = bailiwick_domain::RepoPath::new("run.sh").unwrap();
    let contents: Vec<Vec<u8>> = (0..20).map(|look| format!("echo {look}\n").into_bytes()).collect();
    world.files.write(&script, &contents[0]);
    world.files.flicker(&script, contents.clone());
    let looks = || contents.iter().position(|content| world.files.bytes(&script).as_ref() == Some(content));
    let approval = world.asks(&command(&world, "sh run.sh"));
    let asked = looks().unwrap();
    let error = refused(world.resolve(&approval, yes()));
    assert_eq!(
        (error.code(), &error.details()["cause"]),
        (ErrorCode::StaleFile, &json!("changed_during_approval"))
    );
    assert_eq!((asked, looks()), (1, Some(2)));
}

// D-17: what a request rests on is kept with it
#[test]
fn a_request_keeps_what_its_command_runs() {
    let world = World::ready();
    world.edit_outside("run.sh", "exit 0\n");
    let request = world.asks_what(&command(&world, "sh run.sh"));
    assert_eq!(request.premise.unwrap().runs, [(sample::path("run.sh"), content("exit 0\n"))]);
}

// D-16: a new prompt lets the same call be asked about once more, also in the moment of the no
#[test]
fn a_no_counts_until_the_next_prompt() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    world.will_say(no("not now"));
    refused(world.pre(&call));
    assert_eq!(refused(world.pre(&world.again(&call))).code(), ErrorCode::DestructiveActionRejected);
    block_on(world.gate.prompt(&sample::actor(), false)).unwrap();
    world.select("INT-001");
    world.asks(&world.again(&call));
}
