//! The owned scope at the gate: rows 9, 10, 16 to 19, 23, 24, 31, 32, 38, 66 to 68, 72, 77 to 79, 83, 85, 160, 161;
//! K-01, K-02, K-03, K-05, K-08, K-34.

use bailiwick::gate::Outcome;
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Action, ApprovalKind, Constraint, ErrorCode, IntentStatus, OnViolation, OwnedScope, ScopePattern,
    ToolCall, Value, json,
};

use super::world::{BILLING, HUMAN, JWT, World, command, no, refused, yes};

fn asking_world() -> World {
    let world = World::ready();
    world.settings(|settings| settings.on_violation = OnViolation::Ask);
    world
}

#[test]
fn req_009_req_018_req_067_inside_the_scope_a_write_goes_on_to_the_human() {
    let world = World::in_action();
    let request = world.asks_what(&world.write("src/auth/deep/new.rs", "x"));
    assert_eq!(request.kind, ApprovalKind::Destructive);
}

#[test]
fn req_018_a_folder_with_a_trailing_slash_owns_what_is_below() {
    // K-38
    let world = World::new();
    world.rewrite_intent(|draft| draft.owned_scope = OwnedScope::parse(["src/utils/"]).unwrap());
    world.select("INT-001");
    world.asks(&world.write("src/utils/helper.ts", "x"));
    let error = world.refuses(&world.write("src/core/main.ts", "x"), ErrorCode::ScopeViolation);
    assert!(error.message().starts_with("Scope Violation"));
}

#[test]
fn req_010_req_016_req_017_req_019_req_023_outside_it_is_blocked_at_once_with_the_fixed_sentence() {
    let world = World::in_action();
    let call = world.write("./src/auth/../core/main.rs", "x");
    let error = world.refuses(&call, ErrorCode::ScopeViolation);
    assert_eq!(
        error.message(),
        "Scope Violation: INT-001 is not authorized to edit src/core/main.rs. Request scope expansion."
    );
    assert_eq!(error.details()["requested_path"], "./src/auth/../core/main.rs");
    assert_eq!(world.actions_of(&call), [Action::Block]);
    assert!(!world.exists("src/core/main.rs"));
}

#[test]
fn req_010_req_161_an_intent_called_req_001_gives_the_sentence_of_the_first_draft() {
    // K-02
    let world = World::new();
    world.intents.set(vec![sample::intent("REQ-001", &["src/utils/"])]);
    world.select("REQ-001");
    let error = world.refuses(&world.write("src/core/main.ts", "x"), ErrorCode::ScopeViolation);
    assert_eq!(
        error.message(),
        "Scope Violation: REQ-001 is not authorized to edit src/core/main.ts. Request scope expansion."
    );
}

#[test]
fn req_066_req_068_the_violation_names_file_intent_patterns_and_ways_out() {
    // K-05
    let world = World::in_action();
    let error = world.refuses(&world.write(BILLING, "x"), ErrorCode::ScopeViolation);
    assert!(error.is_recoverable() && error.is_scope_violation());
    for part in [BILLING, "INT-001", "src/auth/**"] {
        assert!(error.reason().contains(part), "{part}: {}", error.reason());
    }
    let (owner, wider) = ("select the intent that owns this file (INT-002)", "request_scope_expansion");
    assert!(
        error.suggestion().contains(owner) && error.suggestion().contains(wider),
        "{}",
        error.suggestion()
    );
    // Nobody's file: no intent is named that would be tried in vain.
    let error = world.refuses(&world.write("README.md", "x"), ErrorCode::ScopeViolation);
    assert!(!error.suggestion().contains("INT-00"), "{}", error.suggestion());
    assert!(error.suggestion().contains("expand the scope"));
    assert_eq!(error.details()["scope"], json!(["src/auth/**"]));
    assert!(!world.refuses(&world.write("/etc/x", "x"), ErrorCode::OutsideWorkspace).is_scope_violation());
}

// K-05: where few intents could be selected, only those are named that own the file; where many could, all of them
#[test]
fn of_up_to_eight_intents_a_violation_names_the_owner_alone() {
    for (count, named) in [(7, 1), (8, 1), (9, 8)] {
        let world = World::in_action();
        let rest = (3..=count).map(|n| sample::intent(&format!("INT-{n:03}"), &["src/web/**"]));
        let first = [("INT-001", "src/auth/**"), ("INT-002", "src/billing/**")];
        let first = first.map(|(id, scope)| sample::intent(id, &[scope]));
        world.intents.set(first.into_iter().chain(rest).collect());
        let error = world.refuses(&world.write(BILLING, "x"), ErrorCode::ScopeViolation);
        let suggestion = error.suggestion();
        assert!(suggestion.contains("INT-002"), "{suggestion}");
        assert_eq!(suggestion.matches("INT-").count(), named, "{count}: {suggestion}");
    }
}

