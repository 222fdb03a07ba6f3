//! The port `IntentWriter`: a change is drafted as text first, shown, and written only over the text it was drafted for.

use async_trait::async_trait;
use bailiwick_domain::{
    ContentHash, Intent, IntentChange, IntentEdit, IntentEditError, IntentProposal, IntentWriter, PortError,
    RepoPath,
};

use super::append::{AppendError, NewIntent, appended, replace_keeping_mode};
use super::edit;
use crate::files::Layout;
use crate::state::accepted_intents::AcceptedIntents;
use crate::tree::intents::{FsIntentRepo, decode};

/// Changes the intents file of one governed root.
#[derive(Clone, Debug)]
pub struct FsIntentWriter {
    layout: Layout,
}

impl FsIntentWriter {
    /// The writer of this root.
    pub fn new(layout: Layout) -> Self {
        Self { layout }
    }

    fn remember(&self, intent: &Intent, branch: &str) -> Result<(), PortError> {
        AcceptedIntents::new(&self.layout).add(intent, Some(branch))
    }

    /// Past every cache.
    fn bytes(&self) -> Result<Vec<u8>, IntentEditError> {
        Ok(FsIntentRepo::new(self.layout.clone()).bytes()?)
    }
}

#[async_trait]
impl IntentWriter for FsIntentWriter {
    async fn draft(&self, change: &IntentChange) -> Result<IntentEdit, IntentEditError> {
        let bytes = self.bytes()?;
        let (intent, after) = match change {
            IntentChange::Add(proposal) => appended(&bytes, &new_intent(proposal)).map_err(refused)?,
            IntentChange::Expand { id, patterns } => (id.clone(), edit::with_patterns(&bytes, id, patterns)?),
            IntentChange::SetStatus { id, status } => (id.clone(), edit::with_status(&bytes, id, *status)?),
        };
        Ok(IntentEdit {
            change: change.clone(),
            intent,
            file: RepoPath::new(Layout::INTENTS)
                .map_err(|error| IntentEditError::Refused(error.to_string()))?,
            base: ContentHash::of(&bytes),
            before: String::from_utf8_lossy(&bytes).into_owned(),
            after,
        })
    }

    async fn write(&self, edit: &IntentEdit, branch: &str) -> Result<(), IntentEditError> {
        if ContentHash::of(&self.bytes()?) != edit.base {
            return Err(IntentEditError::Changed);
        }
        let accepted = accepted_by(&self.layout, edit);
        replace_keeping_mode(&self.layout.intents_file(), edit.after.as_bytes())?;
        // What cannot be remembered is shown once more with the next question.
        accepted.into_iter().for_each(|intent| drop(self.remember(&intent, branch)));
        Ok(())
    }

    async fn accept(&self, intent: &Intent, branch: &str) -> Result<(), PortError> {
        self.remember(intent, branch)
    }

    async fn note_taken(&self, intent: &Intent, branch: &str) -> Result<(), PortError> {
        AcceptedIntents::new(&self.layout).take(intent, branch)
    }
}

/// The revision that a human accepts by this edit: that of a new intent, or of one whose text before counted already.
/// What somebody else wrote into it stays to be shown.
fn accepted_by(layout: &Layout, edit: &IntentEdit) -> Option<Intent> {
    let before = decode(edit.before.as_bytes()).set.get(&edit.intent).cloned();
    let after = decode(edit.after.as_bytes()).set.get(&edit.intent).cloned()?;
    let known = AcceptedIntents::new(layout).of(&edit.intent);
    let counted = |before: &Intent| {
        known.states.iter().chain(known.taken.values()).any(|was| was.revision() == before.revision())
    };
    before.as_ref().is_none_or(counted).then_some(after)
}

fn new_intent(proposal: &IntentProposal) -> NewIntent {
    NewIntent {
        id: None,
        name: proposal.name.clone(),
        why: proposal.why.clone(),
        owned_scope: proposal.owned_scope.patterns().to_vec(),
        acceptance_criteria: proposal.acceptance_criteria.clone(),
        requirements: Vec::new(),
        allow_broad: false,
        expires: None,
    }
}

fn refused(error: AppendError) -> IntentEditError {
    match error {
        AppendError::Port(error) => IntentEditError::Port(error),
        other => IntentEditError::Refused(other.to_string()),
    }
}
