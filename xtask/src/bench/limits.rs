//! What hostile large inputs cost the installed hook: processor time and memory in proportion to the input and the files
//! that it names. Each is answered within the budget, and none that changes a file passes.
//!
//! What the inputs are lies in `inputs`; `dialects` sends large ones in the words of every host. The class of a change,
//! locks and people are no part of the budget.

mod dialects;
mod inputs;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use serde_json::json;

use self::inputs::Input;
use crate::stage::dice::Dice;
use crate::stage::hook_driver::HookDriver;
use crate::stage::product;
use crate::stage::world::World;

/// How many inputs are generated, beside those that were once found to take long.
pub(crate) const FULL: usize = 200;
pub(crate) const SHORT: usize = 40;

/// For each MiB of an input and of the files that it names; one that is smaller counts as one.
const TIME_OF_A_MIB: Duration = Duration::from_millis(100);

/// A short run beside other work fails only where an input takes so many times what it may.
const NOISE: f64 = 1.5;

/// Beside the input and the files that it names.
const MEMORY: u64 = 64 << 20;

/// A machine that does other things measures too much, never too little.
const TRIES: usize = 3;

/// The word that makes this program the one that measures a single process.
pub(crate) const ONE: &str = "measure-one";

/// What one process used.
#[derive(Clone, Copy, Debug)]
struct Used {
    time: Duration,
    memory: u64,
}

/// Plays the inputs, prints those that come closest to the budget, and fails where one exceeds it.
pub(crate) fn run(count: usize, seed: u64) -> Result<()> {
    let world = World::new(&product::binary()?)?;
    world.govern()?;
    let hook = HookDriver::installed(&world)?;
    let mut dice = Dice::of(seed);
    let mut all = inputs::known();
    all.extend((0..count).map(|_| inputs::generated(&mut dice)));
    let margin = if count <= SHORT { NOISE } else { 1.0 };
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    for (number, input) in all.iter().enumerate() {
        let event = prepared(&world, &hook, number, input)?;
        let size = event.metadata()?.len() + input.named_bytes();
        let allowed = TIME_OF_A_MIB.mul_f64(mib(size).max(1.0));
        let used = least(&world, &hook, &event, allowed, MEMORY + size)?;
        let answer = std::fs::read_to_string(world.base().join("answer"))?;
        let name = &input.name;
        if used.time > allowed.mul_f64(margin) {
            faults.push(format!("{name}: {:?} of {allowed:?} for {:.1} MiB", used.time, mib(size)));
        }
        if used.memory > MEMORY + size {
            faults.push(format!("{name}: {:.0} MiB of memory for {:.1} MiB", mib(used.memory), mib(size)));
        }
        if input.changes && !(answer.contains("\"deny\"") || answer.contains("\"ask\"")) {
            faults.push(format!("{name} is answered with {:.200}", answer));
        }
        rows.push((used.time.as_secs_f64() / allowed.as_secs_f64(), name.clone(), used, size));
    }
    faults.extend(dialects::faults(&world, &hook)?);
    report(&mut rows);
    println!("{} inputs (seed {seed}) and every dialect, {} faults", all.len(), faults.len());
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    Ok(())
}

fn report(rows: &mut [(f64, String, Used, u64)]) {
    rows.sort_by(|one, other| other.0.total_cmp(&one.0));
    println!("| Input | MiB | Share of the time allowed | Memory, MiB |\n|---|---|---|---|");
    for (share, name, used, size) in rows.iter().take(12) {
        println!("| {name} | {:.1} | {:.0} % | {:.0} |", mib(*size), share * 100.0, mib(used.memory));
    }
}

