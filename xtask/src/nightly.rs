//! Everything at full count: the same targets that `.ci/run` runs short (D-30).

use anyhow::Result;

use crate::bench::{self, Depth};
use crate::e2e::{self, Kinds};
use crate::{history, relocs, status, tidy, workspace};

/// How many cases each property test gets.
const PROPERTY_CASES: &str = "20000";

/// Runs all of it, the long tests first.
pub(crate) fn run() -> Result<()> {
    let root = workspace::root();
    let mut tests = workspace::cargo();
    tests.args(["test", "--release", "--workspace", "--locked"]).current_dir(&root);
    tests.env("PROPTEST_CASES", PROPERTY_CASES);
    workspace::run(&mut tests)?;
    tidy::run()?;
    status::check()?;
    relocs::run()?;
    e2e::claude(Kinds::All, "")?;
    history::run(1, history::FULL)?;
    #[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
    crate::crashes::run(crate::crashes::FULL)?;
    e2e::day(&[e2e::Yes::Each, e2e::Yes::Granted])?;
    e2e::forging("")?;
    bench::run(Depth::Full)?;
    bench::ledger::run(Depth::Full)?;
    bench::ast::run(Depth::Full)?;
    e2e::wall::run(e2e::wall::FULL)
}
