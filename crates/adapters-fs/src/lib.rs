//! The governed repository and its private state on the file system: every port of the domain that reads or writes
//! files.
//!
//! What is deliberately absent: decisions (`bailiwick-policy`), other adapters, the environment and the current
//! directory; every place comes from a [`Layout`] that the caller built.
#![warn(missing_docs)]

mod approvals;
mod atomic;
mod cache;
mod decisions;
mod diff;
mod identity;
mod intents;
mod jsonl;
mod layout;
mod ledger;
mod lock;
mod pending;
mod processes;
mod sessions;
mod surfaces;
mod system;
mod workspace;
mod yaml;

pub use intents::{FsIntentRepo, IntentReport};
pub use layout::Layout;
pub use approvals::FsApprovalQueue;
pub use atomic::Durability;
pub use decisions::FsDecisionLog;
pub use diff::{changed_file, unified_diff};
pub use ledger::{FsLedger, LedgerLine, LineFault, read_ledger_line};
pub use lock::FsWorkspaceLock;
pub use pending::FsPendingStore;
pub use processes::{AgentProcesses, Process, ancestors};
pub use sessions::FsSessionStore;
pub use surfaces::Surfaces;
pub use system::{RandomIds, SystemClock};
pub use workspace::FsWorkspace;
