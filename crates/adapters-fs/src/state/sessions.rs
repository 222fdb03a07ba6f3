//! Actors and what they have read, one small file each, named by hashes (ADR 0009, ADR 0010).
//!
//! A file that cannot be parsed is an error, never a fresh start. Deliberately absent: what a state means.

pub(super) mod prompts;
mod state_file;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bailiwick_domain::{
    Actor, ActorState, ContentHash, FileState, Look, Observation, Pages, PortError, RepoPath, SessionStore,
    Shown, Timestamp, Written,
};
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::files::atomic::{
    Durability, create_once, invalid, overwrite, read_optional, replace, unavailable,
};
use crate::files::system::to_timestamp;
use state_file::{Before, StateFile};

/// How often a file is read that may be read while it is written.
const LOOKS: usize = 8;

/// An actor with its file.
type Remembered = (Actor, Before);

/// Sessions in private state.
#[derive(Clone, Debug)]
pub struct FsSessionStore {
    dir: PathBuf,
    /// What was read last, so that writing it back under the same lock need not read it again.
    last: Arc<Mutex<Option<Remembered>>>,
}

/// One file of observations.
#[derive(Debug, Serialize, Deserialize)]
struct Seen {
    path: String,
    state: FileState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    written: Option<Written>,
    /// What was shown in part. A version that knows no parts takes what is beside it for what was seen, which is no
    /// content: it has the file read again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<Found>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Found {
    state: FileState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    written: Option<Written>,
    /// A version that knows no lines takes it for any part.
    #[serde(default, skip_serializing_if = "Pages::is_empty")]
    pages: Pages,
}

impl Seen {
    fn of(path: &RepoPath, seen: &Observation, written: Option<Written>) -> Self {
        let (path, state) = (path.as_str().into(), seen.state.clone());
        match seen.shown {
            Shown::Whole => Self { path, state, written, part: None },
            Shown::Part => {
                let part = Some(Found { state, written, pages: seen.pages.clone() });
                Self { path, state: FileState::Other, written: None, part }
            }
        }
    }

    fn observation(&self) -> Observation {
        match &self.part {
            Some(part) => Observation::of_pages(part.state.clone(), part.pages.clone()),
            None => Observation::whole(self.state.clone()),
        }
    }

    fn own(self) -> Option<(FileState, Written)> {
        let (state, written) = match self.part {
            Some(part) => (part.state, part.written),
            None => (self.state, self.written),
        };
        Some((state, written?))
    }
}

impl FsSessionStore {
    /// The sessions of this root.
    pub fn new(layout: Layout) -> Self {
        Self { dir: layout.private().join("actors"), last: Arc::default() }
    }

    fn state_file(&self, actor: &Actor) -> PathBuf {
        self.dir.join(actor.key().digits()).join("state.json")
    }

    fn seen_file(&self, actor: &Actor, path: &RepoPath) -> PathBuf {
        self.file_about(actor, "seen", path)
    }

    fn look_file(&self, actor: &Actor, path: &RepoPath) -> PathBuf {
        self.file_about(actor, "looks", path)
    }

    fn file_about(&self, actor: &Actor, folder: &str, path: &RepoPath) -> PathBuf {
        let name = ContentHash::of(path.as_str().as_bytes());
        self.dir.join(actor.key().digits()).join(folder).join(name.digits())
    }

    /// Every actor that ever acted here, the one that acted last first. What cannot be read is passed over: this is for
    /// showing, never for deciding.
    ///
    /// # Errors
    /// The folder is there but cannot be read.
    pub fn known(&self) -> Result<Vec<(Actor, ActorState)>, PortError> {
        Ok(self.recent()?.into_iter().map(|(actor, state, _)| (actor, state)).collect())
    }

    /// The same, each with the moment when its state last changed.
    ///
    /// # Errors
    /// The folder is there but cannot be read.
    pub fn recent(&self) -> Result<Vec<(Actor, ActorState, Timestamp)>, PortError> {
        let entries = match std::fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(unavailable(&self.dir, &error)),
        };
        let mut found = Vec::new();
        for entry in entries.flatten() {
            let path = entry.path().join("state.json");
            let changed = std::fs::metadata(&path).and_then(|data| data.modified()).ok();
            if let Ok(Some((_, file))) = looked_at(&path) {
                let changed = changed.map_or(Timestamp::from_unix_ms(0), to_timestamp);
                found.push((file.actor, file.state, changed));
            }
        }
        found.sort_by_key(|(_, _, changed)| std::cmp::Reverse(*changed));
        Ok(found)
    }

    /// Notes that this actor is gone for ever. What it did can still be asked about.
    ///
    /// # Errors
    /// It cannot be written down.
    pub fn end(&self, actor: &Actor) -> Result<(), PortError> {
        let file = self.end_file(actor);
        match file.parent().is_some_and(Path::is_dir) {
            true => create_once(&file, b"", Durability::Os).map(drop),
            false => Ok(()),
        }
    }

    /// Whether it is known that this actor is gone for ever.
    pub fn has_ended(&self, actor: &Actor) -> bool {
        self.end_file(actor).exists()
    }

    fn end_file(&self, actor: &Actor) -> PathBuf {
        self.dir.join(actor.key().digits()).join("ended")
    }

    fn seen(&self, actor: &Actor, path: &RepoPath) -> Result<Option<Seen>, PortError> {
        let file = self.seen_file(actor, path);
        let Some(bytes) = read_optional(&file)? else { return Ok(None) };
        match serde_json::from_slice::<Seen>(&bytes) {
            Ok(seen) if seen.path == path.as_str() => Ok(Some(seen)),
            Ok(_) => Err(invalid(&file, "not the observation of this path")),
            Err(error) => Err(invalid(&file, format!("not an observation: {error}"))),
        }
    }

    fn see(
        &self,
        actor: &Actor,
        path: &RepoPath,
        seen: &Observation,
        written: Option<Written>,
    ) -> Result<(), PortError> {
        let file = self.seen_file(actor, path);
        let seen = Seen::of(path, seen, written);
        let bytes = serde_json::to_vec(&seen).map_err(|error| invalid(&file, error.to_string()))?;
        if read_optional(&file)?.as_deref() == Some(bytes.as_slice()) {
            return Ok(());
        }
        replace(&file, &bytes, Durability::Os)
    }

    fn remember(&self, actor: &Actor, file: Before) {
        if let Ok(mut last) = self.last.lock() {
            *last = Some((actor.clone(), file));
        }
    }

    /// Good for one write: whoever writes twice without reading in between reads again.
    fn take_remembered(&self, actor: &Actor) -> Option<Before> {
        let (known, file) = self.last.lock().ok()?.take()?;
        (known == *actor).then_some(file)
    }
}

