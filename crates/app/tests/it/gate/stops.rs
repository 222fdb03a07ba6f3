//! What an agent was told to wait for, and what it hears of it at its stop (D-06).

use bailiwick::gate::Outcome;
use bailiwick_domain::testing::sample;
use bailiwick_domain::{Answer, ApprovalId, ApprovalQueue, ErrorCode, GrantLimits, GrantStatus, ToolCall};
use pollster::block_on;

use super::world::{JWT, World, broken, no, refused, yes};

impl World {
    /// Nobody answers the call in time; gives the request.
    fn leaves_pending(&self, call: &ToolCall) -> ApprovalId {
        self.will_say(Answer::Unanswered { why: "nobody".to_owned() });
        let error = refused(self.pre(call));
        assert_eq!(error.code(), ErrorCode::ApprovalPending);
        ApprovalId(error.details()["approval_id"].as_str().unwrap().to_owned())
    }

    fn answer_later(&self, id: &ApprovalId, answer: &Answer) {
        block_on(self.approvals.answer(id, answer, self.now())).unwrap();
    }

    fn awaited(&self) -> Vec<ApprovalId> {
        let found = block_on(self.gate.standing().awaited(&sample::actor())).unwrap();
        found.into_iter().map(|approval| approval.id).collect()
    }

    fn goes_on(&self) {
        let found = block_on(self.gate.standing().awaited(&sample::actor())).unwrap();
        block_on(self.gate.standing().turn_goes_on(&sample::actor(), &found)).unwrap();
    }
}

// D-06
#[test]
fn only_what_an_agent_was_told_to_wait_for_is_awaited() {
    let world = World::ready();
    world.mutates(&world.write("src/auth/asked.rs", "x\n"));
    assert!(world.awaited().is_empty(), "an answer in time leaves nothing to wait for");
    let first = world.leaves_pending(&world.write("src/auth/a.rs", "a\n"));
    let call = world.write("src/auth/b.rs", "b\n");
    let second = world.leaves_pending(&call);
    assert_eq!(world.leaves_pending(&world.again(&call)), second, "the same question");
    assert_eq!(world.awaited(), [first, second]);
}

// D-06, D-12
#[test]
fn a_sub_agent_waits_for_its_own_requests_only() {
    let world = World::ready();
    let own = world.leaves_pending(&world.write("src/auth/a.rs", "a\n"));
    let child = sample::child("helper");
    let call = world.call_of(
        &child,
        "write_to_file",
        bailiwick_domain::json!({"path": "src/auth/c.rs", "content": "c\n"}),
    );
    let of_the_child = world.leaves_pending(&call);
    let found = block_on(world.gate.standing().awaited(&child)).unwrap();
    assert_eq!(found.into_iter().map(|approval| approval.id).collect::<Vec<_>>(), [of_the_child]);
    assert_eq!(world.awaited(), [own]);
}

// D-06
#[test]
fn an_answer_is_heard_once_whichever_way_it_comes() {
    let world = World::ready();
    let used = world.write("src/auth/a.rs", "a\n");
    let rejected = world.write("src/auth/b.rs", "b\n");
    let told = world.write("src/auth/c.rs", "c\n");
    let ids = [&used, &rejected, &told].map(|call| world.leaves_pending(call));
    world.answer_later(&ids[0], &yes());
    assert!(matches!(world.pre(&world.again(&used)), Outcome::Allow(_)));
    world.answer_later(&ids[1], &no("not here"));
    assert_eq!(refused(world.pre(&world.again(&rejected))).code(), ErrorCode::DestructiveActionRejected);
    world.answer_later(&ids[2], &yes());
    assert_eq!(world.awaited(), [ids[2].clone()], "the others were heard at their calls");
    world.goes_on();
    assert!(world.awaited().is_empty());
    assert!(matches!(world.pre(&world.again(&told)), Outcome::Allow(_)), "the yes itself is not used up");
    let line = world.decisions.records().into_iter().find(|record| record.tool == "stop").unwrap();
    assert!(line.note.contains(&ids[2].0), "{}", line.note);
}

// D-06
#[test]
fn answers_that_came_together_are_heard_together() {
    let world = World::ready();
    for name in ["a", "b", "c", "d"] {
        let id = world.leaves_pending(&world.write(&format!("src/auth/{name}.rs"), "x\n"));
        world.answer_later(&id, &no("not here"));
    }
    assert_eq!(world.awaited().len(), 4);
    world.goes_on();
    assert!(world.awaited().is_empty());
}

// D-04, D-06
#[test]
fn a_new_request_of_the_human_and_the_lapse_of_time_end_the_waiting() {
    let world = World::ready();
    world.leaves_pending(&world.write("src/auth/a.rs", "a\n"));
    block_on(world.gate.prompt(&sample::actor(), true)).unwrap();
    assert_eq!(world.awaited().len(), 1, "a prompt of the host is none of the human");
    world.prompt();
    assert!(world.awaited().is_empty());
    world.select("INT-001");
    world.leaves_pending(&world.write("src/auth/a.rs", "a\n"));
    world.clock.advance(601);
    assert!(world.awaited().is_empty());
}

// D-02, D-06
#[test]
fn a_turn_that_goes_on_keeps_its_grant_and_one_that_ends_does_not() {
    let world = World::with_grant(GrantLimits::default());
    let id = world.leaves_pending(&world.call("delete_file", bailiwick_domain::json!({"path": JWT})));
    world.answer_later(&id, &no("keep it"));
    world.goes_on();
    assert_eq!(world.grant().status, GrantStatus::Live);
    block_on(world.gate.turn_over(&sample::actor())).unwrap();
    assert!(matches!(world.grant().status, GrantStatus::Ended { .. }));
}

// D-06: fail closed
#[test]
fn what_cannot_be_remembered_never_makes_a_turn_go_on() {
    let world = World::ready();
    let id = world.leaves_pending(&world.write("src/auth/a.rs", "a\n"));
    world.answer_later(&id, &yes());
    let found = block_on(world.gate.standing().awaited(&sample::actor())).unwrap();
    world.sessions.fail(Some(broken()));
    assert!(block_on(world.gate.standing().awaited(&sample::actor())).is_err());
    assert!(block_on(world.gate.standing().turn_goes_on(&sample::actor(), &found)).is_err());
}

// D-06
#[test]
fn only_so_many_requests_are_remembered_and_the_newest_are() {
    let world = World::ready();
    let calls: Vec<ToolCall> = (0..20).map(|n| world.write(&format!("src/auth/{n}.rs"), "x\n")).collect();
    let ids: Vec<ApprovalId> = calls.iter().map(|call| world.leaves_pending(call)).collect();
    assert_eq!(world.awaited(), ids[4..]);
}

// D-01, D-06
#[test]
fn a_no_is_heard_in_time_and_at_a_draft_too() {
    let world = World::ready();
    let write = world.write("src/auth/a.rs", "a\n");
    let draft = world.call(
        "propose_intent",
        bailiwick_domain::json!({"name": "Round the bill", "why": "Cents get lost",
            "owned_scope": ["src/billing/round.rs"], "acceptance_criteria": ["A bill adds up"]}),
    );
    let ids = [&write, &draft].map(|call| world.leaves_pending(call));
    assert_eq!(world.awaited(), ids);
    world.will_say(no("not here"));
    assert_eq!(refused(world.pre(&world.again(&write))).code(), ErrorCode::DestructiveActionRejected);
    world.answer_later(&ids[1], &no("not now"));
    assert_eq!(refused(world.pre(&world.again(&draft))).code(), ErrorCode::DestructiveActionRejected);
    assert!(world.awaited().is_empty());
}
