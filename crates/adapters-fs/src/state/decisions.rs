//! The decision log: every call, one line each, in one strict order.
//!
//! Appending costs the same however long the log is. Deliberately absent: contents of files, which may be
//! secrets, and syncing to the disk: surviving a killed process is enough here.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bailiwick_domain::{Actor, CallId, DecisionLog, DecisionRecord, PortError, Timestamp};
use serde::Deserialize;

use crate::Layout;
use crate::files::atomic::{Durability, invalid, read_names, read_optional, unavailable};
use crate::files::freeing::{Doing, Freed, modified, remove};
use crate::files::jsonl::LineFile;
use crate::files::lock::{DEFAULT_WAIT, FileLock};

const ROTATE_AT: u64 = 8 * 1024 * 1024;

/// How much of the end is looked at first for what was written lately, in bytes.
const LOOK_BACK: u64 = 16 * 1024;

/// The decision log in private state.
#[derive(Clone, Debug)]
pub struct FsDecisionLog {
    dir: PathBuf,
    rotate_at: u64,
}

#[derive(Debug, Deserialize)]
struct Position {
    seq: u64,
}

impl FsDecisionLog {
    /// The decision log of this root; a file of 8 MiB is closed and a new one begun.
    pub fn new(layout: Layout) -> Self {
        Self { dir: layout.private().to_owned(), rotate_at: ROTATE_AT }
    }

    /// Begins a new file after that many bytes instead.
    #[must_use]
    pub fn with_rotation(mut self, bytes: u64) -> Self {
        self.rotate_at = bytes;
        self
    }

    fn current(&self) -> PathBuf {
        self.dir.join("decisions.jsonl")
    }

    /// The newest records that `keep` wants, newest first. Lines that are no records are passed over.
    pub fn read_recent(
        &self,
        limit: usize,
        keep: impl Fn(&DecisionRecord) -> bool,
    ) -> Result<Vec<DecisionRecord>, PortError> {
        let mut found = Vec::new();
        for path in self.newest_first()? {
            let bytes = read_optional(&path)?.unwrap_or_default();
            for line in bytes.split(|byte| *byte == b'\n').rev() {
                if found.len() == limit {
                    return Ok(found);
                }
                found.extend(serde_json::from_slice::<DecisionRecord>(line).ok().filter(&keep));
            }
        }
        Ok(found)
    }

