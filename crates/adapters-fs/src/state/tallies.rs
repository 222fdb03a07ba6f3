//! What was changed under each revision of an intent that bounds it: one small file for each. They lie in the user's state
//! folder where there is one, since whoever takes a count away makes room for as much again.
//!
//! Read and written only for such an intent, under the lock of the root. Deliberately absent: what a bound says.

use std::path::PathBuf;

use async_trait::async_trait;
use bailiwick_domain::{ContentHash, IntentId, PortError, Revision, Tallies, Tally};

use crate::Layout;
use crate::files::atomic::{Durability, invalid, read_optional, replace, unavailable};

/// The counts of one clone.
#[derive(Clone, Debug)]
pub struct FsTallies {
    dir: PathBuf,
    /// Where older versions keep them.
    older: PathBuf,
}

impl FsTallies {
    /// The counts of this root.
    pub fn new(layout: &Layout) -> Self {
        let older = layout.private().join("tallies");
        Self {
            dir: layout.remembered().map_or_else(|| older.clone(), |folder| folder.join("tallies")),
            older,
        }
    }

    fn name(intent: &IntentId, revision: &Revision) -> String {
        let name = ContentHash::of(format!("{intent}\0{}", revision.hash()).as_bytes());
        format!("{}.json", name.digits())
    }
}

#[async_trait]
impl Tallies for FsTallies {
    async fn of(&self, intent: &IntentId, revision: &Revision) -> Result<Tally, PortError> {
        let name = Self::name(intent, revision);
        for file in [self.dir.join(&name), self.older.join(&name)] {
            let Some(bytes) = read_optional(&file)? else { continue };
            return serde_json::from_slice(&bytes)
                .map_err(|error| invalid(&file, format!("not a count: {error}")));
        }
        Ok(Tally::default())
    }

    async fn keep(&self, intent: &IntentId, revision: &Revision, tally: &Tally) -> Result<(), PortError> {
        let file = self.dir.join(Self::name(intent, revision));
        let bytes = serde_json::to_vec(tally).map_err(|error| unavailable(&file, &error.into()))?;
        replace(&file, &bytes, Durability::Os)
    }
}
