//! Lessons: what failed once and how it was repaired, so that the next agent starts with it.
//!
//! Deliberately absent: how an output becomes a message and how a lesson stands in a file (`bailiwick_policy::lessons`).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::intents::IntentId;
use crate::values::{ContentHash, RepoPath, Timestamp};

/// One lesson.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// When it failed first, or was written.
    pub at: Timestamp,
    /// The intent that was worked under.
    pub intent: IntentId,
    /// The command that failed; none where a person wrote the lesson.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The file that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<RepoPath>,
    /// What was said, without what differs from run to run; a person's own words where a person wrote it.
    pub message: String,
    /// Why it failed, in a person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// What repaired it, in a person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    /// The files that were changed under the intent until it passed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixed_in: Vec<RepoPath>,
    /// When the command passed again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<Timestamp>,
}

impl Lesson {
    /// Its id: the same for the same command, file and message, whoever meets it.
    pub fn id(&self) -> String {
        let command = self.command.as_deref().unwrap_or("");
        let file = self.file.as_ref().map_or("", RepoPath::as_str);
        let hash = ContentHash::of(format!("{command}\0{file}\0{}", self.message).as_bytes());
        hash.digits().chars().take(12).collect()
    }
}
