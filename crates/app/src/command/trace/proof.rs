//! Checkpoints and proofs: making them, and checking them without the ledger.

pub(super) mod check;
pub(super) mod checkpoint;
pub(super) mod proof_file;
pub(super) mod prove;
