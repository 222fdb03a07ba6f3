//! Systems on which no way is known to enter a folder without following a link: nothing is put back there.

use std::path::Path;

use bailiwick_domain::{FileState, PortError, PutBackError, RepoPath};

use super::Swap;

/// Nothing can be entered.
#[derive(Debug)]
pub(super) struct Folders;

/// There is none.
#[derive(Debug)]
pub(super) enum Place {}

impl Folders {
    pub(super) fn new(_root: &Path) -> Result<Self, PutBackError> {
        let why = "files cannot be put back safely on this system".to_owned();
        Err(PutBackError::Port(PortError::Unavailable(why)))
    }

    pub(super) fn place(
        &mut self,
        _path: &RepoPath,
        _make: bool,
        _swap: Swap,
    ) -> Result<Option<Place>, PutBackError> {
        Ok(None)
    }

    pub(super) fn is_where_it_was(&mut self, place: &Place, _path: &RepoPath) -> Result<bool, PutBackError> {
        match *place {}
    }

    pub(super) fn remove_made(&mut self) {}
}

impl Place {
    pub(super) fn state(&self) -> Result<FileState, PutBackError> {
        match *self {}
    }

    pub(super) fn spare_state(&self) -> Result<FileState, PutBackError> {
        match *self {}
    }

    pub(super) fn mode(&self) -> Result<Option<u32>, PutBackError> {
        match *self {}
    }

    pub(super) fn stage(
        &self,
        _content: &[u8],
        _mode: Option<u32>,
        _executable: bool,
    ) -> Result<(), PutBackError> {
        match *self {}
    }

    pub(super) fn come(&self) -> Result<bool, PutBackError> {
        match *self {}
    }

    pub(super) fn go(&self) -> Result<bool, PutBackError> {
        match *self {}
    }

    pub(super) fn exchange(&self) -> Result<bool, PutBackError> {
        match *self {}
    }

    pub(super) fn recover(&self, _known: &[&FileState]) -> Result<(), PutBackError> {
        match *self {}
    }

    pub(super) fn clear(&self, _known: &FileState) -> bool {
        match *self {}
    }

    pub(super) fn sync(&self) {
        match *self {}
    }
}
