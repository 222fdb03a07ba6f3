//! Revisions of intents that nobody accepted on this machine: they wait for a yes that has shown them (D-18, threat C14).

use bailiwick::gate::{Because, Outcome};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Answer, Approval, Constraint, ErrorCode, GrantBounds, GrantLimits, Intent, IntentChange, IntentWriter,
    OwnedScope, ScopePattern, json,
};
use pollster::block_on;

use super::world::{HUMAN, JWT, World, no, refused, yes};

const WIDER: [&str; 2] = ["src/auth/**", "src/core/**"];

/// `src/auth/**` was accepted; the file says now what `scope` says.
fn world_with(scope: &[&str]) -> World {
    let world = World::new();
    world.intents.accept_only(vec![sample::intent("INT-001", &["src/auth/**"])]);
    world.rewrite_intent(|draft| draft.owned_scope = OwnedScope::parse(scope.iter().copied()).unwrap());
    world.prompt();
    world.select("INT-001");
    world.read(JWT);
    world
}

fn shows(approval: &Approval) -> bool {
    let (diff, reason) = (&approval.request.diff_preview, &approval.request.reason);
    let shown = diff.starts_with("--- ") && diff.contains("INT-001 in .orchestration/active_intents.yaml");
    assert_eq!(shown, reason.contains("is new or wider than what was accepted on this machine"), "{diff}");
    assert_eq!(shown, approval.request.accepts.len() == 1);
    shown
}

// D-18
#[test]
fn a_wider_scope_counts_after_one_yes_that_showed_it() {
    let world = world_with(&WIDER);
    let call = world.write("src/core/a.rs", "x");
    let asked = world.asks(&call);
    assert!(shows(&asked) && asked.request.diff_preview.contains("+    - \"src/core/**\""));
    assert!(asked.request.diff_preview.contains("+++ b/src/core/a.rs"), "and the change itself");
    assert!(matches!(world.resolve(&asked, yes()), Outcome::Allow(Because::Approved { .. })));
    assert!(!shows(&world.asks(&world.write("src/core/b.rs", "x"))), "shown once");
    let other = bailiwick_domain::Actor::root("claude-code", "other");
    world.select_as(&other, "INT-001");
    let call = world.call_of(&other, "write_to_file", json!({"path": "src/core/c.rs", "content": "x"}));
    assert!(!shows(&world.asks(&call)), "in no session again");
}

// D-18
#[test]
fn an_intent_that_nobody_ever_accepted_is_shown_whole() {
    let world = World::new();
    world.intents.accept_only(Vec::new());
    world.prompt();
    world.select("INT-001");
    let asked = world.asks(&world.write("src/auth/new.rs", "x"));
    assert!(shows(&asked));
    for line in ["--- /dev/null", "+- id: INT-001", "+    - \"src/auth/**\""] {
        assert!(asked.request.diff_preview.contains(line), "{line}: {}", asked.request.diff_preview);
    }
}

// D-18
#[test]
fn a_no_accepts_nothing() {
    let world = world_with(&WIDER);
    let asked = world.asks(&world.write("src/core/a.rs", "x"));
    assert_eq!(refused(world.resolve(&asked, no("not there"))).code(), ErrorCode::DestructiveActionRejected);
    assert!(shows(&world.asks(&world.write("src/core/b.rs", "x"))));
    assert!(shows(&world.asks(&world.write(JWT, "x"))), "the accepted part asks with it too");
}

// D-18: questions that were open together need no second yes each
#[test]
fn two_open_questions_are_each_answered_once() {
    let world = world_with(&WIDER);
    let (one, two) = (world.write("src/core/a.rs", "x"), world.write("src/core/b.rs", "x"));
    let (first, second) = (world.asks(&one), world.asks(&two));
    for asked in [first, second] {
        assert!(matches!(world.resolve(&asked, yes()), Outcome::Allow(_)));
    }
}

// D-18
#[test]
fn a_narrowed_intent_applies_at_once() {
    for scope in [&["src/auth/**", "!src/auth/old/**"][..], &["src/auth/**"]] {
        let world = world_with(scope);
        assert!(!shows(&world.asks(&world.write(JWT, "x"))), "{scope:?}");
    }
    let world = world_with(&["src/auth/**", "!src/auth/jwt.rs"]);
    world.refuses(&world.write(JWT, "x"), ErrorCode::ScopeViolation);
}

// D-18, threat C14: the scope grows under a working agent
#[test]
fn a_widening_in_the_middle_of_the_work_waits_for_its_question() {
    let world = World::ready();
    world.intents.accept_only(vec![sample::intent("INT-001", &["src/auth/**"])]);
    world.mutates(&world.write(JWT, "one\n"));
    world.rewrite_intent(|draft| draft.owned_scope = OwnedScope::parse(WIDER).unwrap());
    assert!(shows(&world.asks(&world.write(JWT, "two\n"))));
    assert!(shows(&world.asks(&world.write("src/core/a.rs", "x"))));
}

