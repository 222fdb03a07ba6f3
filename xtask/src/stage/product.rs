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
    built_by(&mut release(more))
}

fn release(more: &[&str]) -> Command {
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
    build.args(more).current_dir(workspace::root());
    build
}

/// An example of a crate, built in this way.
#[cfg(unix)]
pub(crate) fn example(package: &str, name: &str, profile: &str) -> Result<PathBuf> {
    let mut build = workspace::cargo();
    build.args(["build", "--profile", profile, "--package", package, "--example", name]);
    built_by(build.args(["--message-format", "json"]).current_dir(workspace::root()))
}

/// The release binary, built now, and the map of its code that the linker wrote for its build script; none where the build
/// brings flags of its own.
#[cfg(unix)]
pub(crate) fn mapped_release() -> Result<(PathBuf, Option<PathBuf>)> {
    let mut build = release(&["--locked"]);
    let messages = messages(&mut build)?;
    let of_product =
        |message: &&Value| message["package_id"].as_str().is_some_and(|id| id.contains("/crates/app#"));
    let mut folders = messages.iter().filter(of_product).filter_map(|message| message["out_dir"].as_str());
    let map =
        folders.next_back().map(|folder| PathBuf::from(folder).join("hook.map")).filter(|map| map.is_file());
    Ok((executable(messages)?, map))
}

/// The executable that a cargo command with `--message-format json` says it built.
pub(crate) fn built_by(build: &mut Command) -> Result<PathBuf> {
    executable(messages(build)?)
}

fn messages(build: &mut Command) -> Result<Vec<Value>> {
    let messages = workspace::stdout(build)?;
    Ok(messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).collect())
}

fn executable(messages: Vec<Value>) -> Result<PathBuf> {
    let mut executables =
        messages.into_iter().filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    executables.next_back().context("cargo built no executable")
}
