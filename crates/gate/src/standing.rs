//! What an actor may do now: its state and active intent, whether that intent counts on this machine, what it has not heard
//! yet. The tools by which it selects an intent are here, too.
//!
//! Deliberately absent: single calls (`admission`).

pub mod acceptance;
pub mod context;
pub(crate) mod overlap;
pub(crate) mod own_tools;
mod prompt;
mod status;
mod unheard;

pub use status::Status;
