//! The entries of the ledger as they are: a list, one whole, and all of them for other programs.

pub(super) mod export;
pub(super) mod log;
pub(super) mod show;
