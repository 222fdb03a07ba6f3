//! Which approval surfaces are alive: those heard from in the last five seconds.

use std::path::PathBuf;
use std::time::SystemTime;

use bailiwick_domain::{PortError, Timestamp};

use crate::Layout;
use crate::files::atomic::{open_private, private_options, unavailable};
use crate::files::system::to_timestamp;

const ALIVE_MS: i64 = 5_000;

/// The surface that beats as long as it is there: once it stops, nobody looks any more.
pub const WATCH: &str = "watch";

/// The signs of life of surfaces that humans started.
#[derive(Clone, Debug)]
pub struct Surfaces {
    dir: PathBuf,
}

impl Surfaces {
    /// The surfaces of this root.
    pub fn new(layout: Layout) -> Self {
        Self { dir: layout.private().join("surfaces") }
    }

    /// Gives a sign of life. Names are lower-case letters, digits and hyphens.
    pub fn beat(&self, name: &str) -> Result<(), PortError> {
        let path = self.dir.join(name);
        if !is_name(name) {
            return Err(PortError::Unavailable(format!("`{name}` is not the name of a surface")));
        }
        let file = open_private(&path, private_options().write(true).create(true).truncate(false))?;
        file.set_modified(SystemTime::now()).map_err(|error| unavailable(&path, &error))
    }

    /// Takes the sign of life away: whoever waits for this surface need not wait any longer. Another one of that name that
    /// is still there gives its next sign at once.
    pub fn withdraw(&self, name: &str) {
        if is_name(name) {
            let _ = std::fs::remove_file(self.dir.join(name));
        }
    }

    /// The surfaces that are alive at this moment, sorted. One that cannot be looked at is not alive.
    pub fn live(&self, now: Timestamp) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(&self.dir) else { return Vec::new() };
        let alive = |entry: std::fs::DirEntry| {
            let beat = to_timestamp(entry.metadata().ok()?.modified().ok()?);
            let age = now.unix_ms().saturating_sub(beat.unix_ms());
            let name = entry.file_name().into_string().ok()?;
            (age.abs() < ALIVE_MS && is_name(&name)).then_some(name)
        };
        let mut names: Vec<String> = entries.filter_map(|entry| alive(entry.ok()?)).collect();
        names.sort();
        names
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
