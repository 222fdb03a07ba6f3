//! A sub-agent is an actor of its own: its calls meet the same gate.

use serde_json::json;

use super::{select, write};
use crate::e2e::model::SUB_AGENT_MARK;
use crate::e2e::scenario::{Human, Scenario, Step, call, text};

pub(crate) fn scenarios() -> Vec<Scenario> {
    vec![without_an_intent(), with_its_own_intent()]
}

fn errand() -> Vec<Step> {
    let input = json!({
        "description": "an errand",
        "prompt": format!("{SUB_AGENT_MARK}: write a file"),
        "subagent_type": "general-purpose",
    });
    vec![select(), call("Agent", input), text("waiting")]
}

// D-12
fn without_an_intent() -> Scenario {
    Scenario::new("delegation: a sub-agent cannot write out of its parent's scope", errand(), |run| {
        let told = run.sub_agent_told(0)?;
        anyhow::ensure!(told.contains("VIOLATION"), "the sub-agent was told {told}");
        run.file_is("src/core/main.ts", "export const main = 1;\n")?;
        run.file_is_absent("src/core/new.ts")
    })
    .sub_agent(vec![write("src/core/new.ts", "x\n"), text("done")])
    .human(Human::Approves)
}

// D-12
fn with_its_own_intent() -> Scenario {
    Scenario::new(
        "delegation: a sub-agent that selects an intent writes once a person approves it",
        errand(),
        |run| {
            run.file_is("src/auth/new.ts", "x\n")?;
            run.sub_agent_refused(2, "SCOPE_VIOLATION").map(drop)
        },
    )
    .sub_agent(vec![select(), write("src/auth/new.ts", "x\n"), write("src/core/new.ts", "x\n"), text("done")])
    .human(Human::Approves)
}
