//! Why a file is not what an actor saw or a call was to make of it, where nobody is to be accused: version control
//! moved it, or a person took it back. Asked only about changes that nothing else explains.
//!
//! An explanation never makes a change fresh: what an actor was not shown it must read before it writes.

use bailiwick_domain::{Action, Actor, DecisionRecord, FileState, IntentId, RepoPath, ToolError};
use bailiwick_policy::Explained;

use super::Gathering;
use super::case::{Case, inside};
use super::looked::MAX_LOOK;

/// How many of the newest entries of an intent are looked through for what was there before.
const LOOK_BACK: usize = 64;

pub(crate) const IMPORTED: &str = "version control put there what it keeps";
pub(crate) const TAKEN_BACK: &str = "a human took it back to what was there before";

part! {
    /// Knows what explains a change.
    pub(crate) struct Explanations {
        from tree: workspace, vcs;
        from records: ledger;
    }
}

impl Explanations<'_> {
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

    /// Whether version control keeps what is there.
    pub(crate) async fn is_kept(&self, path: &RepoPath, now: &FileState) -> bool {
        let FileState::Content(hash) = now else { return false };
        match self.workspace.read(path, MAX_LOOK).await {
            Ok(Some(bytes)) => hash.is_of(&bytes) && self.vcs.has_content(&bytes).await,
            _ => false,
        }
    }

    /// Whether a call of this session found exactly this there and changed it.
    async fn was_there(&self, actor: &Actor, intent: &IntentId, path: &RepoPath, now: &FileState) -> bool {
        let entries = self.ledger.recent(intent, LOOK_BACK).await.unwrap_or_default();
        entries.iter().any(|entry| {
            entry.context.actor.parent() == actor.parent()
                && entry.files.iter().any(|file| file.path == *path && file.before == *now)
        })
    }
}

impl Gathering<'_> {
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
                self.decisions.append(&record).await?;
            }
        }
        Ok(())
    }
}
