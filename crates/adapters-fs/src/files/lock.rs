//! Locks between processes and inside one: an exclusive `flock` with a bounded wait.
//!
//! The kernel releases the lock with the process, so a crash leaves none behind, and hands it on to those who wait for
//! it: trying again and again would let newcomers pass whoever waited longest. Deliberately absent: what is protected by
//! it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{OnceLock, mpsc};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bailiwick_domain::{Diagnostic, LockGuard, PortError, WorkspaceLock};

use crate::Layout;
use crate::files::atomic::{invalid, open_private, open_regular, private_options, unavailable};

/// Stands before the number of a form.
const FORMAT: &str = "format ";

/// The newest form of private state that this program reads and writes. A change that an older program would misread
/// raises it; additions that older programs may pass over do not. A state has the form that what is in it needs.
pub(crate) const STATE_FORMAT: u32 = LEDGER_IN_PARTS;

/// The form of a state whose ledger has older parts: who knows only the newest file would take back, seal and tell a
/// piece for the whole.
pub(crate) const LEDGER_IN_PARTS: u32 = 2;

/// How long stores wait for their own locks, and callers for the root's unless they say otherwise. A holder needs
/// milliseconds, but dozens of calls may come at once on a busy machine, and the three locks of a hook together must
/// stay well below what its host waits.
pub(crate) const DEFAULT_WAIT: Duration = Duration::from_secs(20);

/// When nobody in this process waits for a lock any more.
static LAST_MOMENT: OnceLock<Instant> = OnceLock::new();

/// Lets no lock of this process be waited for beyond that moment, whatever its own wait is: several waits in a row must
/// not outlast who waits for the process. What is said first counts.
pub fn end_lock_waits_at(moment: Instant) {
    let _ = LAST_MOMENT.set(moment);
}

/// How much of a wait there still is.
fn bounded(wait: Duration, last: Option<Instant>, now: Instant) -> Duration {
    last.map_or(wait, |last| wait.min(last.saturating_duration_since(now)))
}

/// The lock of one governed root.
#[derive(Clone, Debug)]
pub struct FsWorkspaceLock {
    path: PathBuf,
    wait: Duration,
}

impl FsWorkspaceLock {
    /// The lock of this root, waiting twenty seconds for other holders.
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

/// The form that a lock file says; `None` when this program does not understand it. Nothing, and a beginning of the word
/// that a killed writer left, say form 1: what needs another form comes behind the words.
fn form_in(text: &str) -> Option<u32> {
    let text = text.trim();
    if FORMAT.starts_with(text) { Some(1) } else { text.strip_prefix(FORMAT)?.parse().ok() }
}

/// Writes down that private state has this form from now on, if it has an older one.
///
/// # Errors
/// The lock file of the root cannot be read or written, or says something that this program does not understand.
pub(crate) fn raise_format(private: &Path, form: u32) -> Result<(), PortError> {
    let path = private.join("lock");
    let mut file = open_private(&path, &lock_options())?;
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(|error| unavailable(&path, &error))?;
    match form_in(&text) {
        Some(there) if there >= form => Ok(()),
        // As many bytes as before or more, in one write: who reads meanwhile finds the older form or this one.
        Some(_) => {
            let said = format!("{FORMAT}{form}\n");
            let written = file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(said.as_bytes()));
            written.and_then(|()| file.sync_data()).map_err(|error| unavailable(&path, &error))
        }
        None => Err(invalid(&path, "an unknown form of private state")),
    }
}

/// A lock's file is made where it is missing, and what it says stays.
fn lock_options() -> OpenOptions {
    let mut options = private_options();
    options.read(true).write(true).create(true).truncate(false);
    options
}

/// Holds an exclusive lock on a file until dropped.
#[derive(Debug)]
pub(crate) struct FileLock(File);

