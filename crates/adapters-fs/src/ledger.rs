//! The ledger: the synced truth in private state, one hash chain, and its view in the working copy (ADR 0003).
//!
//! Appending costs the same however long the ledger is, and a line is either there as a whole or not at all. Reading it
//! back, verifying, signing, sealing and repairing have files of their own. Deliberately absent: what an entry means.

mod chain;
mod lines;
mod origins;
mod prove;
mod reader;
mod record;
mod repair;
mod segment;
mod sign;
mod transparency;
mod trust;
mod verify;

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bailiwick_domain::{
    Actor, ContentHash, IntentId, Ledger, PortError, SessionEntries, Sync, Timestamp, TraceEntry, counted,
};
use memchr::memmem;

use crate::Layout;
use crate::files::atomic::{Durability, invalid, unavailable};
use crate::files::jsonl::LineFile;
use crate::files::lock::{DEFAULT_WAIT, FileLock};
use chain::parts::{Chain, ChainBackwards};
use chain::view::View;
use lines::Opened;
use record::Link;
use sign::Signer;
use trust::witness::{Last, Witness};

pub use prove::FsLedgerProver;
pub use reader::FsLedgerReader;
pub use record::{
    Adopted, Continues, LedgerLine, LedgerSays, LineFault, SignedBy, Why, read_ledger_line, signed_by,
    strict_record,
};
pub use repair::{RepairError, Repaired};
pub use segment::damaged_segments;
pub use segment::seal::Sealed;
pub use sign::{KnownKey, TraceKey, TraceKeys, Until, Whose, listed};
pub use transparency::{Checkpoint, LogProof, Note, NoteError, NoteKey, ProofError};
pub use verify::{FsLedgerVerifier, departed};

/// How much of the end of the ledger is looked at for recent entries.
const RECENT_WINDOW: usize = 256 * 1024;
/// And how much for those of an intent that may not have been worked on lately.
const HISTORY_WINDOW: usize = 4 * 1024 * 1024;

