//! The gate that keeps AI coding agents inside the intent that you gave them, as a library and as a program.
//!
//! [`at`] is the gate over the files of a repository.
//!
//! # Inside
//!
//! [`gate`] is the hook engine over ports (the crate `bailiwick-gate`); [`compose`] builds it over the file system;
//! [`hook`] and `command` are the doors. What is deliberately absent: rules (`bailiwick-policy`) and file formats
//! (`bailiwick-adapters-*`).
//!
//! # Features
//!
//! `cli` is the command line; `ast` reads source with tree-sitter, so that a refactor can be proved and lines have names;
//! `memory` is a gate in memory. The program has the first two.
#![warn(missing_docs)]

pub mod approvers;
#[cfg(feature = "cli")]
pub mod command;
pub mod compose;
mod handshake;
pub mod hook;
#[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the command line is what writes it"))]
mod install_record;
mod lessons;
mod map_file;
mod probe;
mod refusals;
pub mod site;
#[cfg(not(feature = "ast"))]
mod unread;
pub mod user_state;

/// The words of the domain, for whoever embeds the gate.
pub use bailiwick_domain as domain;
pub use bailiwick_gate as gate;
use bailiwick_gate::redact;
#[cfg(feature = "cli")]
use bailiwick_gate::{counted, review, shares};
pub use bailiwick_gate::{evidence, inert, undo as restore};

/// The gate of the repository at `root`, over its files. A question comes back as [`gate::Outcome::WaitForApproval`];
/// bring the answer to [`gate::Gate::resolve`].
///
/// # Errors
/// The system failed to say whether git is there.
pub fn at(root: &std::path::Path) -> std::io::Result<gate::Gate> {
    let site = site::Site::at(root, user_state::from_environment())?;
    Ok(compose::persons_gate(&site))
}
