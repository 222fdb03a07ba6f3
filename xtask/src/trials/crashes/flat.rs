//! What an append costs does not depend on how much was recorded before: a long ledger makes the hook call the system
//! just as often, for just as many bytes.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use nix::libc;

use super::fault::Call;
use super::scene::Scene;

/// How many entries the short ledger has: more than the hook looks back at.
const SHORT: usize = 12;
/// How long a file of the ledger may become before the chain goes on in a new one, in bytes; and a little less.
const LONG: usize = (16 << 20) - (64 << 10);

/// Records a change into a short ledger, into a long one, and into one with a long part before it.
pub(super) fn run(product: &Path) -> Result<()> {
    let scene = Scene::plain(product, SHORT)?;
    let short = of_an_append(&scene)?;
    for (what, lengthen) in [("in one file", in_one_file as fn(&Scene) -> Result<()>), ("in parts", in_parts)]
    {
        scene.restore()?;
        lengthen(&scene)?;
        let long = of_an_append(&scene)?;
        let sum = |cost: &[(i64, u64)]| cost.iter().map(|(_, bytes)| bytes).sum::<u64>();
        let told =
            format!("{} calls for {} bytes, and {} for {}", short.len(), sum(&short), long.len(), sum(&long));
        ensure!(short == long, "with {LONG} bytes more {what} an append costs something else: {told}");
        println!("an append calls the system as before with {LONG} bytes more {what}: {told}");
    }
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

/// The newest line comes again and again before itself, so that the end stays what the store expects.
fn in_one_file(scene: &Scene) -> Result<()> {
    let text = std::fs::read_to_string(scene.live())?;
    let line = text.lines().next_back().context("an empty ledger")?;
    let long = text.clone() + &repeated(line, LONG - text.len());
    std::fs::write(scene.live(), &long)?;
    std::fs::write(scene.view(), long).map_err(Into::into)
}

/// The first line is in a part, again and again, and the others are in the file that is appended to.
fn in_parts(scene: &Scene) -> Result<()> {
    let text = std::fs::read_to_string(scene.live())?;
    let (first, others) = text.split_once('\n').context("an empty ledger")?;
    let folder = scene.private().join("ledger/parts");
    std::fs::create_dir(&folder)?;
    std::fs::write(folder.join("000000000000.jsonl"), repeated(first, LONG))?;
    std::fs::write(scene.private().join("lock"), "format 2\n")?;
    std::fs::write(scene.live(), others)?;
    std::fs::write(scene.view(), others).map_err(Into::into)
}

/// So often that it fits into that many bytes.
fn repeated(line: &str, length: usize) -> String {
    let line = format!("{line}\n");
    line.repeat(length / line.len())
}
