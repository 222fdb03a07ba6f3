//! Starts the tool that holds the gate's predictions against the programs that it predicts.
//!
//! It imports the product, so it is a program of its own: `crates/differential`.

use std::process::Command;

use anyhow::Result;

#[cfg(unix)]
use crate::e2e::client;
use crate::workspace;

/// How many cases each judge plays at night.
#[cfg(unix)]
const FULL: &str = "100000";

/// `differential`: each judge with its usual number of cases, or as the options say.
pub(crate) fn run(options: &[&str]) -> Result<()> {
    workspace::run(&mut tool(options))
}

/// Every judge at full count, and each measured version of the clients whose edits are predicted.
#[cfg(unix)]
pub(crate) fn full() -> Result<()> {
    let measured = tool(&["--measured"]).output()?;
    for line in String::from_utf8(measured.stdout)?.lines() {
        let [package, version, program] = line.split(' ').collect::<Vec<_>>()[..] else {
            anyhow::bail!("{line}")
        };
        client::install_package(package, version, program, &[])?;
    }
    run(&["--cases", FULL])
}

fn tool(options: &[&str]) -> Command {
    let mut run = workspace::cargo();
    run.args(["run", "--quiet", "--locked", "--package", "bailiwick-differential", "--"]);
    run.args(options).current_dir(workspace::root());
    run
}
