//! Ledgers that a person ended, because what was in them could not be continued (`trace repair --new-chain`).
//!
//! They stay as they were, numbered from 1, readable for as long as the private state lives.

use std::path::{Path, PathBuf};

use bailiwick_domain::PortError;

use crate::atomic::{create_dirs, sync_parent, unavailable};

fn place(folder: &Path) -> PathBuf {
    folder.join("ended")
}

/// The ended ledgers with their numbers, the oldest first.
///
/// # Errors
/// The folder is there and cannot be listed.
pub(super) fn files(folder: &Path) -> Result<Vec<(u32, PathBuf)>, PortError> {
    let place = place(folder);
    let entries = match std::fs::read_dir(&place) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unavailable(&place, &error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unavailable(&place, &error))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let number = name.strip_suffix(".jsonl").and_then(|digits| digits.parse().ok());
        files.extend(number.map(|number| (number, path.clone())));
    }
    files.sort();
    Ok(files)
}

/// Puts a ledger's file to the ended ones; its number.
///
/// # Errors
/// It cannot be moved.
pub(super) fn end(folder: &Path, live: &Path) -> Result<u32, PortError> {
    let number = files(folder)?.last().map_or(1, |(last, _)| last + 1);
    create_dirs(&place(folder))?;
    let ended = place(folder).join(format!("{number}.jsonl"));
    std::fs::rename(live, &ended).map_err(|error| unavailable(live, &error))?;
    sync_parent(&ended)?;
    sync_parent(live)?;
    Ok(number)
}
