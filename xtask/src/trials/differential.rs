//! Starts the tool that holds the gate's predictions against the programs that it predicts.
//!
//! It imports the product, so it is a program of its own: `crates/differential`.

use anyhow::Result;

use crate::workspace;

/// How many cases each judge plays at night.
#[cfg(unix)]
const FULL: &str = "100000";

/// `differential`: each judge with its usual number of cases, or as the options say.
pub(crate) fn run(options: &[&str]) -> Result<()> {
    let mut run = workspace::cargo();
    run.args(["run", "--quiet", "--locked", "--package", "bailiwick-differential", "--"]);
    run.args(options).current_dir(workspace::root());
    workspace::run(&mut run)
}

/// Every judge at full count.
#[cfg(unix)]
pub(crate) fn full() -> Result<()> {
    run(&["--cases", FULL])
}
