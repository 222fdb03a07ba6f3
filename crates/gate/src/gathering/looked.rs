//! The files of a call as one look found them. Each is read once: what a person is shown, what an approval is bound to
//! and what is kept as the pre-image are the same bytes, whoever writes meanwhile (ADR 0007).

use std::collections::BTreeMap;

use bailiwick_domain::{ContentHash, FileState, PortError, RepoPath};

use super::Gathering;

/// The largest file whose content is looked at to check quoted text and to show a diff, in bytes.
pub(crate) const MAX_LOOK: u64 = 4 << 20;

/// So many bytes of all files of a call are held; what goes beyond is read again, and must be the same.
const MOST_BYTES: usize = 32 << 20;

/// What was read, by path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looked {
    files: BTreeMap<RepoPath, Vec<u8>>,
    bytes: usize,
}

impl Looked {
    pub(crate) fn bytes(&self, path: &RepoPath) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    fn hold(&mut self, path: &RepoPath, bytes: Vec<u8>) {
        let all = self.bytes.saturating_add(bytes.len());
        if all <= MOST_BYTES {
            self.bytes = all;
            self.files.insert(path.clone(), bytes);
        }
    }
}

impl Gathering<'_> {
    /// What is on disk at a path, read once for all that this look needs of it.
    pub(crate) async fn state_once(
        &self,
        path: &RepoPath,
        looked: &mut Looked,
    ) -> Result<FileState, PortError> {
        if let Some(bytes) = looked.bytes(path) {
            return Ok(FileState::Content(ContentHash::of(bytes)));
        }
        match self.workspace.read(path, MAX_LOOK).await {
            Ok(Some(bytes)) => {
                let state = FileState::Content(ContentHash::of(&bytes));
                looked.hold(path, bytes);
                Ok(state)
            }
            Ok(None) | Err(PortError::TooLarge { .. }) => self.workspace.state(path).await,
            Err(error) => Err(error),
        }
    }

    /// The bytes that this look found at a path where it found that state.
    pub(crate) async fn content(
        &self,
        looked: &Looked,
        path: &RepoPath,
        found: &FileState,
    ) -> Result<Option<Vec<u8>>, PortError> {
        match looked.bytes(path) {
            Some(bytes) => Ok(Some(bytes.to_vec())),
            None => self.found(path, found).await,
        }
    }

    /// The bytes that are there, if they still are those of that state.
    pub(crate) async fn found(
        &self,
        path: &RepoPath,
        found: &FileState,
    ) -> Result<Option<Vec<u8>>, PortError> {
        let FileState::Content(hash) = found else { return Ok(None) };
        let bytes = self.workspace.read(path, MAX_LOOK).await?;
        bytes.filter(|bytes| hash.is_of(bytes)).map(Some).ok_or_else(|| {
            PortError::Unavailable(format!("{path} changed while the gate looked at it; try again"))
        })
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::testing::sample;

    use super::{Looked, MOST_BYTES};

    #[test]
    fn so_many_bytes_are_held_and_no_more() {
        let mut looked = Looked::default();
        let [most, more] = ["src/most", "src/more"].map(sample::path);
        looked.hold(&most, vec![0; MOST_BYTES]);
        looked.hold(&more, vec![0]);
        assert_eq!(looked.bytes(&most).map(<[u8]>::len), Some(MOST_BYTES));
        assert_eq!(looked.bytes(&more), None);
    }
}
