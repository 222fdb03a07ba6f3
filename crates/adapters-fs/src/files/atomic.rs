//! Whole-file writes that readers see entirely or not at all, and the errors that keep a path.
//!
//! Deliberately absent: locks (`lock`), and any knowledge of what is written.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use bailiwick_domain::{Diagnostic, PortError};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// How far a write must have come before it counts as done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// On the disk.
    Synced,
    /// In the operating system's hands: survives a killed process.
    Os,
}

/// An error of the operating system together with its path.
pub(crate) fn unavailable(path: &Path, error: &io::Error) -> PortError {
    PortError::Unavailable(format!("{}: {error}", path.display()))
}

/// A file whose content does not have the form it must have.
pub(crate) fn invalid(path: &Path, message: impl Into<String>) -> PortError {
    PortError::Invalid(Diagnostic {
        file: path.display().to_string(),
        line: 0,
        column: 0,
        message: message.into(),
        fix: "run `bailiwick doctor`".into(),
        way_out: None,
    })
}

/// What a small file of state holds. Nothing where there is none, or where it is damaged: what was remembered begins anew.
///
/// # Errors
/// It cannot be read, or is in a form that this program does not know.
pub(crate) fn read_form<T: DeserializeOwned>(
    path: &Path,
    what: &str,
    known: u32,
) -> Result<Option<T>, PortError> {
    /// What is looked at first, whatever else the file holds.
    #[derive(Deserialize)]
    struct Form {
        format: u32,
    }
    let Some(bytes) = read_optional(path)? else { return Ok(None) };
    match serde_json::from_slice::<Form>(&bytes) {
        Ok(form) if form.format != known => Err(newer(path, what, form.format, known)),
        _ => Ok(serde_json::from_slice(&bytes).ok()),
    }
}

fn newer(path: &Path, what: &str, found: u32, known: u32) -> PortError {
    PortError::Invalid(Diagnostic {
        file: path.display().to_string(),
        line: 0,
        column: 0,
        message: format!("{what} were written by a newer Bailiwick (form {found}; this one knows {known})"),
        fix: "update Bailiwick".into(),
        way_out: None,
    })
}

/// Creates a folder and its parents, closed to other users.
pub(crate) fn create_dirs(dir: &Path) -> Result<(), PortError> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir).map_err(|error| unavailable(dir, &error))
}

/// Options for a private file: closed to other users, never through a symlink, and without waiting for anybody where a
/// named pipe stands in its place.
#[cfg(unix)]
pub(crate) fn private_options() -> OpenOptions {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let mut options = OpenOptions::new();
    options.mode(0o600).custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    options
}

/// Options for a private file; who may read it follows from its folder.
#[cfg(not(unix))]
pub(crate) fn private_options() -> OpenOptions {
    OpenOptions::new()
}

/// Opens a file to be read, without waiting for anybody where a named pipe stands in its place; the file and its length.
///
/// # Errors
/// It cannot be opened, or is no regular file.
pub(crate) fn open_regular(path: &Path) -> io::Result<(File, u64)> {
    let file = private_options().read(true).open(path).map_err(in_words)?;
    let meta = file.metadata()?;
    if meta.is_file() { Ok((file, meta.len())) } else { Err(io::Error::other("not a regular file")) }
}

/// The same; `None` when there is no such file.
pub(crate) fn open_regular_optional(path: &Path) -> Result<Option<(File, u64)>, PortError> {
    match open_regular(path) {
        Ok(opened) => Ok(Some(opened)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unavailable(path, &error)),
    }
}

/// What the system says of a link that is not followed leads people to look for another fault.
fn in_words(error: io::Error) -> io::Error {
    #[cfg(unix)]
    if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
        return io::Error::other("it was replaced by a symbolic link");
    }
    error
}

/// Opens a private file, creating its folder when that is what is missing.
pub(crate) fn open_private(path: &Path, options: &OpenOptions) -> Result<File, PortError> {
    match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if let Some(parent) = path.parent() {
                create_dirs(parent)?;
            }
            options.open(path).map_err(|error| unavailable(path, &error))
        }
        other => other.map_err(|error| unavailable(path, &error)),
    }
}

/// The whole content, `None` when there is no such file.
pub(crate) fn read_optional(path: &Path) -> Result<Option<Vec<u8>>, PortError> {
    let file = match private_options().read(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unavailable(path, &error)),
    };
    whole(file).map(Some).map_err(|error| unavailable(path, &error))
}

/// The largest file that is read whole, in bytes; a device has no end.
const LARGEST: u64 = 256 << 20;

/// All bytes of a small file, in as few calls of the system as can be: the hook reads several on each call, and asking
/// for a length first costs as much as reading.
pub(crate) fn whole(file: impl Read) -> io::Result<Vec<u8>> {
    const USUAL: usize = 2048;
    let mut bytes = Vec::with_capacity(USUAL);
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "larger than such a file can be"));
    }
    Ok(bytes)
}

