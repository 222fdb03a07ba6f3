//! The ledger: the synced truth in private state, one hash chain, and its view in the working copy (D-22, D-23).
//!
//! Appending costs the same however long the ledger is, and a line is either there as a whole or not at all. Reading it
//! back, verifying, signing, sealing and repairing have files of their own. Deliberately absent: what an entry means.

mod canonical;
mod ended;
mod glance;
mod lines;
mod reader;
mod record;
mod repair;
mod seal;
mod segment;
mod sign;
mod verify;
mod view;
mod witness;

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bailiwick_domain::{
    Actor, ContentHash, IntentId, Ledger, PortError, SessionEntries, Sync, Timestamp, TraceEntry,
};

use crate::Layout;
use crate::atomic::{Durability, invalid, sync_parent, unavailable};
use crate::jsonl::LineFile;
use crate::lock::{DEFAULT_WAIT, FileLock};
use lines::Opened;
use record::Place;
use sign::Signer;
use view::View;
use witness::{Last, Witness};

pub use reader::FsLedgerReader;
pub use record::{LedgerLine, LineFault, read_ledger_line, strict_record};
pub use repair::{RepairError, Repaired};
pub use seal::Sealed;
pub use sign::{KnownKey, SignedBy, TraceKey, TraceKeys, signed_by};
pub use verify::FsLedgerVerifier;

/// How much of the end of the ledger is looked at for recent entries.
const RECENT_WINDOW: u64 = 256 * 1024;

/// The ledger of one clone.
#[derive(Clone, Debug)]
pub struct FsLedger {
    layout: Layout,
    live: PathBuf,
    lock: PathBuf,
    view: View,
    witness: Witness,
    working_copy: String,
    durability: Durability,
    signs: bool,
}

/// The folder of the ledger in private state.
fn folder(layout: &Layout) -> PathBuf {
    layout.private().join("ledger")
}

fn live_file(folder: &Path) -> PathBuf {
    folder.join("live.jsonl")
}

fn lock_file(folder: &Path) -> PathBuf {
    folder.join("lock")
}

/// What tells the working copies of a repository apart: the beginning of the hash of the root's path, so that a line
/// does not give the path away.
fn working_copy(layout: &Layout) -> String {
    const DIGITS: usize = 16;
    let root = ContentHash::of(layout.root().as_os_str().as_encoded_bytes());
    root.digits().get(..DIGITS).unwrap_or_default().to_owned()
}

impl FsLedger {
    /// The ledger of this root, synced as the settings say (`trace.sync`).
    pub fn new(layout: Layout, sync: Sync) -> Self {
        let folder = folder(&layout);
        Self {
            live: live_file(&folder),
            lock: lock_file(&folder),
            view: View::new(&layout),
            witness: Witness::new(&layout),
            working_copy: working_copy(&layout),
            durability: match sync {
                Sync::Always => Durability::Synced,
                Sync::Os => Durability::Os,
            },
            signs: false,
            layout,
        }
    }

    /// Signs each entry with the key of this user, or does not (`trace.sign`).
    #[must_use]
    pub fn with_signing(self, signs: bool) -> Self {
        Self { signs, ..self }
    }

    /// The key to sign with; made at first use.
    fn signer(&self) -> Result<Option<Signer>, PortError> {
        self.signs.then(|| Signer::load_or_create(self.layout.user_state())).transpose()
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

    /// Whether the end is the one that the witness saw, or goes on from there (D-25, threat H2).
    fn vouched(&self, last: Option<&LedgerLine>) -> Result<(), PortError> {
        let places = next_seq(last);
        match self.witness.last(last.map(|last| &last.checksum))? {
            Last::Saw { count, fits } if count > places || (count == places && !fits) => {
                let message = format!(
                    "it has {places} entries, and the witness in the user's state folder saw {count}, or others: a human \
                     runs `bailiwick trace verify`"
                );
                Err(invalid(&self.live, message))
            }
            Last::Nothing | Last::Saw { .. } => Ok(()),
        }
    }

    /// The checksums of the entries before entry `seq`, the newest first; each costs a look at its line.
    fn older(&self, seq: u64) -> impl Iterator<Item = ContentHash> + use<> {
        let mut lines = Opened::open(&self.live).ok().flatten().map(Opened::backwards);
        let lines = std::iter::from_fn(move || lines.as_mut()?.next().ok().flatten());
        let known = lines.filter_map(|line| read_ledger_line(&line).ok());
        known.filter(move |line| line.seq < seq).map(|line| line.checksum)
    }
}

/// Forgets what the witness of this clone saw, when a person deletes the ledger with the private state; the folder that
/// was deleted.
///
/// # Errors
/// It cannot be deleted.
pub fn forget_witness(layout: &Layout) -> Result<Option<PathBuf>, PortError> {
    let Some(folder) = Witness::new(layout).folder() else { return Ok(None) };
    match std::fs::remove_dir_all(&folder) {
        Ok(()) => Ok(Some(folder)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unavailable(&folder, &error)),
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
        let last = live.tail()?.0.map(|line| self.understand(&line)).transpose()?;
        self.vouched(last.as_ref())?;
        drop(self.signer()?);
        self.view.ready(&live)
    }

    async fn append(&self, entry: &TraceEntry) -> Result<String, PortError> {
        let _held = FileLock::acquire(&self.lock, DEFAULT_WAIT)?;
        let mut live = LineFile::open(&self.live)?;
        let last = self.last(&mut live)?;
        let seq = next_seq(last.as_ref());
        let prev: Option<&ContentHash> = last.as_ref().map(|last| &last.checksum);
        let signer = self.signer()?;
        let place = Place { seq, prev, working_copy: &self.working_copy, signer: signer.as_ref() };
        let (line, checksum) =
            record::write(entry, place).map_err(|fault| invalid(&self.live, fault.to_string()))?;
        live.append(&line, self.durability)?;
        if last.is_none() && self.durability == Durability::Synced {
            sync_parent(&self.live)?;
        }
        // The entry counts from here on. What the view lacks the witness does not see either, so that a view that could
        // not be written is told from one that was cut.
        if self.view.follow(&live).is_ok() {
            let older = std::iter::once_with(|| self.older(seq.saturating_sub(1))).flatten();
            self.witness.see(seq, std::iter::once(checksum).chain(prev.cloned()).chain(older));
        }
        Ok(entry.id.clone())
    }

    async fn of_session(
        &self,
        actor: &Actor,
        since: Timestamp,
        limit: usize,
    ) -> Result<SessionEntries, PortError> {
        let mut found = SessionEntries { entries: Vec::new(), is_complete: true };
        let Some(live) = Opened::open(&self.live)? else { return Ok(found) };
        // A record that only lacks its LF is there: the next append completes it.
        let mut fragment = Some(live.fragment()?);
        let mut lines = live.backwards();
        while let Some(line) = fragment.take().map_or_else(|| lines.next(), |it| Ok(Some(it)))? {
            let Ok(line) = read_ledger_line(&line) else { continue };
            if line.entry.timestamp < since {
                break;
            }
            if line.entry.context.actor.parent() != actor.parent() {
                continue;
            }
            if found.entries.len() == limit {
                found.is_complete = false;
                break;
            }
            found.entries.push(line.entry);
        }
        found.entries.reverse();
        Ok(found)
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
