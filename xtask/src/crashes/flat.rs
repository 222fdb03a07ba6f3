//! What an append costs does not depend on how much was recorded before (principle 4, D-22): a long ledger makes the
//! hook call the system just as often, for just as many bytes.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use nix::libc;

use super::fault::Call;
use super::scene::Scene;

/// How many entries the short ledger has: more than the hook looks back at.
const SHORT: usize = 12;
/// How many lines are added.
const LINES: usize = 50_000;

/// Records a change into a short ledger and into a long one.
pub(super) fn run(product: &Path) -> Result<()> {
    let scene = Scene::plain(product, SHORT)?;
    let short = of_an_append(&scene)?;
    scene.restore()?;
    for path in [scene.live(), scene.view()] {
        lengthen(&path)?;
    }
    let long = of_an_append(&scene)?;
    let sum = |cost: &[(i64, u64)]| cost.iter().map(|(_, bytes)| bytes).sum::<u64>();
    let what =
        format!("{} calls for {} bytes, and {} for {}", short.len(), sum(&short), long.len(), sum(&long));
    ensure!(short == long, "with {LINES} lines more an append costs something else: {what}");
    println!("an append calls the system as before with {LINES} lines more: {what}");
    Ok(())
}

/// The calls of the hook that records, each with its bytes.
fn of_an_append(scene: &Scene) -> Result<Vec<(i64, u64)>> {
    let (ended, _) = super::perform(scene, None)?;
    ensure!(ended.code == Some(0), "the hook ended with {:?}", ended.code);
    let bytes = |call: &Call| match call.number {
        libc::SYS_read | libc::SYS_write | libc::SYS_pread64 | libc::SYS_pwrite64 => call.length(),
        _ => 0,
    };
    Ok(ended.calls.iter().map(|call| (call.number, bytes(call))).collect())
}

/// Repeats the newest line before itself, so that the end stays what the store expects.
fn lengthen(path: &Path) -> Result<()> {
    let text = std::fs::read_to_string(path)?;
    let line = text.lines().next_back().context("an empty ledger")?;
    let mut long = text.clone();
    for _ in 0..LINES {
        long.push_str(line);
        long.push('\n');
    }
    std::fs::write(path, long).map_err(Into::into)
}
