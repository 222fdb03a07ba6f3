//! Small files of a repository, read within bounds. Knows nothing of what is in them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// Larger than any `HEAD`, loose ref, `commondir` or `.git` file can sensibly be.
const SMALL: u64 = 64 * 1024;

/// Reads a small regular file. Anything else is an error: opening a named pipe would hang the hook.
pub(crate) fn read_small(path: &Path) -> io::Result<Vec<u8>> {
    read_up_to(path, SMALL)
}

/// Reads a regular file of at most so many bytes.
pub(crate) fn read_up_to(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "larger than such a file can be"));
    }
    Ok(bytes)
}

/// Opens a regular file.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    File::open(path)
}

/// Whether an error says that there is no such file.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// `None` for what is not there, or is not what it should be; an error only where the system failed to say, so that
/// somebody who plants odd files and folders brings none about.
pub(crate) fn unless_failed<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    use io::ErrorKind as Kind;
    match result {
        Ok(found) => Ok(Some(found)),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => match error.kind() {
            Kind::PermissionDenied | Kind::InvalidInput | Kind::InvalidFilename | Kind::FileTooLarge => {
                Ok(None)
            }
            _ if is_loop(&error) => Ok(None),
            _ => Err(error),
        },
    }
}

/// Where a path leads, with symlinks followed; by its spelling from where nothing is there.
pub(crate) fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| {
        let plain = plain(path);
        match (plain.parent(), plain.file_name()) {
            (Some(folder), Some(name)) => real(folder).join(name),
            _ => plain,
        }
    })
}

/// Without `.` and `..`, by its spelling.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// Whether there is a file.
pub(crate) fn is_file(path: &Path) -> bool {
    // What cannot be looked at may be one.
    unless_failed(std::fs::metadata(path)).map_or(true, |found| found.is_some_and(|it| it.is_file()))
}

/// Whether something stands beside a path, or at it, that has its name with an ending: `show.js` for `show`.
pub(crate) fn has_ending(path: &Path) -> bool {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return false };
    let start = format!("{}.", name.to_string_lossy().to_lowercase());
    let is_it = |entry: fs::DirEntry| entry.file_name().to_string_lossy().to_lowercase().starts_with(&start);
    // What cannot be looked at may be there.
    unless_failed(fs::read_dir(folder))
        .map_or(true, |entries| entries.is_some_and(|mut all| all.any(|entry| entry.map_or(true, is_it))))
}

#[cfg(unix)]
fn is_loop(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}

#[cfg(not(unix))]
fn is_loop(_error: &io::Error) -> bool {
    false
}

/// The bytes without line ends at their end.
pub(crate) fn without_line_end(mut bytes: &[u8]) -> &[u8] {
    while let [rest @ .., b'\n' | b'\r'] = bytes {
        bytes = rest;
    }
    bytes
}

/// A path as git writes it into a file.
#[cfg(unix)]
pub(crate) fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let usable = !bytes.is_empty() && !bytes.contains(&0);
    usable.then(|| PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

/// A path as git writes it into a file; not UTF-8 is no path here.
#[cfg(not(unix))]
pub(crate) fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    let text = std::str::from_utf8(bytes).ok()?;
    (!text.is_empty() && !text.contains('\0')).then(|| PathBuf::from(text))
}
