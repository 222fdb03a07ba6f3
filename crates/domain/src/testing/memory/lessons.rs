//! Lessons in memory.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::sync::Mutex;

use async_trait::async_trait;

use super::{Fault, held};
use crate::evidence::Lesson;
use crate::ports::{LessonReader, PortError};

/// The lessons of one clone.
#[derive(Clone, Debug, Default)]
pub struct MemoryLessons(Arc<Kept>);

#[derive(Debug, Default)]
struct Kept {
    lessons: Mutex<Vec<Lesson>>,
    fault: Fault,
}

impl MemoryLessons {
    /// Makes every later question fail; `None` heals it.
    pub fn fail(&self, fault: Option<PortError>) {
        self.0.fault.set(fault);
    }

    /// Adds one behind the others.
    pub fn add(&self, lesson: Lesson) {
        held(&self.0.lessons).push(lesson);
    }
}

#[async_trait]
impl LessonReader for MemoryLessons {
    async fn lessons(&self) -> Result<Vec<Lesson>, PortError> {
        self.0.fault.check()?;
        Ok(held(&self.0.lessons).clone())
    }
}
