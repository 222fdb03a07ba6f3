//! What was changed under each revision of an intent that bounds it: one small file for each, in private state.
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
}

impl FsTallies {
    /// The counts of this root.
    pub fn new(layout: &Layout) -> Self {
        Self { dir: layout.private().join("tallies") }
    }

    fn file(&self, intent: &IntentId, revision: &Revision) -> PathBuf {
        let name = ContentHash::of(format!("{intent}\0{}", revision.hash()).as_bytes());
        self.dir.join(format!("{}.json", name.digits()))
    }
}

#[async_trait]
impl Tallies for FsTallies {
    async fn of(&self, intent: &IntentId, revision: &Revision) -> Result<Tally, PortError> {
        let file = self.file(intent, revision);
        let Some(bytes) = read_optional(&file)? else { return Ok(Tally::default()) };
        serde_json::from_slice(&bytes).map_err(|error| invalid(&file, format!("not a count: {error}")))
    }

    async fn keep(&self, intent: &IntentId, revision: &Revision, tally: &Tally) -> Result<(), PortError> {
        let file = self.file(intent, revision);
        let bytes = serde_json::to_vec(tally).map_err(|error| unavailable(&file, &error.into()))?;
        replace(&file, &bytes, Durability::Os)
    }
}
