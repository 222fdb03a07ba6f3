//! How often is a line given to who wrote it? Histories with a known truth, played through the gate and git, judged line
//! by line beside `git blame -w -M -C`.
//!
//! The truth comes from what makes the history, never from a comparison. Even numbers are for tuning, odd ones are held
//! out. The material is what lies on the machine; nothing of it is kept.

mod history;
mod judge;
mod line;
mod material;
mod oracle;
mod steps;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::stage::product;
use history::{History, Kind};
use judge::Tally;
use material::Material;

/// How many histories of each kind a short run plays.
const SHORT: u64 = 4;
/// And a full one, which plays replays until they have so many lines.
const FULL: u64 = 40;
const FULL_LINES: u64 = 100_000;

/// So near, in percent, replays come to what the texts before and after each step can tell at all.
const NEAR_ORACLE: f64 = 0.3;

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
    let kinds = Kind::ALL.into_iter().filter(|kind| wanted.is_none_or(|wanted| wanted == kind.word()));
    let is_verbose = options.contains(&"--verbose");
    let mut eval = Eval::begin(is_verbose)?;
    for kind in kinds {
        (from..from + count).try_for_each(|seed| eval.play(kind, seed))?;
    }
    report(&eval.found)
}

/// So many histories of each kind, and replays until they have so many lines.
pub(crate) fn full() -> Result<()> {
    let mut eval = Eval::begin(false)?;
    for kind in Kind::ALL {
        let lines = if kind == Kind::Replay { FULL_LINES } else { 0 };
        for seed in 0.. {
            if seed >= FULL && eval.lines(kind) >= lines {
                break;
            }
            eval.play(kind, seed)?;
        }
    }
    report(&eval.found)
}

/// A run, and what was found.
struct Eval {
    material: Material,
    product: PathBuf,
    is_verbose: bool,
    found: BTreeMap<(Kind, bool), Tally>,
}

impl Eval {
    fn begin(is_verbose: bool) -> Result<Self> {
        let material = Material::gather()?;
        println!("material: {material}");
        Ok(Self { material, product: product::binary()?, is_verbose, found: BTreeMap::new() })
    }

    fn play(&mut self, kind: Kind, seed: u64) -> Result<()> {
        let mut history = History::begin(&self.product, &self.material, kind, seed)?;
        let found = steps::play(&mut history)
            .and_then(|()| judge::judge(&history, self.is_verbose))
            .with_context(|| format!("history {seed} of kind {}", kind.word()))?;
        self.found.entry((kind, seed % 2 == 1)).or_default().add(&found);
        Ok(())
    }

    fn lines(&self, kind: Kind) -> u64 {
        self.found.iter().filter(|((of, _), _)| *of == kind).map(|(_, tally)| tally.lines).sum()
    }
}

fn report(all: &BTreeMap<(Kind, bool), Tally>) -> Result<()> {
    println!(
        "{:<10} {:<8} {:>8}  {:>8} {:>8} {:>8} {:>8}   {:>8}   {:>8} {:>8}",
        "kind", "part", "lines", "right", "wrong*", "wrong~", "unknown", "oracle", "git right", "wrong"
    );
    let mut missed = Vec::new();
    for ((kind, is_held_out), tally) in all {
        let part = if *is_held_out { "held out" } else { "tuned" };
        let share = |count: u64| 100.0 * as_float(count) / as_float(tally.lines.max(1));
        println!(
            "{:<10} {part:<8} {:>8}  {:>7.2}% {:>7.3}% {:>7.2}% {:>7.2}%   {:>7.2}%   {:>8.2}% {:>7.2}%",
            kind.word(),
            tally.lines,
            share(tally.right),
            share(tally.wrong_as_proof),
            share(tally.wrong_likely),
            share(tally.unknown),
            share(tally.oracle_right),
            share(tally.git_right),
            share(tally.git_wrong),
        );
        let target = target(*kind);
        let is_right = share(tally.right) >= target.right
            || (*kind == Kind::Replay && share(tally.right) >= share(tally.oracle_right) - NEAR_ORACLE);
        if share(tally.wrong_as_proof) > target.wrong || !is_right {
            missed.push(format!("{} ({part})", kind.word()));
        }
    }
    println!(
        "wrong*: another entry, as proof; wrong~: another entry, as likely; unknown: an entry's line without one."
    );
    println!("oracle: right, for one who compares the texts before and after each step as git does.");
    println!(
        "git: `git blame -w -M -C` where each step is a commit of its own; wrong is always as if it were proof."
    );
    ensure!(missed.is_empty(), "a target is missed: {}", missed.join(", "));
    Ok(())
}

fn as_float(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
