//! What was understood of a file, kept until the file changes: in memory and in the user's state folder.
//!
//! A cache is never needed: what cannot be read, believed or written is computed again. It does not know what it
//! keeps.

mod source;
mod store;

pub(crate) use source::{Fault, bytes_of};
pub(crate) use store::{Cached, FileCache, believed, keep, locked, place};
