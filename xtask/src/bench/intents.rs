//! What `intent check` and `intent fmt` cost for many intents, beside parsing their file.
//!
//! Looking at intents also means to list the files that they are held against. That depends on the repository, so a
//! program that only lists them is measured beside, and its time is taken off.

use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::cpu::{self, Load, Plan};
use super::sheet::{Line, Sheet, Target};
use super::{Depth, folder, governed, installed};
use crate::stage::product;
use crate::stage::world::World;
use crate::workspace;

const INTENTS: usize = 1_000;
/// Of the time that parsing the file takes.
const MOST: f64 = 3.0;
const FULL: Plan = Plan { rounds: 20, spawns_per_round: 3 };
const QUICK: Plan = Plan { rounds: 5, spawns_per_round: 2 };

/// What is measured: its name, the words, and whether it lists the files.
const LOOKS: &[(&str, &[&str], bool)] = &[
    ("`intent check --level 1`", &["intent", "check", "--level", "1"], false),
    ("`intent check --level 2`", &["intent", "check", "--level", "2"], true),
    ("`intent check --level 3`", &["intent", "check", "--level", "3"], true),
    ("`intent fmt --check`", &["intent", "fmt", "--check"], false),
];

/// Measures, prints, and fails when a target is missed.
pub(crate) fn run(depth: Depth) -> Result<()> {
    let world = governed()?;
    let at_size = product::example("bailiwick-adapters-fs", "intents_at_size", "floor")?;
    let at_size = installed(&at_size, &folder()?)?;
    let root = world.repo().display().to_string();
    let count = INTENTS.to_string();
    workspace::stdout(Command::new(&at_size).args(["make", &root, &count]))?;
    let file = format!("{root}/.orchestration/active_intents.yaml");
    let own = |words: &[&str]| load(&world, &world.gate().display().to_string(), words);
    let floor = |words: &[&str]| load(&world, &at_size.display().to_string(), words);
    let mut loads = vec![floor(&["parse", &file]), floor(&["list", &root])];
    loads.extend(LOOKS.iter().map(|(_, words, _)| own(words)));
    let plan = if depth == Depth::Quick { QUICK } else { FULL };
    let times = cpu::measure(&loads, plan)?;
    let [parsing, listing, looks @ ..] = times.as_slice() else { return Ok(()) };
    ensure!(looks.len() == LOOKS.len(), "a measurement is missing");
    let lines = LOOKS.iter().zip(looks).map(|((what, _, lists), times)| {
        let own: Vec<Duration> = match lists {
            true => times.iter().zip(listing).map(|(time, listing)| time.saturating_sub(*listing)).collect(),
            false => times.clone(),
        };
        Line {
            what: format!("{what}, {INTENTS} intents"),
            against: "parsing the file with serde_yaml",
            ratio: Some(cpu::ratio(&own, parsing)),
            target: Target::Ratio(MOST),
        }
    });
    let told = "What looking at many intents costs, as processor time in proportion to parsing their file in the same run. \
                Levels 2 and 3 hold them against the files of the repository (four for each intent); the time of a program \
                that only lists those is taken off. The median over rounds, interleaved.";
    Sheet { heading: "## Many intents", told, task: "bench intents", lines: lines.collect() }.conclude(depth)
}

fn load(world: &World, program: &str, words: &[&str]) -> Load {
    let all = std::iter::once(program).chain(words.iter().copied()).map(str::to_owned).collect();
    Load {
        name: "a look at intents".to_owned(),
        words: all,
        environment: world.environment(),
        folder: world.repo(),
        inputs: Vec::new(),
        openings: Vec::new(),
    }
}
