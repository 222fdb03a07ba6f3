//! What the next entry has to say of its ledger, kept beside the witness until the entry is there: what a person adopted,
//! and which ledger the next entry goes on from.
//!
//! It is kept in the user's state folder, because whoever can write the repository could take it away or put something
//! there. Deliberately absent: deciding any of it.

use std::path::PathBuf;

use bailiwick_domain::PortError;

use crate::files::atomic::{Durability, create_dirs, invalid, read_optional, remove_optional, replace};
use crate::ledger::record::LedgerSays;
use crate::ledger::trust::witness::Witness;

/// What waits for the next entry of one clone.
#[derive(Clone, Debug)]
pub(in crate::ledger) struct Waiting {
    file: PathBuf,
}

impl Waiting {
    /// That of the clone of this witness; `None` where nothing is kept for it.
    pub(in crate::ledger) fn of(witness: &Witness) -> Option<Self> {
        Some(Self { file: witness.folder()?.join("next.json") })
    }

    /// What waits; nothing most of the time.
    ///
    /// # Errors
    /// It is there, and is not what this program writes.
    pub(in crate::ledger) fn read(&self) -> Result<LedgerSays, PortError> {
        let Some(bytes) = read_optional(&self.file)? else { return Ok(LedgerSays::default()) };
        serde_json::from_slice(&bytes).map_err(|error| invalid(&self.file, error.to_string()))
    }

    /// Lets this wait, in place of what did.
    ///
    /// # Errors
    /// It cannot be written.
    pub(in crate::ledger) fn write(&self, says: &LedgerSays) -> Result<(), PortError> {
        if let Some(folder) = self.file.parent() {
            create_dirs(folder)?;
        }
        let bytes = serde_json::to_vec(says).map_err(|error| invalid(&self.file, error.to_string()))?;
        replace(&self.file, &bytes, Durability::Synced)
    }

    /// Nothing waits any more. What cannot be taken away is said once more by the entry after.
    pub(in crate::ledger) fn said(&self) {
        drop(remove_optional(&self.file));
    }
}
