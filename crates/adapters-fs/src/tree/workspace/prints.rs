//! Whether a file is what a background command of this session prints, by the form of its real path and by whose folder
//! it lies in. Where hosts put such folders is not known here.

use std::path::{Path, PathBuf};

/// Whether a real path is a file directly in a folder whose path ends in one of these.
pub(super) fn holds(ends: &[PathBuf], path: &Path) -> bool {
    let Some(folder) = path.parent() else { return false };
    ends.iter().any(|end| ends_in(folder, end))
}

fn ends_in(folder: &Path, end: &Path) -> bool {
    let levels = end.components().count();
    let first = levels.checked_sub(1).and_then(|up| folder.ancestors().nth(up));
    folder.ends_with(end) && first.is_some_and(is_private)
}

/// Whether the folder is this user's, and nobody else may look into it or change it.
#[cfg(unix)]
fn is_private(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    const OTHERS: u32 = 0o077;
    let own = rustix::process::geteuid().as_raw();
    folder
        .symlink_metadata()
        .is_ok_and(|data| data.is_dir() && data.uid() == own && data.mode() & OTHERS == 0)
}

/// A user's folder for temporary files is the user's alone there.
#[cfg(not(unix))]
fn is_private(folder: &Path) -> bool {
    folder.is_dir()
}
