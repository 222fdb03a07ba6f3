//! Proofs about the ledger that hold without it: a Merkle tree over its entries, signed checkpoints of the tree, and
//! proofs that an entry is in it.
//!
//! The forms are public ones, so that other programs can check them: the tree is that of RFC 6962 section 2.1, a
//! checkpoint is a C2SP `tlog-checkpoint`, a proof a C2SP `tlog-proof`. Deliberately absent: what the ledger says
//! (`record`), and judging whether it still is what was written (`verify`).

mod checkpoint;
mod nodes;
mod note;
mod proof;
mod prove;
mod tree;

pub use checkpoint::Checkpoint;
pub(super) use checkpoint::origin_of;
pub use note::{Note, NoteError, NoteKey};
pub use proof::{LogProof, ProofError};
pub use prove::FsLedgerProver;
pub(super) use tree::{Frontier, leaf_of};
