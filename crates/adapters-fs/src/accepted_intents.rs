//! Which revisions of intents a human accepted on this machine (D-18): those that Bailiwick wrote for a human, and those
//! that a human said yes to. Kept in the user's state folder, so that nothing that comes by git can add to it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bailiwick_domain::{Intent, IntentDraft, IntentId, PortError};
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::accepted::{key, read, write};

/// How many revisions of one intent are remembered; the oldest is forgotten first.
const MAX_REVISIONS: usize = 8;

/// The accepted revisions of one repository; its linked worktrees share them.
#[derive(Debug)]
pub(crate) struct AcceptedIntents {
    /// `None` where there is no state folder: nothing is accepted.
    file: Option<PathBuf>,
    repository: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct IntentsFile {
    repository: String,
    /// By id, the newest last.
    intents: BTreeMap<IntentId, Vec<IntentDraft>>,
}

impl AcceptedIntents {
    pub(crate) fn new(layout: &Layout) -> Self {
        let name = format!("{}.intents.json", key(layout.private()).digits());
        Self {
            file: layout.user_state().map(|folder| folder.join("accepted").join(name)),
            repository: layout.private().display().to_string(),
        }
    }

    /// Where they are kept.
    pub(crate) fn into_file(self) -> Option<PathBuf> {
        self.file
    }

    /// The accepted revisions of an intent, oldest first. A file that cannot be read accepts nothing.
    pub(crate) fn of(&self, id: &IntentId) -> Vec<Intent> {
        let Some(file) = &self.file else { return Vec::new() };
        let mut known: IntentsFile = read(file).unwrap_or_default();
        let drafts = known.intents.remove(id).unwrap_or_default();
        drafts.into_iter().filter_map(|draft| Intent::new(draft).ok()).collect()
    }

    /// Remembers a revision as the newest that a human accepted.
    pub(crate) fn add(&self, intent: &Intent) -> Result<(), PortError> {
        let Some(file) = &self.file else {
            return Err(PortError::Unavailable("there is no state folder to remember it in".to_owned()));
        };
        let mut known: IntentsFile = read(file)?;
        known.repository.clone_from(&self.repository);
        let revisions = known.intents.entry(intent.id().clone()).or_default();
        revisions.retain(|draft| draft != intent.draft());
        revisions.push(intent.draft().clone());
        let surplus = revisions.len().saturating_sub(MAX_REVISIONS);
        revisions.drain(..surplus);
        write(file, &known)
    }
}
