//! Grants at the gate (D-02): what one covers is not asked about, what it does not cover is, and each fuse ends it.

use bailiwick::gate::{Because, Outcome};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Action, Answer, ApprovalKind, ErrorCode, Grant, GrantBounds, GrantEnd, GrantId, GrantLimits, GrantStatus,
    GrantTerms, IntentStatus, OnViolation, OwnedScope, Pause, RepoPath, ToolCall, json,
};
use pollster::block_on;

use super::world::{BILLING, HUMAN, JWT, JWT_TEXT, World, broken, content, no, refused};

fn limits() -> GrantLimits {
    GrantLimits { max_files: 3, max_calls: 3, max_lines: 12, max_lines_per_call: 6, ..GrantLimits::default() }
}

fn granting(limits: GrantLimits) -> Answer {
    Answer::Grant { by: HUMAN.to_owned(), bounds: GrantBounds::new(limits).unwrap() }
}

fn file(number: u32) -> String {
    format!("src/auth/new_{number}.rs")
}

impl World {
    /// Like [`World::ready`], and a human answered the first write with a grant, which has begun.
    pub(crate) fn with_grant(limits: GrantLimits) -> Self {
        let world = Self::ready();
        world.will_say(granting(limits));
        let first = world.write("src/auth/first.rs", "first\n");
        let outcome = world.pre(&first);
        assert!(matches!(outcome, Outcome::Allow(Because::Approved { .. })), "{outcome:?}");
        world.run(&first);
        world
    }

    pub(crate) fn grant(&self) -> Grant {
        self.grants.all().pop().expect("there is a grant")
    }

    fn ended(&self) -> Option<GrantEnd> {
        let ends = self.decisions.records().into_iter().filter(|record| record.action == Action::GrantEnded);
        ends.for_each(|record| assert_eq!(record.intent, Some(sample::intent_id("INT-001"))));
        match self.grant().status {
            GrantStatus::Live => None,
            GrantStatus::Ended { why, .. } => Some(why),
        }
    }

    /// The grant covers the call: nobody is asked, and the log and the pending record name the grant.
    fn passes_by_grant(&self, call: &ToolCall) {
        let asked = self.human.asked().len();
        let by = HUMAN.to_owned();
        let outcome = self.pre(call);
        assert_eq!(
            outcome,
            Outcome::Allow(Because::Granted { grant: self.grant().id, by }),
            "{:?}",
            call.params
        );
        assert_eq!(self.human.asked().len(), asked);
        let record = self.last_record(call);
        assert_eq!((record.action, record.approval), (Action::Allow, Some(self.grant().id.as_approval())));
    }

    fn edit(&self, from: &str, to: &str) -> ToolCall {
        self.call("edit_file", json!({"path": JWT, "old_string": from, "new_string": to}))
    }
}

// D-02, K-13
#[test]
fn edits_within_a_grant_are_not_asked_about_and_recorded_under_its_name() {
    let world = World::with_grant(limits());
    let first = world.grant();
    assert_eq!(
        (first.id, first.used.calls),
        (GrantId::new(1), 0),
        "the call that was answered is its own yes"
    );
    for number in 1..=2 {
        let call = world.write(&file(number), "one\ntwo\n");
        world.passes_by_grant(&call);
        world.run(&call);
        let entry = world.ledger.entries().pop().unwrap();
        assert_eq!(entry.context.approval, Some(bailiwick_domain::ApprovalId("grant#1".to_owned())));
        assert_eq!(entry.context.approved_by.as_deref(), Some(HUMAN));
    }
    let used = world.grant().used;
    assert_eq!((used.calls, used.lines, used.files.len()), (2, 4, 2));
    let actions: Vec<Action> = world.decisions.records().iter().map(|record| record.action).collect();
    assert!(actions.contains(&Action::Granted));
}

