//! A driver in JavaScript beside a crate, with its packages as its lock file pins them.

pub(crate) mod mcp;
pub(crate) mod web;

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::workspace;

/// The driver of that folder in the user's cache, with exactly the packages of its lock file and no script of theirs run.
/// The first two files are the package and its lock file.
pub(super) fn install(source: &str, files: &[&str], cache: &str) -> Result<PathBuf> {
    let source = workspace::root().join(source);
    let folder = workspace::cache_folder()?.join("clients").join(cache);
    let lock = std::fs::read_to_string(source.join("package-lock.json"))?;
    let stamp = folder.join("installed");
    let is_there = std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock);
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    for name in files {
        std::fs::copy(source.join(name), folder.join(name)).with_context(|| (*name).to_owned())?;
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
