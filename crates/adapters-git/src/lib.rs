//! Git, read from its files: where a repository is, on which commit it stands, whether it tracks `.orchestration/`,
//! and whether it knows a content.
//!
//! No process is started: the hook has no time for one, and a `git` found on the search path or told by
//! configuration to run a program would be a way around the gate. Nothing is ever written. Where a repository is, is told
//! without its configuration and `GIT_*` variables, so `core.worktree` and `core.bare` mean nothing here; the configuration
//! is read only to know what git would run.
#![warn(missing_docs)]

mod commands;
mod config;
mod files;
mod index;
mod meaning;
mod nested;
mod obeys;
mod objects;
mod place;
mod revision;
mod submodules;

pub use index::head_tracks_orchestration;
pub use obeys::GitObeys;
pub use place::{GitPlace, discover};
pub use revision::GitVcs;
