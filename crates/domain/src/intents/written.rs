//! Intents as a person wrote them down: with the places in the file, and with what only people and `intent check` read.
//!
//! Deliberately absent: what of it governs ([`Intent`](crate::Intent)).

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::intents::{IntentId, ScopePattern};

/// A value and where it begins, 1-based.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed<T> {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// What is there.
    pub value: T,
}

/// How a criterion or a constraint is verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// A command that must succeed.
    Run(String),
    /// A file that must be there.
    File(String),
    /// A person says so.
    Human,
}

/// A constraint or an acceptance criterion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenLine {
    /// Its id.
    pub id: Option<String>,
    /// Its text; a constraint with a form that the gate enforces needs none.
    pub text: Option<String>,
    /// The reason.
    pub because: Option<String>,
    /// How it is verified.
    pub checks: Vec<Check>,
    /// Whether the gate enforces it.
    pub is_enforced: bool,
}

/// How binding a requirement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Strength {
    /// It has to hold.
    Must,
    /// There are reasons not to, but few.
    Should,
    /// It is welcome.
    May,
}

impl Strength {
    /// All of them, by the word that a person writes.
    pub const WORDS: &[(&str, Self)] = &[("MUST", Self::Must), ("SHOULD", Self::Should), ("MAY", Self::May)];

    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Must => "MUST",
            Self::Should => "SHOULD",
            Self::May => "MAY",
        }
    }
}

/// A requirement that an intent serves, with what it says where that is written down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenRequirement {
    /// Its id.
    pub id: String,
    /// What it says.
    pub text: Option<String>,
    /// How binding it is.
    pub strength: Option<Strength>,
    /// The file and line that it came from.
    pub source: Option<String>,
    /// It is no longer where it came from.
    pub vanished: bool,
}

/// One intent as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenIntent {
    /// Its id.
    pub id: Placed<IntentId>,
    /// Its scope, pattern by pattern.
    pub scope: Vec<Placed<ScopePattern>>,
    /// What somebody proposed that it may change; it counts for nothing until a person accepts it.
    pub proposed: Vec<Placed<ScopePattern>>,
    /// How urgent it is, in its author's word.
    pub priority: Option<String>,
    /// The requirements that it serves.
    pub requirements: Vec<Placed<WrittenRequirement>>,
    /// What has to be answered first.
    pub questions: Vec<String>,
    /// Whether a person wrote that it may be broad.
    pub allow_broad: bool,
    /// Its limits.
    pub constraints: Vec<Placed<WrittenLine>>,
    /// When it is done.
    pub criteria: Vec<Placed<WrittenLine>>,
    /// Paths that must be in the scope.
    pub allow: Vec<Placed<String>>,
    /// Paths that must not be in the scope.
    pub deny: Vec<Placed<String>>,
    /// What it takes for granted.
    pub assumptions: Vec<String>,
    /// For people alone.
    pub notes: Option<String>,
    /// Where it came from, key by key.
    pub source: Vec<(String, String)>,
}
