//! What a call would do: its tool, its targets, the change that it quotes, and the facts that a decision looks at.

pub(crate) mod address;
pub mod budget;
pub(crate) mod described;
pub mod edits;
pub mod facts;
pub mod limits;
pub(crate) mod params;
pub mod patch;
pub mod preview;
pub mod registry;
pub mod shown;
pub(crate) mod targets;
pub(crate) mod terms;
