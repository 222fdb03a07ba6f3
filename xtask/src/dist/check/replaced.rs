//! An upgrade while a hook of the old program waits for a person: the package is unpacked over it, the person answers with
//! the new program, and the old hook takes that answer. Programs of different state formats are the business of the tests.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::{Release, debian, workspace};
use crate::stage::hook_driver::HookDriver;
use crate::stage::world::{INTENTS, World};

const PATIENCE: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(700);

pub(super) fn run(release: &Release, root: &Path) -> Result<()> {
    let package = release.out.join(debian::name(release)?);
    let unpack = || workspace::stdout(Command::new("dpkg").arg("-x").arg(&package).arg(root));
    unpack()?;
    let program = root.join("usr/bin/bailiwick");
    let world = World::new(&program)?;
    // What a person types finds the installed program.
    std::os::unix::fs::symlink(&program, world.gate())?;
    world.write(".orchestration/active_intents.yaml", INTENTS)?;
    let said = world.output(Command::new(&program).args(["init", "--agent", "claude-code", "--yes"]))?;
    ensure!(said.status.success(), "init: {}", String::from_utf8_lossy(&said.stderr));
    world.commit("govern")?;
    let watch = world.terminal("bailiwick watch")?;
    watch.wait_for(&["quit"], PATIENCE)?;
    let hook = HookDriver::installed(&world)?;
    hook.select("INT-001")?;
    let input = json!({ "file_path": world.repo().join("src/auth/new.ts"), "content": "mine\n" });
    let waiting = hook.start(&hook.call("Write", &input, "toolu_waits"))?;
    watch.wait_for(&["new.ts"], PATIENCE)?;
    unpack().context("unpacking over a program that runs")?;
    // A person looks before answering, and a screen takes no answer at once.
    std::thread::sleep(LOOK);
    watch.press(&["a"])?;
    let answer = waiting.wait_with_output()?;
    let answer = String::from_utf8_lossy(&answer.stdout).into_owned();
    ensure!(answer.contains("\"allow\""), "the hook that waited says {answer}");
    println!("   an upgrade while a hook waits: the old hook takes the answer that the new program wrote");
    Ok(())
}
