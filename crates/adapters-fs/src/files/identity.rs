//! Whether a file is still the one that was read: its identity, and when that identity can be believed; and
//! whether a folder is still the same folder. Knows nothing of what files hold.

use std::fs::Metadata;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use bailiwick_domain::{ContentHash, Timestamp};
use serde::{Deserialize, Serialize};

/// How much older than the reading a change must be before equal times mean equal content, in nanoseconds; file
/// systems tick in steps of up to two seconds.
const SETTLED_AFTER_NS: i64 = 2_000_000_000;

/// What tells one state of a file from another without reading it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    len: u64,
    modified_ns: i64,
    changed_ns: i64,
    inode: u64,
    device: u64,
}

impl Identity {
    #[cfg(unix)]
    pub(crate) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let joined = |seconds: i64, ns: i64| seconds.saturating_mul(1_000_000_000).saturating_add(ns);
        Self {
            len: metadata.len(),
            modified_ns: joined(metadata.mtime(), metadata.mtime_nsec()),
            changed_ns: joined(metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
            device: metadata.dev(),
        }
    }

    #[cfg(not(unix))]
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let modified_ns = metadata.modified().map_or(0, since_1970);
        Self { len: metadata.len(), modified_ns, changed_ns: 0, inode: 0, device: 0 }
    }

    /// How long the file is, in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// As numbers, for a cache that is read as a whole.
    pub(crate) fn to_words(&self) -> [u64; 5] {
        [self.len, self.modified_ns.cast_unsigned(), self.changed_ns.cast_unsigned(), self.inode, self.device]
    }

    /// Back from [`Identity::to_words`].
    pub(crate) fn from_words([len, modified, changed, inode, device]: [u64; 5]) -> Self {
        let (modified_ns, changed_ns) = (modified.cast_signed(), changed.cast_signed());
        Self { len, modified_ns, changed_ns, inode, device }
    }

    /// Whether an equal identity proves equal content: only where the system keeps a change time that nobody can set,
    /// and only when the last change is clearly older than the reading (the racy case of git's index).
    pub(crate) fn is_proof(&self, read_at_ns: i64) -> bool {
        let settled = |moment: i64| moment.saturating_add(SETTLED_AFTER_NS) < read_at_ns;
        cfg!(unix) && settled(self.modified_ns) && settled(self.changed_ns)
    }
}

/// Now, in nanoseconds since 1970; 0 before that, which proves nothing.
pub(crate) fn now_ns() -> i64 {
    since_1970(SystemTime::now())
}

/// A moment of the domain in nanoseconds since 1970.
pub(crate) fn ns_of(moment: Timestamp) -> i64 {
    moment.unix_ms().saturating_mul(1_000_000)
}

fn since_1970(moment: SystemTime) -> i64 {
    moment.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}

/// The hash of what tells one folder from every other that was ever there: its number and, where the system keeps it,
/// the time of its creation; without that time, its path. It survives moving the folder, and a folder that takes the
/// place of another has another one. `None` when there is no such folder.
pub(crate) fn of_folder(path: &Path) -> Option<ContentHash> {
    let metadata = std::fs::metadata(path).ok()?;
    let created = metadata.created().ok().map(since_1970);
    let place = if created.is_none() { path.as_os_str().as_encoded_bytes() } else { b"" };
    let number = Identity::of(&metadata).inode;
    let text = [format!("{number} {} ", created.unwrap_or_default()).as_bytes(), place].concat();
    Some(ContentHash::of(&text))
}
