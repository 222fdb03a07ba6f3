//! The gate that keeps AI coding agents inside the intent that a human gave them, as a library and as a program.
//!
//! # Inside
//!
//! [`gate`] is the hook engine over ports (the crate `bailiwick-gate`); [`compose`] builds it over the file system;
//! [`hook`] and [`command`] are the doors. What is deliberately absent: rules (`bailiwick-policy`) and file formats
//! (`bailiwick-adapters-*`).
#![warn(missing_docs)]

pub mod approvers;
pub mod command;
pub mod compose;
pub mod hook;
mod install_record;
mod map_file;
mod probe;
pub mod site;
pub mod user_state;

/// The words of the domain, for whoever embeds the gate.
pub use bailiwick_domain as domain;
use bailiwick_gate::{counted, redact, review, shares};
pub use bailiwick_gate::{evidence, gate, inert, restore};
