//! Whether a file may be run: a bit of its mode on Unix, nothing elsewhere.
//!
//! Deliberately absent: who may read or write a file.

use std::fs::File;
use std::io;

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
