//! Why a file is not what an actor saw or a call was to make of it, where nobody is to be accused: version control
//! moved it, or a person took it back. Asked only about changes that nothing else explains.
//!
//! An explanation never makes a change fresh: what an actor was not shown it must read before it writes.

use bailiwick_domain::{
    Action, Actor, ContentHash, DecisionRecord, FileState, IntentId, PendingCall, PendingFile, RepoPath,
    ToolError,
};
use bailiwick_policy::Explained;

use crate::gathering::case::{Case, inside};
use crate::gathering::looked::MAX_LOOK;
use crate::{Gate, closed};

/// How many of the newest entries of an intent are looked through for what was there before.
const LOOK_BACK: usize = 64;

pub(crate) const IMPORTED: &str = "version control put there what it keeps";
const TAKEN_BACK: &str = "a human took it back to what was there before";

impl Gate {
    /// What explains that this is on disk now, if anything does.
    pub(crate) async fn explanation(
        &self,
        actor: &Actor,
        intent: Option<&IntentId>,
        path: &RepoPath,
        now: &FileState,
    ) -> Option<Explained> {
        if self.is_kept(path, now).await {
            return Some(Explained::Imported);
        }
        self.was_there(actor, intent?, path, now).await.then_some(Explained::TakenBack)
    }

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
        self.explanation(&pending.actor, Some(&pending.intent), &file.path, now).await
    }

    /// Whether version control keeps what is there.
    pub(crate) async fn is_kept(&self, path: &RepoPath, now: &FileState) -> bool {
        let FileState::Content(hash) = now else { return false };
        match self.ports.tree.workspace.read(path, MAX_LOOK).await {
            Ok(Some(bytes)) if ContentHash::of(&bytes) == *hash => {
                self.ports.tree.vcs.has_content(&bytes).await
            }
            _ => false,
        }
    }

    /// Whether version control knew the content that is gone and tracks nothing at the path any more.
    async fn moved_away(&self, path: &RepoPath, before: &ContentHash) -> bool {
        let kept = self.ports.records.pendings.kept(before).await.ok().flatten();
        match kept {
            Some(bytes) => {
                self.ports.tree.vcs.has_content(&bytes).await && !self.ports.tree.vcs.tracks(path).await
            }
            None => false,
        }
    }

    /// Whether a call of this session found exactly this there and changed it.
    async fn was_there(&self, actor: &Actor, intent: &IntentId, path: &RepoPath, now: &FileState) -> bool {
        let entries = self.ports.records.ledger.recent(intent, LOOK_BACK).await.unwrap_or_default();
        entries.iter().any(|entry| {
            entry.context.actor.parent() == actor.parent()
                && entry.files.iter().any(|file| file.path == *path && file.before == *now)
        })
    }

    /// One line for what version control moved and one for what a human took back, the first time that a call meets it.
    pub(crate) async fn log_explained(&self, case: &Case<'_>) -> Result<(), ToolError> {
        if case.facts.blocked_before > 0 {
            return Ok(());
        }
        for (by, action, note) in [
            (Explained::Imported, Action::Imported, IMPORTED),
            (Explained::TakenBack, Action::HumanAmended, TAKEN_BACK),
        ] {
            let met = case.facts.targets.iter().filter(|target| target.explained == Some(by));
            let paths: Vec<String> =
                met.filter_map(|target| inside(&target.location)).map(ToString::to_string).collect();
            if !paths.is_empty() {
                let record = DecisionRecord { paths, ..self.record(case, action, note.to_owned()) };
                self.ports.records.decisions.append(&record).await.map_err(closed)?;
            }
        }
        Ok(())
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
