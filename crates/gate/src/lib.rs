//! The gate: everything between a host's event and the ports of the domain.
//!
//! [`Gate`] is what a host holds. A tool call goes through these folders, each with its stages as files:
//!
//! 1. `gathering` finds the facts, through the ports.
//! 2. `bailiwick_policy::decide` gives the verdict.
//! 3. `admission` is the list: gather, decide, look for a yes, ask, decide again on fresh facts, admit or refuse.
//! 4. `consent` knows what a person said: to this call, to calls like it, to its command.
//! 5. `recording` looks at what became of the call and appends its entry.
//!
//! Beside that way: `standing` is what an actor may do now, `authoring` drafts intents, [`undo`] takes changes back,
//! [`evidence`] answers who wrote a line. Below all of them: `change` (what changed, no text) and [`presentation`]
//! (what a person reads).
//!
//! Deliberately absent: any host's dialect, files, the environment, processes, terminals (adapters and the `bailiwick`
//! crate), and any rule (`bailiwick-policy`).
#![warn(missing_docs)]

mod admission;
mod authoring;
mod change;
mod consent;
pub mod evidence;
mod faults;
mod gathering;
#[cfg(feature = "memory")]
mod memory;
mod outcome;
mod ports;
pub mod presentation;
mod recording;
pub mod shares;
mod standing;
pub mod undo;

use std::collections::BTreeMap;
use std::sync::Mutex;

use bailiwick_domain::{ApprovalId, EditRules, ToolCall};

pub use admission::extension::{Extension, PostHook, PreHook};
pub use admission::look::fits as grant_fits;
pub use consent::allowances::AllowError;
pub use consent::grants::grant_record;
pub use consent::pause::pause_record;
pub(crate) use faults::{closed, no_ledger};
pub use gathering::facts::ignore_fault;
#[cfg(feature = "memory")]
pub use memory::Memory;
pub use outcome::{Because, Outcome, PostReport};
pub use ports::{Chance, Consents, Ports, Readers, Records, Rules, Tree};
pub use presentation::{counted, inert, redact, review, unified_diff};
pub use recording::turn::TurnReport;
pub use standing::Status;
pub use standing::overlap::may_overlap;
pub use standing::own_tools::named as named_intent;
pub use standing::{acceptance, context};
pub use undo::{RestoreError, RestoreOrder};

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
/// See `examples/embed.rs` for a host of your own.
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
    looked: Mutex<recording::Looked>,
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