#[test]
fn req_024_an_intent_without_a_scope_can_be_selected_but_changes_nothing() {
    // K-08
    let world = World::new();
    world.rewrite_intent(|draft| draft.owned_scope = OwnedScope::default());
    assert!(world.select("INT-001").starts_with("<intent_context>"));
    world.refuses(&world.write(JWT, "x"), ErrorCode::NoScope);
    world.refuses(&command(&world, "make"), ErrorCode::NoScope);
    world.passes_unasked(&world.call("read_file", json!({"path": JWT})));
}

#[test]
fn req_031_req_062_switching_the_intent_switches_the_verdict() {
    let world = World::in_action();
    world.refuses(&world.write("src/billing/new.rs", "x"), ErrorCode::ScopeViolation);
    world.asks(&world.write("src/auth/new.rs", "x"));
    world.select("INT-002");
    world.asks(&world.write("src/billing/new.rs", "x"));
    let error = world.refuses(&world.write("src/auth/other.rs", "x"), ErrorCode::ScopeViolation);
    assert!(error.message().contains("INT-002"));
}

#[test]
fn req_032_req_062_a_scope_that_a_human_narrows_counts_on_the_next_call() {
    // K-37
    let world = World::in_action();
    world.asks(&world.write("src/auth/a.rs", "x"));
    world.rewrite_intent(|draft| draft.owned_scope = OwnedScope::parse(["src/auth/login/**"]).unwrap());
    world.refuses(&world.write("src/auth/b.rs", "x"), ErrorCode::ScopeViolation);
}

#[test]
fn req_065_an_intent_that_vanishes_during_the_session_is_not_found() {
    let world = World::ready();
    world.intents.set(vec![sample::intent("INT-002", &["src/billing/**"])]);
    let error = world.refuses(&world.write(JWT, "x"), ErrorCode::IntentNotFound);
    assert!(error.is_recoverable());
    assert!(error.suggestion().contains("INT-002"), "{}", error.suggestion());
}

#[test]
fn req_152_an_intent_that_a_human_closes_stops_work_under_it() {
    for status in [IntentStatus::Completed, IntentStatus::Abandoned, IntentStatus::Blocked] {
        let world = World::ready();
        world.rewrite_intent(|draft| draft.status = status);
        let error = world.refuses(&world.write(JWT, "x"), ErrorCode::IntentNotSelectable);
        assert!(error.suggestion().contains("INT-002"));
    }
    let world = World::ready();
    world.rewrite_intent(|draft| draft.frozen = true);
    world.refuses(&command(&world, "make"), ErrorCode::IntentNotSelectable);
}

fn stray_calls(world: &World) -> Vec<(ToolCall, &'static str)> {
    let call = |tool: &str, params: Value| world.call(tool, params);
    let add = "*** Begin Patch\n*** Add File: src/core/a.rs\n+x\n*** End Patch\n";
    let unified = "--- a/src/core/a.rs\n+++ b/src/core/a.rs\n@@ -1 +1 @@\n-a\n+b\n";
    vec![
        (call("write_to_file", json!({"path": "src/core/a.rs", "content": "x"})), "src/core/a.rs"),
        (call("edit_file", json!({"path": BILLING, "old_string": "bill", "new_string": "x"})), BILLING),
        (
            call(
                "apply_diff",
                json!({"path": BILLING, "diff": "<<<<<<< SEARCH\nfn bill() {}\n=======\nx\n>>>>>>> REPLACE\n"}),
            ),
            BILLING,
        ),
        (call("insert_content", json!({"path": BILLING, "line": 1, "content": "x"})), BILLING),
        (call("delete_file", json!({"path": BILLING})), BILLING),
        (call("move_file", json!({"from": BILLING, "to": "src/auth/bill.rs"})), BILLING),
        (call("move_file", json!({"from": JWT, "to": "src/core/jwt.rs"})), "src/core/jwt.rs"),
        (call("apply_patch", json!({"patch": add})), "src/core/a.rs"),
        (call("apply_patch", json!({"patch": unified})), "src/core/a.rs"),
        (
            call("NotebookEdit", json!({"notebook_path": "src/core/n.ipynb", "new_source": "x"})),
            "src/core/n.ipynb",
        ),
        (call("generate_image", json!({"prompt": "a cat", "path": "img/cat.png"})), "img/cat.png"),
        (
            call(
                "MultiEdit",
                json!({"file_path": BILLING, "edits": [{"old_string": "bill", "new_string": "x"}]}),
            ),
            BILLING,
        ),
    ]
}

#[test]
fn req_083_req_086_req_160_every_tool_that_writes_deletes_or_moves_is_held_to_the_scope() {
    // K-17
    let world = World::ready();
    for (call, path) in stray_calls(&world) {
        let error = world.refuses(&call, ErrorCode::ScopeViolation);
        let sentence =
            format!("Scope Violation: INT-001 is not authorized to edit {path}. Request scope expansion.");
        assert_eq!(error.message(), sentence, "{}", call.tool);
    }
}

