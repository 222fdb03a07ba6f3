//! What an actor was shown of a file, and what a host says that a call showed.
//!
//! Values only. Whether it is enough for a change is `policy`'s to say.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::values::FileState;

/// How much of a file an actor was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// Some of its lines.
    Part,
    /// All of it.
    Whole,
}

/// What an actor last read or wrote at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// What was there.
    pub state: FileState,
    /// How much of it was shown.
    pub shown: Shown,
}

impl Observation {
    /// All of it.
    pub fn whole(state: FileState) -> Self {
        Self { state, shown: Shown::Whole }
    }

    /// Some of it.
    pub fn part(state: FileState) -> Self {
        Self { state, shown: Shown::Part }
    }

    /// The same after what was seen before: who saw the whole of this very content has seen it still.
    #[must_use]
    pub fn after(self, before: Option<&Self>) -> Self {
        match before {
            Some(before) if before.state == self.state => {
                Self { shown: before.shown.max(self.shown), ..self }
            }
            _ => self,
        }
    }
}

/// What a host says that a call showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Showed {
    /// Lines of one file, decoded, with LF as the end of each.
    Lines {
        /// The number of the first one, from 1.
        first: u64,
        /// How many the file has.
        total: u64,
        /// The lines.
        text: String,
    },
    /// What a command printed, as far as the host hands it on.
    Printed(String),
    /// Nothing yet: it goes on in the background.
    Nothing,
}
