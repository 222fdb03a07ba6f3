//! Runs the classifier of changes over labelled data and passes its report on.
//!
//! Without `--data` it takes what lies beside the repository in `../shared/data`: small pairs that were written for
//! this project, and, where somebody has laid them out, changes of public repositories. Neither is committed here.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace;

/// The share of refactors that must be proved on changes of real repositories.
const RECALL: &str = "0.60";

/// Where the data lies, and the recall that is demanded of it.
const SOURCES: &[(&str, &str)] =
    &[("../shared/data/mutations-micro-dev.jsonl", "0.60"), ("../shared/data/mutations-dev.jsonl", RECALL)];

/// `eval mutations`.
pub(crate) fn mutations(options: &[&str]) -> Result<()> {
    let is_json = options.contains(&"--json");
    match options.iter().position(|option| *option == "--data") {
        Some(at) => {
            let path = options.get(at + 1).context("--data needs a file")?;
            evaluate(&std::path::absolute(path)?, RECALL, is_json)
        }
        None => {
            if let Some(unknown) = options.iter().find(|option| **option != "--json") {
                bail!("no such option: {unknown}");
            }
            usual(is_json)
        }
    }
}

fn usual(is_json: bool) -> Result<()> {
    for (source, recall) in SOURCES {
        let path = workspace::root().join(source);
        if path.is_file() {
            evaluate(&path, recall, is_json)?;
        } else {
            println!("eval mutations: {source} is not there, nothing is measured");
        }
    }
    Ok(())
}

fn evaluate(path: &PathBuf, recall: &str, is_json: bool) -> Result<()> {
    if !is_json {
        println!("{}", path.display());
    }
    let mut run: Command = workspace::cargo();
    run.args(["run", "--quiet", "--package", "bailiwick-adapters-ast", "--example", "eval_mutations", "--"]);
    run.arg("--data").arg(path).args(["--recall", recall]);
    if is_json {
        run.arg("--json");
    }
    let status = run.current_dir(workspace::root()).status()?;
    if !status.success() {
        bail!("{}: an evolution was called a refactor, or too few refactors were proved", path.display());
    }
    Ok(())
}
