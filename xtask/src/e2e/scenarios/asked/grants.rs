//! A person grants edits, and sees why the next question comes after all (D-02).

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::e2e::client::scenario::{Human, Scenario, Step, call, text};
use crate::e2e::scenarios::{LOGIN, read, select};
use crate::stage::world::{PATIENCE, World};

pub(crate) fn scenarios() -> Vec<Scenario> {
    vec![used_up(), revoked_at_the_screen()]
}

fn timeout(from: u32, to: u32) -> Step {
    call(
        "Edit",
        json!({
            "file_path": format!("{{root}}/{LOGIN}"),
            "old_string": format!("timeout = {from};"),
            "new_string": format!("timeout = {to};"),
        }),
    )
}

/// A call waits a second: the look at the queue counts as somebody being there.
fn impatient(world: &World) -> Result<()> {
    world.govern()?;
    world.write(".orchestration/config.yaml", "approval: {timeout_s: 1}\n")
}

fn grant_two_calls(world: &World) -> Result<()> {
    let request = world.oldest_approval()?;
    let id = request["id"].as_str().context("an approval without an id")?;
    world.person_runs(&format!("bailiwick approval grant {id} --calls 2"))
}

// D-02, K-13
fn used_up() -> Scenario {
    let steps = vec![
        select(),
        read(LOGIN),
        timeout(10, 20),
        timeout(10, 20).after(grant_two_calls),
        timeout(20, 30),
        timeout(30, 40),
        timeout(40, 50),
        text("done"),
    ];
    Scenario::new(
        "grants: edits within one pass unasked, then the question says that it is used up",
        steps,
        |run| {
            run.refused(2, "APPROVAL_PENDING")?;
            for step in [3, 4, 5] {
                run.passed(step, LOGIN)?;
            }
            run.refused(6, "APPROVAL_PENDING")?;
            run.file_is(LOGIN, "export const timeout = 40;\n")?;
            let log = run.world.gate_says(&["log", "--json"])?;
            ensure!(log.contains("grant#1 ended: it is used up (2 of 2 calls"), "{log}");
            Ok(())
        },
    )
    .setup(impatient)
}

fn live_grants(world: &World) -> Result<Vec<Value>> {
    let listing: Value = serde_json::from_str(&world.gate_says(&["approval", "list", "--json"])?)?;
    Ok(listing["grants"].as_array().cloned().unwrap_or_default())
}

/// The person takes the grant back on the screen, as the first page says: `x`, then the digit.
fn revoke_at_the_screen(world: &World) -> Result<()> {
    let screen = world.terminal("bailiwick watch")?;
    screen.wait_for(&["1 grant"], PATIENCE)?;
    screen.press(&["x"])?;
    screen.wait_for(&["Revoke which grant?"], PATIENCE)?;
    screen.press(&["1"])?;
    let asked = Instant::now();
    while !live_grants(world)?.is_empty() {
        ensure!(asked.elapsed() < PATIENCE, "the grant lives on; the screen shows:\n{}", screen.screen()?);
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

// D-02
fn revoked_at_the_screen() -> Scenario {
    let steps = vec![
        select(),
        read(LOGIN),
        timeout(10, 20),
        timeout(20, 30),
        timeout(30, 40).after(revoke_at_the_screen),
        timeout(40, 50),
        text("done"),
    ];
    Scenario::new(
        "grants: `g` at the screen grants, `x` takes it back, the next question says so",
        steps,
        |run| {
            for step in 2..=5 {
                run.passed(step, LOGIN)?;
            }
            run.asked(2)?;
            run.seen("revoked it")?;
            run.file_is(LOGIN, "export const timeout = 50;\n")
        },
    )
    .human(Human::Grants)
}