/// The file on disk and what it says, checked to be a state of this actor.
fn state_of(path: &Path, actor: &Actor) -> Result<Option<(Before, ActorState)>, PortError> {
    let Some((bytes, file)) = looked_at(path)? else { return Ok(None) };
    if file.actor != *actor {
        return Err(invalid(path, "not the state of this actor"));
    }
    Ok(Some((Before { bytes, is_known: file.is_known }, file.state)))
}

/// What a state file says. One that does not read as a state, by its sum or by its text, may be read while it is written,
/// which takes less time than to look again.
fn looked_at(path: &Path) -> Result<Option<(Vec<u8>, StateFile)>, PortError> {
    let mut looks = 1;
    loop {
        let Some(bytes) = read_optional(path)? else { return Ok(None) };
        match state_file::parse(&bytes) {
            Ok(file) => return Ok(Some((bytes, file))),
            Err(_) if looks < LOOKS => looks += 1,
            Err(error) => return Err(invalid(path, format!("not a session state: {error}"))),
        }
    }
}

#[async_trait]
impl SessionStore for FsSessionStore {
    async fn load(&self, actor: &Actor) -> Result<Option<ActorState>, PortError> {
        drop(self.take_remembered(actor));
        let Some((file, state)) = state_of(&self.state_file(actor), actor)? else { return Ok(None) };
        self.remember(actor, file);
        Ok(Some(state))
    }

    async fn save(&self, actor: &Actor, state: &ActorState) -> Result<(), PortError> {
        let path = self.state_file(actor);
        let before = match self.take_remembered(actor) {
            Some(file) => Some(file),
            None => state_of(&path, actor)?.map(|(file, _)| file),
        };
        let bytes = state_file::render(before.as_ref(), actor, state)
            .map_err(|error| invalid(&path, error.to_string()))?;
        match before {
            Some(before) if before.bytes == bytes => Ok(()),
            // What cannot be written over is replaced, which also mends a file that was written in part.
            Some(before) if before.has_room_for(&bytes) && overwrite(&path, &bytes).is_ok() => Ok(()),
            _ => replace(&path, &bytes, Durability::Os),
        }
    }

    async fn observation(&self, actor: &Actor, path: &RepoPath) -> Result<Option<Observation>, PortError> {
        Ok(self.seen(actor, path)?.map(|seen| seen.observation()))
    }

    async fn observe(&self, actor: &Actor, path: &RepoPath, seen: &Observation) -> Result<(), PortError> {
        self.see(actor, path, seen, None)
    }

    async fn observe_own(
        &self,
        actor: &Actor,
        path: &RepoPath,
        seen: &Observation,
        written: &Written,
    ) -> Result<(), PortError> {
        self.see(actor, path, seen, Some(written.clone()))
    }

    async fn own(&self, actor: &Actor, path: &RepoPath) -> Result<Option<(FileState, Written)>, PortError> {
        Ok(self.seen(actor, path)?.and_then(Seen::own))
    }

    async fn look(&self, actor: &Actor, look: &Look) -> Result<(), PortError> {
        let file = self.look_file(actor, &look.path);
        let bytes = serde_json::to_vec(look).map_err(|error| invalid(&file, error.to_string()))?;
        replace(&file, &bytes, Durability::Os)
    }

    async fn looked(&self, actor: &Actor, path: &RepoPath) -> Result<Option<Look>, PortError> {
        let file = self.look_file(actor, path);
        let Some(bytes) = read_optional(&file)? else { return Ok(None) };
        let look: Look =
            serde_json::from_slice(&bytes).map_err(|error| invalid(&file, format!("not a look: {error}")))?;
        Ok(Some(look).filter(|look| look.path == *path))
    }

    async fn observations(
        &self,
        actor: &Actor,
        limit: usize,
    ) -> Result<Vec<(RepoPath, Observation)>, PortError> {
        let dir = self.dir.join(actor.key().digits()).join("seen");
        let entries = match std::fs::read_dir(&dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(unavailable(&dir, &error)),
        };
        let read = |path: PathBuf| -> Option<(RepoPath, Observation)> {
            let seen: Seen = serde_json::from_slice(&read_optional(&path).ok()??).ok()?;
            Some((RepoPath::new(&seen.path).ok()?, seen.observation()))
        };
        Ok(entries.flatten().take(limit).filter_map(|entry| read(entry.path())).collect())
    }
}
