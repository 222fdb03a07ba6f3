//! Programs that stand between an editor and its agent, and can put a question to the editor's own dialog: which of them
//! runs above a hook, and what it was handed.
//!
//! Each holds a lock on its file as long as it lives, so that a killed one is known at once. Hooks append the ids of
//! requests to that file. Deliberately absent: who may be asked in a dialog, and the answers, which go into the queue.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use bailiwick_domain::{ApprovalId, PortError};

use super::is_locked;
use crate::Layout;
use crate::files::atomic::{open_private, private_options, unavailable};
use crate::state::processes::{Process, ancestors, this_process};

/// The largest file of handed ids, in bytes. What comes later stays in the queue.
const LARGEST: u64 = 1 << 20;

/// The dialogs of one root.
#[derive(Clone, Debug)]
pub struct Dialogs {
    dir: PathBuf,
}

impl Dialogs {
    /// Those of this root.
    pub fn new(layout: &Layout) -> Self {
        Self { dir: layout.private().join("dialogs") }
    }

    /// Opens the one of this process, until it is dropped.
    ///
    /// # Errors
    /// Private state cannot be written, or the system does not say which process this is.
    pub fn open(&self) -> Result<Dialog, PortError> {
        self.clear();
        let unknown = || PortError::Unavailable("the system does not name this process".to_owned());
        let path = self.file(&this_process().ok_or_else(unknown)?);
        let options = &mut private_options();
        let file = open_private(&path, options.read(true).write(true).create(true).truncate(true))?;
        // Nobody else holds it for longer than a look takes.
        file.lock().map_err(|error| unavailable(&path, &error))?;
        Ok(Dialog { path, file, torn: String::new() })
    }

    /// The nearest one above this process.
    pub fn above(&self) -> Option<DialogAbove> {
        // Most roots have none, and looking at each process above takes longer than this.
        std::fs::read_dir(&self.dir).ok()?.next()?.ok()?;
        let files = ancestors(std::process::id()).into_iter().map(|process| self.file(&process));
        files.map(|path| DialogAbove { path }).find(DialogAbove::is_open)
    }

    fn file(&self, process: &Process) -> PathBuf {
        self.dir.join(format!("{}-{}", process.pid, process.started))
    }

    /// Takes away what killed processes have left.
    fn clear(&self) {
        let entries = std::fs::read_dir(&self.dir).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()).filter(|path| !is_locked(path)) {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// The dialog of this process. It is closed when this is dropped, or when the process ends, however that ends.
#[derive(Debug)]
pub struct Dialog {
    path: PathBuf,
    file: File,
    /// The beginning of an id whose end is still to come.
    torn: String,
}

impl Dialog {
    /// The requests that were handed over since the last look.
    pub fn handed(&mut self) -> Vec<ApprovalId> {
        let mut text = std::mem::take(&mut self.torn);
        // What cannot be read now is read at the next look.
        let _ = (&self.file).take(LARGEST).read_to_string(&mut text);
        let Some((whole, torn)) = text.rsplit_once('\n') else {
            self.torn = text;
            return Vec::new();
        };
        torn.clone_into(&mut self.torn);
        whole.lines().map(|id| ApprovalId(id.to_owned())).collect()
    }
}

impl Drop for Dialog {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// The dialog of a process above.
#[derive(Debug)]
pub struct DialogAbove {
    path: PathBuf,
}

impl DialogAbove {
    /// Hands a request over.
    ///
    /// # Errors
    /// The dialog is closed, or it was handed too many.
    pub fn hand(&self, request: &ApprovalId) -> Result<(), PortError> {
        let fault = |error: std::io::Error| unavailable(&self.path, &error);
        let mut file = OpenOptions::new().append(true).open(&self.path).map_err(fault)?;
        if file.seek(SeekFrom::End(0)).map_err(fault)? >= LARGEST {
            return Err(PortError::Unavailable("the editor was asked too much".to_owned()));
        }
        file.write_all(format!("{}\n", request.0).as_bytes()).map_err(fault)
    }

    /// Whether its process lives.
    pub fn is_open(&self) -> bool {
        is_locked(Path::new(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialogs() -> (tempfile::TempDir, Dialogs) {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path(), folder.path().join("private"), None);
        (folder, Dialogs::new(&layout))
    }

    // D-40: a hook hands its question to the program above it, and to nobody else
    #[test]
    fn a_dialog_takes_what_is_handed_to_it_once() {
        let (_folder, dialogs) = dialogs();
        let mut dialog = dialogs.open().unwrap();
        let above = DialogAbove { path: dialog.path.clone() };
        assert!(above.is_open() && dialog.handed().is_empty());
        above.hand(&ApprovalId("ap-1".to_owned())).unwrap();
        above.hand(&ApprovalId("ap-2".to_owned())).unwrap();
        let handed: Vec<String> = dialog.handed().into_iter().map(|id| id.0).collect();
        assert_eq!(handed, ["ap-1", "ap-2"]);
        assert!(dialog.handed().is_empty());
        let mut half = OpenOptions::new().append(true).open(&above.path).unwrap();
        half.write_all(b"ap-").unwrap();
        assert!(dialog.handed().is_empty(), "half an id is none");
        half.write_all(b"3\n").unwrap();
        assert_eq!(dialog.handed(), [ApprovalId("ap-3".to_owned())]);
    }

    // D-40: this process has none above it; a closed one takes nothing
    #[test]
    fn a_dialog_that_is_closed_or_not_above_is_none() {
        let (_folder, dialogs) = dialogs();
        assert!(dialogs.above().is_none());
        let dialog = dialogs.open().unwrap();
        assert!(dialogs.above().is_none(), "it is this process's own");
        let above = DialogAbove { path: dialog.path.clone() };
        drop(dialog);
        assert!(!above.is_open() && above.hand(&ApprovalId("ap-1".to_owned())).is_err());
        std::fs::write(dialogs.dir.join("1-1"), "").unwrap();
        drop(dialogs.open().unwrap());
        assert!(!dialogs.dir.join("1-1").exists(), "what a killed process left is taken away");
    }

    // limits: more than the file may hold stays in the queue
    #[test]
    fn a_dialog_that_was_handed_too_much_takes_no_more() {
        let (_folder, dialogs) = dialogs();
        let dialog = dialogs.open().unwrap();
        dialog.file.set_len(LARGEST).unwrap();
        let above = DialogAbove { path: dialog.path.clone() };
        assert!(above.hand(&ApprovalId("ap-1".to_owned())).is_err());
    }
}
