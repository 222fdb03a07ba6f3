//! A person puts files back: written ahead like a call, done all at once or not at all, and recorded as that person's
//! own change.
//!
//! Deliberately absent: which files (`crate::undo`), and the writing itself, which is the writer's that the caller
//! brings: no call of an agent ever reaches one.

use bailiwick_domain::{
    Actor, CallFacts, CallId, Effect, FileState, Fingerprint, IntentId, Params, PendingCall, PendingFile,
    PortError, PutBack, PutBackError, Restores, Revision, ToolCall, ToolError, WorkspaceWriter, json,
};

use crate::recording::post::Told;
use crate::{Gate, PostReport, closed, no_ledger};

/// The host's name in the actor of what a person did with their own hands.
const HUMAN: &str = "human";
const TOOL: &str = "restore";

/// The largest file that is put back or taken away, in bytes: its content is kept first.
pub(crate) const LARGEST: u64 = 64 << 20;

/// Files that shall be put back, under the intent that their changes were made under.
#[derive(Clone, Debug)]
pub struct RestoreOrder {
    /// The files.
    pub files: Vec<PutBack>,
    /// What is taken back.
    pub restores: Restores,
    /// The intent.
    pub intent: IntentId,
    /// Its revision when the changes were made.
    pub revision: Revision,
    /// The requirements that the changes were linked to.
    pub requirements: Vec<String>,
    /// Whether they were derived from the intent's id.
    pub derived: bool,
}

/// Why nothing, or not all, was put back.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RestoreError {
    /// The files.
    #[error(transparent)]
    Files(#[from] PutBackError),
    /// The gate's own stores.
    #[error("{}", .0.message())]
    Gate(Box<ToolError>),
}

impl From<ToolError> for RestoreError {
    fn from(error: ToolError) -> Self {
        Self::Gate(Box::new(error))
    }
}

impl From<PortError> for RestoreError {
    fn from(error: PortError) -> Self {
        Self::Files(PutBackError::Port(error))
    }
}

impl Gate {
    /// Puts all these files back, or none, and records it as that person's change. What is there now is kept first, so
    /// that this can be taken back as well.
    ///
    /// # Errors
    /// A file is not what was expected any more, or the evidence cannot be written: nothing was changed, unless the
    /// error says otherwise. What cannot be recorded afterwards stays pending.
    pub async fn put_back(
        &self,
        orders: &[RestoreOrder],
        writer: &dyn WorkspaceWriter,
        by: &str,
    ) -> Result<Vec<PostReport>, RestoreError> {
        let _held = self.ports.tree.lock.acquire().await.map_err(closed)?;
        self.ports.records.ledger.ready().await.map_err(no_ledger)?;
        let mut pendings = Vec::with_capacity(orders.len());
        for order in orders {
            self.keep_all(&order.files).await?;
            pendings.push(self.pending_restore(order, by));
        }
        for pending in &pendings {
            self.ports.records.pendings.put(pending).await.map_err(closed)?;
        }
        let files: Vec<PutBack> = orders.iter().flat_map(|order| order.files.iter().cloned()).collect();
        let done = writer.put_back(&files).await;
        if let Err(
            error @ (PutBackError::Changed(_) | PutBackError::Confined { .. } | PutBackError::Port(_)),
        ) = done
        {
            for pending in &pendings {
                // One that stays is found unexecuted later.
                drop(self.ports.records.pendings.remove(&pending.actor, &pending.call).await);
            }
            return Err(error.into());
        }
        let mut reports = Vec::with_capacity(pendings.len());
        for pending in &pendings {
            reports.push(self.settle_restore(pending).await?);
        }
        done.map(|()| reports).map_err(RestoreError::from)
    }

    /// Finds out what became of put-backs whose process was killed, and clears up behind them.
    ///
    /// # Errors
    /// As for [`Gate::settle`].
    pub async fn settle_restores(&self, writer: &dyn WorkspaceWriter) -> Result<Vec<PostReport>, ToolError> {
        let _held = self.ports.tree.lock.acquire().await.map_err(closed)?;
        let mut reports = Vec::new();
        let all = self.ports.records.pendings.all().await.map_err(closed)?;
        for pending in all.iter().filter(|pending| pending.restores.is_some()) {
            for file in &pending.files {
                let known: Vec<FileState> =
                    file.predicted.iter().cloned().chain([file.before.clone()]).collect();
                // What is not known stays where it is, and the next put-back of that file names it.
                drop(writer.clear_up(&file.path, &known).await);
            }
            reports.push(self.settle_one(pending, Told::Nothing).await?);
        }
        Ok(reports)
    }

    async fn settle_restore(&self, pending: &PendingCall) -> Result<PostReport, ToolError> {
        let call = ToolCall {
            id: pending.call.clone(),
            actor: pending.actor.clone(),
            tool: TOOL.to_owned(),
            params: Params::new(),
            cwd: None,
            intent_id: None,
            read_hash: None,
            requirement_ids: Vec::new(),
        };
        self.settle_one(pending, Told::Ran { call: &call, amended: false }).await
    }

    /// Keeps what is there now and what shall be there.
    async fn keep_all(&self, files: &[PutBack]) -> Result<(), RestoreError> {
        for file in files {
            if let FileState::Content(hash) = &file.expected {
                let now = self.ports.tree.workspace.read(&file.path, LARGEST).await?;
                let kept = match now {
                    Some(bytes) => self.ports.records.pendings.keep(&bytes).await.map_err(closed)?,
                    None => return Err(PutBackError::Changed(file.path.clone()).into()),
                };
                if kept != *hash {
                    return Err(PutBackError::Changed(file.path.clone()).into());
                }
                if file.content.is_none() {
                    self.keep_executable(&file.path, &kept).await?;
                }
            }
            if let Some(bytes) = &file.content {
                self.ports.records.pendings.keep(bytes).await.map_err(closed)?;
            }
        }
        Ok(())
    }

    fn pending_restore(&self, order: &RestoreOrder, by: &str) -> PendingCall {
        let actor = Actor::root(HUMAN, by);
        let before: Vec<_> =
            order.files.iter().map(|file| (file.path.clone(), file.expected.clone())).collect();
        let fingerprint = Fingerprint::of(&CallFacts {
            tool: TOOL,
            params: &json!(order.restores),
            cwd: None,
            before: &before,
            revision: Some(&order.revision),
            actor: &actor,
            dispatched: &[],
        });
        PendingCall {
            call: CallId(format!("{TOOL}-{}", self.ports.chance.ids.uuid())),
            actor,
            tool: TOOL.to_owned(),
            at: self.ports.chance.clock.now(),
            fingerprint,
            intent: order.intent.clone(),
            revision: order.revision.clone(),
            requirements: order.requirements.clone(),
            derived: order.derived,
            asked: None,
            approval: None,
            approved_by: Some(by.to_owned()),
            approved_at: None,
            scope_override: false,
            grant: None,
            files: order.files.iter().map(pending_file).collect(),
            known: Vec::new(),
            counted: None,
            restores: Some(order.restores.clone()),
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
