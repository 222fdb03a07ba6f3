//! What became of calls: what is remembered until an outcome is known, the entries of the ledger, what can be asked of it,
//! and what leads from a line to the entry that wrote it.

mod ledger;
mod lesson;
mod line_hash;
mod lineage;
mod pending;
mod restore;
mod trace;

pub use ledger::{
    Extent, Finding, FindingKind, LedgerQuery, Order, Origin, OtherLedger, SessionEntries, Severity,
    StoredEntry, Touching, Trust, Verification,
};
pub use lesson::Lesson;
pub use line_hash::{Landmarks, LineHash, LineHashes, LinePlace};
pub use lineage::{Hunk, Lineage};
pub use pending::{PendingCall, PendingFile};
pub use restore::{PutBack, PutBackError, Restores};
pub use trace::{Change, ChangedFile, ChangedRange, TraceContext, TraceEntry, VcsRevision};
