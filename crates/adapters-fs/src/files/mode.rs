//! Whether a file may be run: a bit of its mode on Unix, nothing elsewhere.
//!
//! Deliberately absent: who may read or write a file.

use std::fs::File;
use std::io;
use std::path::Path;

/// The bits that let somebody run a file.
#[cfg(unix)]
const RUN: u32 = 0o111;
/// What is given and taken: our own files are for their owner alone.
#[cfg(unix)]
const RUN_BY_OWNER: u32 = 0o100;

/// Whether somebody may run it.
#[cfg(unix)]
pub(crate) fn is_executable(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(file.metadata()?.permissions().mode() & RUN != 0)
}

/// Whether the bit of a file is one that nobody chose: a file beside it that no program would make one has it too, as on
/// file systems that know no modes. Another file system says nothing about this one.
#[cfg(unix)]
pub(crate) fn is_given_to_all(file: &File, plain: &Path) -> bool {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let (Ok(file), Ok(plain)) = (file.metadata(), plain.symlink_metadata()) else { return false };
    plain.is_file() && plain.permissions().mode() & RUN != 0 && plain.dev() == file.dev()
}

/// There are no bits.
#[cfg(not(unix))]
pub(crate) fn is_given_to_all(_file: &File, _plain: &Path) -> bool {
    false
}

/// No file says so.
#[cfg(not(unix))]
pub(crate) fn is_executable(_file: &File) -> io::Result<bool> {
    Ok(false)
}

/// Lets the owner run it, or nobody; written only where that is not so already.
#[cfg(unix)]
pub(crate) fn set_executable(file: &File, wanted: bool) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut permissions = file.metadata()?.permissions();
    let mode = permissions.mode();
    let becomes = if wanted { mode | RUN_BY_OWNER } else { mode & !RUN };
    if (mode & RUN != 0) == wanted {
        return Ok(());
    }
    permissions.set_mode(becomes);
    file.set_permissions(permissions)
}

/// Nothing is written down.
#[cfg(not(unix))]
pub(crate) fn set_executable(_file: &File, _wanted: bool) -> io::Result<()> {
    Ok(())
}