// D-18, G6: the host's prompt cannot show it
#[test]
fn the_prompt_of_the_host_accepts_nothing() {
    let world = world_with(&WIDER);
    for path in ["src/core/a.rs", JWT] {
        let call = world.write(path, "x");
        world.will_say(Answer::AskHost);
        let error = refused(world.pre(&call));
        assert_eq!(error.code(), ErrorCode::ApprovalPending);
        assert!(error.message().contains("bailiwick intent accept"), "{}", error.message());
        assert!(world.pendings.calls().is_empty());
        let awaited = block_on(world.gate.standing().awaited(&sample::actor())).unwrap();
        assert_eq!(
            awaited.last().unwrap().request.changed_paths,
            [path],
            "an answer is told at the next stop"
        );
    }
}

// D-18: a yes to a question that had not shown the change
#[test]
fn a_yes_that_did_not_show_the_change_is_none() {
    let world = World::ready();
    let call = world.write(JWT, "x");
    let asked = world.asks(&call);
    assert!(!shows(&asked));
    world.intents.accept_only(Vec::new());
    let error = refused(world.resolve(&asked, yes()));
    assert_eq!(error.details()["cause"], "changed_during_approval");
    assert!(world.pendings.calls().is_empty() && world.ledger.entries().is_empty());
}

// D-18: a state that an older version wrote says nothing of acceptance
#[test]
fn what_an_older_version_selected_is_looked_up() {
    let world = World::ready();
    world.intents.accept_only(Vec::new());
    let text = serde_json::to_string(&world.sessions.peek(&sample::actor()).unwrap()).unwrap();
    let mut old: serde_json::Value = serde_json::from_str(&text).unwrap();
    let revision = sample::intent("INT-001", &["src/auth/**"]).revision().clone();
    old.as_object_mut().unwrap().insert("accepted".to_owned(), json!(revision));
    world.sessions.put(&sample::actor(), serde_json::from_value(old).unwrap());
    assert!(shows(&world.asks(&world.write(JWT, "x"))));
}

/// A world whose intent was accepted as it is.
fn accepted_world() -> World {
    let world = World::ready();
    world.vcs.switch("refs/heads/main");
    world.intents.accept_only(vec![sample::intent("INT-001", &["src/auth/**"])]);
    world
}

fn close(world: &World) {
    world.rewrite_intent(|draft| draft.status = bailiwick_domain::IntentStatus::Completed);
}

/// `bailiwick intent close`, by a person beside the session.
fn close_by_command(world: &World) {
    let id = sample::intent_id("INT-001");
    let change = IntentChange::SetStatus { id, status: bailiwick_domain::IntentStatus::Completed };
    let edit = block_on(world.intents.draft(&change)).unwrap();
    block_on(world.intents.write(&edit, "refs/heads/main")).unwrap();
}

// A6, D-18: no call of the session saw that it was closed
#[test]
fn a_reopening_after_intent_close_is_shown_in_the_next_question() {
    let world = accepted_world();
    assert!(!shows(&world.asks(&world.write(JWT, "one"))));
    close_by_command(&world);
    world.rewrite_intent(|_| {});
    let asked = world.asks(&world.write(JWT, "two"));
    assert!(shows(&asked) && asked.request.diff_preview.contains("-  status: COMPLETED"));
    assert!(matches!(world.resolve(&asked, yes()), Outcome::Allow(Because::Approved { .. })));
    assert!(!shows(&world.asks(&world.write("src/auth/c.rs", "x"))), "shown once");
}

// A6, D-18
#[test]
fn a_reopening_after_a_closing_by_hand_that_a_call_met_is_shown() {
    let hands: [fn(&World); 3] = [
        close,
        |world| world.rewrite_intent(|draft| draft.frozen = true),
        |world| {
            let narrower = OwnedScope::parse(["src/auth/**", "!src/auth/old/**"]).unwrap();
            world.rewrite_intent(|draft| draft.owned_scope = narrower);
        },
    ];
    for take_away in hands {
        let world = accepted_world();
        take_away(&world);
        drop(world.pre(&world.write("src/auth/new.rs", "x")));
        world.rewrite_intent(|_| {});
        assert!(shows(&world.asks(&world.write(JWT, "two"))));
    }
}

// A6, D-18: what another session met counts for this one
#[test]
fn a_selection_that_meets_a_closed_intent_remembers_it() {
    let world = accepted_world();
    close(&world);
    let other = bailiwick_domain::Actor::root("claude-code", "other");
    let call = world.call_of(&other, "select_active_intent", json!({"intent_id": "INT-001"}));
    assert_eq!(refused(world.pre(&call)).code(), ErrorCode::IntentNotSelectable);
    world.rewrite_intent(|_| {});
    assert!(shows(&world.asks(&world.write(JWT, "two"))));
}

