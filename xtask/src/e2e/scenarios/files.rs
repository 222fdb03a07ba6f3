//! Scenarios about files: which of them an intent owns, how a path is spelled, how an edit is made, what moved meanwhile.

pub(super) mod edits;
pub(super) mod movement;
pub(super) mod scope;
pub(super) mod spelling;
pub(super) mod stale;
