//! The facts of one call, as they are now: what it is, where it leads, what is on disk and what its actor last saw.
//!
//! Deliberately absent: what follows from them (`bailiwick-policy`).

pub(crate) mod case;
mod count;
pub(crate) mod dispatch;
pub(crate) mod facts;
pub(crate) mod looked;
mod strange;
