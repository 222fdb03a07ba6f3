//! `.orchestration/agent_trace.jsonl`: the ledger as seen in this working copy (REQ-TRACE-001, D-22).
//!
//! It follows the truth and can be made again at any time, so that failing to write it never loses an entry.

use std::path::{Path, PathBuf};

use bailiwick_domain::PortError;

use super::lines::Opened;
use super::parting::begins_with;
use crate::Layout;
use crate::atomic::{Durability, replace_with, unavailable};
use crate::jsonl::LineFile;

const COMPARED: u64 = 1024;

/// The view in one working copy.
#[derive(Clone, Debug)]
pub(super) struct View {
    path: PathBuf,
}

impl View {
    pub(super) fn new(layout: &Layout) -> Self {
        Self { path: layout.ledger_view() }
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the view can be written; a symlink cannot. A view that was taken away comes back whole, so that an empty
    /// one is never what this program left there.
    pub(super) fn ready(&self, live: &LineFile) -> Result<(), PortError> {
        let meta = self.path.symlink_metadata();
        if meta.is_ok_and(|meta| !meta.is_file()) {
            return Err(PortError::Unavailable(format!("{}: not a regular file", self.path.display())));
        }
        match self.path.parent().map(|folder| (folder.is_dir(), folder)) {
            Some((true, _)) => Ok(()),
            _ => Err(unavailable(&self.path, &std::io::ErrorKind::NotFound.into())),
        }?;
        let view = LineFile::open(&self.path)?;
        if view.len() == 0 && live.len() > 0 { self.rebuild(live) } else { Ok(()) }
    }

    /// Brings the view up to the truth: by what is missing when its end fits, else as a whole. A working copy without a
    /// store has no view.
    ///
    /// # Errors
    /// It cannot be written, and stays behind until the next entry.
    pub(super) fn follow(&self, live: &LineFile) -> Result<(), PortError> {
        if let Ok(view) = LineFile::open_existing(&self.path) {
            return self.catch_up(view, live).or_else(|_| self.rebuild(live));
        }
        let Some(folder) = self.path.parent() else { return Ok(()) };
        match folder.metadata() {
            Ok(meta) if meta.is_dir() => self.rebuild(live),
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(unavailable(folder, &error)),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Makes the view again when it is not the truth byte by byte; whether it was.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn mend(&self, live: &LineFile) -> Result<bool, PortError> {
        let (there, truth) = (Opened::open(&self.path).ok().flatten(), Opened::open(live.path())?);
        let same = match (&there, &truth) {
            (Some(there), Some(truth)) => there.length() == truth.length() && begins_with(truth, there)?,
            _ => false,
        };
        if same { Ok(false) } else { self.rebuild(live).map(|()| true) }
    }

    fn catch_up(&self, mut view: LineFile, live: &LineFile) -> Result<(), PortError> {
        let end = view.len();
        let start = end.saturating_sub(COMPARED);
        if end > live.len() || view.slice(start, end)? != live.slice(start, end)? {
            return self.rebuild(live);
        }
        view.append_raw(&live.slice(end, live.len())?, Durability::Os)
    }

    fn rebuild(&self, live: &LineFile) -> Result<(), PortError> {
        replace_with(&self.path, Durability::Os, |out| live.copy_to(out))
    }
}