// D-02
#[test]
fn a_request_offers_a_grant_exactly_where_one_could_cover_the_call() {
    let world = World::ready();
    assert_eq!(world.asks_what(&world.write(JWT, "x\n")).offer, Some(GrantBounds::default()));
    for call in [
        world.call("delete_file", json!({"path": JWT})),
        world.call("move_file", json!({"from": JWT, "to": "src/auth/b.rs"})),
        world.call("execute_command", json!({"command": "cargo test"})),
        world.call("mcp__x__y", json!({"path": JWT})),
        world.write("src/auth/build.rs", "fn main() {}\n"),
        world.write("src/auth/run", "#!/bin/sh\n"),
        world.write("src/auth/blob", "a\0b"),
    ] {
        let request = world.asks_what(&call);
        assert_eq!(request.offer, None, "{} {:?}", call.tool, call.params);
    }
    let patch = |mode: &str| {
        let head = format!("diff --git a/{JWT} b/{JWT}\nold mode 100644\nnew mode {mode}\n");
        let text = format!(
            "--- a/{JWT}\n+++ b/{JWT}\n@@ -1,2 +1,2 @@\n-fn sign() {{}}\n+fn seal() {{}}\n fn verify() {{}}\n"
        );
        world.call("apply_patch", json!({"patch": if mode.is_empty() { text } else { head + &text }}))
    };
    assert_eq!(world.asks_what(&patch("")).offer, Some(GrantBounds::default()));
    assert_eq!(world.asks_what(&patch("100755")).offer, None, "a mode is more than text");
    world.settings(|settings| settings.grants = false);
    assert_eq!(world.asks_what(&world.write("src/auth/c.rs", "x\n")).offer, None);
}

// D-02: a grant says nothing of what lies outside the rules
#[test]
fn a_question_of_another_kind_offers_no_grant_and_is_answered_by_none() {
    let world = World::with_grant(limits());
    world.settings(|settings| settings.on_violation = OnViolation::Ask);
    let request = world.asks_what(&world.write("src/billing/new.rs", "x\n"));
    assert_eq!((request.kind, request.offer), (ApprovalKind::ScopeOverride, None));
    assert!(!request.reason.contains("grant#1"), "{}", request.reason);
}

// D-02
#[test]
fn a_request_without_an_offer_cannot_be_answered_with_a_grant() {
    let world = World::ready();
    let call = world.call("delete_file", json!({"path": JWT}));
    world.will_say(granting(limits()));
    let error = refused(world.pre(&call));
    assert_eq!(error.code(), ErrorCode::ApprovalTimeout);
    assert!(world.grants.all().is_empty() && world.exists(JWT));
}

// D-02
#[test]
fn what_goes_beyond_a_grant_is_asked_about_and_the_question_says_why() {
    let world = World::with_grant(limits());
    let long = world.write(&file(1), &"line\n".repeat(7));
    let request = world.asks_what(&long);
    assert!(request.reason.contains("grant#1"), "{}", request.reason);
    assert!(request.reason.contains("the lines of one call"), "{}", request.reason);
    let one_line = world.write(&file(2), &"x".repeat(2_000));
    assert!(
        world.asks_what(&one_line).reason.contains("the lines of one call"),
        "a long line is no way around"
    );
    let gone = world.call("delete_file", json!({"path": JWT}));
    assert!(world.asks_what(&gone).reason.contains("does not cover this"));
    assert_eq!(world.grant().used.calls, 0);
    assert_eq!(world.ended(), None);
}

// D-02
#[test]
fn a_grant_ends_when_its_calls_are_used_up() {
    let world = World::with_grant(limits());
    for number in 1..=3 {
        let call = world.write(&file(number), "one\n");
        world.passes_by_grant(&call);
        world.run(&call);
    }
    assert_eq!(world.ended(), Some(GrantEnd::UsedUp));
    let reason = world.asks_what(&world.write(&file(4), "one\n")).reason;
    assert!(
        reason.ends_with("grant#1 ended: it is used up (3 of 3 calls, 3 of 12 lines, 3 of 3 files used)."),
        "{reason}"
    );
    let later = world.asks_what(&world.write(&file(5), "one\n")).reason;
    assert!(!later.contains("grant#1"), "it is told once: {later}");
}

