//! A change that Bailiwick makes itself, for a person or from a hook: written ahead like a call, done all at once or not
//! at all, and recorded.
//!
//! Deliberately absent: which change (`crate::undo`, `crate::lessons`), and the writing itself, which is the writer's
//! that the caller brings: no call of an agent ever reaches one.

use bailiwick_domain::{
    Actor, CallFacts, CallId, Effect, FileState, Fingerprint, IntentId, Params, PendingCall, PendingFile,
    PortError, PutBack, PutBackError, Restores, Revision, ToolCall, ToolError, Value, WorkspaceWriter,
};

use super::Recording;
use super::post::Told;
use crate::{PostReport, closed, no_ledger};

/// The largest file that is changed so, in bytes: its content is kept first.
pub(crate) const LARGEST: u64 = 64 << 20;

/// One change: these files, under this intent, by this actor.
#[derive(Clone, Debug)]
pub(crate) struct OwnChange {
    /// The name that it has in the ledger.
    pub(crate) tool: &'static str,
    /// What the fingerprint binds beside the files.
    pub(crate) params: Value,
    /// Whose change it is.
    pub(crate) actor: Actor,
    /// The person who said yes to it; nobody where a hook made it.
    pub(crate) by: Option<String>,
    /// The intent.
    pub(crate) intent: IntentId,
    /// Its revision.
    pub(crate) revision: Revision,
    /// The requirements that it serves.
    pub(crate) requirements: Vec<String>,
    /// Whether they were derived from the intent's id.
    pub(crate) derived: bool,
    /// What it takes back.
    pub(crate) restores: Option<Restores>,
    /// The files as they were and as they shall be.
    pub(crate) files: Vec<PutBack>,
}

/// Why nothing, or not all, was changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OwnChangeError {
    /// The files.
    #[error(transparent)]
    Files(#[from] PutBackError),
    /// The gate's own stores.
    #[error("{}", .0.message())]
    Gate(Box<ToolError>),
}

impl From<ToolError> for OwnChangeError {
    fn from(error: ToolError) -> Self {
        Self::Gate(Box::new(error))
    }
}

impl From<PortError> for OwnChangeError {
    fn from(error: PortError) -> Self {
        Self::Files(PutBackError::Port(error))
    }
}

impl Recording<'_> {
    /// Makes all these changes, or none, and records them. What is there now is kept first, so that they can be taken
    /// back. The caller holds the lock of the root.
    ///
    /// # Errors
    /// A file is not what was expected any more, or the evidence cannot be written: nothing was changed, unless the
    /// error says otherwise. What cannot be recorded afterwards stays pending.
    pub(crate) async fn make(
        &self,
        changes: &[OwnChange],
        writer: &dyn WorkspaceWriter,
    ) -> Result<Vec<PostReport>, OwnChangeError> {
        self.ledger.ready().await.map_err(no_ledger)?;
        let mut pendings = Vec::with_capacity(changes.len());
        for change in changes {
            self.keep_all(&change.files).await?;
            pendings.push(self.ahead(change));
        }
        for pending in &pendings {
            self.pendings.put(pending).await.map_err(closed)?;
        }
        let files: Vec<PutBack> = changes.iter().flat_map(|change| change.files.iter().cloned()).collect();
        let done = writer.put_back(&files).await;
        if let Err(
            error @ (PutBackError::Changed(_) | PutBackError::Confined { .. } | PutBackError::Port(_)),
        ) = done
        {
            for pending in &pendings {
                // One that stays is found unexecuted later.
                drop(self.pendings.remove(&pending.actor, &pending.call).await);
            }
            return Err(error.into());
        }
        let mut reports = Vec::with_capacity(pendings.len());
        for pending in &pendings {
            let told = Told::Ran { call: &call_of(pending), amended: false };
            reports.push(self.settle_one(pending, told).await?);
        }
        done.map(|()| reports).map_err(OwnChangeError::from)
    }

    /// Keeps what is there now and what shall be there.
    async fn keep_all(&self, files: &[PutBack]) -> Result<(), OwnChangeError> {
        for file in files {
            if let FileState::Content(hash) = &file.expected {
                let now = self.workspace.read(&file.path, LARGEST).await?;
                let kept = match now {
                    Some(bytes) => self.pendings.keep(&bytes).await.map_err(closed)?,
                    None => return Err(PutBackError::Changed(file.path.clone()).into()),
                };
                if kept != *hash {
                    return Err(PutBackError::Changed(file.path.clone()).into());
                }
                if file.content.is_none() {
                    let executable = self.workspace.is_executable(&file.path).await.map_err(closed)?;
                    self.pendings.keep_executable(&kept, executable).await.map_err(closed)?;
                }
            }
            if let Some(bytes) = &file.content {
                self.pendings.keep(bytes).await.map_err(closed)?;
            }
        }
        Ok(())
    }

    fn ahead(&self, change: &OwnChange) -> PendingCall {
        let before: Vec<_> =
            change.files.iter().map(|file| (file.path.clone(), file.expected.clone())).collect();
        let fingerprint = Fingerprint::of(&CallFacts {
            tool: change.tool,
            params: &change.params,
            cwd: None,
            before: &before,
            revision: Some(&change.revision),
            actor: &change.actor,
            dispatched: &[],
        });
        PendingCall {
            call: CallId(format!("{}-{}", change.tool, self.ids.uuid())),
            actor: change.actor.clone(),
            tool: change.tool.to_owned(),
            at: self.clock.now(),
            fingerprint,
            intent: change.intent.clone(),
            revision: change.revision.clone(),
            requirements: change.requirements.clone(),
            derived: change.derived,
            asked: None,
            approval: None,
            approved_by: change.by.clone(),
            approved_at: None,
            scope_override: false,
            grant: None,
            files: change.files.iter().map(pending_file).collect(),
            known: Vec::new(),
            counted: None,
            told: false,
            restores: change.restores.clone(),
            claimed: None,
        }
    }
}

fn pending_file(file: &PutBack) -> PendingFile {
    PendingFile {
        path: file.path.clone(),
        effect: if file.content.is_some() { Effect::Write } else { Effect::Delete },
        before: file.expected.clone(),
        predicted: Some(file.target()),
        moved_to: None,
    }
}

/// A call as far as its pending record has it.
pub(super) fn call_of(pending: &PendingCall) -> ToolCall {
    ToolCall {
        id: pending.call.clone(),
        actor: pending.actor.clone(),
        tool: pending.tool.clone(),
        params: Params::new(),
        cwd: None,
        intent_id: None,
        read_hash: None,
        requirement_ids: Vec::new(),
    }
}
