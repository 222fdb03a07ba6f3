//! How much of a call is looked at, checked before any of it is built. What goes beyond is `TOO_LARGE`, whatever it says.
//!
//! What files may hold is a limit of those who read them.

/// A patch, in bytes.
pub const PATCH_BYTES: usize = 2 << 20;
/// The sections of a patch, each about one file.
pub const PATCH_SECTIONS: usize = 500;
/// The sections of a patch that are about the same file: each of them walks through the file.
pub const PATCH_SECTIONS_OF_A_FILE: usize = 16;
/// The hunks of a patch, over all of its sections.
pub const PATCH_HUNKS: usize = 5_000;
/// The lines of a patch that are changed or quoted.
pub const PATCH_LINES: usize = 200_000;
/// The lines of one hunk.
pub const HUNK_LINES: usize = 50_000;
/// How often each line of a file and of a patch may be looked at to find the places of the hunks.
pub const HUNK_LOOKS: usize = 16;
/// How often each line of a file may be looked at for each hunk, to say whether the hunk fits one place alone.
pub const LOOKS_AT_A_LINE: usize = 4;
/// How many lines of a file are looked at to say whether each hunk fits one place alone.
pub const ANCHOR_LOOKS: usize = 1 << 22;
