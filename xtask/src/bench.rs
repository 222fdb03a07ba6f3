//! What a hook call costs, as a ratio to a program that does nothing, and whether that grows with the repository; what
//! questions to a large ledger, the class of a change and hostile inputs cost lies in `ledger`, `ast` and `limits`.
//!
//! Ratios of processor time carry over between machines; times do not, so none are written down.

pub(crate) mod ast;
mod cpu;
pub(crate) mod editor;
pub(crate) mod hosts;
pub(crate) mod intents;
pub(crate) mod ledger;
pub(crate) mod limits;
mod sheet;
mod site;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use self::cpu::{Load, Plan};
use self::site::{Site, Size};
use crate::generated::page;
use crate::stage::product;
use crate::stage::world::World;
use crate::workspace;

/// The heading of the page's part about one call.
const HEADING: &str = "# Performance";
const QUICK: Plan = Plan { rounds: 15, spawns_per_round: 20 };
const FULL: Plan = Plan { rounds: 40, spawns_per_round: 25 };

/// A quick run is short and shares its machine, so it only fails where a cost has doubled.
const QUICK_ALLOWANCE: f64 = 2.0;

/// A file that changed just now is read again at each call, because its times cannot tell a second change apart; the
/// measurement is about files at rest.
const SETTLED: Duration = Duration::from_secs(5);

/// How much of everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Short enough for every change.
    Quick,
    /// Writes the page.
    Full,
}

/// One line of the report.
#[derive(Debug)]
struct Line {
    what: String,
    against: &'static str,
    ratio: f64,
    target: f64,
}

impl Line {
    /// Whether the target holds with an allowance; a ratio that is no number does not.
    fn is_met(&self, allowance: f64) -> bool {
        self.ratio <= self.target * allowance
    }
}

/// Measures, prints, and fails when a target is missed.
pub(crate) fn run(depth: Depth) -> Result<()> {
    let folder = folder()?;
    let product = installed(&product::binary()?, &folder)?;
    let floor = build_floor(&folder)?;
    let plan = if depth == Depth::Quick { QUICK } else { FULL };
    let sites = Size::all(depth)
        .into_iter()
        .map(|size| Site::build(&product, &folder, size))
        .collect::<Result<Vec<_>>>()?;
    std::thread::sleep(SETTLED);
    let mut lines = Vec::new();
    if let Some((small, larger)) = sites.split_first() {
        lines.extend(against_floor(&floor, small, plan)?);
        for site in larger {
            lines.extend(against_small(small, site, plan)?);
        }
    }
    let page = report(&lines);
    println!("{page}");
    if depth == Depth::Full {
        page::write_part(HEADING, &page)?;
    }
    let allowance = if depth == Depth::Quick { QUICK_ALLOWANCE } else { 1.0 };
    let missed = lines.iter().filter(|line| !line.is_met(allowance)).count();
    if missed > 0 {
        bail!("{missed} targets missed");
    }
    Ok(())
}

/// Where measurements are made.
fn folder() -> Result<PathBuf> {
    let folder = product::target_folder()?.join("bench");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// A governed repository there, with the installed product.
fn governed() -> Result<World> {
    let folder = folder()?;
    let world = World::in_folder(&installed(&product::binary()?, &folder)?, &folder)?;
    world.govern()?;
    Ok(world)
}

/// A copy, as an installation makes one: what a linker has just written is read from memory page by page, a file that
/// was written in one go is not, and programs are run after they were installed.
fn installed(program: &Path, folder: &Path) -> Result<PathBuf> {
    let place = folder.join("installed");
    std::fs::create_dir_all(&place)?;
    let name = program.file_name().context("the program has no name")?;
    let copy = place.join(name);
    let bytes = std::fs::read(program).with_context(|| program.display().to_string())?;
    let _ = std::fs::remove_file(&copy);
    std::fs::write(&copy, bytes)?;
    std::fs::set_permissions(&copy, std::fs::metadata(program)?.permissions())?;
    Ok(copy)
}

fn against_floor(floor: &Load, small: &Site, plan: Plan) -> Result<Vec<Line>> {
    let mut loads = vec![floor.clone()];
    loads.extend(small.loads()?);
    let times = cpu::measure(&loads, plan)?;
    let Some((base, rest)) = times.split_first() else { return Ok(Vec::new()) };
    let lines = loads.iter().skip(1).zip(rest).map(|(load, time)| Line {
        what: load.name.clone(),
        against: "an empty program",
        ratio: cpu::ratio(time, base),
        target: if load.name == site::SAFE { 2.0 } else { 2.5 },
    });
    Ok(lines.collect())
}

fn against_small(small: &Site, large: &Site, plan: Plan) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (small_load, large_load) in small.loads()?.into_iter().zip(large.loads()?) {
        let name = small_load.name.clone();
        let times = cpu::measure(&[small_load, large_load], plan)?;
        let [base, time] = times.as_slice() else { continue };
        lines.push(Line {
            what: format!("{name}, {}", large.size().describe()),
            against: "the same in a small repository",
            ratio: cpu::ratio(time, base),
            target: 1.1,
        });
    }
    Ok(lines)
}

fn report(lines: &[Line]) -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut page = format!(
        "{HEADING}\n\n<!-- Generated by `cargo xtask bench`. -->\n\n\
         What one hook process costs, as processor time (user and system) in proportion to another process. The \
         median over rounds, processes interleaved, both programs copied as an installation does; the shell that a host may start the hook through is not counted. Measured on {} {} with {cores} cores. Repeat it with \
         `cargo xtask bench`; `--quick` for a shorter run.\n\n\
         | What | Against | Ratio | Target | |\n|---|---|---|---|---|\n",
        std::env::consts::ARCH,
        std::env::consts::OS,
    );
    for line in lines {
        let verdict = if line.is_met(1.0) { "met" } else { "missed" };
        let (what, against, ratio, target) = (&line.what, line.against, line.ratio, line.target);
        let _ = writeln!(page, "| {what} | {against} | {ratio:.2} | ≤ {target:.1} | {verdict} |");
    }
    page
}

/// Compiles the empty program with the flags of the product.
fn build_floor(folder: &Path) -> Result<Load> {
    let program = folder.join("floor");
    let source = workspace::root().join("xtask/src/bench/floor.rs");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "-C", "opt-level=3", "-C", "lto=fat", "-C", "strip=symbols"]);
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        rustc.args(["-C", "target-feature=+crt-static", "-C", "relocation-model=static"]);
    }
    workspace::run(rustc.arg("-o").arg(&program).arg(&source))?;
    let program = installed(&program, folder)?;
    Ok(Load {
        name: "an empty program".to_owned(),
        words: vec![program.display().to_string()],
        environment: Vec::new(),
        folder: folder.to_path_buf(),
        inputs: Vec::new(),
        openings: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_names_a_missed_target() {
        let line = |ratio| Line { what: "x".to_owned(), against: "y", ratio, target: 2.0 };
        let page = report(&[line(1.5), line(2.1), line(f64::NAN)]);
        assert!(page.contains("| x | y | 1.50 | ≤ 2.0 | met |"), "{page}");
        assert!(page.contains("| x | y | 2.10 | ≤ 2.0 | missed |"), "{page}");
        assert!(page.contains("| x | y | NaN | ≤ 2.0 | missed |"), "{page}");
    }
}
