//! When a hook is ended, whatever it does: before its host stops waiting, since a host that gave up lets the call through.
//!
//! Who waits for people asks here how long that may last.

use std::time::{Duration, Instant};

/// Ends the process before the host's limit of 120 s; the registered command turns that into a denial.
pub(crate) const LAST_SECOND: u32 = 116;

/// The end of this hook.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    end: Instant,
}

impl Deadline {
    /// Sets the alarm.
    pub(super) fn set() -> Self {
        arm();
        Self::of(Instant::now())
    }

    pub(super) fn of(begun: Instant) -> Self {
        Self { end: begun + Duration::from_secs(u64::from(LAST_SECOND)) }
    }

    /// The last moment after which there is still that much time.
    pub(super) fn less(self, reserve: Duration) -> Instant {
        self.end.checked_sub(reserve).unwrap_or(self.end)
    }
}

#[cfg(unix)]
fn arm() {
    nix::unistd::alarm::set(LAST_SECOND);
}

#[cfg(not(unix))]
fn arm() {
    std::thread::spawn(|| {
        std::thread::sleep(Duration::from_secs(u64::from(LAST_SECOND)));
        std::process::exit(2);
    });
}
