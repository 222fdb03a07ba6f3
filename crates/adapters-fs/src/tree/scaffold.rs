//! What `bailiwick init` and `bailiwick intent new` write into the store. Never overwrites what is there; never
//! rewrites what a human wrote: a new intent is put into the text, comments and order stay.

mod append;
mod edit;
mod files;
mod format;
mod fragment;
mod import;
mod spelling;
mod writer;

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use bailiwick_domain::PortError;

use crate::files::Layout;
use crate::files::atomic;

pub use append::{AppendError, NewIntent, append_intent};
pub use files::ignored as scaffold_ignored;
pub use format::{format_intents, is_formatted};
pub use fragment::{added_scope_text, proposal_text, read_added_scope, read_proposal};
pub use import::{Imported, accepted_scope, imported, intent_records, write_imported};
pub use spelling::spell_canonically;
pub use writer::FsIntentWriter;

/// The files and folders of a fresh store.
#[derive(Clone, Debug)]
pub struct Scaffold {
    layout: Layout,
    config: String,
    gitignore: String,
}

impl Scaffold {
    /// The scaffold of this root.
    pub fn new(layout: Layout) -> Self {
        Self { layout, config: files::CONFIG.to_owned(), gitignore: files::GITIGNORE.to_owned() }
    }

    /// The same with these texts for the settings and the ignore rules, where those are not there yet.
    #[must_use]
    pub fn with_texts(mut self, config: String, gitignore: String) -> Self {
        (self.config, self.gitignore) = (config, gitignore);
        self
    }

    /// The texts of the settings and of the ignore rules as they would be created.
    pub fn texts(&self) -> (&str, &str) {
        (&self.config, &self.gitignore)
    }

    /// Where the ignore rules of the store are.
    pub fn gitignore_file(&self) -> PathBuf {
        self.layout.orchestration().join(".gitignore")
    }

    /// The files that [`Scaffold::apply`] would create now, with their content; those that are there are left out.
    pub fn plan(&self) -> Vec<(PathBuf, String)> {
        let files = [
            (self.layout.intents_file(), files::INTENTS),
            (self.layout.config_file(), self.config.as_str()),
            (self.gitignore_file(), self.gitignore.as_str()),
        ];
        let missing = files.into_iter().filter(|(path, _)| path.symlink_metadata().is_err());
        missing.map(|(path, content)| (path, content.to_owned())).collect()
    }

    /// Creates what is missing, the private state included, and returns the files that it created.
    ///
    /// # Errors
    /// A file or folder cannot be created, or the store's place is taken by something that is no folder.
    pub fn apply(&self) -> Result<Vec<PathBuf>, PortError> {
        let folder = self.layout.orchestration();
        match fs::create_dir(&folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(atomic::unavailable(&folder, &error));
            }
            _ => {}
        }
        let metadata = folder.symlink_metadata().map_err(|error| atomic::unavailable(&folder, &error))?;
        if !metadata.is_dir() {
            return Err(PortError::Unavailable(format!(
                "{}: it exists and is not a folder",
                folder.display()
            )));
        }
        atomic::create_dirs(self.layout.private())?;
        atomic::create_dirs(&self.layout.cache())?;
        if self.layout.user_state().is_some() {
            // Where older versions kept them; nothing reads them there any more.
            drop(std::fs::remove_dir_all(self.layout.private().join("cache")));
        }
        let mut created = Vec::new();
        for (path, content) in self.plan() {
            if create(&path, &content)? {
                created.push(path);
            }
        }
        Ok(created)
    }
}

/// Creates a file unless one is there; whether it was created.
fn create(path: &Path, content: &str) -> Result<bool, PortError> {
    let written = match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => file.write_all(content.as_bytes()).and_then(|()| file.sync_all()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
        Err(error) => Err(error),
    };
    written.map(|()| true).map_err(|error| atomic::unavailable(path, &error))
}
