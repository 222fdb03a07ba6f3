//! The release binary of the product: built by cargo, found by what cargo says.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::workspace;

/// The release binary: the one that `BAILIWICK_BINARY` names, else built now.
pub(crate) fn binary() -> Result<PathBuf> {
    match std::env::var_os("BAILIWICK_BINARY") {
        Some(given) => Ok(std::path::absolute(given)?),
        None => build_release(&[]),
    }
}

/// The folder that cargo builds into.
#[cfg(unix)]
pub(crate) fn target_folder() -> Result<PathBuf> {
    let mut query = workspace::cargo();
    query
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(workspace::root());
    let metadata: Value = serde_json::from_str(&workspace::stdout(&mut query)?)?;
    metadata["target_directory"].as_str().map(PathBuf::from).context("cargo names no target folder")
}

/// The same, built from exactly what the lock file names.
#[cfg(unix)]
pub(crate) fn locked_release() -> Result<PathBuf> {
    match std::env::var_os("BAILIWICK_BINARY") {
        Some(given) => Ok(std::path::absolute(given)?),
        None => build_release(&["--locked"]),
    }
}

fn build_release(more: &[&str]) -> Result<PathBuf> {
    let mut build = workspace::cargo();
    build.args([
        "build",
        "--release",
        "--package",
        "bailiwick",
        "--bin",
        "bailiwick",
        "--message-format",
        "json",
    ]);
    build.args(more);
    built_by(build.current_dir(workspace::root()))
}

/// An example of a crate, built in this way.
#[cfg(unix)]
pub(crate) fn example(package: &str, name: &str, profile: &str) -> Result<PathBuf> {
    let mut build = workspace::cargo();
    build.args(["build", "--profile", profile, "--package", package, "--example", name]);
    built_by(build.args(["--message-format", "json"]).current_dir(workspace::root()))
}

/// The executable that a cargo command with `--message-format json` says it built.
pub(crate) fn built_by(build: &mut Command) -> Result<PathBuf> {
    let messages = workspace::stdout(build)?;
    let built = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut executables = built.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    executables.next_back().context("cargo built no executable")
}
