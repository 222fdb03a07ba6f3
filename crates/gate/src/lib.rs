//! The gate: everything between a host's event and the ports of the domain.
//!
//! [`Gate`] is what a host holds: a façade over parts. A part is a type that borrows the few ports it names and nothing else of
//! the gate. A tool call goes through these folders, each with its stages as files:
//!
//! 1. `gathering` finds the facts, through the ports.
//! 2. `bailiwick_policy::decide` gives the verdict.
//! 3. `admission` is the list: lock, gather, decide, consent, admit or refuse. It is gone through again with a person's answer.
//! 4. `consent` knows what a person said: to this call, to calls like it, to its command.
//! 5. `recording` looks at what became of the call and appends its entry.
//!
//! A host whose tools are the gate's own has a step between 3 and 5: `carrying` writes what was let through.
//!
//! Beside that way: `standing` is what an actor may do now, `turn` what a host says of a session, `authoring` drafts intents,
//! [`undo`] takes changes back, [`evidence`] answers who wrote a line. Below all of them: `change` (what changed, no text) and
//! [`presentation`] (what a person reads).
//!
//! Deliberately absent: any host's dialect, files, the environment, processes, terminals (adapters and the `bailiwick`
//! crate), and any rule (`bailiwick-policy`).
#![warn(missing_docs)]

#[macro_use]
mod parts;

mod admission;
mod authoring;
mod carrying;
mod change;
mod consent;
mod decisions;
pub mod evidence;
mod extension;
mod gate;
mod gathering;
mod judged;
mod lessons;
#[cfg(feature = "memory")]
mod memory;
mod outcome;
mod ports;
pub mod presentation;
mod recording;
mod refusals;
pub mod shares;
mod standing;
mod turn;
pub mod undo;

pub use authoring::Authoring;
pub use consent::allowances::{AllowError, Allowances, CheckCommand};
pub use consent::grants::{fits as grant_fits, grant_record};
pub use consent::pause::{Pausing, pause_record};
pub use extension::{Extension, PostHook, PreHook};
pub use gate::Gate;
pub use gathering::facts::ignore_fault;
pub use lessons::{LessonChange, LessonError, Lessons, READ_BY_AGENTS, Under};
#[cfg(feature = "memory")]
pub use memory::Memory;
pub use outcome::{Because, Outcome, PostReport};
pub use ports::{Chance, Consents, HostTraits, Ports, Readers, Records, Rules, Tree};
pub use presentation::{counted, inert, redact, review, unified_diff};
pub use recording::Recording;
pub use recording::own_change::OwnChangeError;
#[cfg(feature = "schema")]
pub use refusals::details_schema;
pub(crate) use refusals::{closed, no_ledger};
pub use standing::Standing;
pub use standing::overlap::may_overlap;
pub use standing::own_tools::{OwnTools, named as named_intent};
pub use standing::{acceptance, context};
pub use turn::{Status, TurnReport, Turns};