    /// The records of turns that ended at that moment or later, newest first. A turn that went on after it was told of is
    /// there again.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn turns(&self, since: Timestamp) -> Result<Vec<DecisionRecord>, PortError> {
        let mut found = self.marked("\"turn\":{", since)?;
        found.retain(|record| record.turn.is_some());
        Ok(found)
    }

    /// The records that explain a change which no entry of the ledger records, newest first.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn explained(&self) -> Result<Vec<DecisionRecord>, PortError> {
        self.marked("\"left\":{", Timestamp::from_unix_ms(0))
    }

    /// The newest report of each intent whose work an agent called done, newest first. Only the newest files of the log are
    /// looked at, so that it stays quick.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn reports(&self) -> Result<Vec<DecisionRecord>, PortError> {
        const FILES: usize = 2;
        let mut found: Vec<DecisionRecord> = Vec::new();
        for path in self.newest_first()?.take(FILES) {
            let bytes = read_optional(&path)?.unwrap_or_default();
            let lines = bytes.split(|byte| *byte == b'\n').rev();
            let marked =
                lines.filter(|line| str::from_utf8(line).is_ok_and(|text| text.contains("\"done\":{")));
            for record in marked.filter_map(|line| serde_json::from_slice::<DecisionRecord>(line).ok()) {
                let is_newest =
                    record.done.is_some() && found.iter().all(|other| other.intent != record.intent);
                found.extend(Some(record).filter(|_| is_newest));
            }
        }
        Ok(found)
    }

    /// The files of the log, the current one first.
    fn newest_first(&self) -> Result<impl Iterator<Item = PathBuf>, PortError> {
        let closed = self.closed()?.into_iter().map(|(_, path)| path).rev();
        Ok(std::iter::once(self.current()).chain(closed))
    }

    /// The records from that moment on whose line has this text in it, newest first; only those are understood.
    fn marked(&self, mark: &str, since: Timestamp) -> Result<Vec<DecisionRecord>, PortError> {
        let mut found = Vec::new();
        for path in self.newest_first()? {
            let bytes = read_optional(&path)?.unwrap_or_default();
            let lines = bytes.split(|byte| *byte == b'\n').rev();
            let marked = lines.filter(|line| str::from_utf8(line).is_ok_and(|text| text.contains(mark)));
            for record in marked.filter_map(|line| serde_json::from_slice::<DecisionRecord>(line).ok()) {
                if record.at < since {
                    return Ok(found);
                }
                found.push(record);
            }
        }
        Ok(found)
    }

    /// The closed files with their first sequence number, oldest first.
    fn closed(&self) -> Result<Vec<(u64, PathBuf)>, PortError> {
        let mut files = read_names(&self.dir, |name| {
            let digits = name.strip_prefix("decisions.")?.strip_suffix(".jsonl")?;
            Some((digits.parse().ok()?, self.dir.join(name)))
        })?;
        files.sort();
        Ok(files)
    }

    /// The sequence number after the last record of the log.
    fn next_seq(&self, log: &mut LineFile) -> Result<u64, PortError> {
        let (line, fragment) = log.tail()?;
        if !fragment.is_empty() {
            log.set_aside(&fragment)?;
        }
        match line {
            Some(line) => seq_of(&line, log.path()).map(|seq| seq.saturating_add(1)),
            None => match self.closed()?.pop() {
                Some((_, newest)) => match LineFile::open(&newest)?.tail()?.0 {
                    Some(line) => seq_of(&line, &newest).map(|seq| seq.saturating_add(1)),
                    None => Err(invalid(&newest, "holds no record")),
                },
                None => Ok(0),
            },
        }
    }

    /// The records of one file from that number on, oldest first, and whether the file goes back so far.
    fn tail_since(path: &Path, seq: u64) -> Result<(Vec<DecisionRecord>, bool), PortError> {
        let log = LineFile::open(path)?;
        let mut window = LOOK_BACK;
        loop {
            let start = log.len().saturating_sub(window);
            let bytes = log.slice(start, log.len())?;
            let whole = bytes.iter().rposition(|byte| *byte == b'\n').unwrap_or_default();
            let lines = bytes.get(..whole).unwrap_or_default().split(|byte| *byte == b'\n');
            let lines = lines.skip(usize::from(start > 0)).filter(|line| !line.is_empty());
            let found = lines.map(|line| record_of(line, path)).collect::<Result<Vec<_>, _>>()?;
            let reaches = found.first().is_some_and(|first| first.seq <= seq);
            if reaches || start == 0 {
                return Ok((found.into_iter().filter(|record| record.seq >= seq).collect(), reaches));
            }
            window = window.saturating_mul(4);
        }
    }

    /// Forgets, or counts, closed files, oldest first: those whose last record is older than that, and those beyond so
    /// many bytes. What is told from that line on stays, and so does the newest of them, which tells the next number.
    pub(crate) fn forget_closed(
        &self,
        old: Timestamp,
        most_bytes: u64,
        told_by: Option<u64>,
        doing: Doing,
    ) -> Result<Freed, PortError> {
        let _held = FileLock::acquire(&self.dir.join("decisions.lock"), DEFAULT_WAIT)?;
        let closed = self.closed()?;
        let mut files = Vec::with_capacity(closed.len());
        for (first, path) in &closed {
            let meta = path.symlink_metadata().map_err(|error| unavailable(path, &error))?;
            files.push((*first, path, meta));
        }
        let mut bytes: u64 = files.iter().map(|(_, _, meta)| meta.len()).sum();
        let mut freed = Freed::default();
        for pair in files.windows(2) {
            let [(_, path, meta), (next, ..)] = pair else { continue };
            let is_needed = told_by.is_some_and(|line| *next > line);
            if is_needed || (modified(meta) >= old && bytes <= most_bytes) {
                break;
            }
            bytes = bytes.saturating_sub(meta.len());
            freed.add(meta.len());
            remove(path, doing)?;
        }
        Ok(freed)
    }

    fn close(&self, log: &LineFile) -> Result<(), PortError> {
        let first = seq_of(&log.head()?, log.path())?;
        let closed = self.dir.join(format!("decisions.{first}.jsonl"));
        std::fs::rename(log.path(), &closed).map_err(|error| unavailable(&closed, &error))
    }
}

