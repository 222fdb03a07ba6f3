//! The words of Bailiwick: what an intent, a tool call, an error and an approval are, which values of them can
//! exist, and the ports through which the rest of the program reaches the world.
//!
//! `values` is what everything else is said in. A person writes `intents` and gives `consents`; an agent makes `calls`; what
//! is remembered between them is `state`, what became of them is `evidence`.
//!
//! A value that exists is valid: constructors check, fields stay private where a rule binds them.
//!
//! What is deliberately absent: files, environment, network, clock, randomness (the crate is `no_std`), and any
//! decision; decisions are made in `bailiwick-policy`.
#![no_std]
#![warn(missing_docs)]

extern crate alloc;
#[cfg(any(test, feature = "memory"))]
extern crate std;

mod authoring;
mod calls;
mod consents;
mod evidence;
mod health;
mod intents;
mod port_error;
mod ports;
mod state;
mod values;

#[cfg(feature = "memory")]
pub mod testing;

pub use authoring::{
    Amended, Breadth, IntentChange, IntentEdit, IntentEditError, IntentProposal, TreeListing,
};
pub use calls::*;
pub use consents::*;
pub use evidence::*;
pub use health::{Diagnostic, Health, HealthFault};
pub use intents::*;
pub use ports::*;
pub use state::*;
pub use values::*;

/// Re-exported so that callers build parameters without naming the JSON crate's version.
pub use serde_json::{Map, Value, json};

/// The sentence that every handshake prompt contains, word for word.
pub const HANDSHAKE_SENTENCE: &str = "Analysis and read-only actions are permitted, but an active intent is still required for mutations (writes/commands).";
