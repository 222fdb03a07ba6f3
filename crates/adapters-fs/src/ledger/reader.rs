//! Reads the ledger back: the port `LedgerReader` over this clone's own ledger.
//!
//! Deliberately absent: saying what is wrong with it (`verify`).

use std::ops::ControlFlow;
use std::path::PathBuf;

use bailiwick_domain::{LedgerQuery, LedgerReader, Order, Origin, PortError, StoredEntry, Visit};

use super::ended;
use super::lines::{Line, Opened};
use super::record::read_ledger_line;
use crate::Layout;

/// Reads the ledger of one clone.
#[derive(Clone, Debug)]
pub struct FsLedgerReader {
    folder: PathBuf,
}

impl FsLedgerReader {
    /// A reader of this root's ledger.
    pub fn new(layout: &Layout) -> Self {
        Self { folder: super::folder(layout) }
    }

    /// The files with where they are from, the oldest first.
    fn files(&self) -> Result<Vec<(Origin, PathBuf)>, PortError> {
        let mut files: Vec<_> = ended::files(&self.folder)?
            .into_iter()
            .map(|(number, path)| (Origin::Ended(number), path))
            .collect();
        files.push((Origin::Live, super::live_file(&self.folder)));
        Ok(files)
    }
}

impl LedgerReader for FsLedgerReader {
    fn visit(&self, query: &LedgerQuery, visit: &mut Visit<'_>) -> Result<(), PortError> {
        let mut files = self.files()?;
        if query.order == Order::NewestFirst {
            files.reverse();
        }
        for (origin, path) in files {
            let Some(opened) = Opened::open(&path)? else { continue };
            let mut one =
                |line: &[u8]| understood(&origin, line, query).map_or(ControlFlow::Continue(()), &mut *visit);
            let flow = match query.order {
                Order::NewestFirst => each_backwards(opened, &mut one)?,
                Order::OldestFirst => each_forwards(&opened, &mut one)?,
            };
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }
}

fn understood(origin: &Origin, line: &[u8], query: &LedgerQuery) -> Option<StoredEntry> {
    let record = std::str::from_utf8(line).ok()?;
    if query.containing.as_ref().is_some_and(|text| !record.contains(text.as_str())) {
        return None;
    }
    let found = read_ledger_line(line).ok()?;
    Some(StoredEntry {
        origin: origin.clone(),
        seq: found.seq,
        checksum: found.checksum,
        entry: found.entry,
        record: record.to_owned(),
    })
}

type EachLine<'e> = dyn FnMut(&[u8]) -> ControlFlow<()> + 'e;

fn each_backwards(opened: Opened, one: &mut EachLine<'_>) -> Result<ControlFlow<()>, PortError> {
    let mut lines = opened.backwards();
    while let Some(line) = lines.next()? {
        if one(&line).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

fn each_forwards(opened: &Opened, one: &mut EachLine<'_>) -> Result<ControlFlow<()>, PortError> {
    let mut lines = opened.forwards()?;
    while let Some(line) = lines.next()? {
        if let Line::Whole(line) = line
            && one(line).is_break()
        {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}