fn record_of(line: &[u8], path: &Path) -> Result<DecisionRecord, PortError> {
    serde_json::from_slice(line).map_err(|error| invalid(path, format!("not a decision record: {error}")))
}

fn seq_of(line: &[u8], path: &Path) -> Result<u64, PortError> {
    serde_json::from_slice::<Position>(line)
        .map(|position| position.seq)
        .map_err(|error| invalid(path, format!("not a decision record: {error}")))
}

#[async_trait]
impl DecisionLog for FsDecisionLog {
    async fn append(&self, record: &DecisionRecord) -> Result<u64, PortError> {
        let _held = FileLock::acquire(&self.dir.join("decisions.lock"), DEFAULT_WAIT)?;
        let mut log = LineFile::open(&self.current())?;
        let seq = self.next_seq(&mut log)?;
        if log.len() >= self.rotate_at {
            self.close(&log)?;
            log = LineFile::open(&self.current())?;
        }
        let numbered = DecisionRecord { seq, ..record.clone() };
        let line = serde_json::to_vec(&numbered).map_err(|error| invalid(log.path(), error.to_string()))?;
        log.append(&line, Durability::Os)?;
        Ok(seq)
    }

    async fn tells_of(
        &self,
        actor: &Actor,
        call: &CallId,
        since: Timestamp,
    ) -> Result<Option<bool>, PortError> {
        let _held = FileLock::acquire(&self.dir.join("decisions.lock"), DEFAULT_WAIT)?;
        let name = serde_json::to_string(call).map_err(|error| invalid(&self.dir, error.to_string()))?;
        for path in self.newest_first()? {
            let bytes = read_optional(&path)?.unwrap_or_default();
            let lines = bytes.split(|byte| *byte == b'\n').rev();
            let named = lines.filter(|line| str::from_utf8(line).is_ok_and(|text| text.contains(&name)));
            let mut records = named.filter_map(|line| serde_json::from_slice::<DecisionRecord>(line).ok());
            let is_it = |record: DecisionRecord| {
                record.call.as_ref() == Some(call) && record.actor.parent() == actor.parent()
            };
            if records.any(is_it) {
                return Ok(Some(true));
            }
            let first = bytes.split(|byte| *byte == b'\n').next();
            let first = first.and_then(|line| serde_json::from_slice::<DecisionRecord>(line).ok());
            if first.is_some_and(|first| first.seq == 0 || first.at < since) {
                return Ok(Some(false));
            }
        }
        Ok(None)
    }

    async fn since(&self, seq: u64) -> Result<Vec<DecisionRecord>, PortError> {
        let _held = FileLock::acquire(&self.dir.join("decisions.lock"), DEFAULT_WAIT)?;
        let mut files: Vec<PathBuf> = self.closed()?.into_iter().map(|(_, path)| path).collect();
        files.push(self.current());
        let mut found: Vec<DecisionRecord> = Vec::new();
        while let Some(path) = files.pop() {
            let (mut older, reaches) = Self::tail_since(&path, seq)?;
            older.append(&mut found);
            found = older;
            if reaches {
                break;
            }
        }
        Ok(found)
    }
}
