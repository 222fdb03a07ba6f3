//! What changed between two contents: which lines stayed, the runs with their hashes, and how sure that is.
//!
//! Below everything else of this crate; `meaning` asks the readers of source, the others are pure. Deliberately absent:
//! reading files, syntax, and how a change is shown.

mod doubt;
mod lines;
pub(crate) mod meaning;
mod predicted;
mod runs;

pub(crate) use doubt::doubtful;
pub(crate) use lines::{compared, increasing};
pub(crate) use predicted::{after, edited, guessed, is_known};
pub(crate) use runs::{changed_file, is_text, line_count, own_part};