/// The ledger of one clone.
#[derive(Clone, Debug)]
pub struct FsLedger {
    layout: Layout,
    chain: Chain,
    live: PathBuf,
    lock: PathBuf,
    view: View,
    witness: Witness,
    working_copy: String,
    durability: Durability,
    signs: bool,
    rotate_at: u64,
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
            chain: Chain::live(&folder),
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
            rotate_at: chain::rotate::ROTATE_AT,
            layout,
        }
    }

    /// Signs each entry with the key of this user, or does not (`trace.sign`).
    #[must_use]
    pub fn with_signing(self, signs: bool) -> Self {
        Self { signs, ..self }
    }

    /// Begins a new file when the one that is appended to is that long instead of 16 MiB.
    #[must_use]
    pub fn with_rotation(self, bytes: u64) -> Self {
        Self { rotate_at: bytes, ..self }
    }

    /// The key to sign with; made at first use.
    fn signer(&self) -> Result<Option<Signer>, PortError> {
        self.signs.then(|| Signer::load_or_create(self.layout.user_state())).transpose()
    }

    /// Whether an entry could go on from its end as it is now. Changes nothing, so that it can be asked at any time; what
    /// looks wrong is looked at again while nobody appends.
    ///
    /// # Errors
    /// The end cannot be read, or is not the one that was written.
    pub fn look_at_end(&self) -> Result<(), PortError> {
        self.glance_at_end().or_else(|_| {
            let _held = FileLock::acquire(&self.lock, DEFAULT_WAIT)?;
            self.glance_at_end()
        })
    }

    fn glance_at_end(&self) -> Result<(), PortError> {
        let end = if self.live.exists() {
            self.whole_end(&mut LineFile::open_existing(&self.live)?)?
        } else {
            End::of(self.last_of_parts(read_whole)?, false)
        };
        self.vouched(&end).map(drop)
    }

    /// How long it is in bytes, through all of its files.
    ///
    /// # Errors
    /// A file of it cannot be read.
    pub fn length(&self) -> Result<u64, PortError> {
        Ok(self.chain.open()?.length())
    }

    /// The file that is appended to; older parts stand beside it.
    pub fn live_file(&self) -> &Path {
        &self.live
    }

    /// The last line of the older parts. A newest file without a line goes on from it: it never begins a chain of its own
    /// beside them.
    fn last_of_parts<T>(
        &self,
        read: impl Fn(Vec<u8>) -> Result<T, LineFault>,
    ) -> Result<Option<T>, PortError> {
        let last = self.chain.last_of_parts()?;
        last.map(|(line, path)| understood(read(line), &path)).transpose()
    }

    /// The last whole line of the chain, with its checksum looked at.
    fn whole_end(&self, live: &mut LineFile) -> Result<End, PortError> {
        let (line, fragment) = live.tail()?;
        let last = match line {
            Some(line) => understood(read_whole(line), &self.live).map(Some),
            None => self.last_of_parts(read_whole),
        };
        Ok(End::of(last?, !fragment.is_empty()))
    }

    /// Whether the end is the one that the witness saw, or goes on from there with lines that somebody accounts for. Where
    /// the witness does not know this place, the ledger that a new one may go on from.
    fn vouched(&self, end: &End) -> Result<Option<Continues>, PortError> {
        let places = next_seq(end.last.as_ref());
        match self.witness.last(end.last.as_ref().map(|last| &last.checksum))? {
            // Somebody else may have begun a ledger here that goes on from what was seen.
            Last::Saw { count, fits } if (count != places || !fits) && self.is_begun_by_another()? => {
                end.last.as_ref().map(|last| self.arrived(last)).transpose()
            }
            Last::Saw { count, fits } if count > places || (count == places && !fits) => {
                Err(invalid(&self.live, unlike_witness(places, count)))
            }
            Last::Saw { count, .. } if count < places || end.has_fragment => {
                self.account_for(count, 0).map(|()| None)
            }
            Last::Nothing if places > 0 => self.account_for(0, 0).map(|()| None),
            Last::Unknown if self.layout.user_state().is_some() => {
                end.last.as_ref().map(|last| self.arrived(last)).transpose()
            }
            Last::Unknown | Last::Nothing | Last::Saw { .. } => Ok(None),
        }
    }

    /// The lines from the end; what stands behind the last LF is the first of them. A record that only lacks its LF is
    /// there: the next append completes it.
    fn newest_first(&self) -> Result<NewestFirst, PortError> {
        let live = Opened::open(&self.live)?;
        let fragment = live.as_ref().map(Opened::fragment).transpose()?;
        Ok(NewestFirst { fragment, lines: self.chain.backwards(live), before: None })
    }

    /// The lines from the end, and then those of the ledgers that this one goes on from.
    fn newest_first_of_all(&self) -> Result<NewestFirst, PortError> {
        Ok(NewestFirst { before: Some(Before::Unknown(Box::new(self.clone()))), ..self.newest_first()? })
    }

    /// The newest entries of an intent, newest first, in so many bytes of the end.
    fn newest_of(
        &self,
        intent: &IntentId,
        limit: usize,
        within: usize,
    ) -> Result<Vec<TraceEntry>, PortError> {
        let named = format!("\"{intent}\"").into_bytes();
        let (mut found, mut seen): (Vec<TraceEntry>, usize) = (Vec::new(), 0);
        let mut lines = self.newest_first_of_all()?;
        while found.len() < limit
            && let Some(line) = lines.next()?
        {
            seen = seen.saturating_add(line.len() + 1);
            if seen > within {
                break;
            }
            // Understanding a line costs far more than looking for the name in it.
            if memmem::find(&line, &named).is_none() {
                continue;
            }
            let entry = read_ledger_line(&line).ok().map(|line| line.entry);
            found.extend(entry.filter(|entry| entry.context.intent == *intent));
        }
        Ok(found)
    }

    /// The checksums of the entries before entry `seq`, the newest first; each costs a look at its line.
    fn older(&self, seq: u64) -> impl Iterator<Item = ContentHash> + use<> {
        let mut lines = self.chain.backwards(Opened::open(&self.live).ok().flatten());
        let lines = std::iter::from_fn(move || lines.next().ok().flatten());
        let known = lines.filter_map(|line| read_ledger_line(&line).ok());
        known.filter(move |line| line.seq < seq).map(|line| line.checksum)
    }
}

