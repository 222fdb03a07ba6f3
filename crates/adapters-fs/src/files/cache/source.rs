//! Reading a small file that people write: regular files only, no symlink, bounded size.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

use crate::files::atomic::whole;
use crate::files::yaml::MAX_BYTES;

/// Why a file cannot be read as the one that it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    #[error("the file is not there")]
    Missing,
    #[error("the file is a symlink")]
    Symlink,
    #[error("it is not a regular file")]
    NotAFile,
    #[error("the file is larger than 8 MiB")]
    TooLarge,
    #[error("cannot read the file: {0}")]
    Unreadable(String),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Missing,
            _ => Self::Unreadable(error.to_string()),
        }
    }
}

/// What is known of the file without reading it.
pub(crate) fn metadata_of(path: &Path) -> Result<Metadata, Fault> {
    let metadata = path.symlink_metadata()?;
    match () {
        () if metadata.is_symlink() => Err(Fault::Symlink),
        () if !metadata.is_file() => Err(Fault::NotAFile),
        () if metadata.len() > MAX_BYTES => Err(Fault::TooLarge),
        () => Ok(metadata),
    }
}

/// The file's bytes.
pub(crate) fn bytes_of(path: &Path) -> Result<Vec<u8>, Fault> {
    let length = metadata_of(path)?.len();
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0).saturating_add(1));
    open(path)?.take(MAX_BYTES.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES { Err(Fault::TooLarge) } else { Ok(bytes) }
}

/// The bytes of one of our own cache files, without a look at it first: whatever else is there does not read as an entry.
pub(crate) fn entry_bytes(path: &Path) -> io::Result<Vec<u8>> {
    whole(open(path)?.take(MAX_BYTES))
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    OpenOptions::new().read(true).custom_flags(i32::try_from(flags.bits()).unwrap_or(0)).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}