/// The content of a file that a person names, which may be a pipe.
///
/// # Errors
/// It cannot be read, or has more than any such file: a device has no end.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    whole(File::open(path)?)
}

/// What `of` makes of the names in a folder, in no order; nothing where there is no folder. Names that are no text are
/// passed over.
///
/// # Errors
/// The folder is there and cannot be listed.
pub(crate) fn read_names<T>(dir: &Path, of: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, PortError> {
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unavailable(dir, &error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let name = entry.map_err(|error| unavailable(dir, &error))?.file_name();
        found.extend(name.to_str().and_then(&of));
    }
    Ok(found)
}

/// The names of the `.json` files in a folder, without the ending, in no order; none where there is no folder.
///
/// # Errors
/// The folder is there and cannot be listed.
pub(crate) fn json_names(dir: &Path) -> Result<Vec<String>, PortError> {
    read_names(dir, |name| name.strip_suffix(".json").map(str::to_owned))
}

/// Removes a file; one that is gone already is no error.
pub(crate) fn remove_optional(path: &Path) -> Result<(), PortError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unavailable(path, &error)),
        _ => Ok(()),
    }
}

/// Replaces a file in one step: a reader sees the old content or the new one.
///
/// # Errors
/// The folder cannot be created, or the file not be written; the old content then stays.
pub fn replace(path: &Path, bytes: &[u8], durability: Durability) -> Result<(), PortError> {
    replace_with(path, durability, |file| file.write_all(bytes))
}

/// Writes over all bytes of a file that is just as long, in one call of the system: a process that is killed leaves the
/// old bytes or the new ones, as long as they lie within one page. A machine that crashes can leave a mixture of both, so
/// what is written must show whether it is whole.
///
/// # Errors
/// The file is not there, is not a regular one, has another length, or could not be written whole.
pub(crate) fn overwrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = private_options().write(true).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() != bytes.len() as u64 {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    if file.write(bytes)? < bytes.len() { Err(io::ErrorKind::WriteZero.into()) } else { Ok(()) }
}

/// Cuts the end off a file that is open for appending. Where such a handle must not cut, as on Windows, the file is
/// opened once more.
pub(crate) fn shorten(file: &File, path: &Path, length: u64) -> io::Result<()> {
    file.set_len(length).or_else(|_| private_options().write(true).open(path)?.set_len(length))
}

/// Replaces a file in one step by what `write` writes, which need not fit into memory.
pub(crate) fn replace_with(
    path: &Path,
    durability: Durability,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), PortError> {
    let temporary = write_beside(path, durability, write)?;
    if let Err(error) = std::fs::rename(&temporary, path) {
        let _ = std::fs::remove_file(&temporary);
        return Err(unavailable(path, &error));
    }
    if durability == Durability::Synced { sync_parent(path) } else { Ok(()) }
}

/// Creates a file with this content unless one is there; whether it was created.
pub(crate) fn create_once(path: &Path, bytes: &[u8], durability: Durability) -> Result<bool, PortError> {
    create_once_with(path, durability, |file| file.write_all(bytes))
}

/// The same with what `write` writes, which need not fit into memory.
pub(crate) fn create_once_with(
    path: &Path,
    durability: Durability,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<bool, PortError> {
    let temporary = write_beside(path, durability, write)?;
    let linked = std::fs::hard_link(&temporary, path);
    let _ = std::fs::remove_file(&temporary);
    match linked {
        Ok(()) if durability == Durability::Synced => sync_parent(path).map(|()| true),
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(unavailable(path, &error)),
    }
}

/// Makes the names in a file's folder durable, where the system can.
pub(crate) fn sync_parent(path: &Path) -> Result<(), PortError> {
    match path.parent() {
        Some(parent) if cfg!(unix) => {
            File::open(parent).and_then(|dir| dir.sync_all()).map_err(|error| unavailable(parent, &error))
        }
        _ => Ok(()),
    }
}

/// Writes a new file beside one that it may take the place of; where it is.
///
/// # Errors
/// The folder cannot be created, or the file not be written; then there is none.
pub(crate) fn write_beside(
    path: &Path,
    durability: Durability,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<PathBuf, PortError> {
    let temporary = temporary_name(path);
    let mut file = open_private(&temporary, private_options().write(true).create_new(true))?;
    let written = write(&mut file).and_then(|()| match durability {
        Durability::Synced => file.sync_data(),
        Durability::Os => Ok(()),
    });
    match written {
        Ok(()) => Ok(temporary),
        Err(error) => {
            let _ = std::fs::remove_file(&temporary);
            Err(unavailable(&temporary, &error))
        }
    }
}

/// A name that starts with a dot, so that no listing takes it for a record.
fn temporary_name(path: &Path) -> PathBuf {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().subsec_nanos();
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.{now}.{count}.tmp", std::process::id()))
}
