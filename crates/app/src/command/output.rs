//! How commands show things: text fitted to a terminal, times and ids as a person reads them, a bar, SARIF.
//!
//! Deliberately absent: what is shown, which is each command's own.

pub(super) mod columns;
pub(super) mod progress;
pub(super) mod reading;
pub(super) mod sarif;
pub(super) mod terminal;
