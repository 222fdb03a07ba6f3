//! The governed repository and its private state on the file system: every port of the domain that reads or writes
//! files.
//!
//! What is deliberately absent: decisions (`bailiwick-policy`), other adapters, the environment and the current
//! directory; every place comes from a [`Layout`] that the caller built.
#![warn(missing_docs)]

mod accepted;
mod accepted_intents;
mod allowances;
mod approvals;
mod atomic;
mod cache;
mod config;
mod decisions;
mod foreign;
mod forgetting;
mod freeing;
mod garbage;
mod grants;
mod identity;
mod intents;
mod jsonl;
mod layout;
mod ledger;
mod line_index;
mod lock;
mod map_file;
mod mode;
mod pauses;
mod pending;
mod policy_source;
mod processes;
mod scaffold;
mod sessions;
mod surfaces;
mod system;
mod tree;
mod workspace;
mod yaml;

pub use accepted::GovernedRoots;
pub use allowances::FsAllowanceStore;
pub use approvals::FsApprovalQueue;
pub use atomic::{Durability, replace};
pub use config::{ConfigReport, config_with, config_word, settings_of};
pub use decisions::FsDecisionLog;
pub use foreign::{ForeignFile, ForeignRange, ForeignRecord, ForeignTrace, read_foreign_trace};
pub use forgetting::forget_decisions;
pub use freeing::{Doing, Freed};
pub use garbage::{Collected, Garbage, Retention};
pub use grants::FsGrantStore;
pub use intents::{FsIntentRepo, IntentReport};
pub use layout::Layout;
pub use ledger::{
    Adopted, Checkpoint, Continues, FsLedger, FsLedgerProver, FsLedgerReader, FsLedgerVerifier, KnownKey,
    LedgerLine, LedgerSays, LineFault, LogProof, Note, NoteError, NoteKey, ProofError, RepairError, Repaired,
    Sealed, SignedBy, TraceKey, TraceKeys, Until, Why, damaged_segments, forget_witness, listed,
    read_ledger_line, signed_by, strict_record,
};
pub use line_index::FsLineIndex;
pub use lock::{FsWorkspaceLock, end_lock_waits_at};
pub use map_file::FsIntentMap;
pub use pauses::FsPauses;
pub use pending::FsPendingStore;
pub use policy_source::FsPolicySource;
pub use processes::{AgentProcesses, Process, ancestors, calling_agent};
pub use scaffold::{
    AppendError, FsIntentWriter, NewIntent, Scaffold, added_scope_text, append_intent, proposal_text,
    read_added_scope, read_proposal, scaffold_ignored,
};
pub use sessions::FsSessionStore;
pub use surfaces::{Surfaces, WATCH};
pub use system::{RandomIds, SystemClock};
pub use tree::FsScopeMeter;
pub use workspace::{FsWorkspace, FsWorkspaceWriter, is_too_long, normalise};
