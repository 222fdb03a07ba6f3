//! A person's off switch on disk: one small file in private state, sealed as answers to approvals are, so that a file
//! alone never pauses the gate.
//!
//! A pause ends by two clocks, whichever ends it first: the one on the wall, and the machine's time since it started,
//! which nobody can set back. So a clock that is moved back ends a pause and never prolongs it, and so does a restart.
//! Deliberately absent: what a pause lets through, and writing its beginning and end into the decision log.

use std::path::PathBuf;

use async_trait::async_trait;
use bailiwick_domain::{ContentHash, Pause, PauseLook, Pauses, PortError, Timestamp, Value, json};
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::files::atomic::{Durability, read_optional, remove_optional, replace};
use crate::state::consents::approvals::seal::SealKey;
use crate::state::consents::versions::Versions;

/// The form of the file; another one is no pause.
const FORMAT: u32 = 1;

/// There is one pause at a time.
const RECORD: &str = "pause";

/// Milliseconds since the machine started; `None` where the system does not tell.
type Uptime = fn() -> Option<i64>;

/// The pause of one repository, shared by its working copies.
#[derive(Clone, Debug)]
pub struct FsPauses {
    file: PathBuf,
    user_state: Option<PathBuf>,
    versions: Versions,
    uptime: Uptime,
}

#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    format: u32,
    pause: Pause,
    uptime_ms: Option<i64>,
    /// Its number: each pause has the next one.
    #[serde(default)]
    version: u64,
    seal: ContentHash,
}

impl FsPauses {
    /// The pause of this root's repository.
    pub fn new(layout: &Layout) -> Self {
        let user_state = layout.user_state().map(ToOwned::to_owned);
        Self {
            file: layout.private().join("pause.json"),
            user_state,
            versions: Versions::of(layout, "pauses"),
            uptime,
        }
    }

    /// The same, with another clock since the machine's start.
    #[must_use]
    pub fn with_uptime(mut self, uptime: fn() -> Option<i64>) -> Self {
        self.uptime = uptime;
        self
    }

    /// Begins a pause; one that is running is replaced, and over also where this one cannot be written.
    ///
    /// # Errors
    /// It cannot be written or sealed.
    pub fn begin(&self, pause: &Pause) -> Result<(), PortError> {
        let folder = self
            .user_state
            .as_ref()
            .ok_or_else(|| PortError::Unavailable("there is no state folder to seal a pause with".into()))?;
        let uptime_ms = (self.uptime)();
        let there = self.believed().map_or(0, |stored| stored.version);
        let version = self.versions.next(RECORD, there)?.version;
        let seal = SealKey::load_or_create(folder)?.seal(&sealed(pause, uptime_ms, version, &self.file));
        let stored = Stored { format: FORMAT, pause: pause.clone(), uptime_ms, version, seal };
        self.versions.note(RECORD, version, Durability::Os)?;
        replace(&self.file, json!(stored).to_string().as_bytes(), Durability::Os)
    }

    /// The pause that is kept, when a human gave it and none ended it or gave another one since.
    fn believed(&self) -> Option<Stored> {
        if !self.file.exists() {
            return None;
        }
        let newest = self.versions.newest(RECORD).ok()?;
        let bytes = read_optional(&self.file).ok()??;
        let stored: Stored =
            serde_json::from_slice(&bytes).ok().filter(|stored: &Stored| stored.format == FORMAT)?;
        let key = SealKey::load_or_create(self.user_state.as_ref()?).ok()?;
        let seal = key.seal(&sealed(&stored.pause, stored.uptime_ms, stored.version, &self.file));
        (seal == stored.seal && stored.version >= newest).then_some(stored)
    }

    /// Whether the time since the machine's start is still within the pause. A system that does not tell it now although
    /// it did is not believed.
    fn is_in_time(&self, stored: &Stored) -> bool {
        match (stored.uptime_ms, (self.uptime)()) {
            (None, _) => true,
            (Some(begun), Some(now)) => begun <= now && now - begun < stored.pause.length_ms(),
            (Some(_), None) => false,
        }
    }
}

/// What the seal covers: the pause, and the place that it is for.
fn sealed(pause: &Pause, uptime_ms: Option<i64>, version: u64, file: &std::path::Path) -> Value {
    let place = ContentHash::of(file.as_os_str().as_encoded_bytes());
    let given = json!({"format": FORMAT, "given": pause, "uptime_ms": uptime_ms, "place": place});
    match version {
        // As older versions seal it.
        0 => json!({ "pause": given }),
        _ => json!({"pause": given, "version": version}),
    }
}

#[async_trait]
impl Pauses for FsPauses {
    async fn look(&self, now: Timestamp) -> PauseLook {
        match self.believed() {
            None => PauseLook::None,
            Some(stored) if stored.pause.is_running(now) && self.is_in_time(&stored) => {
                PauseLook::Running(stored.pause)
            }
            Some(stored) => PauseLook::Over(stored.pause),
        }
    }

    async fn forget(&self, pause: &Pause) -> Result<(), PortError> {
        match self.believed() {
            Some(stored) if stored.pause != *pause => return Ok(()),
            Some(stored) => {
                self.versions.note(RECORD, stored.version.saturating_add(1), Durability::Os)?;
            }
            None => {}
        }
        remove_optional(&self.file)
    }
}

#[cfg(unix)]
fn uptime() -> Option<i64> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const CLOCK: rustix::time::ClockId = rustix::time::ClockId::Boottime;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const CLOCK: rustix::time::ClockId = rustix::time::ClockId::Monotonic;
    let since = rustix::time::clock_gettime(CLOCK);
    Some(since.tv_sec.saturating_mul(1000).saturating_add(since.tv_nsec / 1_000_000))
}

#[cfg(not(unix))]
fn uptime() -> Option<i64> {
    None
}
