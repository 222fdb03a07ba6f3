//! `.orchestration/agent_trace.jsonl`: the ledger as seen in this working copy (ADR 0003).
//!
//! It follows the ledger and can be rebuilt at any time, so that failing to write it never loses an entry.

use std::path::{Path, PathBuf};

use bailiwick_domain::PortError;

use crate::Layout;
use crate::files::atomic::{Durability, replace_with, unavailable};
use crate::files::jsonl::LineFile;
use crate::ledger::lines::Opened;
use crate::ledger::lines::parting::begins_with;

const COMPARED: u64 = 1024;

/// The view in one working copy.
#[derive(Clone, Debug)]
pub(in crate::ledger) struct View {
    path: PathBuf,
}

impl View {
    pub(in crate::ledger) fn new(layout: &Layout) -> Self {
        Self { path: layout.ledger_view() }
    }

    /// Where it is.
    pub(in crate::ledger) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the view can be written; a symlink cannot. A view that was taken away comes back whole, so that an empty
    /// one is never what this program left there.
    pub(in crate::ledger) fn ready(&self, live: &LineFile) -> Result<(), PortError> {
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

    /// Brings the view up to the truth: by what is missing or too much when its end fits, which a line that was taken back
    /// needs no room for, else as a whole. A working copy without a store has no view.
    ///
    /// # Errors
    /// It cannot be written, and stays behind until the next entry.
    pub(in crate::ledger) fn follow(&self, live: &LineFile) -> Result<(), PortError> {
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
    pub(in crate::ledger) fn mend(&self, live: &LineFile) -> Result<bool, PortError> {
        let (there, truth) = (Opened::open(&self.path).ok().flatten(), Opened::open(live.path())?);
        let same = match (&there, &truth) {
            (Some(there), Some(truth)) => there.length() == truth.length() && begins_with(truth, there)?,
            _ => false,
        };
        if same { Ok(false) } else { self.rebuild(live).map(|()| true) }
    }

    fn catch_up(&self, mut view: LineFile, live: &LineFile) -> Result<(), PortError> {
        let end = view.len().min(live.len());
        let start = end.saturating_sub(COMPARED);
        if view.slice(start, end)? != live.slice(start, end)? {
            return self.rebuild(live);
        }
        if view.len() > end {
            return view.cut(end);
        }
        view.append_raw(&live.slice(end, live.len())?, Durability::Os)
    }

    fn rebuild(&self, live: &LineFile) -> Result<(), PortError> {
        replace_with(&self.path, Durability::Os, |out| live.copy_to(out))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Durability, Layout, LineFile, View};

    // K-24: on a full disk there is no room for a new file
    #[cfg(unix)]
    #[test]
    fn what_was_taken_back_is_cut_off_and_another_text_is_replaced() {
        use std::os::unix::fs::MetadataExt as _;
        let dir = tempfile::tempdir().unwrap();
        let view = View::new(&Layout::new(dir.path(), dir.path().join("private"), None));
        fs::create_dir_all(view.path().parent().unwrap()).unwrap();
        let mut live = LineFile::open(&dir.path().join("live")).unwrap();
        live.append(b"one", Durability::Os).unwrap();
        view.follow(&live).unwrap();
        let (number, look) = (|| fs::metadata(view.path()).unwrap().ino(), || fs::read(view.path()).unwrap());
        let file = number();
        for (there, is_kept) in [("one\ntwo\n", true), ("one\n", true), ("", true), ("two\nthree\n", false)] {
            fs::write(view.path(), there).unwrap();
            view.follow(&live).unwrap();
            assert_eq!(look(), b"one\n", "{there:?}");
            assert_eq!(number() == file, is_kept, "{there:?}");
        }
    }
}
