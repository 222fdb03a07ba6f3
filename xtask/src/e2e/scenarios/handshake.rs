//! Before an intent is selected, and selecting one.

use anyhow::{Context, ensure};
use serde_json::json;

use super::{LOGIN, read, select, write};
use crate::e2e::client::scenario::{Scenario, Step, call, text};
use crate::stage::world::World;

pub(crate) fn scenarios() -> Vec<Scenario> {
    vec![
        reads_come_before_intents(),
        writes_do_not(),
        selection_by_command(),
        selection_by_configured_server(),
        selection_by_installed_server(),
    ]
}

// REQ 91, 92, 94, 109, 117
fn reads_come_before_intents() -> Scenario {
    let steps = vec![read(LOGIN), text("done")];
    Scenario::new("handshake: a read before an intent passes", steps, |run| {
        run.passed(0, "timeout = 10")?;
        ensure!(
            run.heard("an active intent is still required for mutations"),
            "the handshake prompt did not arrive"
        );
        Ok(())
    })
}

// REQ 97, 98, 150
fn writes_do_not() -> Scenario {
    let steps = vec![write("src/auth/new.ts", "x\n"), text("done")];
    Scenario::new("handshake: a write before an intent is refused with the reason", steps, |run| {
        let error = run.refused(0, "STATE_VIOLATION")?;
        ensure!(error["kind"] == "StateViolationError", "{error}");
        ensure!(
            error["suggestion"].as_str().is_some_and(|text| text.contains("select_active_intent")),
            "{error}"
        );
        run.file_is_absent("src/auth/new.ts")
    })
}

// REQ 126, 127, D-19
fn selection_by_command() -> Scenario {
    Scenario::new(
        "handshake: selecting by command gives the intent's context",
        vec![select(), text("done")],
        |run| {
            run.passed(0, "<intent_context>")?;
            run.passed(0, "src/auth/**")
        },
    )
}

// REQ 126, 154
fn selection_by_configured_server() -> Scenario {
    Scenario::new("handshake: selecting through MCP from a file", mcp_steps(), |run| {
        run.passed(1, "<intent_context>")?;
        run.refused(2, "SCOPE_VIOLATION").map(drop)
    })
    .setup(|world| {
        world.govern()?;
        let server = json!({"command": world.gate(), "args": ["mcp"], "env": {}});
        let config = json!({"mcpServers": {"bailiwick": server}});
        std::fs::write(world.base().join("mcp.json"), config.to_string()).context("mcp.json")
    })
    .arguments(&["--mcp-config", "../mcp.json", "--strict-mcp-config"])
}

// REQ 126, D-08
fn selection_by_installed_server() -> Scenario {
    Scenario::new("handshake: selecting through MCP as installed", mcp_steps(), |run| {
        run.passed(1, "<intent_context>")?;
        run.refused(2, "SCOPE_VIOLATION").map(drop)
    })
    .setup(World::govern)
}

/// The client defers MCP tools: a search makes the tool callable.
fn mcp_steps() -> Vec<Step> {
    let tool = "mcp__bailiwick__select_active_intent";
    vec![
        call("ToolSearch", json!({"query": format!("select:{tool}"), "max_results": 1})),
        call(tool, json!({"intent_id": "INT-001"})),
        write("src/core/new.ts", "x\n"),
        text("done"),
    ]
}
