//! Everything at full count: the same targets that `.ci/run` runs short.

use anyhow::{Result, bail};

use crate::bench::{self, Depth};
use crate::e2e::{self, Kinds};
use crate::generated::{layout, status, texts};
use crate::trials::{attribution, audits, differential, eval, fuzz, history, mutants, relocs, scopes};
use crate::{dist, extension, tidy, workspace};

/// How many cases each property test gets.
const PROPERTY_CASES: &str = "20000";

/// A task, under the words that run it.
type Step = (&'static str, fn() -> Result<()>);

/// What is run, the long tests first.
const STEPS: &[Step] = &[
    ("test", tests),
    ("tidy", tidy::run),
    ("status --check", status::check),
    ("texts --check", texts::check),
    ("relocs", relocs::run),
    ("layout --check", layout::check),
    ("eval mutations", || eval::mutations(&[])),
    ("eval attribution", attribution::full),
    ("eval audit", audits::full),
    ("eval scopes", || scopes::run(&[])),
    ("e2e claude", || e2e::claude(Kinds::All, "")),
    ("e2e agents", || e2e::agents::run("", e2e::agents::Breadth::Full)),
    // One of the judges is the client that the step before installs.
    ("differential", differential::full),
    ("extension", extension::check),
    ("e2e vscode", || e2e::vscode::run(e2e::vscode::FULL, "")),
    ("e2e ledger", ledger),
    ("e2e proofs", || e2e::proofs::run(e2e::proofs::FULL)),
    ("dist --check", dist::check),
    ("fuzz", fuzz::full),
    ("e2e first", e2e::first::run),
    ("e2e day", || e2e::day(&[e2e::Yes::Each, e2e::Yes::Granted])),
    ("e2e web", e2e::driver::web::run),
    ("e2e mcp", e2e::driver::mcp::run),
    ("e2e acp", || e2e::agents::acp::run("")),
    ("e2e forging", || e2e::forging("")),
    ("e2e game", || e2e::game::run("")),
    ("mutants", mutants::full),
    ("bench", || bench::run(Depth::Full)),
    ("bench hosts", || bench::hosts::run(Depth::Full)),
    ("bench limits", || bench::limits::run(bench::limits::FULL, 1)),
    ("bench ledger", || bench::ledger::run(Depth::Full)),
    ("bench ast", || bench::ast::run(Depth::Full)),
    ("bench intents", || bench::intents::run(Depth::Full)),
    ("bench session", || e2e::wall::run(e2e::wall::FULL)),
];

/// Runs all of it to the end, and fails when one of them does.
pub(crate) fn run() -> Result<()> {
    let mut failed = Vec::new();
    for (name, step) in STEPS {
        println!("\n== {name}");
        if let Err(error) = step() {
            println!("error: {error:#}");
            failed.push(*name);
        }
    }
    if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join(", ")) }
}

fn tests() -> Result<()> {
    let mut tests = workspace::cargo();
    tests.args(["test", "--release", "--workspace", "--locked"]).current_dir(workspace::root());
    // Each night draws other cases; the seed is named, so that a failure can be played again.
    let seed = std::time::UNIX_EPOCH.elapsed()?.as_secs().to_string();
    println!("PROPTEST_RNG_SEED={seed}");
    tests.env("PROPTEST_CASES", PROPERTY_CASES).env("PROPTEST_RNG_SEED", seed);
    workspace::run(&mut tests)
}

fn ledger() -> Result<()> {
    history::run(1, history::FULL)?;
    #[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
    crate::trials::crashes::run(crate::trials::crashes::FULL)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::STEPS;
    use crate::workspace;

    // D-30, K-49
    #[test]
    fn what_a_change_must_pass_is_run_whole_at_night() {
        let script = std::fs::read_to_string(workspace::root().join(".ci/run")).unwrap();
        let tasks = script.lines().filter_map(|line| line.trim_start().strip_prefix("cargo xtask "));
        let tasks: Vec<&str> = tasks.collect();
        assert!(tasks.contains(&"bench --quick"), "budgets are measured for every change");
        for task in tasks {
            let whole = task.trim_end_matches(" --quick");
            assert!(STEPS.iter().any(|(name, _)| *name == whole), "{task} has no whole run");
        }
    }
}
