//! The list of the segments that were sealed in this clone, in private state: by it one that is gone is told from one of
//! another branch.
//!
//! Deliberately absent: what a segment holds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bailiwick_domain::{ContentHash, PortError};
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::files::atomic::{Durability, invalid, read_optional, replace, unavailable};
use crate::ledger::FsLedger;
use crate::ledger::chain::ended;
use crate::ledger::chain::parts::Chain;
use crate::ledger::record::read_ledger_line;
use crate::ledger::segment;

/// What is remembered of a segment that was sealed in this clone.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::ledger) struct Known {
    /// Whether version control was seen to have it.
    pub(in crate::ledger) in_git: bool,
}

/// The segments that were sealed in this clone.
#[derive(Debug)]
pub(in crate::ledger) struct SealedHere {
    path: PathBuf,
    pub(in crate::ledger) known: BTreeMap<ContentHash, Known>,
}

impl SealedHere {
    /// A list of none, for the place where that one is.
    pub(in crate::ledger) fn empty(layout: &Layout) -> Self {
        let path = crate::ledger::folder(layout).join("sealed.json");
        Self { path, known: BTreeMap::new() }
    }

    pub(in crate::ledger) fn read(layout: &Layout) -> Result<Self, PortError> {
        let mut list = Self::empty(layout);
        if let Some(bytes) = read_optional(&list.path)? {
            list.known =
                serde_json::from_slice(&bytes).map_err(|error| invalid(&list.path, error.to_string()))?;
        }
        Ok(list)
    }

    /// The same, where a damaged list is nothing to fail at: its file, and no list.
    pub(in crate::ledger) fn read_whole(layout: &Layout) -> Result<Result<Self, PathBuf>, PortError> {
        match Self::read(layout) {
            Err(PortError::Invalid(_)) => Ok(Err(Self::empty(layout).path)),
            list => list.map(Ok),
        }
    }

    pub(in crate::ledger) fn write(&self) -> Result<(), PortError> {
        let bytes =
            serde_json::to_vec(&self.known).map_err(|error| invalid(&self.path, error.to_string()))?;
        replace(&self.path, &bytes, Durability::Synced)
    }
}

impl FsLedger {
    /// The list of what was sealed in this clone, where it is damaged: nothing is sealed before it is made again.
    ///
    /// # Errors
    /// It cannot be read for another reason.
    pub fn damaged_list_of_sealed(&self) -> Result<Option<PathBuf>, PortError> {
        Ok(SealedHere::read_whole(&self.layout)?.err())
    }

    /// Makes a damaged list again, of the segments of this working copy that are of a ledger of this clone, and keeps the
    /// damaged one beside it. Whether there was one.
    pub(in crate::ledger) fn list_sealed_again(&self) -> Result<bool, PortError> {
        let Some(damaged) = self.damaged_list_of_sealed()? else { return Ok(false) };
        let mut list = SealedHere::empty(&self.layout);
        let ended = ended::chains(&crate::ledger::folder(&self.layout))?.into_iter().map(|(_, chain)| chain);
        let own: Vec<ContentHash> =
            ended.chain([self.chain.clone()]).filter_map(|chain| named(&chain)).collect();
        for file in segment::all(&self.layout)? {
            // One that cannot be read is an alarm of its own.
            let header = file.header().ok().flatten();
            if header.is_some_and(|(header, _)| own.contains(&header.chain)) {
                list.known.insert(file.name, Known::default());
            }
        }
        set_aside(&damaged)?;
        list.write()?;
        Ok(true)
    }
}

/// What a ledger is called, where its first line can be read.
fn named(chain: &Chain) -> Option<ContentHash> {
    let head = chain.open().ok()?.head().ok()??;
    Some(read_ledger_line(&head).ok()?.checksum)
}

/// Keeps the bytes under a name of their own.
fn set_aside(path: &Path) -> Result<(), PortError> {
    let bytes = read_optional(path)?.unwrap_or_default();
    let name = ContentHash::of(&bytes);
    let aside = path.with_extension(format!("{}.aside", name.digits().get(..16).unwrap_or_default()));
    std::fs::rename(path, &aside).map_err(|error| unavailable(path, &error))
}
