//! The state of the gate between calls: what agents do, what a person was asked and said, and what was decided.
//!
//! It lies in private state, and what a person accepted in the user's state folder. Deliberately absent: the evidence
//! (`ledger`) and the files that are governed (`tree`).

pub(crate) mod accepted;
pub(crate) mod accepted_intents;
mod consents;
mod decisions;
mod forgetting;
mod hook_pass;
mod lessons;
mod mcp_token;
pub(crate) mod pending;
mod processes;
mod sessions;
mod store_watch;
mod surfaces;
mod tallies;
mod verified;

pub use accepted::GovernedRoots;
pub use consents::allowances::FsAllowanceStore;
pub use consents::approvals::FsApprovalQueue;
pub use consents::grants::FsGrantStore;
pub use consents::pauses::FsPauses;
pub use consents::trusted_tools::{FsTrustedTools, TrustedServer, TrustedTool};
pub use decisions::FsDecisionLog;
pub use forgetting::forget_decisions;
pub use hook_pass::HookPasses;
pub use lessons::{FsLessons, KeptLesson};
pub use mcp_token::FsMcpToken;
pub use pending::FsPendingStore;
pub use processes::{
    AgentProcesses, CALLERS_ARE_KNOWN, Process, ancestors, calling_agent, calling_client, calling_over,
};
pub use sessions::FsSessionStore;
pub use sessions::prompts::FsPrompts;
pub use store_watch::StoreWatch;
pub use surfaces::{Dialog, DialogAbove, Dialogs, EDITOR, PAGE, Surfaces, WATCH, Window};
pub use tallies::FsTallies;
pub use verified::FsVerifications;
