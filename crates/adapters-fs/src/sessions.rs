//! Actors and what they have read, one small file each, named by hashes (D-12, D-15).
//!
//! A file that cannot be understood is an error, never a fresh start. Deliberately absent: what a state means.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bailiwick_domain::{
    Actor, ActorState, ContentHash, FileState, Map, PortError, RepoPath, SessionStore, Timestamp, Value,
    Written,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::atomic::{Durability, invalid, read_optional, replace, unavailable};
use crate::system::to_timestamp;

/// Writers of this program write this; a higher number in a file is kept as it is.
const FORMAT: u64 = 1;

/// An actor with the bytes of its file.
type Remembered = (Actor, Vec<u8>);

/// Sessions in private state.
#[derive(Clone, Debug)]
pub struct FsSessionStore {
    dir: PathBuf,
    /// What was read last, so that writing it back under the same lock need not read it again.
    last: Arc<Mutex<Option<Remembered>>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Seen {
    path: String,
    state: FileState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    written: Option<Written>,
}

/// What every state file says of itself.
#[derive(Debug, Deserialize)]
struct Head {
    #[expect(dead_code, reason = "only that it is there counts")]
    format: u64,
    actor: Actor,
}

/// A state file without members that only a newer program knows.
#[derive(Debug, Serialize)]
struct StateFile<'a> {
    format: u64,
    actor: &'a Actor,
    #[serde(flatten)]
    state: &'a ActorState,
}

#[derive(Debug, Deserialize)]
struct Known {
    actor: Actor,
    #[serde(flatten)]
    state: ActorState,
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
        let name = ContentHash::of(path.as_str().as_bytes());
        self.dir.join(actor.key().digits()).join("seen").join(name.digits())
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
            let Ok(bytes) = std::fs::read(&path) else { continue };
            let changed = std::fs::metadata(&path).and_then(|data| data.modified()).ok();
            if let Ok(known) = serde_json::from_slice::<Known>(&bytes) {
                let changed = changed.map_or(Timestamp::from_unix_ms(0), to_timestamp);
                found.push((known.actor, known.state, changed));
            }
        }
        found.sort_by_key(|(_, _, changed)| std::cmp::Reverse(*changed));
        Ok(found)
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
        state: &FileState,
        written: Option<Written>,
    ) -> Result<(), PortError> {
        let file = self.seen_file(actor, path);
        let seen = Seen { path: path.as_str().into(), state: state.clone(), written };
        let bytes = serde_json::to_vec(&seen).map_err(|error| invalid(&file, error.to_string()))?;
        if read_optional(&file)?.as_deref() == Some(bytes.as_slice()) {
            return Ok(());
        }
        replace(&file, &bytes, Durability::Os)
    }

    fn remember(&self, actor: &Actor, bytes: Vec<u8>) {
        if let Ok(mut last) = self.last.lock() {
            *last = Some((actor.clone(), bytes));
        }
    }

    /// Good for one write: whoever writes twice without reading in between reads again.
    fn take_remembered(&self, actor: &Actor) -> Option<Vec<u8>> {
        let (known, bytes) = self.last.lock().ok()?.take()?;
        (known == *actor).then_some(bytes)
    }

    /// The file's bytes, checked to be a state of this actor.
    fn bytes(&self, path: &Path, actor: &Actor) -> Result<Option<Vec<u8>>, PortError> {
        let Some(bytes) = read_optional(path)? else { return Ok(None) };
        let head: Head = parsed(path, &bytes)?;
        if head.actor == *actor { Ok(Some(bytes)) } else { Err(invalid(path, "not the state of this actor")) }
    }
}

fn parsed<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<T, PortError> {
    serde_json::from_slice(bytes).map_err(|error| invalid(path, format!("not a session state: {error}")))
}

/// The file of a state, when nothing is in the file of before but what this program knows.
fn written(path: &Path, actor: &Actor, state: &ActorState) -> Result<Vec<u8>, PortError> {
    serde_json::to_vec(&StateFile { format: FORMAT, actor, state })
        .map_err(|error| invalid(path, error.to_string()))
}

/// The file of a state after one that this program would have written otherwise: members that it does not know stay.
fn merged(path: &Path, before: &[u8], actor: &Actor, state: &ActorState) -> Result<Vec<u8>, PortError> {
    let new = written(path, actor, state)?;
    let mut members: Map<String, Value> = parsed(path, before)?;
    let mut known: Map<String, Value> = parsed(path, &new)?;
    if members.get("format").and_then(Value::as_u64).is_some_and(|format| format > FORMAT) {
        known.remove("format");
    } else if members.keys().all(|key| known.contains_key(key)) {
        return Ok(new);
    }
    members.extend(known);
    serde_json::to_vec(&members).map_err(|error| invalid(path, error.to_string()))
}

#[async_trait]
impl SessionStore for FsSessionStore {
    async fn load(&self, actor: &Actor) -> Result<Option<ActorState>, PortError> {
        drop(self.take_remembered(actor));
        let path = self.state_file(actor);
        let Some(bytes) = self.bytes(&path, actor)? else { return Ok(None) };
        let state = parsed(&path, &bytes)?;
        self.remember(actor, bytes);
        Ok(Some(state))
    }

    async fn save(&self, actor: &Actor, state: &ActorState) -> Result<(), PortError> {
        let path = self.state_file(actor);
        let before = match self.take_remembered(actor) {
            Some(bytes) => Some(bytes),
            None => self.bytes(&path, actor)?,
        };
        let bytes = match &before {
            Some(before) if *before != written(&path, actor, &parsed(&path, before)?)? => {
                merged(&path, before, actor, state)?
            }
            _ => written(&path, actor, state)?,
        };
        if before.as_ref() == Some(&bytes) {
            return Ok(());
        }
        replace(&path, &bytes, Durability::Os)
    }

    async fn observation(&self, actor: &Actor, path: &RepoPath) -> Result<Option<FileState>, PortError> {
        Ok(self.seen(actor, path)?.map(|seen| seen.state))
    }

    async fn observe(&self, actor: &Actor, path: &RepoPath, state: &FileState) -> Result<(), PortError> {
        self.see(actor, path, state, None)
    }

    async fn observe_own(
        &self,
        actor: &Actor,
        path: &RepoPath,
        state: &FileState,
        written: &Written,
    ) -> Result<(), PortError> {
        self.see(actor, path, state, Some(written.clone()))
    }

    async fn own(&self, actor: &Actor, path: &RepoPath) -> Result<Option<(FileState, Written)>, PortError> {
        Ok(self.seen(actor, path)?.and_then(|seen| Some((seen.state, seen.written?))))
    }

    async fn observations(
        &self,
        actor: &Actor,
        limit: usize,
    ) -> Result<Vec<(RepoPath, FileState)>, PortError> {
        let dir = self.dir.join(actor.key().digits()).join("seen");
        let entries = match std::fs::read_dir(&dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(unavailable(&dir, &error)),
        };
        let read = |path: PathBuf| -> Option<(RepoPath, FileState)> {
            let seen: Seen = serde_json::from_slice(&read_optional(&path).ok()??).ok()?;
            Some((RepoPath::new(&seen.path).ok()?, seen.state))
        };
        Ok(entries.flatten().take(limit).filter_map(|entry| read(entry.path())).collect())
    }
}
