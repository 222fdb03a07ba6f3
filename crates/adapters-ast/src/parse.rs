//! Parses a text within limits, and says why it did not.

use std::ops::ControlFlow;
use std::time::Duration;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use crate::budget::Budget;
use crate::language::Language;

/// How much is looked at. What exceeds a limit is an evolution of intent, never an error.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most bytes of one text.
    pub bytes: usize,
    /// The deepest nesting of syntax.
    pub depth: usize,
    /// The most files of one set of changes.
    pub files: usize,
    /// The most time for one set of changes.
    pub time: Duration,
    /// The most steps of work for one set of changes, each about one look at a piece of syntax.
    pub steps: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 1 << 20, depth: 500, files: 200, time: Duration::from_millis(200), steps: 200_000_000 }
    }
}

/// Why a text was not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exceeded {
    Bytes,
    Depth,
    Time,
}

impl Exceeded {
    pub(crate) fn what(self) -> &'static str {
        match self {
            Self::Bytes => "the file is too large to analyse",
            Self::Depth => "the file is nested too deeply to analyse",
            Self::Time => "the analysis ran out of time",
        }
    }
}

/// Parses within the limits.
pub(crate) fn parse(
    language: Language,
    text: &str,
    limits: &Limits,
    budget: &Budget,
) -> Result<Tree, Exceeded> {
    if text.len() > limits.bytes {
        return Err(Exceeded::Bytes);
    }
    let mut parser = Parser::new();
    if parser.set_language(language.grammar()).is_err() {
        return Err(Exceeded::Time);
    }
    let mut in_time = |_: &ParseState| {
        if budget.spend(1) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let bytes = text.as_bytes();
    let options = ParseOptions::new().progress_callback(&mut in_time);
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
    parser.parse_with_options(&mut read, None, Some(options)).ok_or(Exceeded::Time)
}
