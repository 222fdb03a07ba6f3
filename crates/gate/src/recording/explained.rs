//! What explains that a call left something else than it was let through for, so that nobody is accused.

use bailiwick_domain::{Action, ContentHash, FileState, PendingCall, PendingFile, RepoPath, ToolError};
use bailiwick_policy::Explained;

use super::Recording;
use crate::gathering::explain::{IMPORTED, TAKEN_BACK};

impl Recording<'_> {
    /// What explains a file of a call that is neither as before nor as predicted.
    pub(crate) async fn outcome_explained(
        &self,
        pending: &PendingCall,
        file: &PendingFile,
        now: &FileState,
    ) -> Option<Explained> {
        if let (FileState::Content(before), FileState::Absent) = (&file.before, now)
            && self.moved_away(&file.path, before).await
        {
            return Some(Explained::Imported);
        }
        self.explanations.explanation(&pending.actor, Some(&pending.intent), &file.path, now).await
    }

    /// Whether version control knew the content that is gone and tracks nothing at the path any more.
    async fn moved_away(&self, path: &RepoPath, before: &ContentHash) -> bool {
        let kept = self.pendings.kept(before).await.ok().flatten();
        match kept {
            Some(bytes) => self.vcs.has_content(&bytes).await && !self.vcs.tracks(path).await,
            None => false,
        }
    }

    pub(crate) async fn log_outcome_explained(
        &self,
        pending: &PendingCall,
        file: &PendingFile,
        by: Explained,
    ) -> Result<(), ToolError> {
        let (action, note) = match by {
            Explained::Imported => (Action::Imported, IMPORTED),
            Explained::TakenBack => (Action::HumanAmended, TAKEN_BACK),
        };
        self.log_outcome(pending, action, std::iter::once(file), note.to_owned()).await
    }
}
