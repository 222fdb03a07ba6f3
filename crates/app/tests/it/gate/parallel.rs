//! Many calls at once: row 25, K-09, K-53. One session, one gate over real files, fifty threads.

use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use bailiwick::compose::{Door, HostPlaces, gate};
use bailiwick::gate::{Gate, HostTraits, Outcome};
use bailiwick::site::Site;
use bailiwick_adapters_fs::{FsApprovalQueue, FsDecisionLog, Layout, Scaffold, read_ledger_line};
use bailiwick_domain::testing::memory::ScriptedApprover;
use bailiwick_domain::{
    Action, Actor, Answer, Approval, ApprovalQueue, ApprovalStatus, Approver, CallId, DecisionRecord,
    ErrorCode, ToolCall, ToolResult, json,
};
use pollster::block_on;

use super::world::World;

/// A gate on the same stores that gives up on the lock at once.
pub(super) fn impatient(world: &World) -> Gate {
    let mut ports = world.gate.ports().clone();
    ports.tree.lock = Arc::new(world.lock.with_patience(Duration::ZERO));
    ports.consents.approver = Arc::new(ScriptedApprover::default());
    Gate::over(ports)
}

const CALLS: usize = 50;
const INTENTS: &str = "active_intents:\n  - id: INT-001\n    name: Many hands\n    status: IN_PROGRESS\n    owned_scope:\n      - src/**\n";

/// A human who says yes at once.
#[derive(Debug)]
struct Willing;

#[async_trait]
impl Approver for Willing {
    async fn ask(&self, _approval: &Approval, _timeout_s: u64) -> Answer {
        Answer::Approve { by: "ada".to_owned() }
    }
}

fn repository(folder: &Path) -> Site {
    let made = Command::new("git").args(["init", "--quiet"]).arg(folder).status().unwrap();
    assert!(made.success());
    let site = Site::at(folder, Some(folder.join(".git/user-state"))).unwrap();
    Scaffold::new(site.layout.clone()).apply().unwrap();
    std::fs::write(folder.join(Layout::INTENTS), INTENTS).unwrap();
    std::fs::create_dir_all(folder.join("src")).unwrap();
    site
}

fn call(id: &str, tool: &str, params: serde_json::Value) -> ToolCall {
    ToolCall {
        id: CallId(id.to_owned()),
        actor: Actor::root("test", "many"),
        tool: tool.to_owned(),
        params: params.as_object().cloned().unwrap(),
        cwd: None,
        intent_id: None,
        read_hash: None,
        requirement_ids: Vec::new(),
    }
}

/// A busy lock refuses a call; the agent makes it again. Every other refusal is a failure of the test.
fn let_through(gate: &Gate, wanted: &ToolCall) {
    loop {
        match block_on(gate.pre(wanted)) {
            Outcome::Allow(_) => return,
            Outcome::Block(error)
                if error.code() == ErrorCode::LedgerUnavailable && error.message().contains("lock") => {}
            other => panic!("{:?}: {other:?}", wanted.id),
        }
    }
}

fn report(gate: &Gate, done: &ToolCall) -> Vec<String> {
    loop {
        match block_on(gate.post(done, &ToolResult::of(true))) {
            Ok(report) => return report.trace_ids,
            Err(error) => assert!(error.message().contains("lock"), "{}", error.message()),
        }
    }
}

/// One write by one thread: approved, run as a host does, recorded.
fn write_one(gate: &Gate, root: &Path, n: usize) -> String {
    let (path, content) = (format!("src/f{n}.rs"), format!("// {n}\n"));
    let wanted = call(&format!("call-{n}"), "write_to_file", json!({"path": path, "content": content}));
    let_through(gate, &wanted);
    std::fs::write(root.join(&path), content).unwrap();
    report(gate, &wanted).pop().unwrap()
}

fn decisions(site: &Site) -> Vec<DecisionRecord> {
    let mut records = FsDecisionLog::new(site.layout.clone()).read_recent(usize::MAX, |_| true).unwrap();
    records.reverse();
    records
}

/// The lines of the live ledger, each checked, with its chain.
fn chained_ids(bytes: &[u8]) -> Vec<String> {
    assert_eq!(bytes.last(), Some(&b'\n'));
    let mut previous = None;
    let mut ids = Vec::new();
    for (at, line) in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).enumerate() {
        let line = read_ledger_line(line).unwrap();
        assert_eq!((line.seq, line.prev), (at as u64, previous));
        previous = Some(line.checksum);
        ids.push(line.entry.id);
    }
    ids
}

