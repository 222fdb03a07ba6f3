//! The page in a real browser: installs the pinned driver and runs what a person does there.
//!
//! The steps are `crates/adapters-web/e2e/run.mjs`; here are the installation, the scratch folder and the verdict.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::e2e::driver;
use crate::stage::product;
use crate::workspace;

const DRIVER: &str = "crates/adapters-web/e2e";
const BROWSER: &str = "/usr/bin/chromium";

/// What belongs to the driver; with the first two its packages are pinned.
const FILES: [&str; 4] = ["package.json", "package-lock.json", "run.mjs", "stage.mjs"];

/// Plays every scenario in Chromium; the pictures stay in the target folder, to be looked at.
pub(crate) fn run() -> Result<()> {
    ensure!(Path::new(BROWSER).exists(), "{BROWSER} is missing: install the package `chromium`");
    let (binary, driver) = (product::binary()?, driver::install(DRIVER, &FILES, "page-driver")?);
    let folder = tempfile::tempdir()?;
    let shots = product::target_folder()?.join("page-pictures");
    let mut node = Command::new("node");
    node.arg(driver.join("run.mjs")).arg(binary).arg(BROWSER).arg(folder.path()).arg(&shots);
    let played = workspace::run(node.current_dir(folder.path()));
    println!("pictures: {}", shots.display());
    played
}
