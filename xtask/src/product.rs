//! The release binary of the product: built by cargo, found by what cargo says.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::workspace;

/// Builds the release binary and gives its path.
pub(crate) fn build_release() -> Result<PathBuf> {
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
    let messages = workspace::stdout(build.current_dir(workspace::root()))?;
    let built = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut executables = built.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    executables.next_back().context("cargo built no executable")
}
