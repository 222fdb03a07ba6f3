//! The lessons of one clone: one small file in private state, changed under one lock.
//!
//! Deliberately absent: the file in the working copy that agents read them in.

use std::path::PathBuf;

use async_trait::async_trait;
use bailiwick_domain::{Lesson, LessonReader, PortError};
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::files::atomic::{Durability, read_form, replace, unavailable};
use crate::files::lock::{DEFAULT_WAIT, FileLock};

/// The form that this program writes and reads; another one may mean what is not known here.
const FORMAT: u32 = 1;

/// So many lessons are remembered; closed ones go first.
const MOST: usize = 200;

/// A lesson with what this clone remembers of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptLesson {
    /// The lesson.
    pub lesson: Lesson,
    /// Whether it was written into the file that agents read.
    pub written: bool,
    /// The turn of an agent that it was seen in, while it waits to come back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// The host that told of a failure of an agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

/// The lessons in private state.
#[derive(Clone, Debug)]
pub struct FsLessons {
    file: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    format: u32,
    lessons: Vec<KeptLesson>,
}

impl FsLessons {
    /// The lessons of this root.
    pub fn new(layout: &Layout) -> Self {
        Self { file: layout.private().join("lessons").join("lessons.json") }
    }

    /// Whether there may be any. Costs one look at a name.
    pub fn may_have_any(&self) -> bool {
        self.file.exists()
    }

    /// All of them, the oldest first.
    ///
    /// # Errors
    /// The file cannot be read, or was written by a newer Bailiwick.
    pub fn all(&self) -> Result<Vec<KeptLesson>, PortError> {
        let stored: Option<Stored> = read_form(&self.file, "lessons", FORMAT)?;
        // The lessons themselves stand in the file that agents read.
        Ok(stored.map(|stored| stored.lessons).unwrap_or_default())
    }

    /// Changes them while nobody else does. What `change` does beside it, such as writing the file that agents read, is done
    /// once by whoever comes first. Nothing is kept when it fails.
    ///
    /// # Errors
    /// They cannot be read or written, or `change` fails.
    pub fn change<T, E: From<PortError>>(
        &self,
        change: impl FnOnce(&mut Vec<KeptLesson>) -> Result<T, E>,
    ) -> Result<T, E> {
        let _held = FileLock::acquire(&self.file.with_file_name("lock"), DEFAULT_WAIT)?;
        let before = self.all()?;
        let mut lessons = before.clone();
        let done = change(&mut lessons)?;
        while lessons.len() > MOST {
            let closed = lessons.iter().position(|kept| kept.lesson.closed.is_some());
            lessons.remove(closed.unwrap_or_default());
        }
        if lessons != before {
            let stored = Stored { format: FORMAT, lessons };
            let bytes =
                serde_json::to_vec(&stored).map_err(|error| unavailable(&self.file, &error.into()))?;
            replace(&self.file, &bytes, Durability::Synced)?;
        }
        Ok(done)
    }
}

#[async_trait]
impl LessonReader for FsLessons {
    async fn lessons(&self) -> Result<Vec<Lesson>, PortError> {
        Ok(self.all()?.into_iter().filter(|kept| kept.written).map(|kept| kept.lesson).collect())
    }
}
