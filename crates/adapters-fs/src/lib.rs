//! The governed repository and its private state on the file system: every port of the domain that reads or writes
//! files.
//!
//! What is deliberately absent: decisions (`bailiwick-policy`), other adapters, the environment and the current
//! directory; every place comes from a [`Layout`] that the caller built.
#![warn(missing_docs)]

mod cache;
mod identity;
mod intents;
mod layout;
mod yaml;

pub use intents::{FsIntentRepo, IntentReport};
pub use layout::Layout;
