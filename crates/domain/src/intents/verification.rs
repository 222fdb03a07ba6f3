//! What came of the checks of an intent: one result for each check, the newest one.
//!
//! Deliberately absent: running a check (`bailiwick verify`), and what the results say of the intent
//! (`bailiwick_policy::verified`).

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::intents::{Check, Revision, WrittenIntent};
use crate::values::{ContentHash, Timestamp};

/// What a check is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckOf {
    /// A limit, which must hold from the beginning.
    Constraint,
    /// An acceptance criterion, which holds when the work is done.
    Criterion,
}

/// One check by what it says. A check with another text or command is another check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedCheck {
    /// What it is about.
    pub of: CheckOf,
    /// The id of the constraint or criterion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// How it is verified.
    pub check: Check,
}

impl NamedCheck {
    /// Every check of an intent: constraints first, then criteria, in the order of the file.
    pub fn of(written: &WrittenIntent) -> Vec<Self> {
        let constraints = written.constraints.iter().map(|line| (CheckOf::Constraint, &line.value));
        let criteria = written.criteria.iter().map(|line| (CheckOf::Criterion, &line.value));
        let lines = constraints.chain(criteria);
        lines
            .flat_map(|(of, line)| {
                line.checks.iter().map(move |check| Self {
                    of,
                    id: line.id.clone(),
                    text: line.text.clone(),
                    check: check.clone(),
                })
            })
            .collect()
    }

    /// What a person calls it: its id, else its text, else what it runs.
    pub fn name(&self) -> &str {
        match (&self.id, &self.text, &self.check) {
            (Some(id), ..) => id,
            (None, Some(text), _) => text,
            (None, None, Check::Run(text) | Check::File(text)) => text,
            (None, None, Check::Human) => "human",
        }
    }
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckOutcome {
    /// The command ended with 0, or the file is there.
    Passed,
    /// The command ended otherwise, or the file is not there.
    Failed,
    /// The command ran longer than it may.
    TimedOut,
    /// A person said that it is met.
    Ticked,
}

impl CheckOutcome {
    /// Whether the check holds.
    pub fn is_met(self) -> bool {
        matches!(self, Self::Passed | Self::Ticked)
    }
}

/// What came of one check, the last time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckResult {
    /// The check.
    pub check: NamedCheck,
    /// How it ended.
    pub outcome: CheckOutcome,
    /// The exit status of a command that ended by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<i32>,
    /// The revision of the intent.
    pub revision: Revision,
    /// The commit that was checked out, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// A digest of the files that it says something of; none where there were too many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<ContentHash>,
    /// When it began.
    pub at: Timestamp,
    /// Who ran or ticked it.
    pub by: String,
    /// Whether no work under the intent was there by then, as far as this clone can tell.
    pub before_work: bool,
}
