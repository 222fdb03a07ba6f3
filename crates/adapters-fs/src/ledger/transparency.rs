//! Proofs about the ledger that hold without it: a Merkle tree over its entries, signed checkpoints of the tree, and
//! proofs that an entry is in it.
//!
//! The forms are public ones, so that other programs can check them: the tree is that of RFC 6962 section 2.1, a
//! checkpoint is a C2SP `tlog-checkpoint`, a proof a C2SP `tlog-proof`. Deliberately absent: what the ledger says
//! (`record`), making them (`prove`), and judging whether it still is what was written (`verify`).

mod checkpoint;
mod note;
mod proof;
mod tree;

pub use checkpoint::Checkpoint;
pub(super) use checkpoint::{hash_from, note_key, origin_of};
pub use note::{Note, NoteError, NoteKey};
pub use proof::{LogProof, ProofError};
pub(super) use tree::{Frontier, Hash, Span, complete_nodes, leaf_of, place_of};