// D-02
#[test]
fn a_grant_ends_with_the_turn() {
    let world = World::with_grant(limits());
    world.prompt();
    assert_eq!(world.ended(), Some(GrantEnd::TurnOver));
    world.select("INT-001");
    let reason = world.asks_what(&world.write(&file(1), "one\n")).reason;
    assert!(reason.ends_with("grant#1 ended: the turn is over."), "{reason}");

    let world = World::with_grant(limits());
    block_on(world.gate.prompt(&sample::actor(), true)).unwrap();
    assert_eq!(world.ended(), None, "a prompt that the host injects ends no turn");
    block_on(world.gate.turn_over(&sample::actor())).unwrap();
    assert_eq!(world.ended(), Some(GrantEnd::TurnOver));
    world.asks(&world.write(&file(1), "one\n"));
}

// D-02
#[test]
fn a_grant_ends_with_its_time() {
    let world = World::with_grant(GrantLimits { seconds: 60, ..limits() });
    world.clock.advance(59);
    let call = world.write(&file(1), "one\n");
    world.passes_by_grant(&call);
    world.run(&call);
    world.clock.advance(1);
    world.asks(&world.write(&file(2), "one\n"));
    assert_eq!(world.ended(), Some(GrantEnd::Expired));
}

// D-02, threat C14
#[test]
fn a_grant_ends_when_the_intent_changes_or_another_is_selected() {
    let world = World::with_grant(limits());
    world.rewrite_intent(|draft| draft.name = "Another goal".to_owned());
    world.asks(&world.write(&file(1), "one\n"));
    assert_eq!(world.ended(), Some(GrantEnd::IntentChanged));

    let world = World::with_grant(limits());
    world.select("INT-002");
    world.asks(&world.write("src/billing/new.rs", "one\n"));
    assert_eq!(world.ended(), Some(GrantEnd::IntentChanged));
    world.select("INT-001");
    world.asks(&world.write(&file(1), "one\n"));
}

// D-02
#[test]
fn a_grant_ends_when_the_branch_changes() {
    let world = World::with_grant(limits());
    world.vcs.switch("refs/heads/release");
    world.asks(&world.write(&file(1), "one\n"));
    assert_eq!(world.ended(), Some(GrantEnd::BranchChanged));
    world.vcs.switch("refs/heads/main");
    world.asks(&world.write(&file(2), "one\n"));
}

// D-02
#[test]
fn two_refused_calls_end_a_grant() {
    let world = World::with_grant(limits());
    world.refuses(&world.write("src/core/a.rs", "x\n"), ErrorCode::ScopeViolation);
    assert_eq!((world.grant().used.blocks, world.ended()), (1, None));
    let call = world.write(&file(1), "one\n");
    world.passes_by_grant(&call);
    world.run(&call);
    world.will_say(no("not like this"));
    refused(world.pre(&world.call("delete_file", json!({"path": JWT}))));
    assert_eq!(world.ended(), Some(GrantEnd::TwoBlocks));
    world.asks(&world.write(&file(2), "one\n"));
}

// D-02
#[test]
fn a_change_that_no_call_explains_ends_a_grant() {
    let world = World::with_grant(limits());
    let call = world.edit("fn sign() {}", "fn sign(key: Key) {}");
    world.passes_by_grant(&call);
    world.run(&call);
    let changed = format!("{}// by hand\n", world.text(JWT));
    world.edit_outside(JWT, &changed);
    // The quoted text is still there, so the change is current; but the file is not what the grant's call left.
    world.asks(&world.edit("fn verify() {}", "fn verify(key: Key) {}"));
    assert_eq!(world.ended(), Some(GrantEnd::Drift));

    let world = World::with_grant(limits());
    let call = world.write(&file(1), "one\n");
    world.passes_by_grant(&call);
    world.edit_outside(&file(1), "something else\n");
    block_on(world.gate.settle(&sample::actor())).unwrap();
    assert_eq!(
        world.ended(),
        Some(GrantEnd::Drift),
        "a pending call whose file holds something else is drift"
    );
}

