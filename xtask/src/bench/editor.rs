//! What a question costs in the editor: from the agent's call to the dialog, beside an extension that only shows a dialog
//! when a file changes; what both take to start; what the sidecar uses while nothing happens; what the newest and the
//! oldest page of a long ledger cost beside the newest of a short one.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use super::cpu::{self, Load, Plan};
use super::sheet::{Line, Sheet, Target};
use super::{Depth, SETTLED};
use crate::e2e;
use crate::stage::large_ledger::{at_size, make};
use crate::stage::product;
use crate::stage::world::World;

/// Questions of each kind.
const QUICK: usize = 5;
const FULL: usize = 25;
/// Windows in which both extensions start.
const WINDOWS_QUICK: usize = 3;
const WINDOWS_FULL: usize = 9;

/// The entries of the two ledgers whose newest page a view asks for.
const SHORT: usize = 1_000;
const LONG: usize = 100_000;

/// Measures, prints, and fails when a target is missed.
pub(crate) fn run(depth: Depth) -> Result<()> {
    let (rounds, windows) = if depth == Depth::Quick { (QUICK, WINDOWS_QUICK) } else { (FULL, WINDOWS_FULL) };
    let said = e2e::vscode::costs(rounds, windows)?;
    let said: Value = serde_json::from_str(said.lines().next_back().unwrap_or_default())?;
    println!("{said}");
    let number =
        |pointer: &str| said.pointer(pointer).and_then(Value::as_f64).with_context(|| pointer.to_owned());
    let line = |what: &str, against: &'static str, ratio: f64, target: f64| Line {
        what: what.to_owned(),
        against,
        ratio: Some(ratio),
        target: Target::Ratio(target),
    };
    let mut lines = vec![
        line(
            "from the agent's call to the dialog",
            "an extension that only shows a dialog when a file changes",
            number("/question")?,
            1.5,
        ),
        line(
            "activation",
            "the same extension",
            number("/started/ours")? / number("/started/empty")?.max(1.0),
            2.0,
        ),
    ];
    for (who, most, pointer) in [
        // A sign of life twice in three seconds, and a look at the stores.
        ("somebody looks at the window", Duration::from_millis(200), "/idle/attended/ms"),
        ("nobody uses the window", Duration::ZERO, "/idle/unattended/ms"),
    ] {
        let took = Duration::try_from_secs_f64(number(pointer)? / 1000.0)?;
        lines.push(Line {
            what: format!("processor time of the sidecar in 20 s in which nothing happens and {who}"),
            against: "–",
            ratio: None,
            target: Target::Time { most, took },
        });
    }
    lines.extend(pages(rounds)?);
    let told = "What a question costs in a real VS Code in a headless browser, as wall time in proportion to the least that \
                an extension can do, in the same window, in turns; the median. The call goes through the installed hook, \
                the queue and the sidecar. Activation is what the editor itself says that an extension took, over several windows. A page is the query that the Ledger view asks, as processor time.";
    Sheet { heading: "## A question in the editor", told, task: "bench vscode", lines }.conclude(depth)
}

/// The newest and the oldest page of a long ledger beside the newest of a short one.
fn pages(rounds: usize) -> Result<[Line; 2]> {
    let product = product::binary()?;
    let filler = at_size("floor")?;
    let mut worlds = Vec::new();
    for entries in [SHORT, LONG] {
        let world = World::new(&product)?;
        world.govern()?;
        make(&filler, &world, "fill", &[&entries.to_string()])?;
        worlds.push(world);
    }
    std::thread::sleep(SETTLED);
    let [short, long] = worlds.as_slice() else { anyhow::bail!("two ledgers are measured") };
    let words = ["trace", "log", "--limit", "50", "--json"].map(str::to_owned);
    let load = |name: &'static str, world: &World, more: &[String]| Load {
        name: name.to_owned(),
        words: [world.gate().display().to_string()].iter().chain(&words).chain(more).cloned().collect(),
        environment: world.environment(),
        folder: world.repo(),
        inputs: Vec::new(),
        openings: Vec::new(),
    };
    let oldest = behind(long, 50)?;
    let loads = [
        load("a page", short, &[]),
        load("the newest page", long, &[]),
        load("the oldest page", long, &oldest),
    ];
    let times = cpu::measure(&loads, Plan { rounds, spawns_per_round: 5 })?;
    let [short, newest, oldest] = times.as_slice() else { anyhow::bail!("three pages were measured") };
    Ok([("newest", newest), ("oldest", oldest)].map(|(which, took)| Line {
        what: format!("the {which} page of 50 entries of {LONG}"),
        against: "the newest page of 1000 entries",
        ratio: Some(cpu::ratio(took, short)),
        target: Target::Ratio(1.5),
    }))
}

/// The words for the page behind the entry at this place, as a view has them from the page before.
fn behind(world: &World, seq: usize) -> Result<[String; 2]> {
    let ledger = world.repo().join(".git/bailiwick/ledger");
    let oldest = ["parts/000000000000.jsonl", "live.jsonl"].map(|name| ledger.join(name));
    let oldest = oldest.iter().find(|file| file.exists()).context("there is no ledger")?;
    let line = BufReader::new(File::open(oldest)?).lines().nth(seq).context("it has too few entries")??;
    let entry: Value = serde_json::from_str(&line)?;
    let id = entry.pointer("/id").and_then(Value::as_str).context("an entry without an id")?;
    Ok([format!("--before={id}"), format!("--seq={seq}")])
}
