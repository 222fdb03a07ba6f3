//! The governed repository and its private state on the file system: every port of the domain that reads or writes
//! files.
//!
//! `tree` is what is governed, `state` what the gate remembers between calls, `ledger` what it can prove; all of
//! them stand on `files`. What is deliberately absent: decisions (`bailiwick-policy`), other adapters, the environment
//! and the current directory; every place comes from a [`Layout`] that the caller built.
#![warn(missing_docs)]

mod files;
mod foreign;
mod garbage;
mod ledger;
mod state;
mod tree;

pub use files::*;
pub use foreign::{ForeignFile, ForeignRange, ForeignRecord, ForeignTrace, read_foreign_trace};
pub use garbage::{Collected, Garbage, Retention};
pub use ledger::{
    Adopted, Checkpoint, Continues, FsLedger, FsLedgerProver, FsLedgerReader, FsLedgerVerifier, KnownKey,
    LedgerLine, LedgerSays, LineFault, LogProof, Note, NoteError, NoteKey, ProofError, RepairError, Repaired,
    Sealed, SignedBy, TraceKey, TraceKeys, Until, Whose, Why, damaged_segments, departed, forget_witness,
    listed, read_ledger_line, signed_by, strict_record,
};
pub use state::*;
pub use tree::*;
