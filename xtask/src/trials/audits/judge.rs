//! The labels that `bailiwick audit` gives, beside the truth.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::Found;
use super::history::{History, Made};
use super::text::{Hand, Line};

/// Judges a history here, and in a fresh clone where the entries travel with git.
pub(super) fn judge(history: &History, found: &mut Found) -> Result<()> {
    let repo = history.world.repo();
    compare(history, &audited(history, &repo)?, found)?;
    if history.seals {
        let clone = history.world.base().join("clone");
        let name = clone.display().to_string();
        history.world.git(&["clone", "-q", "--no-local", ".", &name])?;
        compare(history, &audited(history, &clone)?, found)?;
    }
    Ok(())
}

/// What `audit` says there, and whether it failed.
fn audited(history: &History, folder: &Path) -> Result<(Value, bool)> {
    let mut command = Command::new(history.world.gate());
    let (root, range) = (folder.display().to_string(), format!("{}..HEAD", history.base));
    let output = history.world.output(command.args(["audit", "--json", "--root", &root, &range]))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let parsed = serde_json::from_str(&said)
        .with_context(|| format!("audit in {root}: {said}{}", String::from_utf8_lossy(&output.stderr)))?;
    Ok((parsed, output.status.code() == Some(1)))
}

fn compare(history: &History, (said, failed): &(Value, bool), found: &mut Found) -> Result<()> {
    let commits = said["commits"].as_array().context("no commits")?;
    let range = format!("{}..HEAD", history.base);
    let count = history.git_says(&["rev-list", "--count", &range])?;
    ensure!(count.trim() == commits.len().to_string(), "{} commits of {}", commits.len(), count.trim());
    let mut fails = false;
    for commit in commits {
        let id = commit["commit"].as_str().unwrap_or_default();
        let made = history.made.get(id).with_context(|| format!("an unknown commit {id}"))?;
        found.commits += 1;
        let runs = commit["hunks"].as_array().context("no hunks")?;
        if made.parents.len() == 1 {
            fails |= one(history, made, runs, found)?;
        } else {
            // All that such a merge has of its own is a person's.
            for run in runs {
                note(history, made, run, &["human"], found);
            }
        }
    }
    if *failed != fails {
        let told = history.told.join(", ");
        found.wrong.push(format!("history {}: exit status: failed is {failed}, {told}", history.seed));
    }
    Ok(())
}

/// One commit with one parent; whether it must fail.
fn one(history: &History, made: &Made, runs: &[Value], found: &mut Found) -> Result<bool> {
    let parent = made.parents.first().and_then(|parent| history.made.get(parent)).context("no parent")?;
    let mut covered: BTreeMap<&str, Vec<std::ops::Range<usize>>> = BTreeMap::new();
    let mut fails = false;
    for run in runs {
        let path = run["file"].as_str().unwrap_or_default();
        let number = |key: &str| usize::try_from(run[key].as_u64().unwrap_or_default()).unwrap_or_default();
        let (first, count) = (number("first_line"), number("lines"));
        let new = made.files.get(path).map(Vec::as_slice).unwrap_or_default();
        let old = parent.files.get(path).map(Vec::as_slice).unwrap_or_default();
        let start = first.saturating_sub(1);
        let lines = new.get(start..start + count).context("a run outside of its file")?;
        covered.entry(path).or_default().push(start..start + count);
        let expected = expected(made, lines, &removed(old, new, first));
        fails |= match expected {
            ["unexplained"] => true,
            either => either.contains(&"unexplained") && run["label"] == "unexplained",
        };
        note(history, made, run, expected, found);
    }
    for (path, new) in &made.files {
        let old = parent.files.get(path).map(Vec::as_slice).unwrap_or_default();
        let runs = covered.get(path.as_str()).map(Vec::as_slice).unwrap_or_default();
        let is_told = |at: usize| runs.iter().any(|run| run.contains(&at));
        if let Some((at, _)) = new.iter().enumerate().find(|(at, line)| !old.contains(line) && !is_told(*at))
        {
            let place = format!("{path}:{}", at + 1);
            found.wrong.push(format!("history {}: {place} is in no run of `{}`", history.seed, made.what));
        }
    }
    Ok(fails)
}

/// The lines that go behind that line of the new text, counted from 1.
fn removed<'o>(old: &'o [Line], new: &[Line], first: usize) -> Vec<&'o Line> {
    let stays = |line: &&Line| new.contains(line);
    let anchor = first.checked_sub(1).and_then(|at| new.get(at));
    let from = anchor
        .map_or(0, |anchor| old.iter().position(|line| line == anchor).map_or(old.len(), |place| place + 1));
    old.iter().skip(from).take_while(|line| !stays(line)).collect()
}

fn expected(made: &Made, lines: &[Line], removed: &[&Line]) -> &'static [&'static str] {
    let is_agents = if lines.is_empty() {
        !removed.is_empty()
            && removed
                .iter()
                .all(|line| made.gone.get(&line.number).is_some_and(|gone| gone.by == Hand::Agent))
    } else {
        lines.iter().all(|line| line.by == Hand::Agent)
    };
    match (made.is_layout, is_agents, made.is_marked) {
        // Lines of an agent in another layout are still the agent's.
        (true, true, _) => &["layout", "traced"],
        (true, false, _) => &["layout"],
        (false, true, _) => &["traced"],
        (false, false, Some(true)) => &["unexplained"],
        (false, false, Some(false)) => &["human"],
        (false, false, None) => &["human", "unexplained"],
    }
}

fn note(history: &History, made: &Made, run: &Value, expected: &[&str], found: &mut Found) {
    let label = run["label"].as_str().unwrap_or_default();
    *found.runs.entry(label.to_owned()).or_default() += 1;
    if !expected.contains(&label) {
        let place = format!("{}:{} +{}", run["file"], run["first_line"], run["lines"]);
        let seals = if history.seals { "sealed" } else { "ledger alone" };
        found.wrong.push(format!(
            "history {}: {place} in `{}` is {label}, not {}; {seals}; {}",
            history.seed,
            made.what,
            expected.join(" or "),
            history.told.join(", ")
        ));
    }
}
