//! Whether the store of a governed repository can be trusted.

use alloc::string::String;
use core::fmt;

use serde::{Deserialize, Serialize};

/// A problem in a file that a human wrote, with its place and a way out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The file, relative to the root.
    pub file: String,
    /// 1-based line; 0 when the whole file is meant.
    pub line: usize,
    /// 1-based column in characters; 0 when the whole line is meant.
    pub column: usize,
    /// What is wrong, lower case, no final period.
    pub message: String,
    /// What to do about it, such as the likely word; empty when there is nothing to say.
    pub fix: String,
    /// The command that ends the governance instead, where nothing else may be left to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way_out: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.file)?;
        for number in [self.line, self.column].into_iter().take_while(|number| *number > 0) {
            write!(out, ":{number}")?;
        }
        write!(out, ": {}", self.message)?;
        let fix = Some(self.fix.as_str()).filter(|fix| !fix.is_empty());
        match (fix, self.way_out.as_deref()) {
            (Some(fix), Some(way_out)) => write!(out, " ({fix}; or {way_out})"),
            (Some(only), None) | (None, Some(only)) => write!(out, " ({only})"),
            (None, None) => Ok(()),
        }
    }
}

/// What is wrong with a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HealthFault {
    /// No governed root could be found for this call.
    NoRoot,
    /// The repository is governed but `.orchestration/` or its intents file is gone: what is missing where, and what a
    /// human can do, as the end of a sentence.
    Missing(String),
    /// The store is there but cannot be trusted: unparsable, symlinked, duplicate ids, bad configuration.
    Invalid(Diagnostic),
    /// Private state cannot be read, written or locked.
    StateUnavailable(String),
}

/// The health of a governed repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    /// All is well.
    Ok,
    /// Governed, but broken.
    Broken(HealthFault),
}
