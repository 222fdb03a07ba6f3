//! A line of a history, with who wrote it.

use std::collections::BTreeMap;

/// A line and the entry that wrote it; nobody that is in the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) writer: Option<String>,
    /// Who an oracle would say wrote it, which sees the texts before and after each step, and nothing else.
    pub(super) seen: Option<String>,
    /// Tells it from every other line, so that git can merge the truth as well.
    pub(super) number: u64,
}

/// The files of a state, by path.
pub(super) type Files = BTreeMap<String, Vec<Line>>;
