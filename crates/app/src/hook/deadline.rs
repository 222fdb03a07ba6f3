//! When a hook is ended, whatever it does: before its host stops waiting, since a host that gave up lets the call through.
//!
//! Who waits for people asks here how long that may last.

use std::time::{Duration, Instant};

use bailiwick_adapters_hooks::HostProfile;

/// So long before its host stops waiting a hook is ended, in seconds, or a third of its time where that is less; the
/// registered command turns that into a denial.
const BEFORE: u32 = 4;

/// The last second of a hook of this host.
pub(crate) fn last_second(profile: &HostProfile) -> u32 {
    let before = BEFORE.min(profile.timeout_s / 3).max(1);
    profile.timeout_s.saturating_sub(before).max(1)
}

/// The end of this hook.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    end: Instant,
}

impl Deadline {
    /// Sets the alarm.
    pub(super) fn set(profile: &HostProfile) -> Self {
        arm(last_second(profile));
        Self::of(Instant::now(), profile)
    }

    pub(super) fn of(begun: Instant, profile: &HostProfile) -> Self {
        Self { end: begun + Duration::from_secs(u64::from(last_second(profile))) }
    }

    /// The last moment after which there is still that much time.
    pub(super) fn less(self, reserve: Duration) -> Instant {
        self.end.checked_sub(reserve).unwrap_or(self.end)
    }
}

#[cfg(unix)]
fn arm(last: u32) {
    nix::unistd::alarm::set(last);
}

#[cfg(not(unix))]
fn arm(last: u32) {
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(u64::from(last)));
        std::process::exit(2);
    });
}

#[cfg(test)]
mod tests {
    use bailiwick_adapters_hooks::HOSTS;

    use super::*;

    // D-04: each host's own patience, and none waits for a person longer than that
    #[test]
    fn a_hook_ends_before_its_host_stops_waiting() {
        for host in HOSTS {
            assert!(last_second(&host.profile) < host.profile.timeout_s, "{}", host.profile.name);
        }
        let qwen = HOSTS.iter().find(|host| host.profile.name == "qwen").unwrap();
        assert_eq!(last_second(&qwen.profile), 51);
        let cline = HOSTS.iter().find(|host| host.profile.name == "cline").unwrap();
        assert_eq!(last_second(&cline.profile), 2);
        assert_eq!(last_second(&HostProfile::UNKNOWN), 116);
    }
}