/// The end of the chain.
struct End {
    /// Its last whole line.
    last: Option<Link>,
    /// The key that this line names as its own.
    signed_by: Option<String>,
    /// Whether something stands behind that line, which may be a record that only lacks its LF.
    has_fragment: bool,
}

impl End {
    fn of(last: Option<Whole>, has_fragment: bool) -> Self {
        let (last, signed_by) = last.map_or((None, None), |(link, key)| (Some(link), key));
        Self { last, signed_by, has_fragment }
    }
}

/// A line with its place, and the key that it names as its own.
type Whole = (Link, Option<String>);

/// The lines of a ledger from its end, with what its last line lacks.
struct NewestFirst {
    fragment: Option<Vec<u8>>,
    lines: ChainBackwards,
    /// The ledgers before this one, where they are wanted.
    before: Option<Before>,
}

/// Which ledgers a ledger goes on from.
enum Before {
    /// Nobody looked yet.
    Unknown(Box<FsLedger>),
    /// The oldest last.
    Known(std::vec::IntoIter<Chain>),
}

impl NewestFirst {
    fn next(&mut self) -> Result<Option<Vec<u8>>, PortError> {
        if let Some(fragment) = self.fragment.take() {
            return Ok(Some(fragment));
        }
        loop {
            if let Some(line) = self.lines.next()? {
                return Ok(Some(line));
            }
            let next = match &mut self.before {
                None => None,
                Some(Before::Known(chains)) => chains.next(),
                Some(Before::Unknown(ledger)) => {
                    let chains =
                        chain::ended::gone_on_from(&folder(&ledger.layout), &ledger.chain)?.into_iter();
                    self.before = Some(Before::Known(chains));
                    continue;
                }
            };
            let Some(chain) = next else { return Ok(None) };
            self.lines = chain.backwards(Opened::open(chain.newest())?);
        }
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

fn read_whole(line: Vec<u8>) -> Result<Whole, LineFault> {
    let line = read_ledger_line(&line)?;
    let key = line.signed_by.clone();
    Ok((Link::from(line), key))
}

fn understood<T>(read: Result<T, LineFault>, path: &Path) -> Result<T, PortError> {
    read.map_err(|fault| invalid(path, format!("last line: {fault}")))
}

/// How the end of a ledger differs from what the witness saw of it.
fn unlike_witness(places: u64, seen: u64) -> String {
    if seen > places {
        let entries = counted(places, "entry", "entries");
        return format!("it has {entries}, but the witness in your state folder saw {seen}");
    }
    "its last entry is not the one that the witness in your state folder saw".to_owned()
}

fn next_seq(last: Option<&Link>) -> u64 {
    last.map_or(0, |last| last.seq.saturating_add(1))
}

#[async_trait]
impl Ledger for FsLedger {
    async fn ready(&self) -> Result<(), PortError> {
        let mut live = LineFile::open(&self.live)?;
        let end = self.whole_end(&mut live)?;
        let signer = self.signer()?;
        if self.goes_on(&end, signer.as_ref())?.is_some() {
            self.prepare(&mut live, signer.as_ref())?;
        }
        self.view.ready(&live)
    }

    async fn append(&self, entry: &TraceEntry) -> Result<String, PortError> {
        let says = self.append_line(entry)?;
        self.log_beginning(entry, &says).await;
        Ok(entry.id.clone())
    }

    async fn of_session(
        &self,
        actor: &Actor,
        since: Timestamp,
        limit: usize,
    ) -> Result<SessionEntries, PortError> {
        let mut found = SessionEntries { entries: Vec::new(), is_complete: true };
        let mut lines = self.newest_first_of_all()?;
        while let Some(line) = lines.next()? {
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
        self.newest_of(intent, limit, RECENT_WINDOW)
    }

    async fn history(&self, intent: &IntentId, limit: usize) -> Result<Vec<TraceEntry>, PortError> {
        self.newest_of(intent, limit, HISTORY_WINDOW)
    }
}
