//! How far a grant may go, and how it is called.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::consents::ApprovalId;
use crate::intents::OwnedScope;
use crate::values::counted;

/// The number of a grant in its repository, written `grant#3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GrantId(u64);

/// A text that is not `grant#` and a number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no grant: expected one such as `grant#3`")]
pub struct GrantIdError(String);

impl GrantId {
    /// Before the number.
    pub const PREFIX: &str = "grant#";

    /// The grant of that number.
    pub fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    pub fn number(self) -> u64 {
        self.0
    }

    /// Reads `grant#3`, `#3` or `3`.
    ///
    /// # Errors
    /// When the text is none of these.
    pub fn parse(text: &str) -> Result<Self, GrantIdError> {
        let bare = text.strip_prefix(Self::PREFIX).or_else(|| text.strip_prefix('#')).unwrap_or(text);
        let digits = (1..=18).contains(&bare.len()) && bare.bytes().all(|byte| byte.is_ascii_digit());
        let number = if digits { bare.parse().ok() } else { None };
        number.map(Self).ok_or_else(|| GrantIdError(text.to_owned()))
    }

    /// How a call that it let through names it, where another call names its approval.
    pub fn as_approval(self) -> ApprovalId {
        ApprovalId(self.into())
    }
}

impl fmt::Display for GrantId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", Self::PREFIX, self.0)
    }
}

impl TryFrom<String> for GrantId {
    type Error = GrantIdError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<GrantId> for String {
    fn from(id: GrantId) -> Self {
        alloc::format!("{id}")
    }
}

/// How far a grant goes, not checked yet. The default is what a request offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GrantLimits {
    /// Only these paths of the intent's scope; empty means all of it.
    pub paths: OwnedScope,
    /// So many different files.
    pub max_files: u32,
    /// So many calls.
    pub max_calls: u32,
    /// So many lines in all, counted as added and as removed; a long line counts as several.
    pub max_lines: u32,
    /// So many lines in one call.
    pub max_lines_per_call: u32,
    /// So many seconds, if the turn does not end before.
    pub seconds: u32,
}

impl Default for GrantLimits {
    fn default() -> Self {
        Self {
            paths: OwnedScope::default(),
            max_files: 10,
            max_calls: 30,
            max_lines: 300,
            max_lines_per_call: 150,
            seconds: GrantBounds::LONGEST_S,
        }
    }
}

/// How far a grant goes. A value that exists is within what any grant may be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "GrantLimits", into = "GrantLimits")]
pub struct GrantBounds(GrantLimits);

/// A limit that no grant can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a grant cannot have {limit} {given}: it must be between 1 and {most}")]
pub struct GrantBoundsError {
    limit: &'static str,
    given: u32,
    most: u32,
}

impl GrantBounds {
    /// The longest that a grant lives, in seconds: half an hour.
    pub const LONGEST_S: u32 = 1800;
    /// The most files of any grant.
    pub const MOST_FILES: u32 = 200;
    /// The most calls of any grant.
    pub const MOST_CALLS: u32 = 500;
    /// The most lines of any grant, in all and in one call.
    pub const MOST_LINES: u32 = 10_000;

    /// Checks the limits.
    ///
    /// # Errors
    /// Names the limit that is nothing or too much.
    pub fn new(limits: GrantLimits) -> Result<Self, GrantBoundsError> {
        let each = [
            ("max_files", limits.max_files, Self::MOST_FILES),
            ("max_calls", limits.max_calls, Self::MOST_CALLS),
            ("max_lines", limits.max_lines, Self::MOST_LINES),
            ("max_lines_per_call", limits.max_lines_per_call, Self::MOST_LINES),
            ("seconds", limits.seconds, Self::LONGEST_S),
        ];
        match each.into_iter().find(|(_, given, most)| *given == 0 || given > most) {
            Some((limit, given, most)) => Err(GrantBoundsError { limit, given, most }),
            None => Ok(Self(limits)),
        }
    }

    /// The limits.
    pub fn limits(&self) -> &GrantLimits {
        &self.0
    }
}

impl TryFrom<GrantLimits> for GrantBounds {
    type Error = GrantBoundsError;
    fn try_from(limits: GrantLimits) -> Result<Self, Self::Error> {
        Self::new(limits)
    }
}

impl From<GrantBounds> for GrantLimits {
    fn from(bounds: GrantBounds) -> Self {
        bounds.0
    }
}

impl fmt::Display for GrantBounds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = &self.0;
        let (files, lines) = (limits.max_files, limits.max_lines);
        write!(out, "up to {}, {} ", counted(files, "file", "files"), counted(lines, "line", "lines"))?;
        let calls = counted(limits.max_calls, "call", "calls");
        write!(out, "(at most {} in a call), {calls}, ", limits.max_lines_per_call)?;
        if !limits.paths.is_empty() {
            let paths = limits.paths.patterns().iter().map(|pattern| pattern.as_str());
            write!(out, "in {}, ", paths.collect::<Vec<_>>().join(" "))?;
        }
        write!(out, "this turn, at most {} min", limits.seconds.div_ceil(60))
    }
}
