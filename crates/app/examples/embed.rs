//! A host of one's own in about twenty lines: build a gate, ask it before each tool call, tell it what came of the call.
//!
//! Every port is in memory here; `bailiwick::compose::gate` gives the same gate over the files of a repository.
//! Run it with `cargo run -p bailiwick --example embed`.

use bailiwick::domain::testing::{memory::*, sample};
use bailiwick::domain::{Answer, CallId, Ledger, ToolCall, ToolResult, Value, json};
use bailiwick::gate::{Because, Gate, Outcome};
use pollster::block_on;

fn call(id: u32, tool: &str, params: Value) -> ToolCall {
    let (id, params) = (CallId(format!("call-{id}")), params.as_object().cloned().unwrap_or_default());
    let (cwd, intent_id, read_hash, requirement_ids) = (None, None, None, Vec::new());
    ToolCall {
        id,
        actor: sample::actor(),
        tool: tool.to_owned(),
        params,
        cwd,
        intent_id,
        read_hash,
        requirement_ids,
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files = MemoryWorkspace::with([("src/auth/jwt.rs", "fn sign() {}\n")]);
    let ledger = MemoryLedger::default();
    let intents = MemoryIntents::new(vec![sample::intent("INT-001", &["src/auth/**"])]);
    let gate = Gate::builder()
        .intents(intents.clone())
        .writer(intents)
        .meter(files.clone())
        .policy(MemoryPolicySource::default())
        .workspace(files.clone())
        .sessions(MemorySessions::default())
        .approvals(MemoryApprovals::default())
        .grants(MemoryGrants::default())
        .allowances(MemoryAllowances::default())
        .approver(ScriptedApprover::new(vec![Answer::Approve { by: "ada".to_owned() }]))
        .ledger(ledger.clone())
        .decisions(MemoryDecisions::default())
        .pendings(MemoryPendings::default())
        .pauses(MemoryPauses::default())
        .lock(MemoryLock::default())
        .commands(TableReader::default())
        .mutations(MemoryMutations::default())
        .symbols(MemoryMutations::default())
        .vcs(FixedVcs::default())
        .clock(FixedClock::default())
        .ids(CountingIds::default())
        .build()?;
    let write = |path: &str| json!({"path": path, "content": "fn check() {}\n"});
    let story = [
        call(1, "write_to_file", write("src/auth/new.rs")),
        call(2, "select_active_intent", json!({"intent_id": "INT-001"})),
        call(3, "write_to_file", write("src/billing/bill.rs")),
        call(4, "write_to_file", write("src/auth/new.rs")),
    ];
    for call in &story {
        match block_on(gate.pre(call)) {
            Outcome::Allow(Because::OwnTool { result, .. }) => show(call, &result),
            Outcome::Allow(because) => {
                files.write(&sample::path("src/auth/new.rs"), b"fn check() {}\n"); // your tool runs here
                let report =
                    block_on(gate.post(call, &ToolResult::of(true))).map_err(|error| error.to_json())?;
                show(call, &format!("ran ({because:?}), recorded as {}", report.trace_ids.join(", ")));
            }
            Outcome::Block(error) => show(call, &error.to_json()),
            Outcome::WaitForApproval(approval) | Outcome::AskHost(approval) => {
                show(call, &approval.request.reason)
            }
        }
    }
    for entry in block_on(ledger.recent(&sample::intent_id("INT-001"), 10))? {
        let by = entry.context.approved_by.unwrap_or_default();
        anstream::println!(
            "ledger: {} under {}, approved by {by}",
            entry.context.call.0,
            entry.context.intent
        );
    }
    Ok(())
}

fn show(call: &ToolCall, answer: &str) {
    anstream::println!("{} {}\n    {}", call.id.0, call.tool, answer.replace('\n', "\n    "));
}