// D-02, threat D3
#[test]
fn a_host_that_runs_a_refused_call_ends_the_grants_of_its_session() {
    let world = World::with_grant(limits());
    let outside = world.write("src/core/a.rs", "x\n");
    world.refuses(&outside, ErrorCode::ScopeViolation);
    world.run(&outside);
    assert_eq!(world.ended(), Some(GrantEnd::Drift));
    world.refuses(&world.write(&file(1), "one\n"), ErrorCode::Quarantined);
}

// D-02, D-12
#[test]
fn a_grant_covers_no_sub_agent() {
    let world = World::with_grant(limits());
    let child = sample::child("a1");
    let call = world.call_of(&child, "write_to_file", json!({"path": file(1), "content": "one\n"}));
    world.asks(&call);
    assert_eq!(world.grant().used.calls, 0);
    world.will_say(granting(limits()));
    let call = world.call_of(&child, "write_to_file", json!({"path": file(2), "content": "one\n"}));
    assert!(matches!(world.pre(&call), Outcome::Allow(Because::Approved { .. })));
    assert_eq!((world.grants.all().len(), &world.grant().terms.actor), (2, &child));
    let mine = world.write(&file(3), "one\n");
    assert!(
        matches!(world.pre(&mine), Outcome::Allow(Because::Granted { grant, .. }) if grant == GrantId::new(1))
    );
    world.prompt();
    assert!(
        world.grants.all().iter().all(|grant| grant.status != GrantStatus::Live),
        "the session's turn is over"
    );
}

// D-02
#[test]
fn a_newer_grant_takes_the_place_of_the_older_one() {
    let world = World::with_grant(limits());
    world.will_say(granting(limits()));
    let long = world.write(&file(1), &"line\n".repeat(7));
    assert!(matches!(world.pre(&long), Outcome::Allow(Because::Approved { .. })));
    let all = world.grants.all();
    assert!(matches!(&all[0].status, GrantStatus::Ended { why: GrantEnd::Replaced, .. }));
    assert_eq!(all[1].status, GrantStatus::Live);
}

// D-02: all other checks still run
#[test]
fn a_grant_opens_nothing_that_a_yes_could_not() {
    let world = World::with_grant(limits());
    world.refuses(&world.write("src/billing/bill.rs", "x\n"), ErrorCode::ScopeViolation);
    let world = World::with_grant(limits());
    world.ignore("src/auth/new_1.rs\n");
    world.refuses(&world.write(&file(1), "x\n"), ErrorCode::IntentIgnored);
    let world = World::with_grant(limits());
    world.edit_outside(JWT, "changed\n");
    world.refuses(&world.write(JWT, "x\n"), ErrorCode::StaleFile);
    assert_eq!(world.text(JWT), "changed\n");
}

// D-02: a human's no to exactly this call is stronger than a grant
#[test]
fn a_rejected_call_is_not_let_through_by_a_grant() {
    let world = World::ready();
    let call = world.write(&file(1), "one\n");
    world.will_say(no("never"));
    refused(world.pre(&call));
    world.will_say(granting(limits()));
    assert!(matches!(world.pre(&world.write(&file(2), "x\n")), Outcome::Allow(Because::Approved { .. })));
    assert_eq!(refused(world.pre(&world.again(&call))).code(), ErrorCode::DestructiveActionRejected);
    world.settings(|settings| settings.grants = false);
    world.asks(&world.write(&file(3), "x\n"));
}

