//! Changing intents, and measuring scopes, in memory.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use async_trait::async_trait;

use super::governance::{MemoryIntents, MemoryWorkspace};
use crate::authoring::{IntentChange, IntentEdit, IntentEditError, TreeListing};
use crate::intents::{Criterion, Intent, IntentDraft, IntentId, IntentStatus, OwnedScope};
use crate::ports::{IntentWriter, PortError, ScopeMeter};
use crate::values::{ContentHash, RepoPath};

#[async_trait]
impl IntentWriter for MemoryIntents {
    async fn draft(&self, change: &IntentChange) -> Result<IntentEdit, IntentEditError> {
        let intents = self.all();
        let (intent, changed) = changed(&intents, change)?;
        let (before, after) = (text(&intents), text(&changed));
        let base = ContentHash::of(before.as_bytes());
        let file = RepoPath::new(".orchestration/active_intents.yaml").map_err(refused)?;
        Ok(IntentEdit { change: change.clone(), intent, file, base, before, after })
    }

    async fn write(&self, edit: &IntentEdit, branch: &str) -> Result<(), IntentEditError> {
        let intents = self.all();
        if ContentHash::of(text(&intents).as_bytes()) != edit.base {
            return Err(IntentEditError::Changed);
        }
        let changed = changed(&intents, &edit.change)?.1;
        if let Some(intent) = changed.iter().find(|intent| *intent.id() == edit.intent) {
            self.accept_one(intent, branch)?;
        }
        self.set(changed);
        Ok(())
    }

    async fn accept(&self, intent: &Intent, branch: &str) -> Result<(), PortError> {
        self.accept_one(intent, branch)
    }

    async fn note_taken(&self, intent: &Intent, branch: &str) -> Result<(), PortError> {
        self.take(intent, branch)
    }
}

#[async_trait]
impl ScopeMeter for MemoryWorkspace {
    async fn tree(&self) -> Result<TreeListing, PortError> {
        Ok(TreeListing { files: self.paths(), is_complete: true })
    }
}

fn changed(intents: &[Intent], change: &IntentChange) -> Result<(IntentId, Vec<Intent>), IntentEditError> {
    let mut drafts: Vec<IntentDraft> = intents.iter().map(draft_of).collect();
    let id = match change {
        IntentChange::Add(new) => {
            let id = IntentId::new(&format!("INT-{:03}", drafts.len() + 1)).map_err(refused)?;
            drafts.push(IntentDraft {
                owned_scope: new.owned_scope.clone(),
                acceptance_criteria: new.acceptance_criteria.iter().cloned().map(Criterion).collect(),
                why: new.why.clone(),
                ..IntentDraft::bare(id.clone(), &new.name, IntentStatus::Pending)
            });
            id
        }
        IntentChange::Expand { id, patterns } => {
            let draft = find(&mut drafts, id)?;
            let all = draft.owned_scope.patterns().iter().chain(patterns).cloned().collect();
            draft.owned_scope = OwnedScope::new(all, true).map_err(refused)?;
            id.clone()
        }
        IntentChange::SetStatus { id, status } => {
            find(&mut drafts, id)?.status = *status;
            id.clone()
        }
    };
    let intents = drafts.into_iter().map(Intent::new).collect::<Result<_, _>>().map_err(refused)?;
    Ok((id, intents))
}

fn refused(error: impl core::fmt::Display) -> IntentEditError {
    IntentEditError::Refused(format!("{error}"))
}

fn find<'a>(drafts: &'a mut [IntentDraft], id: &IntentId) -> Result<&'a mut IntentDraft, IntentEditError> {
    let found = drafts.iter_mut().find(|draft| draft.id == *id);
    found.ok_or_else(|| IntentEditError::Refused(format!("there is no intent `{id}`")))
}

/// One line for each intent, as a stand-in for the file.
fn text(intents: &[Intent]) -> String {
    let line = |intent: &Intent| {
        let scope: Vec<&str> =
            intent.owned_scope().patterns().iter().map(|pattern| pattern.as_str()).collect();
        format!("{} {} {} {}\n", intent.id(), intent.status(), intent.name(), scope.join(" "))
    };
    intents.iter().map(line).collect()
}

fn draft_of(intent: &Intent) -> IntentDraft {
    IntentDraft {
        id: intent.id().clone(),
        name: intent.name().to_owned(),
        status: intent.status(),
        owned_scope: intent.owned_scope().clone(),
        constraints: intent.constraints().to_vec(),
        acceptance_criteria: intent.acceptance_criteria().to_vec(),
        requirements: intent.requirements().to_vec(),
        why: intent.why().map(str::to_owned),
        parent: intent.parent().cloned(),
        frozen: intent.is_frozen(),
        expires: intent.expires(),
        kind: intent.kind(),
        within: intent.within().to_vec(),
        wording: intent.wording().to_vec(),
    }
}
