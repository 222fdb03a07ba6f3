//! Compares what is answered of each line with the truth.

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::{Result, ensure};
use serde_json::Value;

use super::history::History;

/// Lines by what was answered of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) lines: u64,
    pub(super) right: u64,
    pub(super) wrong_as_proof: u64,
    pub(super) wrong_likely: u64,
    pub(super) unknown: u64,
    pub(super) oracle_right: u64,
    pub(super) git_right: u64,
    pub(super) git_wrong: u64,
}

impl Tally {
    pub(super) fn add(&mut self, other: &Self) {
        self.lines += other.lines;
        self.right += other.right;
        self.wrong_as_proof += other.wrong_as_proof;
        self.wrong_likely += other.wrong_likely;
        self.unknown += other.unknown;
        self.oracle_right += other.oracle_right;
        self.git_right += other.git_right;
        self.git_wrong += other.git_wrong;
    }
}

/// Asks about every line of the history's files.
pub(super) fn judge(history: &History<'_>, is_verbose: bool) -> Result<Tally> {
    history.check()?;
    let mut tally = Tally::default();
    for (path, lines) in &history.files {
        let mut command = Command::new(history.world.gate());
        let output = history.world.output(command.args(["trace", "blame", "--json", path]))?;
        ensure!(output.status.success(), "blame of {path}: {}", String::from_utf8_lossy(&output.stderr));
        let answer: Value = serde_json::from_slice(&output.stdout)?;
        let answers = answer["lines"].as_array().cloned().unwrap_or_default();
        ensure!(
            answers.len() == lines.len(),
            "{path} has {} lines, {} were answered",
            lines.len(),
            answers.len()
        );
        let git = by_git(history, path)?;
        for (number, (line, answer)) in lines.iter().zip(&answers).enumerate() {
            let told = answer["entry"].as_str();
            let is_proof = answer["proof"] == "proved";
            tally.lines += 1;
            tally.oracle_right += u64::from(line.seen == line.writer);
            match (told, line.writer.as_deref()) {
                (told, truth) if told == truth => tally.right += 1,
                (None, _) => tally.unknown += 1,
                (Some(_), _) if is_proof => tally.wrong_as_proof += 1,
                (Some(_), _) => tally.wrong_likely += 1,
            }
            if is_verbose && told != line.writer.as_deref() {
                println!(
                    "{path}:{} {} told {told:?} truth {:?} oracle {:?} {:?}",
                    number + 1,
                    answer["certainty"],
                    line.writer,
                    line.seen,
                    line.text
                );
            }
            match (git.get(number).map(String::as_str), line.writer.as_deref()) {
                (Some("-") | None, None) => tally.git_right += 1,
                (told, truth) if told == truth => tally.git_right += 1,
                (Some("-") | None, Some(_)) => {}
                (Some(_), _) => tally.git_wrong += 1,
            }
        }
    }
    if is_verbose {
        history.told.iter().for_each(|step| println!("{step}"));
    }
    Ok(tally)
}

/// The writer of each line as `git blame` has it.
fn by_git(history: &History<'_>, path: &str) -> Result<Vec<String>> {
    let said = history.beside_git(&["blame", "-w", "-M", "-C", "--porcelain", "--", path])?;
    let (mut writers, mut lines, mut current) = (BTreeMap::new(), Vec::new(), String::new());
    for line in said.lines() {
        if let Some(summary) = line.strip_prefix("summary ") {
            writers.insert(current.clone(), summary.to_owned());
        } else if line.starts_with('\t') {
            lines.push(current.clone());
        } else if let Some((id, _)) = line.split_once(' ')
            && id.len() == 40
        {
            current = id.to_owned();
        }
    }
    Ok(lines.iter().map(|id| writers.get(id).cloned().unwrap_or_default()).collect())
}
