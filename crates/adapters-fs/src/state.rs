//! The state of the gate between calls: what agents do, what a person was asked and said, and what was decided.
//!
//! It lies in private state, and what a person accepted in the user's state folder. Deliberately absent: the evidence
//! (`ledger`) and the files that are governed (`tree`).

pub(crate) mod accepted;
pub(crate) mod accepted_intents;
mod allowances;
mod approvals;
mod decisions;
mod forgetting;
mod grants;
mod pauses;
pub(crate) mod pending;
mod processes;
mod sessions;
mod store_watch;
mod surfaces;
mod tallies;

pub use accepted::GovernedRoots;
pub use allowances::FsAllowanceStore;
pub use approvals::FsApprovalQueue;
pub use decisions::FsDecisionLog;
pub use forgetting::forget_decisions;
pub use grants::FsGrantStore;
pub use pauses::FsPauses;
pub use pending::FsPendingStore;
pub use processes::{AgentProcesses, Process, ancestors, calling_agent};
pub use sessions::FsSessionStore;
pub use store_watch::StoreWatch;
pub use surfaces::{EDITOR, PAGE, Surfaces, WATCH, Window};
pub use tallies::FsTallies;
