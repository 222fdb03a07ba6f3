//! The file of lessons that agents read: which one it is, and how it is changed. Under the lock of the root, written ahead,
//! in one step for the whole file, and recorded in the ledger.
//!
//! Deliberately absent: what stands in it (`bailiwick_policy::lessons`), and when a lesson is written.

use bailiwick_domain::{
    Actor, ContentHash, FileState, IntentId, Location, PortError, PutBack, RepoPath, Revision, Settings,
    ToolError, WorkspacePath, WorkspaceWriter, json,
};
use bailiwick_policy::lessons::SectionError;
use bailiwick_policy::protection::{Protection, of_change, of_reading};

use crate::closed;
use crate::recording::Recording;
use crate::recording::own_change::{OwnChange, OwnChangeError};

const TOOL: &str = "lesson";

/// Files that agents read by themselves; lessons go to the first that is there.
pub const READ_BY_AGENTS: &[&str] = &["CLAUDE.md", "AGENT.md", "AGENTS.md"];

/// The one that is made where none is there.
const MADE: &str = "AGENTS.md";

/// A larger file is left alone, in bytes.
const LARGEST: u64 = 1 << 20;

part! {
    /// Changes the file of lessons.
    pub struct Lessons {
        from rules: policy;
        from tree: workspace, lock;
        with recording: Recording;
    }
}

/// Under what a lesson is written.
#[derive(Clone, Debug)]
pub struct Under {
    /// The intent.
    pub intent: IntentId,
    /// Its revision.
    pub revision: Revision,
    /// The requirements that it serves.
    pub requirements: Vec<String>,
    /// The person who ran the command; nobody where a hook saw it.
    pub by: Option<String>,
}

/// What becomes of the content of the file; nothing where it may stay.
pub type LessonChange<'c> = dyn Fn(&[u8]) -> Result<Option<Vec<u8>>, SectionError> + Sync + 'c;

/// Why the file was not changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LessonError {
    /// The file is not one that lessons can be written to: why.
    #[error("lessons cannot be written to {0}: {1}")]
    Place(String, String),
    /// The section of lessons cannot be told from the rest of the file.
    #[error("{0}: {1}")]
    Section(RepoPath, SectionError),
    /// The file could not be changed, or the change not be recorded.
    #[error(transparent)]
    Change(#[from] OwnChangeError),
}

impl From<ToolError> for LessonError {
    fn from(error: ToolError) -> Self {
        Self::Change(error.into())
    }
}

impl From<PortError> for LessonError {
    fn from(error: PortError) -> Self {
        Self::Change(error.into())
    }
}

impl Lessons<'_> {
    /// Changes the file as `change` says of its content, which says nothing where it may stay. The path, when it was changed.
    ///
    /// # Errors
    /// Nothing was changed.
    pub async fn edit(
        &self,
        under: &Under,
        writer: &dyn WorkspaceWriter,
        change: &LessonChange<'_>,
    ) -> Result<Option<RepoPath>, LessonError> {
        let _held = self.lock.acquire().await.map_err(closed)?;
        let path = self.place().await?;
        let now = self.workspace.read(&path, LARGEST).await.map_err(LessonError::from)?;
        // From the same bytes: what somebody saves after this look is not written over.
        let expected =
            now.as_deref().map_or(FileState::Absent, |bytes| FileState::Content(ContentHash::of(bytes)));
        let changed = change(now.as_deref().unwrap_or_default());
        let Some(content) = changed.map_err(|error| LessonError::Section(path.clone(), error))? else {
            return Ok(None);
        };
        let file =
            PutBack { path: path.clone(), expected, content: Some(content), executable: false, origin: None };
        self.recording.make(&[under.change(file)], writer).await?;
        Ok(Some(path))
    }

    /// What the file holds now.
    ///
    /// # Errors
    /// It cannot be read.
    pub async fn content(&self) -> Result<(RepoPath, Vec<u8>), LessonError> {
        let path = self.place().await?;
        let content = self.workspace.read(&path, LARGEST).await.map_err(LessonError::from)?;
        Ok((path, content.unwrap_or_default()))
    }

    /// The first of the files that is there, where a link leads; else the one that is made.
    async fn place(&self) -> Result<RepoPath, LessonError> {
        let settings = self.policy.settings().await.map_err(closed)?;
        for name in READ_BY_AGENTS {
            let refused = |why: &str| LessonError::Place((*name).to_owned(), why.to_owned());
            let found = match self.workspace.locate(name, None).await {
                Location::Inside(found) => found,
                _ => return Err(refused("it leads out of the repository")),
            };
            match self.workspace.state(&found.path).await.map_err(closed)? {
                FileState::Absent if *name != MADE => continue,
                FileState::Other => return Err(refused("it is no plain file")),
                FileState::Absent | FileState::Content(_) => {}
            }
            return match unfit(&found, &settings) {
                Some(why) => Err(refused(&why)),
                None => Ok(found.path),
            };
        }
        Err(LessonError::Place(MADE.to_owned(), "there is no such place".to_owned()))
    }
}

impl Under {
    fn change(&self, file: PutBack) -> OwnChange {
        let derived = self.requirements.is_empty();
        OwnChange {
            tool: TOOL,
            params: json!({"file": file.path, "content": file.target()}),
            actor: match &self.by {
                Some(person) => Actor::root(Actor::HUMAN, person),
                None => Actor::root(Actor::ITSELF, "lessons"),
            },
            by: self.by.clone(),
            intent: self.intent.clone(),
            revision: self.revision.clone(),
            requirements: if derived {
                vec![format!("REQ-{}", self.intent)]
            } else {
                self.requirements.clone()
            },
            derived,
            restores: None,
            files: vec![file],
        }
    }
}

/// Why lessons do not belong into the file that a name leads to.
fn unfit(found: &WorkspacePath, settings: &Settings) -> Option<String> {
    if let Protection::Protected(pattern) = of_change(found, settings) {
        return Some(format!("it is protected ({pattern})"));
    }
    if let Some(pattern) = of_reading(found, settings) {
        return Some(format!("agents may not read it ({pattern})"));
    }
    let name = found.path.segments().last().unwrap_or_default();
    if READ_BY_AGENTS.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        return None;
    }
    let real = WorkspacePath { spelled: None, ..found.clone() };
    match of_change(&real, settings) {
        Protection::Sensitive(pattern) => {
            Some(format!("it leads to {}, which is sensitive ({pattern})", real.path))
        }
        _ if !name.to_lowercase().ends_with(".md") => {
            Some(format!("it leads to {}, which is not Markdown", real.path))
        }
        _ => None,
    }
}
