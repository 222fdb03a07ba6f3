//! Ledgers that a person ended, because what was in them could not be continued (`trace repair --new-chain`).
//!
//! They stay as they were, numbered from 1, readable for as long as the private state lives.

use std::path::{Path, PathBuf};

use bailiwick_domain::PortError;

use crate::files::atomic::{create_dirs, invalid, read_names, remove_optional, sync_parent, unavailable};
use crate::ledger::chain::parts::{Chain, Part};
use crate::ledger::lines::Opened;
use crate::ledger::lines::parting::begins_with;
use crate::ledger::record::{LedgerLine, read_ledger_line};

fn place(folder: &Path) -> PathBuf {
    folder.join("ended")
}

/// The ended ledgers with their numbers, the oldest first.
///
/// # Errors
/// The folder is there and cannot be listed.
pub(in crate::ledger) fn chains(folder: &Path) -> Result<Vec<(u32, Chain)>, PortError> {
    let numbers = numbers(&place(folder))?;
    Ok(numbers.into_iter().map(|number| (number, chain(folder, number))).collect())
}

/// The ledgers that this one goes on from, the newest first: its first entry names one, and that one's perhaps another.
///
/// # Errors
/// A file of theirs cannot be read.
pub(in crate::ledger) fn gone_on_from(folder: &Path, live: &Chain) -> Result<Vec<Chain>, PortError> {
    let mut found = Vec::new();
    let mut continues = first_of(live)?.and_then(|first| first.says.continues);
    for (_, before) in chains(folder)?.into_iter().rev() {
        let (Some(named), Some(first)) = (continues, first_of(&before)?) else { break };
        if first.checksum != named.chain {
            break;
        }
        continues = first.says.continues;
        found.push(before);
    }
    Ok(found)
}

/// The first entry of a ledger, where it is one.
fn first_of(chain: &Chain) -> Result<Option<LedgerLine>, PortError> {
    Ok(chain.open()?.head()?.and_then(|line| read_ledger_line(&line).ok()))
}

fn chain(folder: &Path, number: u32) -> Chain {
    let place = place(folder);
    Chain::new(place.join(format!("{number}.jsonl")), place.join(format!("{number}.parts")))
}

fn numbers(place: &Path) -> Result<Vec<u32>, PortError> {
    let mut numbers = read_names(place, |name| name.strip_suffix(".jsonl")?.parse::<u32>().ok())?;
    numbers.sort_unstable();
    Ok(numbers)
}

/// Puts a ledger's files to the ended ones; its number. The older parts go first: when that is interrupted the rest is
/// no chain from its beginning, and ending it once more completes it under the same number, whatever the rest has grown
/// to meanwhile.
///
/// # Errors
/// A file cannot be moved, or one of that name was ended already and is another one.
pub(in crate::ledger) fn end(folder: &Path, live: &Chain) -> Result<u32, PortError> {
    let number = numbers(&place(folder))?.last().map_or(1, |last| last + 1);
    let ended = chain(folder, number);
    create_dirs(&place(folder))?;
    match (live.folder().is_dir(), ended.folder().is_dir()) {
        (true, true) => add_parts(live, &ended)?,
        (true, false) => rename(live.folder(), ended.folder())?,
        (false, _) => {}
    }
    rename(live.newest(), ended.newest())?;
    Ok(number)
}

/// Puts the parts of a ledger to those that an interrupted ending has moved. One that is there already has been closed
/// twice, as an interrupted rotation leaves it: the longer one stays.
fn add_parts(live: &Chain, ended: &Chain) -> Result<(), PortError> {
    for part in live.all_parts()? {
        let to = ended.part(part.first);
        if is_to_stay(&to, &part)? { remove_optional(&part.path)? } else { rename(&part.path, &to)? }
    }
    // What is no part stays, and the folder with it.
    drop(std::fs::remove_dir(live.folder()));
    sync_parent(live.folder())
}

/// Whether what was ended under that name holds all of the part; else the part takes its place. Neither is open any more
/// when that is known.
fn is_to_stay(ended: &Path, part: &Part) -> Result<bool, PortError> {
    let Some(there) = Opened::open(ended)? else { return Ok(false) };
    let here = part.open()?;
    if begins_with(&there, &here)? {
        Ok(true)
    } else if begins_with(&here, &there)? {
        Ok(false)
    } else {
        let other = part.path.display();
        Err(invalid(ended, format!("it holds other entries than {other}: move one of the two elsewhere")))
    }
}

fn rename(from: &Path, to: &Path) -> Result<(), PortError> {
    std::fs::rename(from, to).map_err(|error| unavailable(from, &error))?;
    sync_parent(to)?;
    sync_parent(from)
}
