//! Mutates the code that decides and looks whether a test fails: `cargo mutants` over the policy, the stages of the gate
//! and the reading of paths.
//!
//! Which files are mutated, and which survivors are known with their reason, stands in `.cargo/mutants.toml`. A new
//! survivor is a failure.

use std::process::Command;

use anyhow::{Result, bail};

use crate::workspace;

const TOOL: &str = "cargo-mutants";
const VERSION: &str = "27.1.0";

/// How many mutants a change is tried with; all of them are tried at night.
const SAMPLE: usize = 15;

/// The package that decides; its tests are quick.
const DECIDES: &str = "bailiwick-policy";
/// The reading of paths.
const READS_PATHS: &str = "bailiwick-adapters-fs";
/// The stages of the gate. Each mutant builds the product's tests anew, so all of them take more than a day.
const STAGES: &str = "bailiwick-gate";
/// Whose tests play the stages whole.
const PLAYS_STAGES: &str = "bailiwick";

/// `mutants`: the lines that changed since the merge base, a sample of them where they are many.
pub(crate) fn changed() -> Result<()> {
    let diff = workspace::root().join("target/mutants.diff");
    let base = base()?;
    let text = workspace::stdout(&mut git(&["diff", &base, "--", "crates/policy/src"]))?;
    if text.trim().is_empty() {
        println!("mutants: nothing that decides changed since {base}");
        return Ok(());
    }
    std::fs::write(&diff, text)?;
    let mut list = mutants(DECIDES)?;
    let count = workspace::stdout(list.args(["--list", "--in-diff"]).arg(&diff))?.lines().count();
    println!("mutants: {count} in what changed since {base}");
    let mut run = mutants(DECIDES)?;
    run.arg("--in-diff").arg(&diff);
    if count > SAMPLE {
        run.args(["--sharding", "round-robin", "--shard", &format!("0/{}", count.div_ceil(SAMPLE))]);
    }
    workspace::run(&mut run)
}

/// `mutants full`: all of what decides and what reads paths.
pub(crate) fn full() -> Result<()> {
    let caught = |part: &str| mutants(part).and_then(|mut run| workspace::run(&mut run));
    let survived: Vec<&str> =
        [DECIDES, READS_PATHS].into_iter().filter(|part| caught(part).is_err()).collect();
    if survived.is_empty() { Ok(()) } else { bail!("a mutant survived in: {}", survived.join(", ")) }
}

/// `mutants gate SHARD`: one of so many parts of the stages of the gate, as `3/20`.
pub(crate) fn gate(shard: &str) -> Result<()> {
    let mut run = mutants(STAGES)?;
    run.args(["--test-package", STAGES, "--test-package", PLAYS_STAGES]);
    workspace::run(run.args(["--sharding", "round-robin", "--shard", shard]))
}

/// The mutator over one package, with the tests of that package alone.
fn mutants(package: &str) -> Result<Command> {
    let mut run = Command::new(workspace::installed_tool(TOOL, VERSION)?);
    run.args(["mutants", "--package", package, "--baseline", "skip", "--timeout", "300", "--no-shuffle"]);
    run.arg("--output").arg(workspace::root().join("target")).current_dir(workspace::root());
    Ok(run)
}

/// Where the work branched off: the merge base with the published branch, else the commit before.
fn base() -> Result<String> {
    let published = workspace::stdout(&mut git(&["merge-base", "HEAD", "origin/HEAD"])).unwrap_or_default();
    let head = workspace::stdout(&mut git(&["rev-parse", "HEAD"]))?;
    if !published.trim().is_empty() && published != head {
        return Ok(published.trim().to_owned());
    }
    Ok(workspace::stdout(&mut git(&["rev-parse", "HEAD~1"]))?.trim().to_owned())
}

fn git(words: &[&str]) -> Command {
    let mut git = Command::new("git");
    git.args(words).current_dir(workspace::root());
    git
}
