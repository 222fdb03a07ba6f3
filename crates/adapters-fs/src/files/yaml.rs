//! YAML as a tree in which everything knows its line and column, so that every complaint can name its place.
//!
//! A strict subset on purpose: one document, scalar keys, no duplicate keys, no aliases (so no alias bombs), no tags.
//! What the keys mean is not known here.

mod cause;
mod findings;
mod place;
mod read;
mod tree;

pub(crate) use findings::Findings;
pub(crate) use place::{offset, replaced, source};
pub(crate) use read::read;
pub(crate) use tree::{Entry, Mark, Node, Value, shortened};

/// The largest file that is read, in bytes.
pub(crate) const MAX_BYTES: u64 = 8 * 1024 * 1024;
