//! How often is a line given to who wrote it? Histories with a known truth, played through the gate and git, judged line
//! by line beside `git blame -w -M -C`.
//!
//! The truth comes from what makes the history, never from a comparison. Even numbers are for tuning, odd ones are held
//! out. The material is what lies on the machine; nothing of it is kept.

mod history;
mod judge;
mod material;
mod steps;

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use crate::product;
use history::{History, Kind};
use judge::Tally;
use material::Material;

/// How many histories of each kind a short run plays.
const SHORT: u64 = 4;

/// The share of lines, in thousandths of a percent, that may be wrong as proof, and that must be right.
struct Target {
    wrong: f64,
    right: f64,
}

fn target(kind: Kind) -> Target {
    match kind {
        Kind::Replay => Target { wrong: 0.0, right: 98.5 },
        _ => Target { wrong: 0.2, right: 95.0 },
    }
}

/// `eval attribution [--histories N] [--from SEED] [--kind KIND] [--verbose]`.
pub(crate) fn run(options: &[&str]) -> Result<()> {
    let value = |name: &str| {
        let at = options.iter().position(|option| *option == name)?;
        options.get(at + 1).copied()
    };
    let count = value("--histories").map_or(Ok(SHORT), str::parse)?;
    let from = value("--from").map_or(Ok(0), str::parse::<u64>)?;
    let wanted = value("--kind");
    let material = Material::gather()?;
    println!("material: {material}");
    let product = product::binary()?;
    let mut all: BTreeMap<(Kind, bool), Tally> = BTreeMap::new();
    for seed in from..from + count {
        for kind in Kind::ALL {
            if wanted.is_some_and(|wanted| wanted != kind.word()) {
                continue;
            }
            let mut history = History::begin(&product, &material, kind, seed)?;
            let found = steps::play(&mut history)
                .and_then(|()| judge::judge(&history, options.contains(&"--verbose")))
                .with_context(|| format!("history {seed} of kind {}", kind.word()))?;
            all.entry((kind, seed % 2 == 1)).or_default().add(&found);
        }
    }
    report(&all)
}

fn report(all: &BTreeMap<(Kind, bool), Tally>) -> Result<()> {
    println!(
        "{:<10} {:<8} {:>8}  {:>8} {:>8} {:>8} {:>8}   {:>8} {:>8}",
        "kind", "part", "lines", "right", "wrong*", "wrong~", "unknown", "git right", "wrong"
    );
    let mut missed = Vec::new();
    for ((kind, is_held_out), tally) in all {
        let part = if *is_held_out { "held out" } else { "tuned" };
        let share = |count: u64| 100.0 * as_float(count) / as_float(tally.lines.max(1));
        println!(
            "{:<10} {part:<8} {:>8}  {:>7.2}% {:>7.3}% {:>7.2}% {:>7.2}%   {:>8.2}% {:>7.2}%",
            kind.word(),
            tally.lines,
            share(tally.right),
            share(tally.wrong_as_proof),
            share(tally.wrong_likely),
            share(tally.unknown),
            share(tally.git_right),
            share(tally.git_wrong),
        );
        let target = target(*kind);
        if share(tally.wrong_as_proof) > target.wrong || share(tally.right) < target.right {
            missed.push(format!("{} ({part})", kind.word()));
        }
    }
    println!(
        "wrong*: another entry, as proof; wrong~: another entry, as likely; unknown: an entry's line without one."
    );
    println!(
        "git: `git blame -w -M -C` where each step is a commit of its own; wrong is always as if it were proof."
    );
    ensure!(missed.is_empty(), "a target is missed: {}", missed.join(", "));
    Ok(())
}

fn as_float(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
