//! Locks between processes and inside one: an exclusive `flock` with a bounded wait (K-09).
//!
//! The kernel releases the lock with the process, so a crash leaves none behind. Deliberately absent: what is
//! protected by it.

use std::fs::{File, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bailiwick_domain::{Diagnostic, LockGuard, PortError, WorkspaceLock};

use crate::Layout;
use crate::atomic::{open_private, private_options, unavailable};

/// The form of private state that this program reads and writes. A change that an older program would misread raises it;
/// additions that older programs may pass over do not.
pub(crate) const STATE_FORMAT: u32 = 1;

/// How long stores wait for their own locks, and callers for the root's unless they say otherwise.
pub(crate) const DEFAULT_WAIT: Duration = Duration::from_secs(5);
const FIRST_NAP: Duration = Duration::from_micros(200);
const LONGEST_NAP: Duration = Duration::from_millis(10);

/// The lock of one governed root.
#[derive(Clone, Debug)]
pub struct FsWorkspaceLock {
    path: PathBuf,
    wait: Duration,
}

impl FsWorkspaceLock {
    /// The lock of this root, waiting five seconds for another holder.
    pub fn new(layout: Layout) -> Self {
        Self { path: layout.private().join("lock"), wait: DEFAULT_WAIT }
    }

    /// Waits that long instead.
    #[must_use]
    pub fn with_wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }
}

#[async_trait]
impl WorkspaceLock for FsWorkspaceLock {
    async fn acquire(&self) -> Result<LockGuard, PortError> {
        let mut held = FileLock::acquire(&self.path, self.wait)?;
        held.check_format(&self.path)?;
        Ok(LockGuard::new(held))
    }
}

/// Holds an exclusive lock on a file until dropped.
#[derive(Debug)]
pub(crate) struct FileLock(File);

impl FileLock {
    /// Refuses private state of a newer form than this program knows: who takes the lock is told by the lock file what
    /// the form is. An empty file is form 1, so nothing had to be written until there is another.
    fn check_format(&mut self, path: &Path) -> Result<(), PortError> {
        let mut head = [0; 32];
        let length = self.0.read(&mut head).map_err(|error| unavailable(path, &error))?;
        let text = String::from_utf8_lossy(head.get(..length).unwrap_or_default());
        let text = text.trim();
        if text.is_empty() || text == format!("format {STATE_FORMAT}") {
            return Ok(());
        }
        let found = text.strip_prefix("format ").unwrap_or("an unknown format");
        Err(PortError::Invalid(Diagnostic {
            file: path.display().to_string(),
            line: 0,
            column: 0,
            message: format!(
                "this state was written by a newer Bailiwick (format {found}; this one, {}, knows {STATE_FORMAT})",
                env!("CARGO_PKG_VERSION")
            ),
            fix: "a human updates this Bailiwick and runs `bailiwick init` with it".into(),
        }))
    }

    /// Takes the lock, trying again with growing pauses until the time is over.
    pub(crate) fn acquire(path: &Path, wait: Duration) -> Result<Self, PortError> {
        let file = open_private(path, private_options().read(true).write(true).create(true).truncate(false))?;
        let mut nap = FIRST_NAP;
        let mut deadline = None;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self(file)),
                Err(TryLockError::Error(error)) => return Err(unavailable(path, &error)),
                Err(TryLockError::WouldBlock) => {}
            }
            let until = *deadline.get_or_insert_with(|| Instant::now() + wait);
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(PortError::Locked(path.display().to_string()));
            }
            std::thread::sleep(nap.min(left));
            nap = (nap * 2).min(LONGEST_NAP);
        }
    }
}
