//! The gate: the way of one tool call, from the request to the recorded change.
//!
//! `pre` reads like the sentence that describes it: gather the facts, decide, ask a human where needed, decide again on
//! fresh facts, remember what was let through. `post` records what became of it. Each stage has a file of its own.
//!
//! What is deliberately absent: any host's dialect, any file name, any rule (rules live in `bailiwick-policy`).

pub mod acceptance;
mod admit;
mod adopt;
mod allowances;
mod approval;
mod authoring;
mod case;
pub mod context;
mod dispatch;
mod drafts;
mod expansion;
mod explain;
mod extension;
mod facts;
mod grants;
mod later;
mod looked;
mod meaning;
mod measure;
#[cfg(feature = "memory")]
mod memory;
mod moves;
mod outcome;
mod outward;
mod overlap;
mod own_tools;
mod pause;
mod ports;
mod post;
mod pre;
mod preview;
mod prompt;
mod proposal;
mod put_back;
mod reconcile;
mod refuse;
mod shown;
mod status;
mod strange;
mod turn;
mod unheard;

use std::collections::BTreeMap;
use std::sync::Mutex;

use bailiwick_domain::{ApprovalId, EditRules, ErrorCode, PortError, ToolCall, ToolError};

pub use crate::change::unified_diff;
pub use allowances::AllowError;
pub use extension::{Extension, PostHook, PreHook};
pub use facts::ignore_fault;
pub use grants::grant_record;
#[cfg(feature = "memory")]
pub use memory::Memory;
pub use outcome::{Because, Outcome, PostReport};
pub use overlap::may_overlap;
pub use own_tools::named as named_intent;
pub use pause::pause_record;
pub use ports::{Chance, Consents, Ports, Readers, Records, Rules, Tree};
pub use pre::fits as grant_fits;
pub(crate) use put_back::LARGEST;
pub use put_back::{RestoreError, RestoreOrder};
pub use status::Status;
pub use turn::TurnReport;

/// What the gate believes of the host that it serves.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostTraits {
    /// The calls of sub-agents are hooked too, so spawning one is safe.
    pub hooks_subagents: bool,
    /// Calls of `mcp__bailiwick__…` are proved to reach our own server.
    pub own_server_proved: bool,
    /// How its own tools turn edits into bytes.
    pub edits: EditRules,
    /// One process serves all events, so that it can remember between them what it looked at.
    pub keeps_running: bool,
}

/// The hook engine: middleware between an agent and its tools.
///
/// See `examples/embed.rs` for a host of your own in twenty lines.
#[derive(Debug)]
pub struct Gate {
    ports: Ports,
    host: HostTraits,
    /// The working copy that paths are relative to, where it is known.
    worktree: Option<String>,
    extensions: Vec<Extension>,
    /// Calls whose approval is resolved on this same connection.
    waiting: Mutex<BTreeMap<ApprovalId, ToolCall>>,
    /// What calls that only look were about to see, in a gate that goes on running.
    looked: Mutex<shown::Looked>,
}

impl Gate {
    /// This gate for a connection that another one served so far: the calls that wait for an answer on it still do.
    #[must_use]
    pub fn in_place_of(self, other: Self) -> Self {
        Self { waiting: other.waiting, looked: other.looked, ..self }
    }

    /// The ports, for surfaces that show what the gate knows.
    pub fn ports(&self) -> &Ports {
        &self.ports
    }

    /// The working copy that paths are relative to, where it is known.
    pub fn worktree(&self) -> Option<&str> {
        self.worktree.as_deref()
    }
}

/// No fault of a store: what is that large is neither shown to a person nor kept for taking it back.
fn too_large(what: &str, limit: u64) -> ToolError {
    let message = format!(
        "Too large: `{what}` is larger than {} MiB, so that its change can neither be shown to a person nor be \
         taken back.",
        limit >> 20
    );
    ToolError::new(ErrorCode::TooLarge, message).with_suggestion(
        "Leave the file as it is, write to a smaller one, or ask the human to make this change.",
    )
}

/// The ledger cannot take an entry: no change is let through. One that is not what was written is a person's to judge,
/// and no file of the store says why.
fn no_ledger(error: PortError) -> ToolError {
    let is_damaged = matches!(error, PortError::Invalid(_));
    match closed(error) {
        refusal if is_damaged => refusal.with_suggestion(
            "Ask the human to run `bailiwick trace verify`, which says where the ledger is not what was written, or \
             `bailiwick uninstall` to stop governing this repository.",
        ),
        refusal => refusal,
    }
}

/// A port that fails means: do not let the call through.
fn closed(error: PortError) -> ToolError {
    let code = match &error {
        PortError::Unavailable(_) | PortError::Locked(_) => ErrorCode::LedgerUnavailable,
        PortError::Invalid(_) => ErrorCode::OrchestrationInvalid,
        PortError::TooLarge { what, limit } => return too_large(what, *limit),
    };
    ToolError::new(code, format!("the gate cannot decide safely: {error}"))
}
