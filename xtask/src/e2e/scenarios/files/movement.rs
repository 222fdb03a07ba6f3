//! A working copy that moves under a real client: a branch switch of the person, a formatter of the agent.

use std::process::Command;

use anyhow::{Result, ensure};

use crate::e2e::client::outcome::Run;
use crate::e2e::client::scenario::{Human, Scenario, text};
use crate::e2e::scenarios::{LOGIN, read, select, write};
use crate::stage::world::World;

pub(crate) fn scenarios() -> Vec<Scenario> {
    vec![switched_branch(), older_branch(), inner_worktree()]
}

fn git(world: &World, words: &[&str]) -> Result<()> {
    let output = world.output(Command::new("git").args(words))?;
    ensure!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// Governed, with a branch `other` whose login differs.
fn with_a_branch(world: &World) -> Result<()> {
    world.govern()?;
    git(world, &["switch", "-q", "-c", "other"])?;
    world.write(LOGIN, "export const timeout = 55;\n")?;
    git(world, &["commit", "-q", "-a", "-m", "other"])?;
    git(world, &["switch", "-q", "-"])
}

/// No line of the decision log accuses anybody.
fn nobody_is_accused(run: &Run) -> Result<()> {
    let log = run.world.gate_says(&["log", "--json"])?;
    ensure!(!log.contains("\"drift\""), "{log}");
    Ok(())
}

// D-10
fn switched_branch() -> Scenario {
    let steps = vec![
        select(),
        read(LOGIN),
        write(LOGIN, "mine\n").after(|world| git(world, &["switch", "-q", "other"])),
        read(LOGIN),
        write(LOGIN, "mine\n"),
        text("done"),
    ];
    Scenario::new("movement: after a branch switch the agent reads again and goes on", steps, |run| {
        let told = run.told(2)?;
        let by_gate = run.refused(2, "STALE_FILE").is_ok_and(|error| error["details"]["cause"] == "imported");
        ensure!(by_gate || told.contains("modified since read"), "the stale write was answered with {told}");
        run.passed(3, "timeout = 55")?;
        run.passed(4, LOGIN)?;
        run.asked(1)?;
        nobody_is_accused(run)?;
        run.file_is(LOGIN, "mine\n")
    })
    .setup(with_a_branch)
    .human(Human::Approves)
}

/// Governed, with a branch `old` that ends before that.
fn with_an_older_branch(world: &World) -> Result<()> {
    git(world, &["branch", "old"])?;
    world.govern()
}

// D-10, D-14, K-07
fn older_branch() -> Scenario {
    let steps = vec![
        select(),
        read(LOGIN),
        read(LOGIN).after(|world| git(world, &["switch", "-q", "old"])),
        write(LOGIN, "mine\n"),
        read(LOGIN).after(|world| git(world, &["switch", "-q", "main"])),
        write(LOGIN, "mine\n"),
        text("done"),
    ];
    Scenario::new(
        "movement: on a branch from before it was governed nothing passes, and back again all goes on",
        steps,
        |run| {
            for step in [2, 3] {
                let error = run.refused(step, "ORCHESTRATION_MISSING")?;
                let told = error["reason"].to_string();
                ensure!(told.contains("switch back"), "the way back is not told: {told}");
            }
            run.passed(4, "timeout")?;
            run.passed(5, LOGIN)?;
            run.asked(1)?;
            nobody_is_accused(run)?;
            run.file_is(LOGIN, "mine\n")
        },
    )
    .setup(with_an_older_branch)
    .human(Human::Approves)
}

const INNER: &str = ".claude/worktrees/inner";

// D-13, D-14
fn inner_worktree() -> Scenario {
    let inside = |path: &str| format!("{INNER}/{path}");
    let steps = vec![
        write(&inside(LOGIN), "early\n"),
        select(),
        read(&inside(LOGIN)),
        write(&inside(LOGIN), "mine\n"),
        write(&inside("src/core/main.ts"), "mine\n"),
        write(&inside(".claude/settings.json"), "{}\n"),
        text("done"),
    ];
    Scenario::new("movement: a linked worktree below the client's own folder is governed", steps, |run| {
        run.refused(0, "STATE_VIOLATION")?;
        run.passed(3, LOGIN)?;
        run.asked(1)?;
        run.seen(INNER)?;
        run.refused(4, "SCOPE_VIOLATION")?;
        run.refused(5, "PROTECTED_PATH")?;
        run.file_is(&format!("{INNER}/{LOGIN}"), "mine\n")?;
        run.file_is(LOGIN, crate::e2e::scenarios::LOGIN_BEFORE)
    })
    .setup(|world| {
        world.govern()?;
        git(world, &["worktree", "add", "-q", INNER])
    })
    .human(Human::Approves)
}
