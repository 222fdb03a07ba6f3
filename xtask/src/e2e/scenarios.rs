//! All scenarios, by subject.

mod asked;
mod broken;
mod commands;
mod delegation;
mod files;
mod handshake;
mod harness;
mod honest;

use anyhow::Result;
use serde_json::{Value, json};

use self::asked::{approval, born, grants, host_prompt, stops};
use self::files::{edits, movement, scope, spelling, stale};
use super::client::interactive::Interactive;
use super::client::scenario::{Scenario, Step, call};
use crate::stage::world::World;

/// Every scenario, in the order of the report.
pub(crate) fn all() -> Vec<Scenario> {
    [
        harness::scenarios(),
        handshake::scenarios(),
        scope::scenarios(),
        spelling::scenarios(),
        approval::scenarios(),
        stops::scenarios(),
        grants::scenarios(),
        born::scenarios(),
        stale::scenarios(),
        edits::scenarios(),
        movement::scenarios(),
        commands::scenarios(),
        delegation::scenarios(),
        honest::scenarios(),
        broken::scenarios(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The scenarios that need the client's screen.
pub(crate) fn interactive() -> Vec<Interactive> {
    host_prompt::interactive()
}

const LOGIN: &str = "src/auth/login.ts";
const LOGIN_BEFORE: &str = "export const timeout = 10;\n";

fn read(path: &str) -> Step {
    call("Read", json!({ "file_path": format!("{{root}}/{path}") }))
}

fn write(path: &str, content: &str) -> Step {
    call("Write", json!({ "file_path": format!("{{root}}/{path}"), "content": content }))
}

fn bash(command: &str) -> Step {
    call("Bash", json!({ "command": command, "description": "does it" }))
}

/// The notes of the decision log, newest last.
fn notes(world: &World) -> Result<Vec<String>> {
    let log: Value = serde_json::from_str(&world.gate_says(&["log", "--json"])?)?;
    let notes = log["decisions"].as_array().into_iter().flatten();
    Ok(notes.filter_map(|record| record["note"].as_str()).map(str::to_owned).collect())
}

/// Governed; a call waits three seconds for its answer.
fn impatient(world: &World) -> Result<()> {
    world.govern()?;
    world.write(".orchestration/config.yaml", "approval: {timeout_s: 3}\n")
}

/// Selects as an agent without MCP does.
pub(super) fn select() -> Step {
    bash(r#"bailiwick tool select_active_intent '{"intent_id":"INT-001"}'"#)
}
