//! Opens a file below the root without following any symlink, also one swapped in meanwhile, and without
//! ever blocking.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use bailiwick_domain::{ContentHash, PortError, RepoPath};
#[cfg(unix)]
use rustix::fs::OFlags;
use sha2::{Digest, Sha256};

use super::resolve::resolve;
use crate::files::atomic::unavailable;

const CHUNK: usize = 65_536;

/// Opens what is there for a look: no link at the end is followed, and nothing is waited for.
#[cfg(unix)]
pub(super) const LOOK: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// What is there.
#[derive(Debug)]
pub(super) enum Opened {
    Absent,
    Other,
    /// A regular file and its length.
    File(File, u64),
}

/// Opens what is at `path`. Folders on the way may be symlinks only as long as they stay below the root; the last
/// name never is one.
pub(super) fn open(root: &Path, path: &RepoPath) -> Result<Opened, PortError> {
    let full = root.join(path.as_str());
    match open_beneath(root, Path::new(path.as_str())) {
        Err(error) if is_link_error(&error) => open_through_links(root, &full),
        other => sort_out(other, &full),
    }
}

/// The folder was spelled through a symlink: goes to where it really is, once.
fn open_through_links(root: &Path, full: &Path) -> Result<Opened, PortError> {
    if full.symlink_metadata().is_ok_and(|meta| meta.file_type().is_symlink()) {
        return Ok(Opened::Other);
    }
    let outside = || PortError::Unavailable(format!("{}: leads out of the root", full.display()));
    let folder = full.parent().and_then(|folder| resolve(folder, root).ok()).ok_or_else(outside)?;
    let below = folder.path.strip_prefix(root).map_err(|_| outside())?;
    let below = below.join(full.file_name().unwrap_or_default());
    sort_out(open_beneath(root, &below), full)
}

fn sort_out(opened: std::io::Result<File>, full: &Path) -> Result<Opened, PortError> {
    let file = match opened {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Opened::Absent);
        }
        Err(error) if is_socket_error(&error) => return Ok(Opened::Other),
        Err(error) => return Err(unavailable(full, &error)),
    };
    let meta = file.metadata().map_err(|error| unavailable(full, &error))?;
    Ok(if meta.is_file() { Opened::File(file, meta.len()) } else { Opened::Other })
}

#[cfg(target_os = "linux")]
fn open_beneath(root: &Path, below: &Path) -> std::io::Result<File> {
    use rustix::fs::{CWD, Mode, ResolveFlags, open, openat, openat2};
    const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
    const BENEATH: ResolveFlags = ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS);
    match openat2(open(root, FOLDER, Mode::empty())?, below, LOOK, Mode::empty(), BENEATH) {
        Err(rustix::io::Errno::NOSYS | rustix::io::Errno::PERM) => {
            check_real(root, below)?;
            Ok(File::from(openat(CWD, root.join(below), LOOK, Mode::empty())?))
        }
        other => Ok(File::from(other?)),
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn open_beneath(root: &Path, below: &Path) -> std::io::Result<File> {
    check_real(root, below)?;
    let full = root.join(below);
    Ok(File::from(rustix::fs::openat(rustix::fs::CWD, full, LOOK, rustix::fs::Mode::empty())?))
}

#[cfg(not(unix))]
fn open_beneath(root: &Path, below: &Path) -> std::io::Result<File> {
    check_real(root, below)?;
    let full = root.join(below);
    let meta = full.symlink_metadata()?;
    if meta.file_type().is_symlink() { Err(link_error()) } else { File::open(full) }
}

/// Where one step cannot refuse symlinks, looks first whether the folder is where it seems to be.
fn check_real(root: &Path, below: &Path) -> std::io::Result<()> {
    let folder = root.join(below.parent().unwrap_or(Path::new("")));
    match resolve(&folder, root) {
        Ok(resolved) if resolved.path == folder => Ok(()),
        _ => Err(link_error()),
    }
}

#[cfg(unix)]
fn link_error() -> std::io::Error {
    rustix::io::Errno::LOOP.into()
}

#[cfg(not(unix))]
fn link_error() -> std::io::Error {
    std::io::Error::other("a symbolic link is on the way")
}

#[cfg(unix)]
fn is_link_error(error: &std::io::Error) -> bool {
    rustix::io::Errno::from_io_error(error) == Some(rustix::io::Errno::LOOP)
}

#[cfg(not(unix))]
fn is_link_error(error: &std::io::Error) -> bool {
    error.kind() == ErrorKind::Other
}

/// Sockets, and devices nobody serves, cannot be opened at all.
#[cfg(unix)]
fn is_socket_error(error: &std::io::Error) -> bool {
    let errno = rustix::io::Errno::from_io_error(error);
    matches!(errno, Some(rustix::io::Errno::NXIO | rustix::io::Errno::NODEV | rustix::io::Errno::OPNOTSUPP))
}

#[cfg(not(unix))]
fn is_socket_error(_error: &std::io::Error) -> bool {
    false
}

/// The hash of an open file, read in pieces.
pub(super) fn hash(file: &File, path: &RepoPath) -> Result<ContentHash, PortError> {
    let mut digest = Sha256::new();
    let mut chunk = Vec::with_capacity(CHUNK);
    loop {
        chunk.clear();
        file.take(CHUNK as u64)
            .read_to_end(&mut chunk)
            .map_err(|error| unavailable(Path::new(path.as_str()), &error))?;
        if chunk.is_empty() {
            return Ok(ContentHash::from_digest(&digest.finalize().into()));
        }
        digest.update(&chunk);
    }
}

/// The bytes of an open file, at most `limit`.
pub(super) fn read(file: File, len: u64, limit: u64, path: &RepoPath) -> Result<Vec<u8>, PortError> {
    let too_large = || PortError::TooLarge { what: path.to_string(), limit };
    if len > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or_default());
    file.take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| unavailable(Path::new(path.as_str()), &error))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limit { Err(too_large()) } else { Ok(bytes) }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::{check_real, is_link_error, open};
    use bailiwick_domain::RepoPath;
    use std::path::Path;

    #[test]
    fn a_folder_is_real_where_no_link_leads_to_it() {
        let dir = tempfile::TempDir::new().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("real")).unwrap();
        std::os::unix::fs::symlink("real", root.join("link")).unwrap();
        check_real(&root, Path::new("real/x")).unwrap();
        check_real(&root, Path::new("link")).unwrap();
        assert!(is_link_error(&check_real(&root, Path::new("link/x")).unwrap_err()));
    }

    #[test]
    fn a_name_that_cannot_be_opened_is_an_error_and_not_something_else() {
        let dir = tempfile::TempDir::new().unwrap();
        let opened = open(dir.path(), &RepoPath::new(&"n".repeat(300)).unwrap());
        assert!(opened.is_err(), "{opened:?}");
    }
}
