//! What a person said, to this very call, to calls like it, or to its command; and whether the gate is paused.
//!
//! Deliberately absent: whether a call needs it (`bailiwick-policy`), and letting it through (`admission`).

pub(crate) mod allowances;
pub(crate) mod answer;
pub(crate) mod authority;
pub(crate) mod grants;
pub(crate) mod pause;