#[test]
fn req_085_one_bad_path_blocks_the_whole_patch() {
    // K-03
    let world = World::ready();
    let patch = format!(
        "*** Begin Patch\n*** Add File: src/auth/good.rs\n+x\n*** Add File: src/core/bad.rs\n+x\n*** Delete File: {BILLING}\n*** Update File: {JWT}\n*** Move to: lib/jwt.rs\n@@\n-fn sign() {{}}\n+fn seal() {{}}\n*** End Patch\n"
    );
    let error = world.refuses(&world.call("apply_patch", json!({"patch": patch})), ErrorCode::ScopeViolation);
    assert!(error.message().contains("src/core/bad.rs"));
    assert_eq!(error.details()["paths"], json!(["src/core/bad.rs", BILLING, "lib/jwt.rs"]));
    assert!(!world.exists("src/auth/good.rs"));
}

// REQ 89
#[test]
fn req_072_req_078_where_the_settings_ask_a_human_may_approve_anyway_once() {
    // K-01
    let world = asking_world();
    let call = world.write("src/core/new.rs", "x");
    let approval = world.asks(&call);
    assert_eq!(approval.request.kind, ApprovalKind::ScopeOverride);
    for part in ["INT-001", "src/core/new.rs", "src/auth/**", "overrides the scope for this one call"] {
        assert!(approval.request.reason.contains(part), "{part}: {}", approval.request.reason);
    }
    assert!(matches!(world.resolve(&approval, yes()), Outcome::Allow(_)));
    assert_eq!((world.human.asked().len(), world.approvals.all().len()), (1, 1));
    let report = world.run(&call);
    assert_eq!(report.trace_ids.len(), 1);
    let entry = world.ledger.entries().remove(0);
    assert!(entry.context.scope_override);
    assert_eq!(
        (entry.context.approved_by.as_deref(), entry.context.approval),
        (Some(HUMAN), Some(approval.id))
    );
    assert_eq!(world.asks_what(&world.write("src/core/new.rs", "y")).kind, ApprovalKind::ScopeOverride);
}

#[test]
fn req_041_req_077_a_rejected_override_is_an_error_and_nothing_runs() {
    // K-01
    let world = asking_world();
    world.will_say(no("stay in auth"));
    let error = refused(world.pre(&world.write("src/core/new.rs", "x")));
    assert_eq!(error.code(), ErrorCode::DestructiveActionRejected);
    assert!(world.pendings.calls().is_empty());
}

#[test]
fn an_override_is_never_offered_for_protected_outside_or_ignored_paths() {
    // K-01
    let world = asking_world();
    world.ignore("/vendor/\n");
    world.refuses(&world.write(".orchestration/active_intents.yaml", "x"), ErrorCode::ProtectedPath);
    world.refuses(&world.write("../other/x", "x"), ErrorCode::OutsideWorkspace);
    world.refuses(&world.write("vendor/x.c", "x"), ErrorCode::IntentIgnored);
}

#[test]
fn an_ordinary_entry_is_no_override() {
    // K-01
    let world = World::ready();
    assert!(!world.mutates(&world.write(JWT, "new\n")).context.scope_override);
}

#[test]
fn req_079_what_is_blocked_for_another_reason_asks_nobody() {
    let world = World::new();
    world.settings(|settings| settings.on_violation = OnViolation::Ask);
    world.refuses(&world.write(JWT, "x"), ErrorCode::StateViolation);
    world.select("INT-001");
    world.refuses(&world.write(JWT, "x"), ErrorCode::StaleFile);
    world.refuses(&world.call("write_to_file", json!({"path": JWT})), ErrorCode::MalformedCall);
    world.refuses(&world.write(BILLING, "x"), ErrorCode::ScopeViolation);
    assert!(world.approvals.all().is_empty());
}

#[test]
fn constraints_of_the_intent_hold_inside_its_scope() {
    // K-34
    let world = World::new();
    world.rewrite_intent(|draft| {
        let frozen = ScopePattern::new("src/auth/legacy/**").unwrap();
        draft.constraints =
            vec![Constraint::ForbidPaths(vec![frozen]), Constraint::ForbidTools(vec!["Bash".to_owned()])];
    });
    world.select("INT-001");
    world.refuses(&world.write("src/auth/legacy/a.rs", "x"), ErrorCode::ConstraintViolation);
    world.refuses(&command(&world, "make"), ErrorCode::ConstraintViolation);
    world.asks(&world.write("src/auth/a.rs", "x"));
}

#[test]
fn the_first_failing_check_wins_and_the_others_are_listed() {
    // K-34
    let world = World::in_action();
    world.ignore("/src/billing/\n");
    let error = world.refuses(&world.write(BILLING, "x"), ErrorCode::IntentIgnored);
    assert_eq!(error.details()["also"], json!(["SCOPE_VIOLATION", "STALE_FILE"]));
}
