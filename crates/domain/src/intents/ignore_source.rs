//! The texts of `.intentignore`, before they are parsed. What they mean is policy.

use alloc::string::String;
use alloc::vec::Vec;

/// One ignore file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoreFile {
    /// Its path relative to the root, for diagnostics.
    pub name: String,
    /// Its whole text.
    pub text: String,
}

/// What the adapter found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IgnoreSource {
    /// No file at either place.
    Absent,
    /// The files that are there: root first, then `.orchestration/`.
    Files(Vec<IgnoreFile>),
    /// A file is there but cannot be read: why. Fails closed for destructive calls.
    Unreadable(String),
}
