//! The judge `commands`: command lines that the gate calls read-only are run under a system call tracer, in repositories
//! with hostile configurations. Nothing is written, and no program starts but the one that is named and git's own.
//!
//! What git's index may become is looked at: git refreshes what it remembers of files (times and sizes) while it reads,
//! unless somebody else holds the lock. That is a cache; the entries must be the same afterwards, and no hook of the tree
//! may hear of it. Programs may keep what is too much for them in the folder for temporary files, when they take it away
//! again (`sort -m` does so even for nothing).

mod call;
mod lines;
mod scene;
mod trace;

use std::cell::Cell;

use anyhow::{Context, Result};
use bailiwick_adapters_shell::ReadOnlyTable;
use bailiwick_domain::{CommandReader, CommandReading, ReadOnly};

use crate::judge::{Finding, Orders, Tally, play};
use scene::{FOLDERS, Scenes};

/// So many lines are traced at once, as starting the tracer costs more than running them.
const TOGETHER: u32 = 25;

/// How many lines are played when nobody says otherwise.
const USUAL: u32 = 3_000;

/// Plays it.
pub(crate) fn run(orders: &Orders) -> Result<Tally> {
    trace::version().context("the judge needs `strace` and Linux")?;
    let scenes = Scenes::new()?;
    let wanted = orders.cases.unwrap_or(USUAL).div_ceil(TOGETHER);
    let batches = Orders { cases: Some(wanted), ..*orders };
    let (played, believed) = (Cell::new(0_u32), Cell::new(0_u32));
    let inputs = lines::batch(scenes.count(), TOGETHER as usize);
    play(&batches, wanted, &inputs, |batch| {
        let (count, finding) = judge(&scenes, batch)?;
        believed.set(believed.get() + count);
        played.set(played.get() + u32::try_from(batch.lines.len()).unwrap_or(u32::MAX));
        Ok(finding)
    })?;
    println!("commands: {} of {} lines are called read-only and were run", believed.get(), played.get());
    Ok(Tally { cases: played.get(), refused: 0 })
}

/// Runs what the gate believes of a batch, and how much that was.
fn judge(scenes: &Scenes, batch: &lines::Batch) -> Result<(u32, Finding)> {
    let scene = scenes.get(batch.scene)?;
    let table = ReadOnlyTable::default();
    let is_believed = |line: &&(usize, String)| {
        let (folder, text) = line;
        let CommandReading::ReadOnly(reading) = table.read(text) else { return false };
        if reading.all_parts().count() != 1 {
            return false;
        }
        let ReadOnly { folder: moved, git_in, starts, .. } = reading;
        let place = match moved {
            None => Some(*folder),
            // The names of folders are those below the root.
            Some(moved) => FOLDERS.iter().position(|name| *name == moved).filter(|_| *folder == 0),
        };
        place.is_some_and(|place| {
            let at = FOLDERS.get(place).copied().unwrap_or(".");
            // Of a folder that git is told, the place is known where it counts from the root, or is the one where it stands.
            let is_told = |told: &String| match (at, told.as_str()) {
                (_, ".") => true,
                (".", told) => !told.contains("..") && scene.believes_git_in(told),
                _ => false,
            };
            (!starts.git || (scene.believes_git_in(at) && git_in.iter().all(is_told)))
                && (place == *folder || !FOLDERS.get(place).is_some_and(|name| name.starts_with("..")))
        })
    };
    let believed: Vec<&(usize, String)> = batch.lines.iter().filter(is_believed).collect();
    if believed.is_empty() {
        return Ok((0, Finding::Refused));
    }
    let before = scene.entries()?;
    scene.age()?;
    let calls = trace::run(scene, &believed)?;
    let mut fault = calls.iter().find_map(|call| scene.fault(call));
    if fault.is_none() && scene.entries()? != before {
        fault = Some("the index holds other entries".to_owned());
    }
    if fault.is_none() && !scene.is_clean()? {
        fault = Some("something is left in the folder for temporary files".to_owned());
    }
    let count = u32::try_from(believed.len()).unwrap_or(u32::MAX);
    let finding = fault.map_or(Finding::Held, |why| Finding::Missed(format!("{}: {why}", scene.name)));
    Ok((count, finding))
}
