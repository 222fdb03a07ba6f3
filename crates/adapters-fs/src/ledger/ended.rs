//! Ledgers that a person ended, because what was in them could not be continued (`trace repair --new-chain`).
//!
//! They stay as they were, numbered from 1, readable for as long as the private state lives.

use std::path::{Path, PathBuf};

use bailiwick_domain::PortError;

use super::parts::Chain;
use crate::atomic::{create_dirs, sync_parent, unavailable};

fn place(folder: &Path) -> PathBuf {
    folder.join("ended")
}

/// The ended ledgers with their numbers, the oldest first.
///
/// # Errors
/// The folder is there and cannot be listed.
pub(super) fn chains(folder: &Path) -> Result<Vec<(u32, Chain)>, PortError> {
    let numbers = numbers(&place(folder))?;
    Ok(numbers.into_iter().map(|number| (number, chain(folder, number))).collect())
}

fn chain(folder: &Path, number: u32) -> Chain {
    let place = place(folder);
    Chain::new(place.join(format!("{number}.jsonl")), place.join(format!("{number}.parts")))
}

fn numbers(place: &Path) -> Result<Vec<u32>, PortError> {
    let entries = match std::fs::read_dir(place) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unavailable(place, &error)),
    };
    let mut numbers = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unavailable(place, &error))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        numbers.extend(name.strip_suffix(".jsonl").and_then(|digits| digits.parse::<u32>().ok()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// Puts a ledger's files to the ended ones; its number. The older parts go first: when that is interrupted the rest is
/// no chain from its beginning, and ending it once more completes it under the same number.
///
/// # Errors
/// A file cannot be moved.
pub(super) fn end(folder: &Path, live: &Chain) -> Result<u32, PortError> {
    let number = numbers(&place(folder))?.last().map_or(1, |last| last + 1);
    let ended = chain(folder, number);
    create_dirs(&place(folder))?;
    if live.folder().is_dir() {
        rename(live.folder(), ended.folder())?;
    }
    rename(live.newest(), ended.newest())?;
    Ok(number)
}

fn rename(from: &Path, to: &Path) -> Result<(), PortError> {
    std::fs::rename(from, to).map_err(|error| unavailable(from, &error))?;
    sync_parent(to)?;
    sync_parent(from)
}
