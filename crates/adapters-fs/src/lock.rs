//! Locks between processes and inside one: an exclusive `flock` with a bounded wait (K-09).
//!
//! The kernel releases the lock with the process, so a crash leaves none behind. Deliberately absent: what is
//! protected by it.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bailiwick_domain::{LockGuard, PortError, WorkspaceLock};

use crate::Layout;
use crate::atomic::{open_private, private_options, unavailable};

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
        FileLock::acquire(&self.path, self.wait).map(LockGuard::new)
    }
}

/// Holds an exclusive lock on a file until dropped.
#[derive(Debug)]
pub(crate) struct FileLock(#[expect(dead_code, reason = "closing the file releases the lock")] File);

impl FileLock {
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
