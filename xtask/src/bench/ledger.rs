//! What questions to a large ledger cost, as ratios to the least work that answers them, in the same run.
//!
//! The floors and the inputs come from `crates/adapters-fs/examples/ledger_at_size`, which is built for speed alone; for
//! an append, which no command does by itself, it is built as the product is.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;

use super::cpu::{self, Load, Plan};
use super::sheet::{Line, Sheet, Target};
use super::{Depth, SETTLED, folder, installed};
use crate::stage::large_ledger::{at_size, make};
use crate::stage::product;
use crate::stage::world::World;
use crate::workspace;

/// How much of everything.
struct Sizes {
    /// Entries of the ledger that is verified.
    entries: usize,
    /// Entries that edited the file that is blamed, and its lines.
    edits: usize,
    /// Files of the tree in which code is located, and their bytes.
    files: usize,
    bytes: usize,
    rounds: usize,
    appends: usize,
}

const FULL: Sizes =
    Sizes { entries: 1_000_000, edits: 10_000, files: 4_600, bytes: 50_000_000, rounds: 5, appends: 1_000 };
const QUICK: Sizes =
    Sizes { entries: 50_000, edits: 10_000, files: 4_600, bytes: 50_000_000, rounds: 3, appends: 200 };

/// How much longer an append may take because it is signed, where the disk is fast.
const SIGNATURE: Duration = Duration::from_micros(100);
/// How much memory of its own verifying may take, whatever the length of the ledger.
const MEMORY_MIB: u32 = 64;
const BLAMED: &str = "src/auth/session.rs";

/// The programs and the folder of a run.
struct Bench {
    product: PathBuf,
    at_size: PathBuf,
    folder: PathBuf,
    sizes: Sizes,
}

/// Measures, prints, and fails when a target is missed.
pub(crate) fn run(depth: Depth) -> Result<()> {
    let folder = folder()?;
    let sizes = if depth == Depth::Quick { QUICK } else { FULL };
    let bench = Bench {
        product: installed(&product::binary()?, &folder)?,
        at_size: installed(&at_size("floor")?, &folder)?,
        folder,
        sizes,
    };
    let mut lines = bench.verify()?;
    lines.push(bench.append()?);
    lines.push(bench.blame()?);
    lines.extend(bench.locate()?);
    let told = "What questions to the ledger cost, as processor time in proportion to the least work on the same bytes, \
                which was done in the same run by a program built for speed; for an append, as time. The median over \
                rounds, interleaved; files are in memory. A target that is a time says whether it was met here.";
    Sheet { heading: "## Questions to the ledger", told, task: "bench ledger", lines }.conclude(depth)
}

impl Bench {
    fn world(&self) -> Result<World> {
        let world = World::in_folder(&self.product, &self.folder)?;
        world.govern()?;
        Ok(world)
    }

    fn verify(&self) -> Result<Vec<Line>> {
        let (world, count) = (self.world()?, self.sizes.entries);
        self.make(&world, "fill", &[&count.to_string()])?;
        let lines = stored(&world).display().to_string();
        let loads = [
            self.floor(&world, "hashing and parsing", &["parse", &lines]),
            gate(&world, "verifying", &["trace", "verify"]),
        ];
        let ratio = self.ratio(&loads)?;
        let what = format!("`trace verify` of {count} entries");
        let limit = MEMORY_MIB * 1024;
        let script = format!("ulimit -d {limit}; exec \"$0\" trace verify --json");
        let mut limited = Command::new("sh");
        let output = world.output(limited.arg("-c").arg(script).arg(world.gate()))?;
        let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let is_enough = said["ok"] == true && said["extent"]["entries"] == count;
        let memory = Target::Memory { mebibytes: MEMORY_MIB, is_enough };
        let against = "SHA-256 and serde_json over the same lines";
        Ok(vec![
            Line { what: what.clone(), against, ratio: Some(ratio), target: Target::Ratio(3.0) },
            Line { what: format!("memory of {what}"), against: "–", ratio: None, target: memory },
        ])
    }

    /// What signed appends cost in turns with others and with synced writes: at most a fourth more than a synced write, or,
    /// where the disk answers in less than a millisecond, a little more than they would cost unsigned.
    fn append(&self) -> Result<Line> {
        let program = at_size("release")?;
        let mut found = (0..self.sizes.rounds).map(|_| self.appends(&program)).collect::<Result<Vec<_>>>()?;
        found.sort_unstable_by_key(|[plain, signed, _]| signed.saturating_sub(*plain));
        let [plain, signed, written] = *found.get(found.len() / 2).context("nothing was measured")?;
        let ratio = |floor: u32| Some(f64::from(signed) / f64::from(floor));
        let what = format!(
            "a signed append; not signed {plain} µs, one synced write of the same bytes {written} µs"
        );
        Ok(if written >= 1_000 {
            Line { what, against: "a synced write", ratio: ratio(written), target: Target::Ratio(1.25) }
        } else {
            let took = Duration::from_micros(signed.saturating_sub(plain).into());
            let target = Target::Time { most: SIGNATURE, took };
            Line { what, against: "one that is not signed", ratio: ratio(plain), target }
        })
    }