#[test]
fn req_025_fifty_parallel_calls_leave_an_ordered_log_and_an_unbroken_chain() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let site = repository(&root);
    let door = Door { approver: Willing, host: HostTraits::default(), places: HostPlaces::default() };
    let gate = Arc::new(gate(&site, door));
    let_through(&gate, &call("select", "select_active_intent", json!({"intent_id": "INT-001"})));
    let start = Arc::new(Barrier::new(CALLS));
    let threads: Vec<_> = (0..CALLS)
        .map(|n| {
            let (gate, root, start) = (Arc::clone(&gate), root.clone(), Arc::clone(&start));
            thread::spawn(move || {
                start.wait();
                write_one(&gate, &root, n)
            })
        })
        .collect();
    let mut told: Vec<String> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    let records = decisions(&site);
    assert_eq!(
        records.iter().map(|record| record.seq).collect::<Vec<_>>(),
        (0..records.len() as u64).collect::<Vec<_>>()
    );
    for action in [Action::WaitForApproval, Action::Approved, Action::Allow, Action::Recorded] {
        let of_writes =
            records.iter().filter(|record| record.tool == "write_to_file" && record.action == action);
        assert_eq!(of_writes.count(), CALLS, "{action:?}");
    }
    let live = std::fs::read(site.layout.private().join("ledger/live.jsonl")).unwrap();
    let mut ids = chained_ids(&live);
    assert_eq!(std::fs::read(root.join(".orchestration/agent_trace.jsonl")).unwrap(), live);
    ids.sort();
    told.sort();
    assert_eq!(ids, told);
    for n in 0..CALLS {
        assert_eq!(std::fs::read_to_string(root.join(format!("src/f{n}.rs"))).unwrap(), format!("// {n}\n"));
    }
    let status = block_on(gate.status(&Actor::root("test", "many"))).unwrap();
    assert!(status.open.is_empty() && status.actor.mutated);
    assert!(block_on(gate.settle(&Actor::root("test", "many"))).unwrap().is_empty());
}

#[test]
fn req_025_of_many_retries_after_one_yes_exactly_one_gets_through() {
    // D-17
    let world = World::ready();
    let wanted = world.write(super::world::JWT, "new\n");
    assert!(matches!(block_on(world.gate.pre(&wanted)), Outcome::Block(_)));
    let id = world.approvals.all()[0].id.clone();
    block_on(world.approvals.answer(&id, &super::world::yes(), world.now())).unwrap();
    let retries: Vec<ToolCall> = (0..20).map(|_| world.again(&wanted)).collect();
    let gate = &world.gate;
    let outcomes: Vec<Outcome> = thread::scope(|scope| {
        let threads: Vec<_> =
            retries.iter().map(|retry| scope.spawn(move || block_on(gate.pre(retry)))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Outcome::Allow(_))).count(), 1);
    assert_eq!(world.pendings.calls().len(), 1);
}

/// A person's approval reaches two hooks of the same event, and the other one is the first to use it.
#[derive(Debug)]
struct AfterTheOther {
    other: Gate,
    call: ToolCall,
}

#[async_trait]
impl Approver for AfterTheOther {
    async fn ask(&self, _approval: &Approval, _timeout_s: u64) -> Answer {
        assert!(matches!(self.other.pre(&self.call).await, Outcome::Allow(_)));
        Answer::Approve { by: "ada".to_owned() }
    }
}

// D-34, D-17
#[test]
fn two_hooks_of_one_event_share_its_approval_and_another_event_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let site = repository(&root);
    let willing = || Door { approver: Willing, host: HostTraits::default(), places: HostPlaces::default() };
    let other = || gate(&site, willing());
    let_through(&other(), &call("select", "select_active_intent", json!({"intent_id": "INT-001"})));
    let write = |id| call(id, "write_to_file", json!({"path": "src/new.rs", "content": "// new\n"}));
    let second = |used_by| {
        let approver = AfterTheOther { other: other(), call: used_by };
        gate(&site, Door { approver, host: HostTraits::default(), places: HostPlaces::default() })
    };
    assert!(matches!(block_on(second(write("w1")).pre(&write("w1"))), Outcome::Allow(_)));
    assert!(matches!(block_on(second(write("w2")).pre(&write("w3"))), Outcome::Allow(_)));
    let all = block_on(FsApprovalQueue::new(site.layout.clone()).list()).unwrap();
    let used = all.iter().filter(|one| matches!(one.status, ApprovalStatus::Used { .. }));
    assert_eq!(used.count(), 3, "the third call was asked about for itself: {all:?}");
}