// D-02: a count that was rolled back does not count
#[test]
fn an_old_copy_of_a_grant_covers_nothing() {
    let world = World::with_grant(limits());
    let old = world.grants.all();
    let call = world.write(&file(1), "one\n");
    world.passes_by_grant(&call);
    world.run(&call);
    world.grants.set(old.clone());
    world.asks(&world.write(&file(2), "one\n"));
    assert_eq!(world.ended(), Some(GrantEnd::Doubtful));

    let world = World::with_grant(limits());
    let old = world.grants.all();
    world.prompt();
    world.select("INT-001");
    world.grants.set(old);
    let mut state = world.sessions.peek(&sample::actor()).unwrap();
    state.grant = Some(GrantId::new(1));
    state.prompted = None;
    world.sessions.put(&sample::actor(), state);
    world.asks(&world.write(&file(1), "one\n"));
    assert_eq!(world.ended(), Some(GrantEnd::Doubtful), "its end is in the log");
}

// D-02
#[test]
fn a_made_up_number_leads_to_no_grant() {
    let world = World::ready();
    let mut state = world.sessions.peek(&sample::actor()).unwrap();
    state.grant = Some(GrantId::new(7));
    world.sessions.put(&sample::actor(), state);
    world.asks(&world.write(&file(1), "one\n"));
    assert_eq!(world.sessions.peek(&sample::actor()).unwrap().grant, None);
}

// D-02: every fault ends in a refusal, and nothing is pending
#[test]
fn a_fault_on_the_way_of_a_grant_lets_nothing_through() {
    let faults: [fn(&World); 4] = [
        |world| world.grants.fail(Some(broken())),
        |world| world.decisions.fail(Some(broken())),
        |world| world.ledger.fail(Some(broken())),
        |world| world.pendings.fail(Some(broken())),
    ];
    for (index, fault) in faults.into_iter().enumerate() {
        let world = World::with_grant(limits());
        fault(&world);
        let call = world.write(&file(1), "one\n");
        let error = refused(world.pre(&call));
        assert_eq!(error.code(), ErrorCode::LedgerUnavailable, "{index}");
        assert!(world.pendings.calls().iter().all(|pending| pending.call != call.id), "{index}");
    }
    let world = World::ready();
    world.grants.fail(Some(broken()));
    world.will_say(granting(limits()));
    refused(world.pre(&world.write(&file(1), "one\n")));
    world.grants.fail(None);
    assert!(world.grants.all().is_empty());
    assert_eq!(world.sessions.peek(&sample::actor()).unwrap().grant, None);
}

// D-02, D-09: what was written is counted, not what was announced
#[test]
fn lines_that_came_otherwise_are_counted_when_they_are_found() {
    let world = World::with_grant(limits());
    let call = world.write(&file(1), "one\n");
    world.passes_by_grant(&call);
    world.edit_outside(&file(1), &"formatted\n".repeat(11));
    world.post(&call);
    let grant = world.grant();
    assert_eq!((grant.used.lines, world.ended()), (11, None));
    assert_eq!(grant.used.files[0].after, content(&"formatted\n".repeat(11)));
    let next = world.write(&file(2), "one\ntwo\n");
    assert!(world.asks_what(&next).reason.contains("the lines that were granted"));
    let again = world.call(
        "edit_file",
        json!({"path": file(1), "old_string": "formatted\n".repeat(11), "new_string": "formatted\n".repeat(12)}),
    );
    world.passes_by_grant(&again);
    assert_eq!(world.ended(), Some(GrantEnd::UsedUp));

    for (found, lines) in [("formatted\n".repeat(12), 12), ("no\0text\n".to_owned(), u32::MAX)] {
        let world = World::with_grant(limits());
        let call = world.write(&file(1), "one\n");
        world.passes_by_grant(&call);
        world.edit_outside(&file(1), &found);
        world.post(&call);
        assert_eq!((world.grant().used.lines, world.ended()), (lines, Some(GrantEnd::UsedUp)));
        let ends = world.decisions.records().into_iter().filter(|line| line.action == Action::GrantEnded);
        assert_eq!(ends.count(), 1, "the log tells it");
    }
}

