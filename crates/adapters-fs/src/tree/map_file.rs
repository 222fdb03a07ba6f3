//! `.orchestration/intent_map.md`: a derived page that people read and nothing parses.
//!
//! Deliberately absent: what stands in it, and whether git has it.

use std::path::PathBuf;

use bailiwick_domain::PortError;

use crate::Layout;
use crate::files::atomic::{Durability, read_optional, replace, unavailable};
use crate::files::lock::{DEFAULT_WAIT, FileLock};

/// The name of the page in `.orchestration/`.
const NAME: &str = "intent_map.md";

/// The map of intents in one working copy.
#[derive(Clone, Debug)]
pub struct FsIntentMap {
    layout: Layout,
}

impl FsIntentMap {
    /// The map of this root.
    pub fn new(layout: &Layout) -> Self {
        Self { layout: layout.clone() }
    }

    /// Where it is.
    pub fn path(&self) -> PathBuf {
        self.layout.orchestration().join(NAME)
    }

    /// Whether it is there, or the store keeps it from git's eyes, so that writing it shows nowhere.
    pub fn is_expected(&self) -> bool {
        let ignored = read_optional(&self.layout.orchestration().join(".gitignore")).ok().flatten();
        let names_it = |text: Vec<u8>| text.split(|byte| *byte == b'\n').any(|line| line == NAME.as_bytes());
        self.path().is_file() || ignored.is_some_and(names_it)
    }

    /// Replaces it by what `make` says. Only one process makes it at a time, so that what is older never covers what is
    /// newer; a text that stands there already is not written.
    ///
    /// # Errors
    /// Another process holds it for too long, `make` fails, the store is a link, or the file cannot be written.
    pub fn write(&self, make: impl FnOnce() -> Result<String, PortError>) -> Result<(), PortError> {
        let folder = self.layout.orchestration();
        let meta = folder.symlink_metadata().map_err(|error| unavailable(&folder, &error))?;
        if !meta.is_dir() {
            return Err(PortError::Unavailable(format!("{}: not a folder", folder.display())));
        }
        let _held = FileLock::acquire(&self.layout.private().join("cache").join("map.lock"), DEFAULT_WAIT)?;
        let text = make()?;
        let path = self.path();
        if read_optional(&path).ok().flatten().as_deref() == Some(text.as_bytes()) {
            return Ok(());
        }
        replace(&path, text.as_bytes(), Durability::Os)
    }
}
