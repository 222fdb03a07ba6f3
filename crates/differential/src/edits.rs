//! The judge `edits`: what the gate says that the real client's Edit and Write will leave in a file, against what they
//! leave. Many are made in one session of the client, each of a file of its own; a scripted model leads it.
//!
//! The client is installed by `cargo xtask e2e claude`; where it is not, nothing is played and that is said.

mod cases;
mod model;

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use bailiwick_adapters_hooks::claude_code::edit_rules;
use bailiwick_domain::{Value, json};
use bailiwick_policy::edits::Fault;

use crate::clients::installed;
use crate::judge::{Finding, Orders, Tally, play};
use cases::Case;

const CLIENT: &str = "claude-code-2.1.330";

/// What that version tells its hooks of itself.
const TOLD: &str = "claude-code_2-1-330_harness";

/// So many edits are made in one session.
const TOGETHER: u32 = 25;

/// How many edits are made when nobody says otherwise, and at most: each session takes seconds.
const USUAL: u32 = 50;
const MOST: u32 = 1_000;

/// Plays it.
pub(crate) fn run(orders: &Orders) -> Result<Tally> {
    let Some(client) = installed("edits", CLIENT, ".bin/claude") else { return Ok(Tally::default()) };
    let sessions = orders.cases.unwrap_or(USUAL).min(MOST).div_ceil(TOGETHER);
    let (refused, written) = (Cell::new(0), Cell::new(0));
    let batches = Orders { cases: Some(sessions), ..*orders };
    play(&batches, sessions, &cases::batch(TOGETHER as usize), |batch| {
        let (finding, refusals, writes) = judge(&client, &batch.0)?;
        refused.set(refused.get() + refusals);
        written.set(written.get() + writes);
        Ok(finding)
    })?;
    println!("edits: {} of {} were written as it was said", written.get(), sessions * TOGETHER);
    Ok(Tally { cases: sessions * TOGETHER, refused: refused.get() })
}

/// Makes the edits of one session, and says on how many of them the client acts where the gate refuses, and how many were
/// written as it was said.
fn judge(client: &Path, batch: &[Case]) -> Result<(Finding, u32, u32)> {
    let scratch = tempfile::tempdir()?;
    let (home, repo) = (scratch.path().join("home"), scratch.path().join("repo"));
    std::fs::create_dir_all(&home)?;
    std::fs::create_dir_all(&repo)?;
    let files: Vec<PathBuf> = (0..batch.len()).map(|number| repo.join(format!("f{number}.md"))).collect();
    for (file, case) in files.iter().zip(batch) {
        std::fs::write(file, &case.before)?;
    }
    let reads = files.iter().map(|file| ("Read", json!({"file_path": file}))).collect();
    let edits = files.iter().zip(batch).map(|(file, case)| case.call(file)).collect();
    lead(client, &home, &repo, vec![reads, edits])?;
    let (mut refused, mut written) = (0, 0);
    for (file, case) in files.iter().zip(batch) {
        let after = std::fs::read(file)?;
        match case.said(&edit_rules(Some(TOLD))) {
            Ok(said) if said != after => {
                let why = format!("said {:?}, written {:?}, by {case:?}", text(&said), text(&after));
                return Ok((Finding::Missed(why), refused, written));
            }
            Ok(_) => written += 1,
            Err(Fault::Anchor(_)) if after != case.before => refused += 1,
            _ => {}
        }
    }
    Ok((Finding::Held, refused, written))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// One session of the client.
fn lead(client: &Path, home: &Path, repo: &Path, turns: Vec<Vec<(&'static str, Value)>>) -> Result<()> {
    let model = model::Model::start(turns)?;
    let output = Command::new(client)
        .args(["-p", "go", "--allowedTools", "Read,Edit,Write"])
        .current_dir(repo)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", home)
        .env("ANTHROPIC_BASE_URL", model.url())
        .env("ANTHROPIC_API_KEY", "scripted-model-key-0123456789")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("DISABLE_TELEMETRY", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        .stdin(Stdio::null())
        .output()
        .with_context(|| client.display().to_string())?;
    let asked = model.asked();
    anyhow::ensure!(asked >= 3, "the client asked {asked} times: {}", text(&output.stderr));
    Ok(())
}
