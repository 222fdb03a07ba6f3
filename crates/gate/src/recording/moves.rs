//! Files that a call moved: in the record both ends name each other, and no line counts as written or removed that only
//! went along. Deliberately absent: where a move is to lead (`case`), and whether it may.

use bailiwick_domain::{ChangedFile, FileState, PendingFile, RepoPath, ToolError};

use super::Recording;
use crate::closed;

/// A file of a pending call, and what is on disk now.
pub(crate) type Settled = (PendingFile, FileState);

impl Recording<'_> {
    /// What a file was moved from, as it was there, whether or not another one lay here; `None` when it was not moved.
    pub(crate) async fn moved_here(
        &self,
        file: &PendingFile,
        all: &[Settled],
    ) -> Result<Option<Vec<u8>>, ToolError> {
        let source = source_of(&file.path, all);
        let Some(FileState::Content(hash)) = source.map(|source| &source.before) else { return Ok(None) };
        self.pendings.kept(hash).await.map_err(closed)
    }
}

/// Writes into each end of a move that happened where the other one is.
pub(crate) fn name_both_ends(file: &mut ChangedFile, all: &[Settled]) {
    file.moved_from = source_of(&file.path, all).map(|source| source.path.clone());
    file.moved_to = target_of(&file.path, all).cloned();
    if file.moved_to.is_some() {
        file.removed.clear();
    }
}

/// Where a file went, when it is gone and something is there.
fn target_of<'c>(path: &RepoPath, all: &'c [Settled]) -> Option<&'c RepoPath> {
    let (source, now) = all.iter().find(|(file, _)| file.path == *path)?;
    let to = source.moved_to.as_ref().filter(|_| *now == FileState::Absent)?;
    let arrived = |(file, now): &&Settled| file.path == *to && matches!(now, FileState::Content(_));
    all.iter().find(arrived).map(|(file, _)| &file.path)
}

/// The file that was moved to this path.
fn source_of<'c>(path: &RepoPath, all: &'c [Settled]) -> Option<&'c PendingFile> {
    all.iter().map(|(file, _)| file).find(|file| target_of(&file.path, all) == Some(path))
}