#[expect(clippy::cast_precision_loss, reason = "a share, not a count")]
fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// The files of an input, read by an agent in a session of its own, and its event in a file.
fn prepared(world: &World, hook: &HookDriver, number: usize, input: &Input) -> Result<PathBuf> {
    let hook = hook.in_session(u32::try_from(number)? + 1);
    hook.select("INT-001")?;
    world.write(".intentignore", &input.ignored)?;
    for (path, text) in &input.files {
        world.write(path, text)?;
        if path != inputs::FILE {
            continue;
        }
        let file = world.repo().join(path);
        let mut read = hook.call("Read", &json!({ "file_path": file }), "toolu_read");
        hook.send(&read)?;
        read["hook_event_name"] = json!("PostToolUse");
        let lines = text.lines().count();
        let told = json!({"filePath": file, "content": text, "numLines": lines, "startLine": 1, "totalLines": lines});
        read["tool_response"] = json!({ "type": "text", "file": told });
        hook.send(&read)?;
    }
    let event = match &input.event {
        Some(name) => {
            let mut event = hook.event(name);
            if let (Some(event), Some(fields)) = (event.as_object_mut(), input.params.as_object()) {
                event.extend(fields.clone());
            }
            event
        }
        None => hook.call(input.tool, &world.fill(&input.params), "toolu_large"),
    };
    let place = world.base().join("event.json");
    std::fs::write(&place, event.to_string())?;
    Ok(place)
}

/// What the hook uses at least, of some tries where it is too much.
fn least(world: &World, hook: &HookDriver, event: &Path, time: Duration, memory: u64) -> Result<Used> {
    let mut least = Used { time: Duration::MAX, memory: u64::MAX };
    for _ in 0..TRIES {
        let used = once(world, hook, event)?;
        least = Used { time: least.time.min(used.time), memory: least.memory.min(used.memory) };
        if least.time <= time && least.memory <= memory {
            break;
        }
    }
    Ok(least)
}

/// One process, under a small one that counts nothing else: the largest memory of all ended children is all that a
/// process is told.
fn once(world: &World, hook: &HookDriver, event: &Path) -> Result<Used> {
    let mut measured = Command::new(std::env::current_exe()?);
    measured.args(["bench", "limits", ONE]).arg(world.base().join("used")).args(&hook.words);
    measured.env_clear().envs(hook.environment.iter().cloned()).current_dir(&hook.repo);
    measured.stdin(File::open(event)?).stdout(File::create(world.base().join("answer"))?);
    let status = measured.stderr(Stdio::null()).status()?;
    ensure!(status.success(), "the measurement failed");
    Ok(read_used(world)?.0)
}

/// What [`one`] wrote down: what the process used, and its exit status.
fn read_used(world: &World) -> Result<(Used, i32)> {
    let text = std::fs::read_to_string(world.base().join("used")).context("nothing was measured")?;
    let mut numbers = text.split_whitespace().map(str::parse::<u64>);
    let mut next = || numbers.next().context("a number is missing")?.map_err(anyhow::Error::from);
    let used = Used { time: Duration::from_micros(next()?), memory: next()? << 10 };
    Ok((used, i32::try_from(next()?)?))
}

/// Runs a program and writes down what it used, microseconds and KiB, and its exit status.
pub(crate) fn one(words: &[&str]) -> Result<()> {
    let [place, program, arguments @ ..] = words else { bail!("no program") };
    let status = Command::new(program).args(arguments).status().with_context(|| (*program).to_owned())?;
    let used = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros =
        [used.user_time(), used.system_time()].map(|time| time.tv_sec() * 1_000_000 + time.tv_usec());
    // Bytes on one system, KiB on the others.
    let memory = if cfg!(target_os = "macos") { used.max_rss() >> 10 } else { used.max_rss() };
    let status = status.code().context("the program was killed")?;
    std::fs::write(place, format!("{} {memory} {status}", micros.iter().sum::<i64>()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::inputs;
    use crate::stage::dice::Dice;

    #[test]
    fn the_same_seed_makes_the_same_inputs() {
        let made = |seed| {
            let mut dice = Dice::of(seed);
            (0..30).map(|_| inputs::generated(&mut dice)).map(|input| input.params).collect::<Vec<_>>()
        };
        assert!(made(7) == made(7) && made(7) != made(8));
    }
}
