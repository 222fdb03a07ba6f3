//! Patches as typed operations (row 85; threat D2). Applying hunks is [`crate::preview`]'s work.
//!
//! A line that is not understood makes the whole patch unreadable: a target that was overlooked would be a hole.

mod blocks;
mod envelope;
mod unified;

pub(crate) use blocks::parse_blocks;

/// All operations of one patch, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// The operations.
    pub ops: Vec<PatchOp>,
    /// Whether it also gives a file another mode, or makes one that is not a plain file.
    pub sets_modes: bool,
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
        /// The changes, in order; none for a pure rename or a binary change.
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
/// Says what is not understood.
pub fn parse_patch(text: &str) -> Result<Patch, String> {
    let ops = if text.lines().any(|line| line.trim() == "*** Begin Patch") {
        envelope::parse(text)?
    } else {
        unified::parse(text)?
    };
    if ops.is_empty() {
        return Err("the patch names no file".to_owned());
    }
    Ok(Patch { ops, sets_modes: text.lines().any(sets_mode) })
}

/// One of git's header lines about the mode of a file, but for that of a new plain one.
fn sets_mode(line: &str) -> bool {
    let line = line.trim();
    ["old mode", "new mode", "new file mode"].iter().any(|head| line.starts_with(head))
        && line != "new file mode 100644"
}
