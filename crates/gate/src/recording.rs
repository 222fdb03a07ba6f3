//! What became of a call: the files decide, not the event. Its entry, what its actor has seen of it, what nobody reported.
//!
//! Deliberately absent: what an entry says later (`evidence`).

pub(crate) mod adopt;
mod counted;
mod explain;
mod meaning;
mod moves;
mod outward;
pub(crate) mod post;
mod reconcile;
mod shown;
pub(crate) mod turn;

pub(crate) use shown::Looked;
