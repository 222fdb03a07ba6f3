//! A host of one's own: ask the gate before each tool call, tell it what came of the call.
//!
//! Every port is in memory here; `bailiwick::at` gives the same gate over the files of a repository.
//! Run it with `cargo run -p bailiwick --example embed --features memory`.

use std::io::Write as _;

use bailiwick::domain::testing::sample;
use bailiwick::domain::{Answer, ToolResult, json};
use bailiwick::gate::{Because, Gate, Outcome};
use pollster::block_on;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout();
    let (gate, memory) = Gate::in_memory();
    memory.intents.set(vec![sample::intent("INT-001", &["src/auth/**"])]);
    memory.human.push(Answer::Approve { by: "ada".to_owned() });
    let write = |path: &str| json!({"path": path, "content": "fn check() {}\n"});
    for (id, tool, params) in [
        ("call-1", "write_to_file", write("src/auth/new.rs")),
        ("call-2", "select_active_intent", json!({"intent_id": "INT-001"})),
        ("call-3", "write_to_file", write("src/billing/bill.rs")),
        ("call-4", "write_to_file", write("src/auth/new.rs")),
    ] {
        let call = sample::call(id, tool, params);
        let answer = match block_on(gate.pre(&call)) {
            Outcome::Allow(Because::OwnTool { result, .. }) => result,
            Outcome::Allow(because) => {
                memory.files.write(&sample::path("src/auth/new.rs"), b"fn check() {}\n"); // your tool runs here
                let report =
                    block_on(gate.post(&call, &ToolResult::of(true))).map_err(|error| error.to_json())?;
                format!("ran ({because:?}), recorded as {}", report.trace_ids.join(", "))
            }
            Outcome::Block(error) => error.to_json(),
            Outcome::WaitForApproval(approval) | Outcome::AskHost(approval) => {
                approval.request.reason.clone()
            }
        };
        writeln!(out, "{id} {tool}\n    {}", answer.replace('\n', "\n    "))?;
    }
    for entry in memory.ledger.entries() {
        let by = entry.context.approved_by.unwrap_or_default();
        writeln!(out, "ledger: {} under {}, approved by {by}", entry.context.call.0, entry.context.intent)?;
    }
    Ok(())
}
