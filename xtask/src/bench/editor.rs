//! What a question costs in the editor: from the agent's call to the dialog, beside an extension that only shows a dialog
//! when a file changes; what both take to start; what the sidecar uses while nothing happens; what a page of a long ledger
//! costs beside one of a short ledger.

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

/// The entries of the two ledgers whose newest page a view asks for.
const SHORT: usize = 1_000;
const LONG: usize = 100_000;

/// Measures, prints, and fails when a target is missed.
pub(crate) fn run(depth: Depth) -> Result<()> {
    let rounds = if depth == Depth::Quick { QUICK } else { FULL };
    let said: Value = serde_json::from_str(&e2e::vscode::costs(rounds)?)?;
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
    lines.push(page(rounds)?);
    let told = "What a question costs in a real VS Code in a headless browser, as wall time in proportion to the least that \
                an extension can do, in the same window, in turns; the median. The call goes through the installed hook, \
                the queue and the sidecar. A page is the query that the Ledger view asks, as processor time.";
    Sheet { heading: "## A question in the editor", told, task: "bench vscode", lines }.conclude(depth)
}

/// The newest page of a long ledger beside that of a short one.
fn page(rounds: usize) -> Result<Line> {
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
    let words = ["trace", "log", "--limit", "50", "--json"];
    let load = |world: &World| Load {
        name: "a page",
        words: [world.gate().display().to_string()].into_iter().chain(words.map(str::to_owned)).collect(),
        environment: world.environment(),
        folder: world.repo(),
        inputs: Vec::new(),
    };
    let loads: Vec<Load> = worlds.iter().map(load).collect();
    let times = cpu::measure(&loads, Plan { rounds, spawns_per_round: 5 })?;
    let [short, long] = times.as_slice() else { anyhow::bail!("two ledgers were measured") };
    Ok(Line {
        what: format!("a page of 50 entries of {LONG}"),
        against: "the same page of 1000 entries",
        ratio: Some(cpu::ratio(long, short)),
        target: Target::Ratio(1.5),
    })
}