impl FileLock {
    /// Refuses private state of a newer form than this program knows: who takes the lock is told by the lock file what
    /// the form is. An empty file is form 1, so nothing is written as long as no other is needed.
    fn check_format(&mut self, path: &Path) -> Result<(), PortError> {
        let mut head = [0; 32];
        let length = self.0.read(&mut head).map_err(|error| unavailable(path, &error))?;
        let text = String::from_utf8_lossy(head.get(..length).unwrap_or_default());
        if form_in(&text).is_some_and(|form| (1..=STATE_FORMAT).contains(&form)) {
            return Ok(());
        }
        let found = text.trim().strip_prefix(FORMAT).unwrap_or("an unknown format");
        Err(PortError::Invalid(Diagnostic {
            file: path.display().to_string(),
            line: 0,
            column: 0,
            message: format!(
                "this state was written by a newer Bailiwick (format {found}; this one, {}, knows {STATE_FORMAT})",
                env!("CARGO_PKG_VERSION")
            ),
            fix: "update Bailiwick and run `bailiwick init`".into(),
            way_out: None,
        }))
    }

    /// Takes the lock, and waits in line for it until its time or that of the process is over.
    pub(crate) fn acquire(path: &Path, wait: Duration) -> Result<Self, PortError> {
        let file = open_private(path, &lock_options())?;
        Self::locked(file, path, wait)
    }

    /// The same for who only looks, and may be allowed no more than that. `None` where no lock is there and none can be
    /// made: then nobody writes either.
    pub(crate) fn acquire_to_look(path: &Path, wait: Duration) -> Result<Option<Self>, PortError> {
        let opened = match open_regular(path).map(|(file, _)| file) {
            Err(error) if error.kind() == ErrorKind::NotFound => lock_options().open(path),
            other => other,
        };
        match opened {
            Ok(file) => Self::locked(file, path, wait).map(Some),
            Err(error) if error.kind() == ErrorKind::ReadOnlyFilesystem => Ok(None),
            Err(error) if error.kind() == ErrorKind::PermissionDenied && !path.exists() => Ok(None),
            Err(error) => Err(unavailable(path, &error)),
        }
    }

    fn locked(file: File, path: &Path, wait: Duration) -> Result<Self, PortError> {
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::Error(error)) => Err(unavailable(path, &error)),
            Err(TryLockError::WouldBlock) => {
                match bounded(wait, LAST_MOMENT.get().copied(), Instant::now()) {
                    Duration::ZERO => Err(PortError::Locked(path.display().to_string())),
                    wait => Self::in_line(file, path, wait),
                }
            }
        }
    }

    /// Waits in a thread of its own, since the kernel's waiting has no end.
    fn in_line(file: File, path: &Path, wait: Duration) -> Result<Self, PortError> {
        let (hand_over, turn) = mpsc::sync_channel(1);
        let waiting = move || {
            let locked = file.lock().map(|()| file);
            // Where nobody waits any more the lock goes with the file.
            let _ = hand_over.send(locked);
        };
        std::thread::Builder::new().spawn(waiting).map_err(|error| unavailable(path, &error))?;
        match turn.recv_timeout(wait) {
            Ok(Ok(file)) => Ok(Self(file)),
            Ok(Err(error)) => Err(unavailable(path, &error)),
            Err(_) => Err(PortError::Locked(path.display().to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // K-09: three waits in a row end with the process's last moment, and without one each has its own time
    #[test]
    fn no_wait_outlasts_the_last_moment_of_the_process() {
        let begun = Instant::now();
        let seconds = Duration::from_secs;
        let last = Some(begun + seconds(50));
        for (elapsed, own, left) in
            [(0, 20, 20), (20, 20, 20), (40, 20, 10), (50, 20, 0), (90, 20, 0), (0, 0, 0)]
        {
            assert_eq!(
                bounded(seconds(own), last, begun + seconds(elapsed)),
                seconds(left),
                "after {elapsed} s"
            );
            assert_eq!(bounded(seconds(own), None, begun + seconds(elapsed)), seconds(own));
        }
    }
}
