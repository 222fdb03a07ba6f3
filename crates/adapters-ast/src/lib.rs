//! Reads source with tree-sitter: whether a change is a proved refactor, and which named unit a line lies in.
//!
//! A refactor is a claim that must be proved; everything else is an evolution of intent. Deliberately absent: files,
//! guesses, and what a commit message or an agent says about a change.
#![warn(missing_docs)]

mod budget;
mod classify;
mod comments;
mod compare;
mod expand;
mod forms;
mod imports;
mod items;
mod language;
mod names;
mod outline;
mod parse;
mod scope;
mod spelling;
mod symbols;
mod units;

pub use parse::Limits;

/// Classifies changes and finds symbols, within limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct AstReader {
    limits: Limits,
}

impl AstReader {
    /// A reader with other limits than the usual ones.
    #[must_use]
    pub fn with_limits(limits: Limits) -> Self {
        Self { limits }
    }
}
