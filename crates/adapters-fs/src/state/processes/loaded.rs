//! In which sessions what asks before a host's tools is loaded, for hosts that go on without it: it says so itself, and
//! it counts as loaded for as long as the process lives that said so.

use std::path::PathBuf;

use bailiwick_domain::{ContentHash, PortError};

use super::{AgentProcesses, calling_agent, name_of, named, runs, this_process};
use crate::files::atomic::{Durability, create_once};

/// What stands between the session and the process in the name of a note.
const BY: &str = ".by.";

/// The process in the name of a note where the system tells none.
const UNKNOWN: &str = "unknown";

impl AgentProcesses {
    /// Notes that what called this process is loaded in that session of that host.
    ///
    /// # Errors
    /// The note cannot be written.
    pub fn note_loaded(&self, host: &str, session: &str) -> Result<(), PortError> {
        let process = calling_agent().map_or_else(|| UNKNOWN.to_owned(), |agent| name_of(&agent));
        let note = self.loaded().join(format!("{}{process}", session_of(host, session)));
        if note.exists() {
            return Ok(());
        }
        create_once(&note, b"loaded\n", Durability::Os).map(drop)
    }

    /// Whether it is loaded there now.
    pub fn is_loaded(&self, host: &str, session: &str) -> bool {
        let session = session_of(host, session);
        let notes = std::fs::read_dir(self.loaded()).into_iter().flatten().flatten();
        let mut names = notes.filter_map(|note| note.file_name().into_string().ok());
        names.any(|name| name.starts_with(&session) && !is_over(&name))
    }

    /// The folder of the notes, beside that of the agents.
    pub(super) fn loaded(&self) -> PathBuf {
        self.dir.with_file_name("loaded")
    }
}

/// How the name of a note of that session begins. Hosts name sessions as they like, so the name is a hash.
fn session_of(host: &str, session: &str) -> String {
    let hash = ContentHash::of(session.as_bytes());
    format!("{host}-{}{BY}", hash.digits().get(..32).unwrap_or_default())
}

/// Whether the process is gone that a note of this name tells of. Where the system tells no processes, none is.
pub(super) fn is_over(note: &str) -> bool {
    let Some((_, process)) = note.rsplit_once(BY) else { return true };
    match named(process) {
        Some(process) => this_process().is_some() && !runs(process),
        None => process != UNKNOWN,
    }
}
