//! Begins a new file for the ledger when the one that is appended to has become long (ADR 0011), so that what is
//! rebuilt from that file, such as its view, costs the same however much was recorded.
//!
//! The long file gets a second name among the older parts, and a file that holds the next entry alone takes its first
//! one. So the file that is appended to is there at each moment and never empty, and whoever is killed in between leaves
//! a ledger that any version goes on with: as long as both names are one file, that file is the newest, and the next
//! entry tries again. Deliberately absent: reading parts (`parts`).

use std::fs::hard_link;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use bailiwick_domain::PortError;

use crate::files::atomic::{Durability, create_dirs, sync_parent, unavailable, write_beside};
use crate::files::jsonl::{LineFile, with_lf};
use crate::files::lock::{LEDGER_IN_PARTS, raise_format};
use crate::ledger::FsLedger;
use crate::ledger::lines::Opened;
use crate::ledger::lines::parting::begins_with;
use crate::ledger::record::read_ledger_line;

/// A longer file is closed with the next entry, in bytes.
pub(in crate::ledger) const ROTATE_AT: u64 = 16 * 1024 * 1024;

impl FsLedger {
    /// Whether the file is to be closed before the next entry.
    pub(in crate::ledger) fn is_long(&self, live: &LineFile) -> bool {
        live.len() >= self.rotate_at
    }

    /// Closes the file, and begins the next one with this line, durable as any entry is; `None` when nothing of that was
    /// done and the file goes on. A file that cannot be closed is no reason to lose an entry.
    ///
    /// # Errors
    /// The new file took its place, and is not known to be durable or cannot be opened.
    pub(in crate::ledger) fn begin_anew(
        &self,
        live: &LineFile,
        line: &[u8],
    ) -> Result<Option<LineFile>, PortError> {
        if self.close(live).is_err() {
            return Ok(None);
        }
        let whole = with_lf(line);
        let Ok(next) = write_beside(&self.live, self.durability, |file| file.write_all(&whole)) else {
            return Ok(None);
        };
        if std::fs::rename(&next, &self.live).is_err() {
            let _ = std::fs::remove_file(&next);
            return Ok(None);
        }
        self.settle(&self.live)?;
        LineFile::open(&self.live).map(Some)
    }

    /// Gives the file its name among the older parts.
    fn close(&self, live: &LineFile) -> Result<(), PortError> {
        let head = read_ledger_line(&live.head()?);
        let first = head.map_err(|fault| crate::files::atomic::invalid(&self.live, fault.to_string()))?.seq;
        raise_format(self.layout.private(), LEDGER_IN_PARTS)?;
        if !self.chain.folder().is_dir() {
            create_dirs(self.chain.folder())?;
            self.settle(self.chain.folder())?;
        }
        let part = self.chain.part(first);
        match hard_link(&self.live, &part) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => self.close_again(&part)?,
            other => other.map_err(|error| unavailable(&part, &error))?,
        }
        self.settle(&part)
    }

    /// There is such a part: the name that a killed writer gave, or, where the files were copied since, what the file
    /// was then. Anything else stays, and so does the file.
    fn close_again(&self, part: &Path) -> Result<(), PortError> {
        let (Some(live), Some(there)) = (Opened::open(&self.live)?, Opened::open(part)?) else {
            return Err(unavailable(part, &ErrorKind::NotFound.into()));
        };
        if !begins_with(&live, &there)? {
            return Err(unavailable(part, &ErrorKind::AlreadyExists.into()));
        }
        if there.length() < live.length() {
            std::fs::remove_file(part).map_err(|error| unavailable(part, &error))?;
            hard_link(&self.live, part).map_err(|error| unavailable(part, &error))?;
        }
        Ok(())
    }

    /// Makes a name durable as entries are.
    fn settle(&self, path: &Path) -> Result<(), PortError> {
        if self.durability == Durability::Synced { sync_parent(path) } else { Ok(()) }
    }
}
