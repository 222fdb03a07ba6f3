//! The plugin in the real Claude Code, with a scripted model: in a governed project a write without an intent is refused and
//! the file stays; without its program the plugin still refuses; a project that is not governed is left alone.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::{Release, workspace};
use crate::dist::{VERSION, plugin};
use crate::e2e::client::{self, Start, model};
use crate::stage::world::World;

const LIMIT: Duration = Duration::from_secs(120);
const FILE: &str = "src/core/main.ts";
const MINE: &str = "mine\n";

pub(super) fn run(release: &Release, root: &Path) -> Result<()> {
    let packed = format!("bailiwick-{VERSION}-claude-code-plugin-{}.tar.gz", release.platform);
    workspace::stdout(Command::new("tar").arg("-xzf").arg(release.out.join(packed)).arg("-C").arg(root))?;
    let folder = root.join("claude-code-plugin/bailiwick");
    let client = client::install()?;
    for place in [&folder, &root.join("claude-code-plugin")] {
        let mut validate = Command::new(&client);
        validate.args(["plugin", "validate"]).arg(place).env("HOME", root).env("DISABLE_TELEMETRY", "1");
        workspace::stdout(&mut validate).context("the client does not take the plugin")?;
    }
    ensure!(plugin::folder(release).is_dir(), "the folder itself is gone");
    let governed = written(release, &client, &folder, true)?;
    ensure!(governed.refused && governed.told.contains("STATE_VIOLATION"), "governed: {}", governed.told);
    let free = written(release, &client, &folder, false)?;
    ensure!(!free.refused, "a project that is not governed: {}", free.told);
    std::fs::remove_file(folder.join("bin/bailiwick"))?;
    let gone = written(release, &client, &folder, true)?;
    // The prompt already is refused, so that the model is never asked.
    ensure!(gone.refused && gone.told.is_empty(), "without its program: {}", gone.told);
    println!(
        "   the plugin in Claude Code: refuses a write in a governed project, with its program and without"
    );
    Ok(())
}

/// What came of one write.
struct Written {
    refused: bool,
    /// All that the model was told.
    told: String,
}

fn written(release: &Release, program: &Path, plugin: &Path, governed: bool) -> Result<Written> {
    let world = Arc::new(World::new(&release.program)?);
    if governed {
        let said = world.output(Command::new(&release.program).args(["init", "--yes"]))?;
        ensure!(said.status.success(), "init: {}", String::from_utf8_lossy(&said.stderr));
    }
    let file = world.repo().join(FILE);
    let before = world.read(FILE);
    let steps =
        [("Read", json!({ "file_path": file })), ("Write", json!({ "file_path": file, "content": MINE }))];
    let script: model::NextTurn = Box::new(move |_, index| {
        Ok(Some(match steps.get(index) {
            Some((tool, input)) => model::Turn::Call { tool: (*tool).to_owned(), input: input.clone() },
            None => model::Turn::Text("script is over".to_owned()),
        }))
    });
    let model = model::Model::start(script)?;
    let plugin = plugin.display().to_string();
    let arguments = ["-p", "go", "--plugin-dir", &plugin, "--allowedTools", "Read,Write"];
    let ended = client::run(Start {
        program,
        folder: &world.repo(),
        environment: client::environment(&world, &model.url()),
        arguments: &arguments,
        prints: world.base().join("client"),
        limit: LIMIT,
    })?;
    ensure!(!ended.timed_out, "the client did not end: {}{}", ended.stdout, ended.stderr);
    let told = model.requests().iter().map(|request| request["messages"].to_string()).collect();
    let after = world.read(FILE);
    ensure!(after == before || after.as_deref() == Some(MINE), "{FILE} holds {after:?}");
    Ok(Written { refused: after == before, told })
}
