//! What happened here: the decision log, the map and the report tell it, `restore` takes it back, `gc` lets old records go.
//!
//! Deliberately absent: the ledger and the questions about lines of code (`trace`).

pub(super) mod gc;
pub(super) mod log;
pub(super) mod map;
pub(super) mod report;
pub(super) mod restore;
