//! What an actor may do now: its state and active intent, whether that intent counts on this machine, what it has not heard
//! yet. The tools by which it selects an intent are here, too.
//!
//! Deliberately absent: single calls (`admission`), and what ends a grant with a prompt (`turn`).

pub mod acceptance;
pub(crate) mod chain;
pub mod context;
pub(crate) mod overlap;
pub(crate) mod own_tools;
mod state;
mod unheard;

use crate::decisions::Decisions;

part! {
    /// What an actor may do now.
    pub struct Standing {
        from rules: intents, writer, policy;
        from tree: lock, vcs;
        from consents: approvals;
        from records: sessions;
        from chance: clock;
        with decisions: Decisions;
    }
}
