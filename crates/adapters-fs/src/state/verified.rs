//! What came of the checks of each intent: one small file for each intent, in private state.
//!
//! Written by `bailiwick verify`, read by `intent check` and `intent close`, never by a hook. The file is sealed with a key
//! outside the tree, so that a result that was written by hand counts for nothing. Deliberately absent: running a check,
//! and what a result says of the intent.

use std::path::PathBuf;

use bailiwick_domain::{CheckResult, ContentHash, IntentId, PortError, json};
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::files::atomic::{Durability, read_form, replace, unavailable};
use crate::files::lock::{DEFAULT_WAIT, FileLock};
use crate::state::consents::approvals::SealKey;

/// The form that this program writes and reads; another one may mean what is not known here.
const FORMAT: u32 = 1;

/// The results of one clone.
#[derive(Clone, Debug)]
pub struct FsVerifications {
    dir: PathBuf,
    user_state: Option<PathBuf>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    format: u32,
    intent: IntentId,
    results: Vec<CheckResult>,
    /// There is one wherever the user's state folder is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seal: Option<ContentHash>,
}

impl FsVerifications {
    /// The results of this root.
    pub fn new(layout: &Layout) -> Self {
        let user_state = layout.user_state().map(std::path::Path::to_owned);
        Self { dir: layout.private().join("verified"), user_state }
    }

    fn seal(&self, intent: &IntentId, results: &[CheckResult]) -> Result<Option<ContentHash>, PortError> {
        let Some(folder) = &self.user_state else { return Ok(None) };
        let store = self.file(intent).display().to_string();
        let sealed = json!({"verified": results, "intent": intent, "store": store});
        Ok(Some(SealKey::load_or_create(folder)?.seal(&sealed)))
    }

    fn file(&self, intent: &IntentId) -> PathBuf {
        self.dir.join(format!("{}.json", ContentHash::of(intent.as_str().as_bytes()).digits()))
    }

    /// The newest result of each check of an intent, oldest first. There are none where the file is damaged, or
    /// its seal is not this store's.
    ///
    /// # Errors
    /// The file cannot be read, or was written by a newer Bailiwick.
    pub fn of(&self, intent: &IntentId) -> Result<Vec<CheckResult>, PortError> {
        let file = self.file(intent);
        let Some(stored) = read_form::<Stored>(&file, "results of checks", FORMAT)? else {
            return Ok(Vec::new());
        };
        let counts = stored.intent == *intent && stored.seal == self.seal(intent, &stored.results)?;
        Ok(if counts { stored.results } else { Vec::new() })
    }

    /// Takes new results up; each takes the place of the older one of its check. Only results of checks that `is_there`
    /// stay.
    ///
    /// # Errors
    /// What is there cannot be read, or the results cannot be written.
    pub fn record(
        &self,
        intent: &IntentId,
        new: &[CheckResult],
        is_there: impl Fn(&CheckResult) -> bool,
    ) -> Result<(), PortError> {
        let _held = FileLock::acquire(&self.dir.join("lock"), DEFAULT_WAIT)?;
        let mut results = self.of(intent)?;
        results.retain(|old| is_there(old) && new.iter().all(|result| result.check != old.check));
        results.extend(new.iter().cloned());
        let file = self.file(intent);
        let seal = self.seal(intent, &results)?;
        let stored = Stored { format: FORMAT, intent: intent.clone(), results, seal };
        let bytes = serde_json::to_vec(&stored).map_err(|error| unavailable(&file, &error.into()))?;
        replace(&file, &bytes, Durability::Synced)
    }
}
