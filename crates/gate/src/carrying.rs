//! For a host whose tools are the gate's own: what was let through is written exactly as it was predicted, or not at all.
//!
//! Deliberately absent: whether a call runs (`admission`), and the writing itself, which is the writer's that the host
//! brings.

use bailiwick_domain::{
    FileState, PendingCall, PendingFile, PutBack, RepoPath, ToolCall, ToolError, WorkspaceWriter,
};

use crate::extension::announce;
use crate::gathering::Gathering;
use crate::recording::Recording;
use crate::recording::post::Told;
use crate::refusals::{Hindrance, Unfit};
use crate::{Extension, PostReport, closed};

part! {
    /// Writes what was let through.
    pub(crate) struct Carrying {
        from tree: workspace, lock;
        from records: pendings;
        with recording: Recording, gathering: Gathering;
        keeps extensions: &'g [Extension];
    }
}

impl Carrying<'_> {
    /// Writes what this call was let through for, all of its files or none, and records it. Each file is written only
    /// if it is what the call was judged on.
    ///
    /// # Errors
    /// The call was not let through, a file changed meanwhile, or the evidence cannot be written. Nothing was changed
    /// unless the error says otherwise.
    pub(crate) async fn carry_out(
        &self,
        call: &ToolCall,
        writer: &dyn WorkspaceWriter,
    ) -> Result<PostReport, ToolError> {
        let report = {
            let _held = self.lock.acquire().await.map_err(closed)?;
            let pending = self.pendings.get(&call.actor, &call.id).await.map_err(closed)?;
            let pending = pending.ok_or_else(|| Hindrance::NotLetThrough.error())?;
            match self.write(&pending, writer).await {
                Ok(()) => self.recording.settle_one(&pending, Told::Ran { call, amended: false }).await?,
                Err(error) => {
                    self.recording.settle_one(&pending, Told::Failed).await?;
                    return Err(error);
                }
            }
        };
        announce(self.extensions, call, &report).await;
        Ok(report)
    }

    /// Whether a call would be let through without a question, as reading is. Changes nothing and is not logged: for
    /// tools that show parts of many files, and ask about each of them as about a call that shows that file alone.
    ///
    /// # Errors
    /// It cannot be decided safely.
    pub(crate) async fn would_show(&self, call: &ToolCall) -> Result<bool, ToolError> {
        let case = self.gathering.gather(call).await?;
        Ok(bailiwick_policy::decide(&case.facts) == bailiwick_policy::Verdict::Allow)
    }

    async fn write(&self, pending: &PendingCall, writer: &dyn WorkspaceWriter) -> Result<(), ToolError> {
        let mut files = Vec::with_capacity(pending.files.len());
        for file in pending.files.clone() {
            let content = self.foreseen_content(&file).await?;
            let origin = source_of(pending, &file.path).cloned();
            let executable = match &origin {
                Some(source) => self.workspace.is_executable(source).await.map_err(closed)?,
                None => false,
            };
            files.push(PutBack { path: file.path, expected: file.before, content, executable, origin });
        }
        if files.is_empty() {
            return Err(Hindrance::NotLetThrough.error());
        }
        writer.put_back(&files).await.map_err(|error| Hindrance::NotWritten(&error).error())
    }

    /// The bytes that were predicted, which are kept by their hash.
    async fn foreseen_content(&self, file: &PendingFile) -> Result<Option<Vec<u8>>, ToolError> {
        let not_told = || Hindrance::Unfit(Unfit::NotTold(&file.path)).error();
        let hash = match &file.predicted {
            Some(FileState::Absent) => return Ok(None),
            Some(FileState::Content(hash)) => hash,
            Some(FileState::Other) | None => return Err(not_told()),
        };
        let kept = self.pendings.kept(hash).await.map_err(closed)?;
        kept.map(Some).ok_or_else(not_told)
    }
}

/// What comes to this path from another one.
fn source_of<'a>(pending: &'a PendingCall, path: &RepoPath) -> Option<&'a RepoPath> {
    pending.files.iter().find(|file| file.moved_to.as_ref() == Some(path)).map(|file| &file.path)
}
