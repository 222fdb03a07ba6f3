//! Does `bailiwick audit` label each changed run of lines rightly? Histories of agents, people, formatters and git with a
//! known truth: the truth comes from what makes the history, the runs are git's.
//!
//! Half of the histories seal at each commit and are also judged in a fresh clone; the others have the ledger of this
//! clone alone, and trailers as marks.

mod history;
mod judge;
mod steps;
mod text;

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};

use self::history::History;
use crate::stage::product;

/// How many histories a short run plays, and a full one.
const SHORT: u64 = 6;
const FULL: u64 = 240;
/// After how many histories a long run says how far it is.
const TOLD: u64 = 20;
/// So many wrong labels are shown.
const SHOWN: usize = 20;

/// What was found: runs by label, and what is wrong.
#[derive(Debug, Default)]
struct Found {
    commits: usize,
    runs: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

/// `eval audit [--histories N] [--from SEED]`.
pub(crate) fn run(options: &[&str]) -> Result<()> {
    let value = |name: &str| {
        let at = options.iter().position(|option| *option == name)?;
        options.get(at + 1).copied()
    };
    let count = value("--histories").map_or(Ok(SHORT), str::parse)?;
    let from = value("--from").map_or(Ok(0), str::parse)?;
    play(from, count)
}

pub(crate) fn full() -> Result<()> {
    play(0, FULL)
}

fn play(from: u64, count: u64) -> Result<()> {
    let product = product::binary()?;
    let mut found = Found::default();
    for seed in from..from + count {
        if seed > from && (seed - from).is_multiple_of(TOLD) {
            println!("{} of {count} histories, {} labels wrong", seed - from, found.wrong.len());
        }
        let repeats =
            format!("history {seed}: `cargo xtask eval audit --from {seed} --histories 1` repeats it");
        let mut history = History::begin(&product, seed)?;
        steps::play(&mut history)
            .and_then(|()| judge::judge(&history, &mut found))
            .with_context(|| format!("{repeats}; {}", history.told.join(", ")))?;
    }
    let runs: usize = found.runs.values().sum();
    let labels: Vec<String> = found.runs.iter().map(|(label, count)| format!("{count} {label}")).collect();
    println!("{count} histories, {} commits, {runs} runs: {}", found.commits, labels.join(", "));
    for wrong in found.wrong.iter().take(SHOWN) {
        println!("wrong: {wrong}");
    }
    ensure!(found.wrong.is_empty(), "{} of {runs} labels are wrong", found.wrong.len());
    Ok(())
}