// D-02
#[test]
fn a_call_that_was_not_executed_leaves_the_file_known_as_it_is() {
    let world = World::with_grant(limits());
    let call = world.edit("fn sign() {}", "fn sign(key: Key) {}");
    world.passes_by_grant(&call);
    world.post_failed(&call);
    assert_eq!(world.grant().used.files[0].after, content(JWT_TEXT));
    let again = world.edit("fn sign() {}", "fn sign(key: Key) {}");
    world.passes_by_grant(&again);
    assert_eq!(world.grant().used.calls, 2, "what was used stays used");
}

// D-17: the same event twice is one call
#[test]
fn the_event_of_a_covered_call_again_takes_nothing_more() {
    let world = World::with_grant(limits());
    let call = world.write(&file(1), "one\n");
    world.passes_by_grant(&call);
    assert_eq!(world.pre(&call), Outcome::Allow(Because::Repeated));
    assert_eq!(world.grant().used.calls, 1);
}

// D-02: a yes that was given while the settings allowed grants begins none once they do not
#[test]
fn grants_that_the_settings_forbid_do_not_begin() {
    let world = World::ready();
    let call = world.write(&file(1), "one\n");
    let open = world.asks(&call);
    world.settings(|settings| settings.grants = false);
    let outcome = world.resolve(&open, granting(limits()));
    assert!(matches!(outcome, Outcome::Allow(Because::Approved { .. })), "{outcome:?}");
    assert!(world.grants.all().is_empty());
}

// D-02, D-09: what the host's formatter did behind a call is explained
#[test]
fn what_ran_behind_a_covered_call_is_no_drift() {
    let world = World::with_grant(limits());
    let call = world.edit("fn sign() {}", "fn sign(key: Key) {}");
    world.passes_by_grant(&call);
    world.run(&call);
    let formatted = world.text(JWT).replace("{}", "{ }");
    world.edit_outside(JWT, &formatted);
    block_on(world.gate.adopt_behind(std::slice::from_ref(&call))).unwrap();
    assert_eq!(world.grant().used.files[0].after, content(&formatted));
    world.passes_by_grant(&world.edit("fn verify() { }", "fn verify(key: Key) { }"));
    assert_eq!(world.ended(), None);
}

// A4, A5, D-02
#[test]
fn a_grant_covers_no_file_that_runs_later_and_the_question_says_what_runs_it() {
    let world = World::with_grant(limits());
    let (program, filter) = ("src/auth/tool", "src/auth/show.rs");
    for path in [program, filter] {
        world.edit_outside(path, "one\n");
        world.read(path);
    }
    world.files.make_executable(&RepoPath::new(program).unwrap());
    world.vcs.run(&RepoPath::new(filter).unwrap());
    for (path, says) in [
        (program, "src/auth/tool: its mode makes it a program."),
        (filter, "src/auth/show.rs: git runs it, by its configuration."),
        (
            "src/auth/docker-compose.override.yml",
            "src/auth/docker-compose.override.yml: Docker Compose runs it.",
        ),
        ("src/auth/.yarnrc", "src/auth/.yarnrc: Yarn obeys it."),
    ] {
        let reason = world.asks_what(&world.write(path, "two\n")).reason;
        assert!(reason.contains(says) && reason.contains("grant#1 does not cover this"), "{path}: {reason}");
    }
    world.passes_by_grant(&world.write(&file(1), "one\n"));
}

// A4
#[test]
fn a_question_names_five_files_that_run_later_and_counts_the_rest() {
    for (files, more) in [(5, None), (6, Some("So it is with 1 more.")), (7, Some("So it is with 2 more."))] {
        let world = World::ready();
        let added: String = (0..files).map(|n| format!("*** Add File: src/auth/{n}/.yarnrc\n+x\n")).collect();
        let patch = format!("*** Begin Patch\n{added}*** End Patch\n");
        let reason = world.asks_what(&world.call("apply_patch", json!({"patch": patch}))).reason;
        assert_eq!(reason.matches(": Yarn obeys it.").count(), 5, "{reason}");
        let end = more.unwrap_or("src/auth/4/.yarnrc: Yarn obeys it.");
        assert!(reason.ends_with(end), "{files}: {reason}");
    }
}