    /// The medians of an append, a signed one and a synced write, in microseconds.
    fn appends(&self, program: &Path) -> Result<[u32; 3]> {
        let folder = tempfile::Builder::new().prefix("append-").tempdir_in(&self.folder)?;
        let mut command = Command::new(program);
        command.arg("append").arg(folder.path()).arg(self.sizes.appends.to_string());
        let said = workspace::stdout(&mut command)?;
        let times = said.split_ascii_whitespace().map(str::parse).collect::<Result<Vec<u32>, _>>()?;
        times.try_into().map_err(|said| anyhow!("three times were expected, not {said:?}"))
    }

    fn blame(&self) -> Result<Line> {
        let (world, count) = (self.world()?, self.sizes.edits.to_string());
        self.make(&world, "edits", &[BLAMED, &count, "10000"])?;
        let lines = stored(&world).display().to_string();
        let blame = gate(&world, "blaming", &["trace", "blame", BLAMED]);
        let ratio =
            self.ratio(&[self.floor(&world, "hashing and parsing", &["parse", &lines]), blame.clone()])?;
        let took = self.time(&blame, || Ok(()))?;
        Ok(Line {
            what: format!("`trace blame` of 10000 lines, {count} entries"),
            against: "SHA-256 and serde_json over the same entries",
            ratio: Some(ratio),
            target: Target::Time { most: Duration::from_millis(100), took },
        })
    }

    fn locate(&self) -> Result<Vec<Line>> {
        let world = self.world()?;
        let (files, bytes) = (self.sizes.files.to_string(), self.sizes.bytes.to_string());
        let entry = self.make(&world, "tree", &[&files, &bytes])?;
        std::thread::sleep(SETTLED);
        let lib = world.repo().join("lib").display().to_string();
        let locate = gate(&world, "locating", &["trace", "locate", entry.trim()]);
        let found = world.gate_says(&["trace", "locate", entry.trim()])?;
        ensure!(found.contains("moved file"), "the code is not found: {found}");
        let forget = || forget_index(&world);
        let cold = self.time(&locate, forget)?;
        let hashing = self.time(&self.floor(&world, "hashing", &["hash", &lib]), || Ok(()))?;
        let mut number = 0;
        let change = || {
            number += 1;
            let mut change = Command::new(&self.at_size);
            let root = world.repo();
            workspace::stdout(change.arg("change").arg(root).arg(number.to_string())).map(drop)
        };
        let warm = self.time(&locate, change)?;
        let looking = self.time(&self.floor(&world, "looking", &["look", &lib]), || Ok(()))?;
        let line = |what: &str, against, took: Duration, floor: Duration, most| Line {
            what: format!("`trace locate` in {files} files, {what}"),
            against,
            ratio: Some(took.as_secs_f64() / floor.as_secs_f64()),
            target: Target::Time { most, took },
        };
        Ok(vec![
            line("no index yet", "SHA-256 over the same files", cold, hashing, Duration::from_secs(3)),
            line("one file changed", "a look at each file", warm, looking, Duration::from_millis(20)),
        ])
    }

    /// Makes an input in a world; what the program says.
    fn make(&self, world: &World, task: &str, words: &[&str]) -> Result<String> {
        make(&self.at_size, world, task, words)
    }

    fn floor(&self, world: &World, name: &'static str, words: &[&str]) -> Load {
        load(world, name, &self.at_size, words)
    }

    fn ratio(&self, loads: &[Load; 2]) -> Result<f64> {
        let plan = Plan { rounds: self.sizes.rounds, spawns_per_round: 1 };
        let times = cpu::measure(loads, plan)?;
        let [floor, own] = times.as_slice() else { return Ok(f64::NAN) };
        Ok(cpu::ratio(own, floor))
    }

    /// The median of how long it takes, each time after something was done.
    fn time(&self, load: &Load, mut before: impl FnMut() -> Result<()>) -> Result<Duration> {
        let mut times = Vec::new();
        for nth in 0..=self.sizes.rounds * 2 {
            before()?;
            let mut command = load.command(nth)?;
            let start = Instant::now();
            let status = command.stdout(Stdio::null()).status()?;
            times.push(start.elapsed());
            ensure!(status.success(), "{:?} failed: {status}", load.words);
        }
        times.sort_unstable();
        times.get(times.len() / 2).copied().context("nothing was measured")
    }
}

/// The folder of the ledger's files.
fn stored(world: &World) -> PathBuf {
    world.repo().join(".git/bailiwick/ledger")
}

fn gate(world: &World, name: &'static str, words: &[&str]) -> Load {
    load(world, name, &world.gate(), words)
}

fn load(world: &World, name: &'static str, program: &Path, words: &[&str]) -> Load {
    let mut all = vec![program.display().to_string()];
    all.extend(words.iter().map(|word| (*word).to_owned()));
    Load {
        name: name.to_owned(),
        words: all,
        environment: world.environment(),
        folder: world.repo(),
        inputs: Vec::new(),
        openings: Vec::new(),
    }
}

/// Takes the index of lines away.
fn forget_index(world: &World) -> Result<()> {
    let cache = world.repo().join(".git/bailiwick/cache");
    for entry in std::fs::read_dir(&cache).with_context(|| cache.display().to_string())? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("lines-")) {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}
