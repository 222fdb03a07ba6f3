//! A yes counts once, for a call that somebody waits for: D-17, D-39.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use bailiwick::gate::{Gate, Outcome};
use bailiwick_domain::testing::memory::ScriptedApprover;
use bailiwick_domain::{Answer, Approval, ApprovalStatus, Approver, ErrorCode, ToolCall, json};
use pollster::block_on;

use super::world::{HUMAN, JWT, World, refused, yes};

/// The gate of this world with another way to a person.
fn through(world: &World, approver: impl Approver + 'static) -> Gate {
    let mut ports = world.gate.ports().clone();
    ports.consents.approver = Arc::new(approver);
    Gate::over(ports)
}

/// A person says yes to a call that was called off meanwhile.
#[derive(Debug)]
struct TooLate;

#[async_trait]
impl Approver for TooLate {
    async fn ask(&self, _approval: &Approval, _timeout_s: u64) -> Answer {
        Answer::Approve { by: HUMAN.to_owned() }
    }

    fn is_awaited(&self) -> bool {
        false
    }
}

/// What a call that is called off makes of a yes: nothing, and the same call passes by it.
#[track_caller]
fn assert_a_yes_is_kept(world: &World, call: &ToolCall) {
    let error = refused(block_on(through(world, TooLate).pre(call)));
    assert_eq!(error.code(), ErrorCode::ApprovalTimeout, "{error:?}");
    assert!(error.message().contains("nobody waits for this call any more"), "{}", error.message());
    let kept = world.approvals.all().pop().unwrap();
    assert!(matches!(kept.status, ApprovalStatus::Approved { .. }), "{kept:?}");
    assert!(world.pendings.calls().is_empty());
    // One that comes later and is called off as well makes no difference.
    refused(block_on(through(world, TooLate).pre(&world.again(call))));
    assert!(matches!(world.pre(&world.again(call)), Outcome::Allow(_)));
    assert_eq!(world.approvals.all().len(), 1);
}

#[test]
fn a_call_that_nobody_waits_for_uses_no_yes_up() {
    let world = World::ready();
    assert_a_yes_is_kept(&world, &world.write(JWT, "new\n"));
}

#[test]
fn a_draft_that_nobody_waits_for_uses_no_yes_up() {
    let world = World::ready();
    let params =
        json!({"name": "More", "why": "w", "owned_scope": ["src/billing/**"], "acceptance_criteria": ["c"]});
    assert_a_yes_is_kept(&world, &world.call("propose_intent", params));
}

/// A yes comes, and another call that is the same is the first to use it. A person says nothing more.
#[derive(Debug)]
struct TakenByTheOther {
    other: Gate,
    call: ToolCall,
    is_asked: AtomicBool,
}

#[async_trait]
impl Approver for TakenByTheOther {
    async fn ask(&self, _approval: &Approval, _timeout_s: u64) -> Answer {
        if self.is_asked.swap(true, Ordering::Relaxed) {
            return Answer::Unanswered { why: "nobody is there".to_owned() };
        }
        assert!(matches!(self.other.pre(&self.call).await, Outcome::Allow(_)));
        Answer::Approve { by: HUMAN.to_owned() }
    }
}

#[test]
fn of_two_equal_calls_the_one_without_the_yes_is_asked_about_for_itself() {
    let world = World::ready();
    let call = world.write(JWT, "new\n");
    let other = through(&world, ScriptedApprover::new(vec![yes()]));
    let is_asked = AtomicBool::new(false);
    let approver = TakenByTheOther { other, call: world.again(&call), is_asked };
    let error = refused(block_on(through(&world, approver).pre(&call)));
    assert_eq!(error.code(), ErrorCode::ApprovalPending, "{error:?}");
    assert_eq!(error.details()["retry"], json!({"same_call": true}));
    let all = world.approvals.all();
    let open: Vec<&Approval> = all.iter().filter(|one| one.status == ApprovalStatus::Open).collect();
    assert_eq!((all.len(), open.len()), (2, 1));
    assert_eq!(error.details()["approval_id"], json!(open[0].id));
}
