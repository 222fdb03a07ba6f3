//! Proofs of a ledger's entries, whole and damaged, judged by the product and by a second implementation that knows
//! nothing but `docs/protocol/proof.md`: both must say the same.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::stage::dice::Dice;
use crate::stage::large_ledger;
use crate::stage::product;
use crate::stage::world::World;
use crate::workspace;

/// How many entries are proved.
pub(crate) const SHORT: usize = 100;
pub(crate) const FULL: usize = 1_000;

const CHECKER: &str = "xtask/src/e2e/proofs/check.mjs";

/// Proves so many entries of a ledger, and damages each proof once.
pub(crate) fn run(count: usize) -> Result<()> {
    let world = World::new(&product::binary()?)?;
    world.govern()?;
    large_ledger::fill(&world, count)?;
    let listing: Value =
        serde_json::from_str(&world.gate_says(&["trace", "log", "--json", "-n", &count.to_string()])?)?;
    let entries = listing["entries"].as_array().context("no entries are listed")?;
    ensure!(entries.len() == count, "{} of {count} entries are listed", entries.len());
    world.gate_says(&["trace", "checkpoint"])?;
    let whole = entries.iter().enumerate().map(|(number, entry)| prove(&world, number, entry));
    let whole: Vec<String> = whole.collect::<Result<_>>()?;
    let damaged: Vec<String> =
        whole.iter().enumerate().map(|(number, proof)| damage(number, proof)).collect();
    let keys: Value = serde_json::from_str(&world.gate_says(&["trace", "key", "--json"])?)?;
    let key = keys["own"].as_str().context("there is no key")?;
    for (what, proofs, wanted) in [("whole", &whole, true), ("damaged", &damaged, false)] {
        let ours = proofs.iter().map(|proof| ours(&world, proof)).collect::<Result<Vec<bool>>>()?;
        let theirs = theirs(proofs, key)?;
        ensure!(theirs.len() == ours.len(), "the second implementation answered {} times", theirs.len());
        for (number, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            if ours != theirs || *ours != wanted {
                bail!("{what} proof {number}: the product says {ours}, the second implementation {theirs}");
            }
        }
        println!("proofs: {} {what} ones, two implementations agree", proofs.len());
    }
    Ok(())
}

fn prove(world: &World, number: usize, entry: &Value) -> Result<String> {
    let id = entry["id"].as_str().context("an entry has no id")?;
    let whole: &[&str] = if number.is_multiple_of(2) { &["--entry"] } else { &[] };
    world.gate_says(&[&["trace", "prove", id], whole].concat())
}

/// Another proof that differs in one place.
fn damage(number: usize, proof: &str) -> String {
    let mut dice = Dice::of(u64::try_from(number).unwrap_or_default() + 1);
    let mut letters: Vec<char> = proof.chars().collect();
    let at = dice.roll(letters.len());
    match dice.roll(4) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, 'A'),
        2 => letters.truncate(at),
        _ => letters[at] = if letters[at] == 'x' { 'y' } else { 'x' },
    }
    let changed: String = letters.into_iter().collect();
    if changed == proof { format!("{proof}\n") } else { changed }
}

fn ours(world: &World, proof: &str) -> Result<bool> {
    let path = world.base().join("one.tlog-proof");
    std::fs::write(&path, proof)?;
    let output = world.output(Command::new(world.gate()).args(["trace", "check"]).arg(&path))?;
    Ok(output.status.success())
}

fn theirs(proofs: &[String], key: &str) -> Result<Vec<bool>> {
    let mut child = Command::new("node")
        .arg(workspace::root().join(CHECKER))
        .arg(key)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("run node")?;
    let mut stdin = child.stdin.take().context("node has no input")?;
    serde_json::to_writer(&mut stdin, &json!(proofs))?;
    drop(stdin);
    let output = child.wait_with_output()?;
    Ok(serde_json::from_slice(&output.stdout)?)
}
