//! A person's off switch: for a bounded time the gate neither asks nor checks the scope, but still records
//! everything. How a pause is kept and believed is the adapter's matter.

use alloc::format;
use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::values::Timestamp;

/// A pause that a human gave at a terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// Who.
    pub by: String,
    /// Since when.
    pub from: Timestamp,
    /// Until when at the latest.
    pub until: Timestamp,
}

impl Pause {
    /// The longest pause, in seconds.
    pub const LONGEST_S: u64 = 8 * 3600;
    /// What stands in place of an approval's id where a change went through in a pause.
    pub const MARK: &str = "paused";

    /// A pause from now on; longer than [`Pause::LONGEST_S`] is cut to that.
    pub fn new(by: impl Into<String>, from: Timestamp, seconds: u64) -> Self {
        Self { by: by.into(), from, until: from.plus_seconds(seconds.min(Self::LONGEST_S)) }
    }

    /// How long it was given for, in milliseconds.
    pub fn length_ms(&self) -> i64 {
        self.until.unix_ms().saturating_sub(self.from.unix_ms())
    }

    /// Whether it is in force at that moment by the clock on the wall. One that begins later or lasts longer than a pause
    /// may is never in force, so a clock that was moved back ends it.
    pub fn is_running(&self, now: Timestamp) -> bool {
        let longest = i64::try_from(Self::LONGEST_S * 1000).unwrap_or(i64::MAX);
        self.from <= now && now < self.until && self.length_ms() <= longest
    }

    /// What an agent is told.
    pub fn told(&self) -> String {
        format!(
            "Bailiwick is paused by a human ({}) until {}: changes and commands need no approval, and no scope is enforced. \
             Each one is still logged, and under a selected intent it is in the ledger as `{}`. Bailiwick's own files, the \
             hosts' settings and secrets stay protected. Keep to what you were asked to do.",
            self.by,
            self.until,
            Self::MARK
        )
    }
}

/// What is known of a pause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PauseLook {
    /// There is none.
    None,
    /// It is in force.
    Running(Pause),
    /// It was given and has ended by itself; nobody wrote the end down yet.
    Over(Pause),
}
