//! One settings file of a client: located through symlinks, read whole, replaced in one step with its permissions kept,
//! and what it held before Bailiwick kept beside the user's state. Deliberately absent: what stands in such a file.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use bailiwick_adapters_fs::{Durability, Layout, replace};
use bailiwick_domain::ContentHash;

use crate::command::CommandError;

/// How many symlinks are followed before a file counts as unreachable.
const MAX_LINKS: usize = 40;

/// A settings file as it was when it was read.
#[derive(Clone, Debug)]
pub(crate) struct SettingsFile {
    path: PathBuf,
    target: PathBuf,
    text: Option<String>,
}

impl SettingsFile {
    /// Reads the file that the path leads to; it need not exist.
    ///
    /// # Errors
    /// It cannot be read, or is no UTF-8 text.
    pub(crate) fn read(path: &Path) -> Result<Self, CommandError> {
        let target = followed(path);
        let text = match std::fs::read(&target) {
            Ok(bytes) => Some(String::from_utf8(bytes).map_err(|_| refused(path, "not UTF-8"))?),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(CommandError::io(path.display(), error)),
        };
        Ok(Self { path: path.to_path_buf(), target, text })
    }

    /// The path that the client uses.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What it held when it was read; `None` when there was no file.
    pub(crate) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }
}

/// A file that cannot be edited, said so that the person knows that nothing happened.
pub(crate) fn refused(path: &Path, why: impl std::fmt::Display) -> CommandError {
    CommandError::Other(format!(
        "{}: {why}; nothing was changed; fix the file and run this again",
        path.display()
    ))
}

/// Where symlinks lead, also when nothing is there yet.
fn followed(path: &Path) -> PathBuf {
    let mut at = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = std::fs::read_link(&at) else { return at };
        at = at.parent().unwrap_or(Path::new("")).join(next);
    }
    at
}

/// What shall become of a file.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The file as it is.
    pub(crate) file: SettingsFile,
    /// What it shall hold; `None` when it shall go.
    pub(crate) after: Option<String>,
}

impl Change {
    /// Whether anything changes.
    pub(crate) fn is_due(&self) -> bool {
        self.file.text != self.after
    }

    /// Whether the file comes into being.
    pub(crate) fn creates(&self) -> bool {
        self.file.text.is_none() && self.after.is_some()
    }

    /// The unified diff, under the path as the person knows it.
    pub(crate) fn diff(&self) -> String {
        const MAX_BYTES: usize = 256 << 10;
        let name = self.file.path.display().to_string();
        let before = self.file.text().map(str::as_bytes);
        crate::gate::unified_diff(
            name.trim_start_matches('/'),
            before,
            self.after.as_deref().map(str::as_bytes),
            MAX_BYTES,
        )
    }

    /// Does it, unless the file was changed by somebody else since it was read.
    ///
    /// # Errors
    /// The file cannot be written, or is not as it was.
    pub(crate) fn apply(&self) -> Result<(), CommandError> {
        if !self.is_due() {
            return Ok(());
        }
        let path = &self.file.path;
        if SettingsFile::read(path)?.text != self.file.text {
            return Err(CommandError::Other(format!(
                "{}: it changed just now; run this again",
                path.display()
            )));
        }
        let done = match &self.after {
            Some(text) => written(&self.file.target, text),
            None => std::fs::remove_file(&self.file.target),
        };
        done.map_err(|error| CommandError::io(path.display(), error))
    }
}

fn written(target: &Path, text: &str) -> io::Result<()> {
    let parent = target.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(parent)?;
    let mut temporary = tempfile::Builder::new().prefix(".bailiwick-").tempfile_in(parent)?;
    temporary.write_all(text.as_bytes())?;
    if let Ok(metadata) = std::fs::metadata(target) {
        temporary.as_file().set_permissions(metadata.permissions())?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(target).map(drop).map_err(|error| error.error)
}

/// What files held before Bailiwick edited them for this root; closed to other users, since settings may hold secrets.
#[derive(Clone, Debug)]
pub(crate) struct Backups {
    folder: PathBuf,
}

impl Backups {
    pub(crate) fn new(layout: &Layout) -> Self {
        let root = ContentHash::of(layout.root().as_os_str().as_encoded_bytes());
        let state = layout.user_state().unwrap_or(layout.private());
        Self { folder: state.join("backups").join(root.digits()) }
    }

    fn copy_of(&self, path: &Path) -> PathBuf {
        self.folder.join(ContentHash::of(path.as_os_str().as_encoded_bytes()).digits())
    }

    /// Keeps what the file held; where there was no file there is nothing to keep.
    ///
    /// # Errors
    /// The copy cannot be written.
    pub(crate) fn keep(&self, file: &SettingsFile) -> Result<(), CommandError> {
        match file.text() {
            Some(text) => Ok(replace(&self.copy_of(file.path()), text.as_bytes(), Durability::Synced)?),
            None => self.forget(file.path()),
        }
    }

    /// What the file held, when it was kept.
    pub(crate) fn kept(&self, path: &Path) -> Option<String> {
        std::fs::read_to_string(self.copy_of(path)).ok()
    }

    /// Forgets the copy; one that is not there is no error.
    ///
    /// # Errors
    /// The copy cannot be removed.
    pub(crate) fn forget(&self, path: &Path) -> Result<(), CommandError> {
        let copy = self.copy_of(path);
        match std::fs::remove_file(&copy) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(CommandError::io(copy.display(), error)),
            _ => {
                let _ = std::fs::remove_dir(&self.folder);
                Ok(())
            }
        }
    }
}