// A5
#[test]
fn a_mode_that_means_nothing_keeps_no_file_from_a_grant() {
    let world = World::with_grant(limits());
    world.edit_outside("src/auth/tool", "one\n");
    world.read("src/auth/tool");
    world.files.make_executable(&RepoPath::new("src/auth/tool").unwrap());
    world.vcs.pass_over_modes();
    world.passes_by_grant(&world.write("src/auth/tool", "two\n"));
}

// A15, D-17
#[test]
fn a_question_says_what_its_answer_is_not_bound_to() {
    let world = World::ready();
    let asked =
        |command: &str| world.asks_what(&world.call("execute_command", json!({"command": command}))).reason;
    let reason = asked("sh $SCRIPT && bash tools/*.sh");
    assert!(reason.contains("The answer is not bound to what `$SCRIPT`, `tools/*.sh` leads to."), "{reason}");
    assert!(!asked("make all").contains("not bound"));
}

// A6, D-02: once met, never covered again, however the intent came back
#[test]
fn a_grant_ends_for_good_at_the_first_look_at_a_closed_or_frozen_intent() {
    let closings: [fn(&World); 3] = [
        |world| world.rewrite_intent(|draft| draft.status = IntentStatus::Completed),
        |world| world.rewrite_intent(|draft| draft.frozen = true),
        |world| world.rewrite_intent(|draft| draft.expires = Some(world.now().plus_seconds(0))),
    ];
    for (index, close) in closings.into_iter().enumerate() {
        let world = World::with_grant(limits());
        world.passes_by_grant(&world.write(&file(1), "one\n"));
        close(&world);
        refused(world.pre(&world.write(&file(2), "one\n")));
        assert_eq!(world.ended(), Some(GrantEnd::IntentChanged), "{index}");
        world.rewrite_intent(|_| {});
        world.asks(&world.write(&file(2), "one\n"));
    }
}

// A6, D-02: a status that changed between two calls, which no call saw changing
#[test]
fn a_grant_ends_when_the_intent_has_another_status() {
    let world = World::with_grant(limits());
    world.rewrite_intent(|draft| draft.status = IntentStatus::Pending);
    let asked = world.asks_what(&world.write(&file(1), "one\n"));
    assert!(asked.reason.contains("grant#1 ended: the intent changed"), "{}", asked.reason);
    let world = World::with_grant(limits());
    let older = world.grant();
    world.grants.set(vec![Grant { terms: GrantTerms { status: None, ..older.terms.clone() }, ..older }]);
    world.passes_by_grant(&world.write(&file(1), "one\n"));
}

// A6, D-07: a pause lets the call through, and sees the intent all the same
#[test]
fn a_paused_call_that_meets_a_closed_intent_ends_the_grant() {
    let world = World::with_grant(limits());
    world.rewrite_intent(|draft| draft.status = IntentStatus::Completed);
    let (from, until) = (world.now(), world.now().plus_seconds(60));
    world.pauses.set(Some(Pause { from, until, by: HUMAN.to_owned() }));
    assert!(matches!(world.pre(&world.write(&file(1), "one\n")), Outcome::Allow(Because::Paused(_))));
    assert_eq!(world.ended(), Some(GrantEnd::IntentChanged));
}

/// A grant under which one file was written, whose chain has ended.
fn with_one_file() -> World {
    let world = World::with_grant(limits());
    let call = world.write(&file(1), "one\n");
    world.passes_by_grant(&call);
    world.run(&call);
    block_on(world.gate.adopt_behind(std::slice::from_ref(&call))).unwrap();
    world.clock.advance(1);
    world
}

// A6, D-02
#[test]
fn a_change_that_no_call_explains_in_another_file_of_the_grant_ends_it() {
    let world = with_one_file();
    world.passes_by_grant(&world.write(&file(2), "one\n"));
    world.edit_outside(&file(1), "somebody else\n");
    let asked = world.asks_what(&world.write(&file(3), "one\n"));
    assert!(asked.reason.contains("a file changed that no call explains"), "{}", asked.reason);
    assert_eq!(world.ended(), Some(GrantEnd::Drift));
    let world = with_one_file();
    world.edit_outside(&file(1), "somebody else\n");
    world.refuses(&world.write(BILLING, "x\n"), ErrorCode::ScopeViolation);
    assert_eq!(world.ended(), Some(GrantEnd::Drift), "a refused call sees it too");
}

