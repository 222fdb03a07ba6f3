//! Ledgers of any size, made by `crates/adapters-fs/examples/ledger_at_size` as the product itself would have written them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::product;
use super::world::World;
use crate::workspace;

/// The program with the inputs and the floors, built in this way.
pub(crate) fn at_size(profile: &str) -> Result<PathBuf> {
    product::example("bailiwick-adapters-fs", "ledger_at_size", profile)
}

/// Makes a ledger of so many entries in a governed world.
pub(crate) fn fill(world: &World, entries: usize) -> Result<()> {
    make(&at_size("dev")?, world, "fill", &[&entries.to_string()]).map(drop)
}

/// Has the program make something in a governed world; what it says.
pub(crate) fn make(program: &Path, world: &World, task: &str, words: &[&str]) -> Result<String> {
    let private = world.repo().join(".git/bailiwick");
    let state = world.home().join(".local/state/bailiwick");
    let mut command = Command::new(program);
    command.arg(task).arg(world.repo()).arg(private).arg(state).args(words);
    workspace::stdout(&mut command)
}
