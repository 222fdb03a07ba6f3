//! A person says yes or no, at the screen or later in a terminal.

use anyhow::ensure;

use crate::e2e::client::scenario::{Human, Scenario, Step, text};
use crate::e2e::scenarios::{LOGIN, LOGIN_BEFORE, read, select, write};
use crate::stage::world::World;

pub(crate) fn scenarios() -> Vec<Scenario> {
    vec![approved(), rejected(), pending_then_approved()]
}

fn change_login() -> Vec<Step> {
    vec![select(), read(LOGIN), write(LOGIN, "export const timeout = 30;\n"), text("done")]
}

// REQ 13, 14, 129, 144, 162
fn approved() -> Scenario {
    Scenario::new("approval: a write in scope passes once a person approves it", change_login(), |run| {
        run.passed(2, LOGIN)?;
        run.asked(1)?;
        for shown in ["INT-001", LOGIN, "timeout = 30"] {
            run.seen(shown)?;
        }
        run.file_is(LOGIN, "export const timeout = 30;\n")?;
        let entries = run.world.read(".orchestration/agent_trace.jsonl").unwrap_or_default();
        ensure!(entries.lines().count() == 1, "the ledger's view holds {entries:?}");
        // As the first page says.
        let why = run.world.gate_says(&["trace", "why", &format!("{LOGIN}:1")])?;
        ensure!(why.contains("INT-001") && why.contains("approved"), "`trace why` says: {why}");
        run.world.gate_says(&["log", "--blocked"]).map(drop)
    })
    .human(Human::Approves)
}

// REQ 8, 12, 15, 22, 80, 159
fn rejected() -> Scenario {
    Scenario::new("approval: a rejection reaches the model and the file stays", change_login(), |run| {
        let error = run.refused(2, "DESTRUCTIVE_ACTION_REJECTED")?;
        ensure!(error["recoverable"] == false, "{error}");
        run.asked(1)?;
        run.file_is(LOGIN, LOGIN_BEFORE)
    })
    .human(Human::Rejects)
}

// D-06, D-16, D-17
fn pending_then_approved() -> Scenario {
    let mut steps = change_login();
    steps.pop();
    steps.push(write(LOGIN, "export const timeout = 30;\n").after(World::approve_oldest));
    steps.push(text("done"));
    Scenario::new("approval: a pending call passes on retry after a person approved it", steps, |run| {
        run.refused(2, "APPROVAL_PENDING")?;
        run.passed(3, LOGIN)?;
        run.file_is(LOGIN, "export const timeout = 30;\n")
    })
}
