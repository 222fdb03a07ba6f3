//! A part of the page with a table of ratios, some of which stand beside a time or an amount of memory that is asked for:
//! of those only whether they were met is written down.

use std::fmt::{self, Write as _};
use std::time::Duration;

use anyhow::{Result, bail};

use super::{Depth, QUICK_ALLOWANCE};
use crate::generated::page;

/// One line of a table.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) what: String,
    pub(crate) against: &'static str,
    /// `None` where there is nothing to compare with.
    pub(crate) ratio: Option<f64>,
    pub(crate) target: Target,
}

/// What is asked of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// The ratio is at most that.
    Ratio(f64),
    /// It takes at most so long, and took so long here.
    Time { most: Duration, took: Duration },
    /// It does with so many MiB of memory of its own, and did so here or not.
    Memory { mebibytes: u32, is_enough: bool },
}

/// A part of the page.
pub(crate) struct Sheet {
    /// Its heading, with the signs of one.
    pub(crate) heading: &'static str,
    /// What was measured, and how.
    pub(crate) told: &'static str,
    /// What repeats it.
    pub(crate) task: &'static str,
    pub(crate) lines: Vec<Line>,
}

impl fmt::Display for Target {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ratio(most) => write!(out, "≤ {most:.1}"),
            Self::Time { most, .. } if most.as_millis() == 0 => write!(out, "≤ {} µs more", most.as_micros()),
            Self::Time { most, .. } if most.as_millis() < 1000 => write!(out, "≤ {} ms", most.as_millis()),
            Self::Time { most, .. } => write!(out, "≤ {} s", most.as_secs()),
            Self::Memory { mebibytes, .. } => write!(out, "≤ {mebibytes} MiB"),
        }
    }
}

impl Line {
    /// Whether the target holds with an allowance; a ratio that is no number does not.
    fn is_met(&self, allowance: f64) -> bool {
        match self.target {
            Target::Ratio(most) => self.ratio.is_some_and(|ratio| ratio <= most * allowance),
            Target::Time { most, took } => took <= most.mul_f64(allowance),
            Target::Memory { is_enough, .. } => is_enough,
        }
    }
}

impl Sheet {
    /// Prints it, writes it into the page after a full run, and fails when a target is missed.
    pub(crate) fn conclude(&self, depth: Depth) -> Result<()> {
        let text = self.text();
        println!("{text}");
        for line in &self.lines {
            if let Target::Time { took, .. } = line.target {
                println!("{}: {} ms here", line.what, took.as_millis());
            }
        }
        if depth == Depth::Full {
            page::write_part(self.heading, &text)?;
        }
        let allowance = if depth == Depth::Quick { QUICK_ALLOWANCE } else { 1.0 };
        let missed = self.lines.iter().filter(|line| !line.is_met(allowance)).count();
        if missed > 0 {
            bail!("{}: {missed} targets missed", self.heading);
        }
        Ok(())
    }

    fn text(&self) -> String {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let Self { heading, told, task, lines } = self;
        let (machine, system) = (std::env::consts::ARCH, std::env::consts::OS);
        let mut text = format!(
            "{heading}\n\n{told} Measured on {machine} {system} with {cores} cores. Repeat it with `cargo xtask {task}`; \
             `--quick` for a shorter run.\n\n| What | Against | Ratio | Target | |\n|---|---|---|---|---|\n"
        );
        for line in lines {
            let verdict = if line.is_met(1.0) { "met" } else { "missed" };
            let ratio = line.ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}"));
            let _ = writeln!(
                text,
                "| {} | {} | {ratio} | {} | {verdict} |",
                line.what, line.against, line.target
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_target_is_named_and_no_time_is_written_down() {
        let line = |ratio, target| Line { what: "x".to_owned(), against: "y", ratio, target };
        let time = |took| Target::Time { most: Duration::from_millis(50), took: Duration::from_millis(took) };
        let lines = vec![
            line(Some(1.5), Target::Ratio(2.0)),
            line(Some(f64::NAN), Target::Ratio(2.0)),
            line(Some(3.0), time(49)),
            line(Some(3.0), time(51)),
            line(None, Target::Memory { mebibytes: 64, is_enough: false }),
        ];
        let text = Sheet { heading: "## H", told: "Told.", task: "bench", lines }.text();
        let rows: Vec<&str> = text.lines().filter(|row| row.starts_with("| x")).collect();
        assert_eq!(
            rows,
            [
                "| x | y | 1.50 | ≤ 2.0 | met |",
                "| x | y | NaN | ≤ 2.0 | missed |",
                "| x | y | 3.00 | ≤ 50 ms | met |",
                "| x | y | 3.00 | ≤ 50 ms | missed |",
                "| x | y | – | ≤ 64 MiB | missed |",
            ]
        );
    }
}
