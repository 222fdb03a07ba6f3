//! How new each sealed record is. The private state is anybody's to write, so a record that was valid once can be put back
//! there; the newest number lies in the user's state folder, and what is older counts no more.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use bailiwick_domain::PortError;

use crate::Layout;
use crate::files::atomic::{Durability, read_optional, remove_optional, replace};

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
        let number = std::str::from_utf8(&bytes).ok().and_then(|text| text.parse().ok());
        // What cannot be read is newer than all that is there.
        Ok(number.unwrap_or(u64::MAX))
    }

    /// The number of the record that is written next.
    pub(crate) fn next(&self, name: &str) -> Result<u64, PortError> {
        Ok(self.newest(name)?.saturating_add(1))
    }

    /// Notes a record after it was written, so that a crash in between loses no consent.
    pub(crate) fn note(&self, name: &str, version: u64) -> Result<(), PortError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        replace(&folder.join(name), version.to_string().as_bytes(), Durability::Os)
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
