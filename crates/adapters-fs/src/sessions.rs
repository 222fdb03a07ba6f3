//! Actors and what they have read, one small file each, named by hashes (D-12, D-15).
//!
//! A file that cannot be understood is an error, never a fresh start. Deliberately absent: what a state means.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bailiwick_domain::{
    Actor, ActorState, ContentHash, FileState, Map, PortError, RepoPath, SessionStore, Value, Written, json,
};
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::atomic::{Durability, invalid, read_optional, replace, unavailable};

/// Writers of this program write this; a higher number in a file is kept as it is.
const FORMAT: u64 = 1;

/// An actor with the members of its file.
type Remembered = (Actor, Map<String, Value>);

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
                found.push((changed, known));
            }
        }
        found.sort_by_key(|(changed, _)| std::cmp::Reverse(*changed));
        Ok(found.into_iter().map(|(_, known)| (known.actor, known.state)).collect())
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

    fn remember(&self, actor: &Actor, members: Map<String, Value>) {
        if let Ok(mut last) = self.last.lock() {
            *last = Some((actor.clone(), members));
        }
    }

    /// Good for one write: whoever writes twice without reading in between reads again.
    fn take_remembered(&self, actor: &Actor) -> Option<Map<String, Value>> {
        let (known, members) = self.last.lock().ok()?.take()?;
        (known == *actor).then_some(members)
    }

    /// The file's members, checked to be a state of this actor.
    fn members(&self, actor: &Actor) -> Result<Option<Map<String, Value>>, PortError> {
        let path = self.state_file(actor);
        let Some(bytes) = read_optional(&path)? else { return Ok(None) };
        let members: Map<String, Value> = serde_json::from_slice(&bytes)
            .map_err(|error| invalid(&path, format!("not a session state: {error}")))?;
        if members.get("format").and_then(Value::as_u64).is_none() {
            return Err(invalid(&path, "not a session state: `format` is missing"));
        }
        match members.get("actor").map(Actor::deserialize) {
            Some(Ok(found)) if found == *actor => Ok(Some(members)),
            _ => Err(invalid(&path, "not the state of this actor")),
        }
    }
}

#[async_trait]
impl SessionStore for FsSessionStore {
    async fn load(&self, actor: &Actor) -> Result<Option<ActorState>, PortError> {
        drop(self.take_remembered(actor));
        let Some(members) = self.members(actor)? else { return Ok(None) };
        let state = ActorState::deserialize(Value::Object(members.clone()))
            .map_err(|error| invalid(&self.state_file(actor), format!("not a session state: {error}")))?;
        self.remember(actor, members);
        Ok(Some(state))
    }

    async fn save(&self, actor: &Actor, state: &ActorState) -> Result<(), PortError> {
        let path = self.state_file(actor);
        let before = match self.take_remembered(actor) {
            Some(members) => Some(members),
            None => self.members(actor)?,
        };
        let mut members = before.clone().unwrap_or_default();
        let known = serde_json::to_value(state).map_err(|error| invalid(&path, error.to_string()))?;
        if let Value::Object(known) = known {
            members.extend(known);
        }
        members.entry("format").or_insert_with(|| FORMAT.into());
        members.insert("actor".into(), json!(actor));
        if before.as_ref() == Some(&members) {
            return Ok(());
        }
        let bytes = serde_json::to_vec(&members).map_err(|error| invalid(&path, error.to_string()))?;
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
