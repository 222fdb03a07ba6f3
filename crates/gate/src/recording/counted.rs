//! Counts what a recorded call changed, for intents that bound how much may be changed.

use bailiwick_domain::{FileState, PendingCall, PendingFile, PortError, RepoPath};

use super::Recording;
use super::moves::Settled;
use crate::change::line_count;
use crate::gathering::looked::MAX_LOOK;

impl Recording<'_> {
    /// Adds what this entry of the ledger says to the count of its intent. What a person puts back counts for nobody.
    pub(super) async fn count_entry(
        &self,
        pending: &PendingCall,
        changed: &[Settled],
        entry: &str,
    ) -> Result<(), PortError> {
        if pending.counted.is_none() {
            return Ok(());
        }
        let mut lines = 0_u32;
        for (file, now) in changed {
            lines = lines.saturating_add(self.lines_changed(file, now, changed).await);
        }
        let tallies = &self.tallies;
        let tally = tallies.of(&pending.intent, &pending.revision).await?;
        let files = changed.iter().map(|(file, _)| file.path.clone());
        let counted = tally.clone().with(entry, files, lines);
        if counted == tally {
            return Ok(());
        }
        tallies.keep(&pending.intent, &pending.revision, &counted).await
    }

    /// A file that cannot be looked into counts as one line.
    async fn lines_changed(&self, file: &PendingFile, now: &FileState, all: &[Settled]) -> u32 {
        if file.moved_to.is_some() && *now == FileState::Absent {
            return 0;
        }
        let origin = all.iter().find(|(other, _)| moves_to(other, &file.path)).map(|(other, _)| other);
        let Ok(there) = self.kept_before(file).await else { return 1 };
        let Ok(after) = self.workspace.read(&file.path, MAX_LOOK).await else { return 1 };
        let after = after.unwrap_or_default();
        match origin {
            None => line_count(there.as_deref(), &after),
            Some(origin) => match self.kept_before(origin).await {
                Ok(moved) => {
                    line_count(moved.as_deref(), &after).saturating_add(line_count(there.as_deref(), &[]))
                }
                Err(()) => 1,
            },
        }
    }

    /// The content from before the call; `None` where there was no file.
    async fn kept_before(&self, file: &PendingFile) -> Result<Option<Vec<u8>>, ()> {
        match &file.before {
            FileState::Absent | FileState::Other => Ok(None),
            FileState::Content(hash) => match self.pendings.kept(hash).await {
                Ok(Some(bytes)) => Ok(Some(bytes)),
                _ => Err(()),
            },
        }
    }
}

fn moves_to(file: &PendingFile, path: &RepoPath) -> bool {
    file.moved_to.as_ref() == Some(path)
}
