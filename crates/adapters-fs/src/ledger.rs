//! The ledger: the synced truth in private state, one hash chain, and its view in the working copy (D-22, D-23).
//!
//! Appending costs the same however long the ledger is, and a line is either there as a whole or not at all.
//! Deliberately absent: verifying the whole chain, sealing, and signatures.

mod record;
mod view;

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bailiwick_domain::{ContentHash, IntentId, Ledger, PortError, Sync, TraceEntry};

use crate::Layout;
use crate::atomic::{Durability, invalid, sync_parent};
use crate::jsonl::LineFile;
use crate::lock::{DEFAULT_WAIT, FileLock};
use view::View;

pub use record::{LedgerLine, LineFault, read_ledger_line};

/// How much of the end of the ledger is looked at for recent entries.
const RECENT_WINDOW: u64 = 256 * 1024;

/// The ledger of one clone.
#[derive(Clone, Debug)]
pub struct FsLedger {
    live: PathBuf,
    lock: PathBuf,
    view: View,
    durability: Durability,
}

impl FsLedger {
    /// The ledger of this root, synced as the settings say (`trace.sync`).
    pub fn new(layout: Layout, sync: Sync) -> Self {
        let dir = layout.private().join("ledger");
        Self {
            live: dir.join("live.jsonl"),
            lock: dir.join("lock"),
            view: View::new(&layout),
            durability: match sync {
                Sync::Always => Durability::Synced,
                Sync::Os => Durability::Os,
            },
        }
    }

    /// Where the truth is.
    pub fn live_file(&self) -> &Path {
        &self.live
    }

    /// The last line of the chain. A torn tail is repaired first: a record that only lacks its LF gets it, anything
    /// else is set aside.
    fn last(&self, live: &mut LineFile) -> Result<Option<LedgerLine>, PortError> {
        let (line, fragment) = live.tail()?;
        let last = line.map(|line| self.understand(&line)).transpose()?;
        if fragment.is_empty() {
            return Ok(last);
        }
        match read_ledger_line(&fragment) {
            Ok(whole) if follows(&whole, last.as_ref()) => {
                live.append_raw(b"\n", self.durability)?;
                Ok(Some(whole))
            }
            _ => {
                live.set_aside(&fragment)?;
                Ok(last)
            }
        }
    }

    fn understand(&self, line: &[u8]) -> Result<LedgerLine, PortError> {
        read_ledger_line(line).map_err(|fault| invalid(&self.live, format!("last line: {fault}")))
    }
}

fn follows(line: &LedgerLine, last: Option<&LedgerLine>) -> bool {
    line.prev.as_ref() == last.map(|last| &last.checksum) && line.seq == next_seq(last)
}

fn next_seq(last: Option<&LedgerLine>) -> u64 {
    last.map_or(0, |last| last.seq.saturating_add(1))
}

#[async_trait]
impl Ledger for FsLedger {
    async fn ready(&self) -> Result<(), PortError> {
        let live = LineFile::open(&self.live)?;
        if let (Some(line), _) = live.tail()? {
            self.understand(&line)?;
        }
        self.view.ready()
    }

    async fn append(&self, entry: &TraceEntry) -> Result<String, PortError> {
        let _held = FileLock::acquire(&self.lock, DEFAULT_WAIT)?;
        let mut live = LineFile::open(&self.live)?;
        let last = self.last(&mut live)?;
        let prev: Option<&ContentHash> = last.as_ref().map(|last| &last.checksum);
        let (line, _) = record::write(entry, next_seq(last.as_ref()), prev)
            .map_err(|fault| invalid(&self.live, fault.to_string()))?;
        live.append(&line, self.durability)?;
        if last.is_none() && self.durability == Durability::Synced {
            sync_parent(&self.live)?;
        }
        self.view.follow(&live);
        Ok(entry.id.clone())
    }

    async fn recent(&self, intent: &IntentId, limit: usize) -> Result<Vec<TraceEntry>, PortError> {
        if !self.live.exists() {
            return Ok(Vec::new());
        }
        let live = LineFile::open(&self.live)?;
        let start = live.len().saturating_sub(RECENT_WINDOW);
        let bytes = live.slice(start, live.len())?;
        let whole = bytes.split(|byte| *byte == b'\n').skip(usize::from(start > 0));
        let mut found: Vec<TraceEntry> = Vec::new();
        for line in whole.collect::<Vec<_>>().into_iter().rev() {
            if found.len() >= limit {
                break;
            }
            let entry = read_ledger_line(line).ok().map(|line| line.entry);
            found.extend(entry.filter(|entry| entry.context.intent == *intent));
        }
        Ok(found)
    }
}
