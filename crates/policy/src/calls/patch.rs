//! Patches as typed operations. Applying hunks is [`crate::calls::preview`]'s work.
//!
//! A patch is an envelope, or a unified diff as `git apply -p1` reads it. The grammar is closed: every line belongs to a
//! section, or no program that applies patches acts on it. Any other line makes the whole patch unreadable, for a target
//! that was overlooked would be a hole.

mod blocks;
mod envelope;
mod foreign;
mod git;
mod hunk;
mod lines;
mod name;
mod spent;
mod unified;
mod whole;

use crate::calls::terms::Unreadable;
use lines::Lines;
use spent::Spent;

pub(crate) use blocks::parse_blocks;

/// All operations of one patch, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// The operations.
    pub ops: Vec<PatchOp>,
    /// Modes that it gives to files; none for new plain files.
    pub modes: Vec<ModeNote>,
    /// Whether appliers were seen to make different things of it: it has a carriage return, several sections about one file,
    /// or an envelope that says a place or an end in a way that not all of them follow.
    pub is_disputed: bool,
}

/// A mode that a file gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeNote {
    /// Which file, by its new name.
    pub path: String,
    /// What it had.
    pub old: Option<String>,
    /// What it gets, as git writes it: `100755` runs, `120000` is a link.
    pub new: String,
}

/// One operation on one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatchOp {
    /// Creates the file, or replaces it whole.
    Add {
        /// Where.
        path: String,
        /// What.
        content: String,
    },
    /// Removes the file.
    Delete {
        /// Which.
        path: String,
    },
    /// Changes the file, and may give it another name.
    Update {
        /// Which.
        path: String,
        /// The new name.
        move_to: Option<String>,
        /// The changes, in order; none for a pure rename or another mode.
        hunks: Vec<Hunk>,
    },
    /// Puts a changed copy under another name; the source stays.
    Copy {
        /// What is copied.
        path: String,
        /// The copy.
        to: String,
        /// The changes to the copy.
        hunks: Vec<Hunk>,
    },
    /// Puts something there that is no text, or that is no plain file: binary content, a link.
    Opaque {
        /// Where.
        path: String,
        /// What the patch says of it, where that is text.
        hunks: Vec<Hunk>,
    },
}

/// One run of lines to find and replace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk {
    /// The 1-based line in the old text where it claims to start.
    pub start: Option<usize>,
    /// Lines that stand, in this order, somewhere before it.
    pub context: Vec<String>,
    /// The lines.
    pub lines: Vec<HunkLine>,
    /// Whether the old text ends with the hunk, without LF.
    pub old_open: bool,
    /// Whether the new text does.
    pub new_open: bool,
}

/// One line of a hunk, without its sign and without a line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HunkLine {
    /// Is there and stays.
    Context(String),
    /// Is there and goes.
    Remove(String),
    /// Is new.
    Add(String),
}

/// Reads a patch: the `*** Begin Patch` envelope or a unified diff.
///
/// ```
/// use bailiwick_policy::patch::{PatchOp, parse_patch};
/// let patch = parse_patch("*** Begin Patch\n*** Delete File: a.rs\n*** End Patch").unwrap();
/// assert_eq!(patch.ops, [PatchOp::Delete { path: "a.rs".to_owned() }]);
/// ```
///
/// # Errors
/// Says which line is not understood, or what there is too much of.
pub fn parse_patch(text: &str) -> Result<Patch, Unreadable> {
    let spent = Spent::of(text)?;
    let mut patch =
        if is_envelope(text) { envelope::parse(text, spent)? } else { unified::parse(text, spent)? };
    if patch.ops.is_empty() {
        return Err("the patch names no file: expected `*** Begin Patch` or a unified diff".into());
    }
    patch.is_disputed |= text.contains('\r');
    whole::settled(patch)
}

/// Whether an envelope opens before anything else does on which a program acts.
fn is_envelope(text: &str) -> bool {
    let mut lines = Lines::of(text);
    std::iter::from_fn(|| lines.next()).find(|line| foreign::acts(line)).is_some_and(envelope::opens)
}
