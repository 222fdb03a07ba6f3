//! Which approval surfaces are alive: those heard from in the last five seconds; and which editors are open, attended or not.
//!
//! An editor's window holds a lock on its file as long as its process lives, so that a killed one is known at once.

mod dialogs;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{DirEntry, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bailiwick_domain::{PortError, Timestamp};

use crate::Layout;
use crate::files::atomic::{open_private, private_options, unavailable};
use crate::files::system::to_timestamp;

pub use dialogs::{Dialog, DialogAbove, Dialogs};

const ALIVE_MS: i64 = 5_000;

/// The surface that beats as long as it is there: once it stops, nobody looks any more.
pub const WATCH: &str = "watch";

/// Windows of an editor, each with a file of its own: they beat while somebody uses them, and stay open meanwhile.
pub const EDITOR: &str = "editor";

/// Before the rest of the name of one window's file.
const WINDOW: &str = "editor-";

/// A window's file that nobody holds is cleared away after this time; until then it may be on its way to be held.
const FORGOTTEN: Duration = Duration::from_secs(60);

/// The page of `watch --web`: it beats while somebody is before it.
pub const PAGE: &str = "page";

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
            let is_held = || !name.starts_with(WINDOW) || is_held(&entry);
            (age.abs() < ALIVE_MS && is_name(&name) && is_held()).then_some(name)
        };
        let mut names: Vec<String> = entries.filter_map(|entry| alive(entry.ok()?)).collect();
        for name in &mut names {
            if name.starts_with(WINDOW) {
                EDITOR.clone_into(name);
            }
        }
        names.sort();
        names.dedup();
        names
    }

    /// Opens a window of an editor. It is no live surface before its first sign of life.
    pub fn open_window(&self) -> Result<Window, PortError> {
        self.clear_windows();
        let digits = uuid::Uuid::new_v4().simple().to_string();
        let path = self.dir.join(format!("{WINDOW}{}", digits.get(..12).unwrap_or(&digits)));
        let file = open_private(&path, private_options().write(true).create_new(true))?;
        // Nobody else holds it for longer than a look takes.
        file.lock().map_err(|error| unavailable(&path, &error))?;
        let window = Window { path, file };
        window.rest()?;
        Ok(window)
    }

    /// Whether a window of an editor is open, whether somebody uses it or not.
    pub fn has_window(&self) -> bool {
        self.windows().any(|entry| is_held(&entry))
    }

    /// The names of the windows that are open, whether somebody uses them or not. A window that is opened anew has
    /// another name.
    pub fn open_windows(&self) -> BTreeSet<OsString> {
        self.windows().filter(is_held).map(|entry| entry.file_name()).collect()
    }

    fn windows(&self) -> impl Iterator<Item = DirEntry> {
        let entries = std::fs::read_dir(&self.dir).into_iter().flatten();
        entries
            .flatten()
            .filter(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with(WINDOW)))
    }

    /// Takes away what windows left that were killed.
    fn clear_windows(&self) {
        for entry in self.windows() {
            let born = entry.metadata().and_then(|meta| meta.modified());
            let age = born.ok().and_then(|born| SystemTime::now().duration_since(born).ok());
            if age.is_some_and(|age| age > FORGOTTEN) && !is_held(&entry) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

/// One open window of an editor. It is closed when this is dropped, or when its process ends, however that ends.
#[derive(Debug)]
pub struct Window {
    path: PathBuf,
    file: File,
}

impl Window {
    /// Somebody uses it: a sign of life.
    pub fn beat(&self) -> Result<(), PortError> {
        self.set(SystemTime::now())
    }

    /// Nobody uses it any more: it stays open, and is no live surface from now on.
    pub fn rest(&self) -> Result<(), PortError> {
        self.set(SystemTime::UNIX_EPOCH)
    }

    fn set(&self, moment: SystemTime) -> Result<(), PortError> {
        self.file.set_modified(moment).map_err(|error| unavailable(&self.path, &error))
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Whether a living process holds the file. Where nobody can say, nobody does.
fn is_held(entry: &DirEntry) -> bool {
    is_locked(&entry.path())
}

fn is_locked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
