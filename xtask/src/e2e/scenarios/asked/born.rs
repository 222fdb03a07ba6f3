//! Intents are born in a real client: the agent drafts, a person says yes at the screen, the gate writes (D-01, K-01).

use anyhow::ensure;
use serde_json::json;

use crate::e2e::client::scenario::{Human, Scenario, Step, call, text};
use crate::e2e::scenarios::{bash, select, write};

const NEW: &str = "src/billing/invoice.ts";
const CONTENT: &str = "export const due = 14;\n";

pub(crate) fn scenarios() -> Vec<Scenario> {
    vec![proposed(), refused(), expanded()]
}

/// The client defers MCP tools: a search makes the tool callable.
fn find(tool: &str) -> Step {
    call("ToolSearch", json!({"query": format!("select:{tool}"), "max_results": 1}))
}

fn propose() -> [Step; 2] {
    let tool = "mcp__bailiwick__propose_intent";
    let draft = json!({
        "name": "Write invoices",
        "why": "Customers get none",
        "owned_scope": ["src/billing/"],
        "acceptance_criteria": ["an invoice is due in 14 days"],
    });
    [find(tool), call(tool, draft)]
}

// D-01, K-30
fn proposed() -> Scenario {
    let select_new = bash(r#"bailiwick tool select_active_intent '{"intent_id":"INT-002"}'"#);
    let [search, proposal] = propose();
    let steps = vec![search, proposal, select_new, write(NEW, CONTENT), text("done")];
    Scenario::new("born: an intent that the agent proposed is written by a yes, and works", steps, |run| {
        run.passed(1, "INT-002 is accepted")?;
        run.seen("name: Write invoices")?;
        run.asked(2)?;
        run.file_is(NEW, CONTENT)?;
        let intents = run.world.read(".orchestration/active_intents.yaml").unwrap_or_default();
        ensure!(intents.contains("Write invoices"), "{intents}");
        Ok(())
    })
    .human(Human::Approves)
}

// D-01, K-51
fn refused() -> Scenario {
    let [search, proposal] = propose();
    let steps = vec![search, proposal, text("done")];
    Scenario::new("born: a proposal that a person rejects writes nothing", steps, |run| {
        run.refused(1, "DESTRUCTIVE_ACTION_REJECTED")?;
        let intents = run.world.read(".orchestration/active_intents.yaml").unwrap_or_default();
        ensure!(!intents.contains("Write invoices"), "{intents}");
        Ok(())
    })
    .human(Human::Rejects)
}

// K-01, K-37
fn expanded() -> Scenario {
    let ask = json!({ "paths": ["src/billing/"], "reason": "the timeout is also billed" });
    let tool = "mcp__bailiwick__request_scope_expansion";
    let steps =
        vec![select(), write(NEW, CONTENT), find(tool), call(tool, ask), write(NEW, CONTENT), text("done")];
    Scenario::new("born: scope that was asked for counts from the next call", steps, |run| {
        run.refused(1, "SCOPE_VIOLATION")?;
        run.passed(3, "INT-001 was expanded")?;
        run.file_is(NEW, CONTENT)
    })
    .human(Human::Approves)
}