// D-02, D-09, D-10: what is explained ends no grant
#[test]
fn a_change_in_another_file_of_the_grant_that_is_explained_ends_nothing() {
    let other = file(2);
    let world = with_one_file();
    world.moved(&file(1), "from another branch\n");
    world.passes_by_grant(&world.write(&other, "one\n"));

    let world = World::with_grant(limits());
    let under_way = world.write(&file(1), "one\n");
    world.passes_by_grant(&under_way);
    world.passes_by_grant(&world.write(&other, "one\n"));
    assert_eq!(world.ended(), None, "the first call has not run yet");

    let world = World::with_grant(limits());
    let call = world.write(&file(1), "one\n");
    world.passes_by_grant(&call);
    world.run(&call);
    world.edit_outside(&file(1), "formatted\n");
    world.passes_by_grant(&world.write(&other, "one\n"));
    assert_eq!(world.ended(), None, "the host's formatter behind the call, whose batch is not over");

    let world = World::with_grant(GrantLimits { max_lines_per_call: 1, ..limits() });
    let call = world.write(&file(1), "one\n");
    world.passes_by_grant(&call);
    world.run(&call);
    world.mutates(&world.write(&file(1), "two\nthree\n"));
    block_on(world.gate.adopt_behind(&[call])).unwrap();
    world.passes_by_grant(&world.write(&other, "one\n"));
    assert_eq!(world.ended(), None, "a call with a yes of its own");
}

// A6, D-02
#[test]
fn bounds_outside_the_scope_are_refused_and_the_question_stays_open() {
    let world = World::ready();
    let open = world.asks(&world.write(&file(1), "one\n"));
    for path in ["src/", "lib/**", "src/auth2/", "**"] {
        let paths = OwnedScope::parse([path]).unwrap();
        let error = refused(world.resolve(&open, granting(GrantLimits { paths, ..limits() })));
        assert_eq!(error.code(), ErrorCode::MalformedCall);
        assert!(error.message().contains("outside the scope of INT-001"), "{}", error.message());
    }
    let paths = OwnedScope::parse(["src/auth/jwt/", "!src/auth/jwt/old/"]).unwrap();
    let outcome = world.resolve(&open, granting(GrantLimits { paths, ..limits() }));
    assert!(matches!(outcome, Outcome::Allow(Because::Approved { .. })), "{outcome:?}");
}

// D-02, D-09: the end of one batch is not the end of what the host runs behind a later write
#[test]
fn what_runs_behind_a_write_is_explained_until_the_batch_of_that_write_is_over() {
    let write = |world: &World, text: &str| {
        let call = world.write(&file(1), text);
        world.passes_by_grant(&call);
        world.run(&call);
        world.clock.advance(1);
        call
    };
    let over = |world: &World, call: ToolCall| block_on(world.gate.adopt_behind(&[call])).unwrap();

    let world = World::with_grant(GrantLimits { max_calls: 9, ..limits() });
    let first = write(&world, "one\n");
    over(&world, first);
    world.clock.advance(1);
    write(&world, "two\n");
    world.edit_outside(&file(1), "formatted\n");
    world.passes_by_grant(&world.write(&file(2), "one\n"));
    assert_eq!(world.ended(), None, "the batch of the second write is not over");

    let world = World::with_grant(limits());
    write(&world, "one\n");
    let command = world.call("execute_command", json!({"command": "make"}));
    over(&world, command);
    world.edit_outside(&file(1), "formatted\n");
    world.passes_by_grant(&world.write(&file(2), "one\n"));
    assert_eq!(world.ended(), None, "a command was over");
}
