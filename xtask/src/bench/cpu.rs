//! The processor time of child processes, and the statistics over rounds.
//!
//! It measures; what is measured and what is enough lies in `bench`.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;

/// A program with what it reads, spawned again and again.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    pub(crate) name: String,
    pub(crate) words: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) folder: PathBuf,
    /// Taken in turn, one for each spawn; empty means no input.
    pub(crate) inputs: Vec<PathBuf>,
}

impl Load {
    /// The command with its input for the nth spawn.
    pub(crate) fn command(&self, nth: usize) -> Result<Command> {
        let (program, arguments) = self.words.split_first().context("an empty command")?;
        let mut command = Command::new(program);
        command.args(arguments).env_clear().envs(self.environment.iter().cloned()).current_dir(&self.folder);
        let input =
            self.inputs.iter().cycle().nth(if self.inputs.is_empty() { 0 } else { nth % self.inputs.len() });
        command.stdin(match input {
            Some(path) => Stdio::from(File::open(path).with_context(|| path.display().to_string())?),
            None => Stdio::null(),
        });
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Ok(command)
    }
}

/// How often to spawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) rounds: usize,
    pub(crate) spawns_per_round: usize,
}

/// For each load and round, the processor time of one spawn on average; loads are interleaved within each round.
pub(crate) fn measure(loads: &[Load], plan: Plan) -> Result<Vec<Vec<Duration>>> {
    let mut times = vec![Vec::new(); loads.len()];
    for round in 0..plan.rounds {
        for (load, times) in loads.iter().zip(&mut times) {
            let mut spent = Duration::ZERO;
            for spawn in 0..plan.spawns_per_round {
                let mut command = load.command(round * plan.spawns_per_round + spawn)?;
                let before = children()?;
                command.status().with_context(|| format!("{}: {:?}", load.name, load.words))?;
                spent += children()?.saturating_sub(before);
            }
            times.push(spent / u32::try_from(plan.spawns_per_round)?);
        }
    }
    Ok(times)
}

/// The median over rounds of one load's time by another's.
pub(crate) fn ratio(of: &[Duration], by: &[Duration]) -> f64 {
    let mut ratios: Vec<f64> =
        of.iter().zip(by).map(|(of, by)| of.as_secs_f64() / by.as_secs_f64()).collect();
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN)
}

/// What all ended children have used so far.
fn children() -> Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(Duration::from_micros(u64::try_from(micros)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_the_median_over_rounds() {
        let millis = |values: [u64; 3]| values.map(Duration::from_millis);
        assert!((ratio(&millis([2, 100, 3]), &millis([1, 1, 1])) - 3.0).abs() < 1e-9);
        assert!(ratio(&[], &[]).is_nan());
    }
}
