//! The page in a real browser: installs the pinned driver and runs what a person does there.
//!
//! The steps are `crates/adapters-web/e2e/run.mjs`; here are the installation, the scratch folder and the verdict.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::{product, workspace};

const DRIVER: &str = "crates/adapters-web/e2e";
const BROWSER: &str = "/usr/bin/chromium";

/// What belongs to the driver; with the first two its packages are pinned.
const FILES: [&str; 4] = ["package.json", "package-lock.json", "run.mjs", "stage.mjs"];

/// Plays every scenario in Chromium; the pictures stay in the target folder, to be looked at.
pub(crate) fn run() -> Result<()> {
    ensure!(Path::new(BROWSER).exists(), "{BROWSER} is missing: install the package `chromium`");
    let (binary, driver) = (product::binary()?, install()?);
    let folder = tempfile::tempdir()?;
    let shots = product::target_folder()?.join("page-pictures");
    let mut node = Command::new("node");
    node.arg(driver.join("run.mjs")).arg(binary).arg(BROWSER).arg(folder.path()).arg(&shots);
    let played = workspace::run(node.current_dir(folder.path()));
    println!("pictures: {}", shots.display());
    played
}

/// The driver in the user's cache, with exactly the packages of its lock file and no script of theirs run.
fn install() -> Result<PathBuf> {
    let source = workspace::root().join(DRIVER);
    let folder = workspace::cache_folder()?.join("clients").join("page-driver");
    let lock = std::fs::read_to_string(source.join("package-lock.json"))?;
    let stamp = folder.join("installed");
    let is_there = std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock);
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    for name in FILES {
        std::fs::copy(source.join(name), folder.join(name)).with_context(|| name.to_owned())?;
    }
    if !is_there {
        println!("installing the driver into {}", folder.display());
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"]);
        workspace::run(npm.arg(&folder))?;
        std::fs::write(&stamp, lock)?;
    }
    Ok(folder)
}