// A6, D-18
#[test]
fn going_back_to_what_was_accepted_by_a_switch_asks_nothing() {
    let world = accepted_world();
    world.vcs.switch("refs/heads/narrow");
    close(&world);
    world.refuses(&world.write(JWT, "one"), ErrorCode::IntentNotSelectable);
    world.vcs.switch("refs/heads/main");
    world.rewrite_intent(|_| {});
    assert!(!shows(&world.asks(&world.write(JWT, "two"))));
    world.vcs.switch("refs/heads/narrow");
    assert!(shows(&world.asks(&world.write("src/auth/b.rs", "x"))), "there it was closed");
}

// D-18, D-12
#[test]
fn a_sub_agent_does_not_work_around_it() {
    let world = world_with(&WIDER);
    let mut part = sample::draft("INT-003", &["src/core/**"]);
    part.parent = Some(sample::intent_id("INT-001"));
    let part = Intent::new(part).unwrap();
    world.intents.set(vec![sample::intent("INT-001", &WIDER), part.clone()]);
    world.intents.accept_only(vec![sample::intent("INT-001", &["src/auth/**"]), part]);
    let child = sample::child("a1");
    world.select_as(&child, "INT-003");
    let call = world.call_of(&child, "write_to_file", json!({"path": "src/core/a.rs", "content": "x"}));
    assert!(shows(&world.asks(&call)), "its parent's scope is what lets it there");
}

// D-18, D-02: a yes in advance was given under a revision that a human accepted, and covers nothing under another
#[test]
fn a_grant_covers_nothing_under_a_revision_that_nobody_accepted() {
    let world = World::with_grant(GrantLimits::default());
    let covered = world.write("src/auth/a.rs", "x\n");
    assert!(matches!(world.pre(&covered), Outcome::Allow(Because::Granted { .. })), "it covers such a call");
    world.run(&covered);
    world.intents.accept_only(Vec::new());
    let call = world.write("src/auth/b.rs", "x\n");
    let asked = world.asks(&call);
    assert!(shows(&asked) && asked.request.reason.contains("grant#1 does not cover this"));
    assert_eq!(world.grant().used.calls, 1);
    assert!(matches!(world.resolve(&asked, yes()), Outcome::Allow(Because::Approved { .. })));
    world.run(&call);
    let later = world.write("src/auth/c.rs", "x\n");
    assert!(matches!(world.pre(&later), Outcome::Allow(Because::Granted { .. })), "accepted now");
}

// D-18, D-02, D-12: nor does that of a sub-agent whose parent's scope grew
#[test]
fn a_grant_of_a_sub_agent_does_not_reach_into_what_its_parent_was_not_given() {
    let world = World::ready();
    let mut part = sample::draft("INT-003", &["src/auth/**", "src/core/**"]);
    part.parent = Some(sample::intent_id("INT-001"));
    let part = Intent::new(part).unwrap();
    let narrow = sample::intent("INT-001", &["src/auth/**"]);
    world.intents.set(vec![narrow.clone(), part.clone()]);
    world.intents.accept_only(vec![narrow, part.clone()]);
    let child = sample::child("a1");
    world.select_as(&child, "INT-003");
    let write = |path: &str| world.call_of(&child, "write_to_file", json!({"path": path, "content": "x\n"}));
    let bounds = GrantBounds::new(GrantLimits::default()).unwrap();
    world.will_say(Answer::Grant { by: HUMAN.to_owned(), bounds });
    let first = write("src/auth/a.rs");
    assert!(matches!(world.pre(&first), Outcome::Allow(Because::Approved { .. })));
    world.run(&first);
    world.intents.set(vec![sample::intent("INT-001", &WIDER), part]);
    let asked = world.asks(&write("src/core/a.rs"));
    assert!(
        shows(&asked) && asked.request.reason.contains("does not cover this"),
        "{}",
        asked.request.reason
    );
    assert_eq!(world.grant().used.calls, 0);
}

// D-18: what an approval accepts is shown in full, its limits too
#[test]
fn the_limits_of_an_intent_are_shown_as_they_are_written() {
    let limits = [
        (Constraint::Text("No new dependency".to_owned()), "\"No new dependency\""),
        (
            Constraint::ForbidPaths(vec![ScopePattern::new("src/auth/old/**").unwrap()]),
            "{\"forbid_paths\":[\"src/auth/old/**\"]}",
        ),
        (Constraint::ForbidTools(vec!["delete_file".to_owned()]), "{\"forbid_tools\":[\"delete_file\"]}"),
        (Constraint::MaxFiles(3), "{\"max_files\":3}"),
        (Constraint::MaxLines(40), "{\"max_lines\":40}"),
    ];
    let world = World::new();
    world.intents.accept_only(Vec::new());
    world.rewrite_intent(|draft| draft.constraints = limits.iter().map(|(limit, _)| limit.clone()).collect());
    world.prompt();
    world.select("INT-001");
    let shown = world.asks_what(&world.write("src/auth/new.rs", "x")).diff_preview;
    for (_, text) in limits {
        assert!(shown.contains(&format!("+    - {text}\n")), "{text}: {shown}");
    }
}
