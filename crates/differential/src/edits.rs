//! The judge `edits`: what the gate says that real clients' own tools will leave in a file, against what they leave. Many
//! edits are made in one session of a client, each of a file of its own; a scripted model leads it.
//!
//! Every version that counts as measured and is installed is played. `cargo xtask e2e claude` and `e2e agents` install one
//! of each client, the night all; which ones are not there is said.

mod cases;
mod chat;
mod clients;
mod messages;
mod model;
mod words;

use std::cell::Cell;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use bailiwick_adapters_hooks::{MeasuredEdits, Version, host};
use bailiwick_domain::EditRules;
use bailiwick_policy::edits::Fault;

use crate::clients::find;
use crate::judge::{Finding, Orders, Tally, play};
use cases::Case;
use clients::{CLIENTS, Client};

/// So many edits are made in one session.
const TOGETHER: u32 = 25;

/// How many edits are made of a version when nobody says otherwise, and at most: each session takes seconds.
const USUAL: u32 = 50;
/// The same where only plain texts are predicted.
const USUAL_OF_PLAIN: u32 = TOGETHER;
const MOST: u32 = 1_000;

/// Every client that counts as measured: its package, its version and its program.
pub(crate) fn measured() -> impl Iterator<Item = [String; 3]> {
    CLIENTS.iter().flat_map(|client| {
        let versions = edits_of(client).map_or(&[][..], |measured| measured.versions);
        versions.iter().map(|version| [client.package.into(), version.to_string(), client.program.into()])
    })
}

fn edits_of(client: &Client) -> Result<&'static MeasuredEdits> {
    host(client.host).and_then(|host| host.edits).context("nothing was measured of this host")
}

/// Plays each version.
pub(crate) fn run(orders: &Orders) -> Result<Tally> {
    let (mut total, mut absent) = (Tally::default(), Vec::new());
    for client in CLIENTS {
        let measured = edits_of(client)?;
        for version in measured.versions {
            match find(&client.folder(*version), &format!(".bin/{}", client.program)) {
                Some(program) => total += play_version(client, *version, &program, &measured.rules, orders)?,
                None => absent.push(client.folder(*version)),
            }
        }
    }
    if !absent.is_empty() {
        println!("edits: not installed, so not played: {}", absent.join(", "));
    }
    Ok(total)
}

fn play_version(
    client: &Client,
    version: Version,
    program: &Path,
    rules: &EditRules,
    orders: &Orders,
) -> Result<Tally> {
    let usual = if rules.plain_only { USUAL_OF_PLAIN } else { USUAL };
    let sessions = orders.cases.unwrap_or(usual).min(MOST).div_ceil(TOGETHER);
    let (refused, written) = (Cell::new(0), Cell::new(0));
    let batches = Orders { cases: Some(sessions), ..*orders };
    let inputs = cases::batch(TOGETHER as usize, rules.plain_only);
    play(&batches, sessions, &inputs, |batch| {
        let (finding, refusals, writes) = judge(client, program, rules, &batch.0)?;
        refused.set(refused.get() + refusals);
        written.set(written.get() + writes);
        Ok(finding)
    })
    .with_context(|| client.folder(version))?;
    let (of, played) = (client.folder(version), sessions * TOGETHER);
    println!("edits: {of}: {} of {played} were written as it was said", written.get());
    ensure!(written.get() > 0, "{of}: nothing was written");
    Ok(Tally { cases: played, refused: refused.get() })
}

/// Makes the edits of one session, and says on how many of them the client acts where the gate refuses, and how many were
/// written as it was said.
fn judge(client: &Client, program: &Path, rules: &EditRules, batch: &[Case]) -> Result<(Finding, u32, u32)> {
    let scratch = tempfile::tempdir()?;
    let (home, repo) = (scratch.path().join("home"), scratch.path().join("repo"));
    std::fs::create_dir_all(&home)?;
    std::fs::create_dir_all(&repo)?;
    let files: Vec<PathBuf> = (0..batch.len()).map(|number| repo.join(format!("f{number}.md"))).collect();
    for (file, case) in files.iter().zip(batch) {
        if let Some(before) = &case.before {
            std::fs::write(file, before)?;
        }
    }
    let there = files.iter().filter(|file| file.exists());
    let reads = there.map(|file| client.words.read(file)).collect();
    let edits = files.iter().zip(batch).map(|(file, case)| case.call(&client.words, file)).collect();
    (client.lead)(program, &home, &repo, vec![reads, edits])?;
    let (mut refused, mut written) = (0, 0);
    for (file, case) in files.iter().zip(batch) {
        let after = std::fs::read(file).ok();
        let is_as_before = after == case.before;
        match case.said(&client.words, rules) {
            Ok(said) if Some(&said) == after.as_ref() => written += 1,
            Ok(_) if is_as_before && client.leaves_alone(case) => {}
            Ok(said) => {
                let after = after.unwrap_or_default();
                let why = format!("said {:?}, written {:?}, by {case:?}", text(&said), text(&after));
                return Ok((Finding::Missed(why), refused, written));
            }
            Err(Fault::Anchor(_)) if !is_as_before => refused += 1,
            _ => {}
        }
    }
    Ok((Finding::Held, refused, written))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
