//! What a person said, to this very call, to calls like it, or to its command; and whether the gate is paused. `look_up`
//! finds it, the kinds of consent have files of their own, `spending` uses one up.
//!
//! Deliberately absent: whether a call needs it (`bailiwick-policy`), and letting it through (`admission`).

pub(crate) mod allowances;
pub(crate) mod answer;
pub(crate) mod authority;
pub(crate) mod grants;
pub(crate) mod look_up;
pub(crate) mod pause;
mod spending;
