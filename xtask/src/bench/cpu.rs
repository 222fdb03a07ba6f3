//! The processor time of child processes, and the statistics over rounds.
//!
//! It measures; what is measured and what is enough lies in `bench`.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
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
    /// What the same program reads before each spawn, in the same turn, without being measured; empty means nothing.
    pub(crate) openings: Vec<PathBuf>,
}

impl Load {
    /// The command with its input for the nth spawn.
    pub(crate) fn command(&self, nth: usize) -> Result<Command> {
        self.reading(in_turn(&self.inputs, nth))
    }

    /// Does what comes before the nth spawn.
    fn open(&self, nth: usize) -> Result<()> {
        let Some(opening) = in_turn(&self.openings, nth) else { return Ok(()) };
        let status = self.reading(Some(opening))?.status().with_context(|| self.name.clone())?;
        ensure!(status.success(), "{}: {} ended with {status}", self.name, opening.display());
        Ok(())
    }

    fn reading(&self, input: Option<&PathBuf>) -> Result<Command> {
        let (program, arguments) = self.words.split_first().context("an empty command")?;
        let mut command = Command::new(program);
        command.args(arguments).env_clear().envs(self.environment.iter().cloned()).current_dir(&self.folder);
        command.stdin(match input {
            Some(path) => Stdio::from(File::open(path).with_context(|| path.display().to_string())?),
            None => Stdio::null(),
        });
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Ok(command)
    }
}

/// The nth of them, from the beginning again after the last one.
fn in_turn(files: &[PathBuf], nth: usize) -> Option<&PathBuf> {
    files.get(nth.checked_rem(files.len())?)
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
                let nth = round * plan.spawns_per_round + spawn;
                load.open(nth)?;
                let mut command = load.command(nth)?;
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

    #[test]
    fn inputs_are_taken_in_turn() {
        let files = ["a", "b"].map(PathBuf::from);
        assert_eq!(in_turn(&files, 3), Some(&files[1]));
        assert_eq!(in_turn(&[], 3), None);
    }

    #[test]
    fn something_opens_each_spawn_and_must_succeed() {
        let folder = tempfile::tempdir().unwrap();
        let script = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).unwrap();
            folder.path().join(name)
        };
        let load = |opening: &str| Load {
            name: "a shell".to_owned(),
            words: vec!["/bin/sh".to_owned()],
            environment: Vec::new(),
            folder: folder.path().to_path_buf(),
            inputs: vec![script("call", "printf c >> order")],
            openings: vec![script("opening", opening)],
        };
        let twice = Plan { rounds: 1, spawns_per_round: 2 };
        measure(&[load("printf o >> order")], twice).unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join("order")).unwrap(), "ococ");
        assert!(measure(&[load("exit 1")], twice).is_err());
    }
}
