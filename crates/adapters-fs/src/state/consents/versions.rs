//! How new each sealed record is. The private state is anybody's to write, so a record that was valid once can be put back
//! there; the newest number lies in the user's state folder, and what is older counts no more.
//!
//! What a call uses is noted after it was written, for the call runs only then. What takes a consent back is noted before: whatever
//! stops in between, it is taken back.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bailiwick_domain::PortError;

use crate::Layout;
use crate::files::atomic::{Durability, read_optional, remove_optional, replace};
use crate::files::lock::FileLock;

/// Stands for a number that cannot be read. It is newer than all that is there.
const DAMAGED: u64 = u64::MAX;

/// What is written of one record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) version: u64,
    /// Whether it takes a consent back.
    pub(crate) takes_away: bool,
    pub(crate) durability: Durability,
}

/// The newest numbers of the records of one kind. Without a state folder nothing is remembered, as nothing is sealed.
#[derive(Clone, Debug)]
pub(crate) struct Versions {
    folder: Option<PathBuf>,
}

impl Versions {
    pub(crate) fn of(layout: &Layout, kind: &str) -> Self {
        Self { folder: layout.remembered().map(|folder| folder.join(kind)) }
    }

    /// The number of the newest record of that name; zero where none was noted. It is asked for before the record is read, which
    /// may be written in between.
    pub(crate) fn newest(&self, name: &str) -> Result<u64, PortError> {
        let Some(folder) = &self.folder else { return Ok(0) };
        let path = folder.join(name);
        let Some(bytes) = read_optional(&path)? else { return Ok(0) };
        Ok(number(&bytes).unwrap_or(DAMAGED))
    }

    /// The number of the record that is written next. Behind one that cannot be read it is the time, which is more than any
    /// record was ever written.
    pub(crate) fn next(&self, name: &str) -> Result<u64, PortError> {
        let now = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        Ok(match self.newest(name)? {
            DAMAGED => now(),
            newest => newest.saturating_add(1),
        })
    }

    /// Notes that a record of this number is the newest.
    pub(crate) fn note(&self, name: &str, version: u64, durability: Durability) -> Result<(), PortError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        replace(&folder.join(name), version.to_string().as_bytes(), durability)
    }

    /// Writes a record and notes its number, in the order that what it does to consent asks for.
    pub(crate) fn written(
        &self,
        name: &str,
        record: Written,
        write: impl FnOnce() -> Result<(), PortError>,
    ) -> Result<(), PortError> {
        let Written { version, takes_away, durability } = record;
        if takes_away {
            self.note(name, version, durability)?;
        }
        write()?;
        if takes_away { Ok(()) } else { self.note(name, version, durability) }
    }

    /// Forgets what was noted longer ago than any of these records counts.
    pub(crate) fn forget_older_than(&self, age: Duration) -> Result<(), PortError> {
        let entries = self.folder.as_ref().and_then(|folder| std::fs::read_dir(folder).ok());
        let since = SystemTime::now().checked_sub(age);
        for entry in entries.into_iter().flatten().flatten() {
            let noted = entry.metadata().and_then(|data| data.modified()).ok();
            if noted.zip(since).is_some_and(|(noted, since)| noted < since) {
                remove_optional(&entry.path())?;
            }
        }
        Ok(())
    }
}

/// What a record holds, for who does not hold the lock: while it is written its number may be noted already.
pub(crate) fn settled<T>(
    file: &Path,
    lock: impl FnOnce() -> Result<FileLock, PortError>,
    read: impl Fn() -> Result<Option<T>, PortError>,
) -> Result<Option<T>, PortError> {
    match read()? {
        None if file.exists() => {
            let _held = lock()?;
            read()
        }
        found => Ok(found),
    }
}

/// A number as it is noted; the one that stands for damage is none.
fn number(bytes: &[u8]) -> Option<u64> {
    std::str::from_utf8(bytes).ok()?.parse().ok().filter(|number| *number != DAMAGED)
}
