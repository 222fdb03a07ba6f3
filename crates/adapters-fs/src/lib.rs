//! The governed repository and its private state on the file system: every port of the domain that reads or writes
//! files.
//!
//! What is deliberately absent: decisions (`bailiwick-policy`), other adapters, the environment and the current
//! directory; every place comes from a [`Layout`] that the caller built.
#![warn(missing_docs)]

mod layout;

pub use layout::Layout;
