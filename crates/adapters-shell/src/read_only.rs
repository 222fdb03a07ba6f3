//! Commands that are proved to change nothing: the table of programs, and those that need more than a row.
//!
//! Deliberately absent: what a person allows in advance (`trust`), and what is refused whatever the intent is (`refusals`).

pub(crate) mod asking;
pub(crate) mod catalogue;
pub(crate) mod find;
pub(crate) mod git;
pub(crate) mod known;
pub(crate) mod options;
pub(crate) mod patterns;
pub(crate) mod printf;
pub(crate) mod queries;
pub(crate) mod script;
pub(crate) mod searched;
pub(crate) mod table;
pub(crate) mod versions;
