//! What humans wrote and the files they govern: intents, policy and a workspace, in memory.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::sync::Mutex;

use async_trait::async_trait;

use super::{Fault, held};
use crate::consents::{Pause, PauseLook};
use crate::evidence::{PutBack, PutBackError};
use crate::health::Health;
use crate::intents::{Accepted, IgnoreSource, Intent, IntentId, IntentSet};
use crate::ports::{IntentRepo, Pauses, PolicySource, PortError, Workspace, WorkspaceWriter};
use crate::state::Settings;
use crate::values::{ContentHash, FileState, Location, RepoPath, Timestamp, WorkspacePath};

/// A settable list of intents that counts how often it is read.
#[derive(Clone, Debug, Default)]
pub struct MemoryIntents(Arc<Intents>);

#[derive(Debug, Default)]
struct Intents {
    set: Mutex<Vec<Intent>>,
    accepted: Mutex<Option<Vec<Intent>>>,
    taken: Mutex<BTreeMap<(IntentId, String), Intent>>,
    loads: Mutex<usize>,
    fault: Fault,
}

impl MemoryIntents {
    /// These intents, in this order.
    pub fn new(intents: Vec<Intent>) -> Self {
        let repo = Self::default();
        repo.set(intents);
        repo
    }

    /// Replaces all intents, as an edit of the file does.
    pub fn set(&self, intents: Vec<Intent>) {
        *held(&self.0.set) = intents;
    }

    /// All intents, without counting as a question.
    pub(super) fn all(&self) -> Vec<Intent> {
        held(&self.0.set).clone()
    }

    /// Lets only these revisions count from now on; without this all that is there does.
    pub fn accept_only(&self, intents: Vec<Intent>) {
        *held(&self.0.accepted) = Some(intents);
    }

    pub(super) fn accept_one(&self, intent: &Intent, branch: &str) -> Result<(), PortError> {
        self.0.fault.check()?;
        if !intent.is_open() {
            return self.take(intent, branch);
        }
        held(&self.0.taken).remove(&(intent.id().clone(), branch.into()));
        if let Some(accepted) = held(&self.0.accepted).as_mut() {
            accepted.push(intent.clone());
        }
        Ok(())
    }

    pub(super) fn take(&self, intent: &Intent, branch: &str) -> Result<(), PortError> {
        self.0.fault.check()?;
        if held(&self.0.accepted).is_some() {
            held(&self.0.taken).insert((intent.id().clone(), branch.into()), intent.clone());
        }
        Ok(())
    }

    /// Makes every later question fail; `None` heals it.
    pub fn fail(&self, fault: Option<PortError>) {
        self.0.fault.set(fault);
    }

    /// How many questions were asked so far.
    pub fn loads(&self) -> usize {
        *held(&self.0.loads)
    }
}

#[async_trait]
impl IntentRepo for MemoryIntents {
    async fn load(&self) -> Result<IntentSet, PortError> {
        *held(&self.0.loads) += 1;
        self.0.fault.check()?;
        Ok(IntentSet::new(held(&self.0.set).clone()))
    }

    async fn get(&self, id: &IntentId) -> Result<Option<Intent>, PortError> {
        Ok(self.load().await?.get(id).cloned())
    }

    async fn accepted(&self, id: &IntentId) -> Result<Accepted, PortError> {
        let known = held(&self.0.accepted).clone().unwrap_or_else(|| self.all());
        let taken = held(&self.0.taken);
        let of_it = taken.iter().filter(|((whose, _), _)| whose == id);
        Ok(Accepted {
            states: known.into_iter().filter(|intent| intent.id() == id).collect(),
            taken: of_it.map(|((_, branch), intent)| (branch.clone(), intent.clone())).collect(),
        })
    }
}

/// Settable health, settings and ignore rules; healthy, default and absent at first.
#[derive(Clone, Debug)]
pub struct MemoryPolicySource(Arc<Policy>);

#[derive(Debug)]
struct Policy {
    health: Mutex<Health>,
    settings: Mutex<Result<Settings, PortError>>,
    ignore: Mutex<IgnoreSource>,
}

impl Default for MemoryPolicySource {
    fn default() -> Self {
        Self(Arc::new(Policy {
            health: Mutex::new(Health::Ok),
            settings: Mutex::new(Ok(Settings::default())),
            ignore: Mutex::new(IgnoreSource::Absent),
        }))
    }
}

impl MemoryPolicySource {
    /// Replaces the health.
    pub fn set_health(&self, health: Health) {
        *held(&self.0.health) = health;
    }

    /// Replaces the settings, or makes them unreadable.
    pub fn set_settings(&self, settings: Result<Settings, PortError>) {
        *held(&self.0.settings) = settings;
    }

    /// Replaces the ignore rules.
    pub fn set_ignore(&self, ignore: IgnoreSource) {
        *held(&self.0.ignore) = ignore;
    }
}

#[async_trait]
impl PolicySource for MemoryPolicySource {
    async fn health(&self) -> Health {
        held(&self.0.health).clone()
    }

    async fn settings(&self) -> Result<Settings, PortError> {
        held(&self.0.settings).clone()
    }

    async fn ignore(&self) -> IgnoreSource {
        held(&self.0.ignore).clone()
    }
}

/// The human's off switch.
#[derive(Clone, Debug, Default)]
pub struct MemoryPauses(Arc<Mutex<Option<Pause>>>);

impl MemoryPauses {
    /// Begins a pause, or takes it away.
    pub fn set(&self, pause: Option<Pause>) {
        *held(&self.0) = pause;
    }
}

#[async_trait]
impl Pauses for MemoryPauses {
    async fn look(&self, now: Timestamp) -> PauseLook {
        match held(&self.0).clone() {
            None => PauseLook::None,
            Some(pause) if pause.is_running(now) => PauseLook::Running(pause),
            Some(pause) => PauseLook::Over(pause),
        }
    }

    async fn forget(&self, pause: &Pause) -> Result<(), PortError> {
        held(&self.0).take_if(|kept| kept == pause);
        Ok(())
    }
}

/// Files below the pretended root `/repo`. Paths are resolved by their text alone: there are no symlinks here.
#[derive(Clone, Debug, Default)]
pub struct MemoryWorkspace(Arc<Tree>);

#[derive(Debug, Default)]
struct Tree {
    files: Mutex<BTreeMap<RepoPath, Vec<u8>>>,
    unreadable: Mutex<BTreeSet<RepoPath>>,
    executable: Mutex<BTreeSet<RepoPath>>,
    flickering: Mutex<BTreeMap<RepoPath, Vec<Vec<u8>>>>,
    scratch: Mutex<Vec<String>>,
    read_roots: Mutex<Vec<String>>,
    folds_case: Mutex<bool>,
}

impl MemoryWorkspace {
    /// The root that absolute paths are seen from.
    pub const ROOT: &'static str = "/repo";

    /// A workspace with these files.
    pub fn with<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let workspace = Self::default();
        for (path, text) in files {
            if let Ok(path) = RepoPath::new(path) {
                workspace.write(&path, text.as_bytes());
            }
        }
        workspace
    }

    /// Creates or replaces a file.
    pub fn write(&self, path: &RepoPath, bytes: &[u8]) {
        held(&self.0.files).insert(path.clone(), bytes.to_vec());
    }

    /// Removes a file.
    pub fn remove(&self, path: &RepoPath) {
        held(&self.0.files).remove(path);
    }

    /// The bytes of a file.
    pub fn bytes(&self, path: &RepoPath) -> Option<Vec<u8>> {
        held(&self.0.files).get(path).cloned()
    }

    /// Lets the file at a path be run.
    pub fn make_executable(&self, path: &RepoPath) {
        held(&self.0.executable).insert(path.clone());
    }

    /// Lets each look at a path find the next of these contents, as beside somebody who writes all the time.
    pub fn flicker(&self, path: &RepoPath, contents: Vec<Vec<u8>>) {
        held(&self.0.flickering).insert(path.clone(), contents);
    }

    fn turn(&self, path: &RepoPath) {
        if let Some(contents) = held(&self.0.flickering).get_mut(path) {
            contents.rotate_left(1);
            if let Some(next) = contents.first() {
                self.write(path, next);
            }
        }
    }

    /// Makes looking at a path fail.
    pub fn make_unreadable(&self, path: &RepoPath) {
        held(&self.0.unreadable).insert(path.clone());
    }

    /// Declares an absolute folder to be a scratch place of the host.
    pub fn add_scratch(&self, folder: &str) {
        held(&self.0.scratch).push(folder.to_owned());
    }

    /// Declares an absolute folder to be readable (`read.roots`).
    pub fn add_read_root(&self, folder: &str) {
        held(&self.0.read_roots).push(folder.to_owned());
    }

    /// Pretends that names which differ in case are the same.
    pub fn set_folds_case(&self, folds: bool) {
        *held(&self.0.folds_case) = folds;
    }

    /// The paths of all files, in order.
    pub(super) fn paths(&self) -> Vec<RepoPath> {
        held(&self.0.files).keys().cloned().collect()
    }

    fn check(&self, path: &RepoPath) -> Result<(), PortError> {
        if held(&self.0.unreadable).contains(path) {
            return Err(PortError::Unavailable(format!("{path}: permission denied")));
        }
        Ok(())
    }
}

#[async_trait]
impl Workspace for MemoryWorkspace {
    async fn locate<'a>(&self, requested: &str, cwd: Option<&'a str>) -> Location {
        if requested.is_empty() || requested.contains('\0') {
            return Location::Invalid("path is empty or holds a NUL character".to_owned());
        }
        let absolute = normal(requested, cwd.unwrap_or(Self::ROOT));
        if let Some(inside) = below(&absolute, Self::ROOT) {
            return RepoPath::new(inside).map_or(Location::Root, |path| {
                let folded = folded(&path);
                Location::Inside(WorkspacePath { path, folded, spelled: None })
            });
        }
        let lies_in =
            |folders: &Mutex<Vec<String>>| held(folders).iter().any(|f| below(&absolute, f).is_some());
        if lies_in(&self.0.scratch) {
            Location::Scratch(absolute)
        } else if lies_in(&self.0.read_roots) {
            Location::ReadRoot(absolute)
        } else {
            Location::Outside(absolute)
        }
    }

    async fn state(&self, path: &RepoPath) -> Result<FileState, PortError> {
        self.check(path)?;
        self.turn(path);
        let files = held(&self.0.files);
        if let Some(bytes) = files.get(path) {
            return Ok(FileState::Content(ContentHash::of(bytes)));
        }
        let is_folder = files.keys().any(|file| below(file.as_str(), path.as_str()).is_some());
        Ok(if is_folder { FileState::Other } else { FileState::Absent })
    }

    async fn read(&self, path: &RepoPath, limit: u64) -> Result<Option<Vec<u8>>, PortError> {
        self.check(path)?;
        self.turn(path);
        match self.bytes(path) {
            Some(bytes) if bytes.len() as u64 > limit => {
                Err(PortError::TooLarge { what: path.to_string(), limit })
            }
            bytes => Ok(bytes),
        }
    }

    async fn names_in<'a>(
        &self,
        folder: Option<&'a RepoPath>,
        limit: usize,
    ) -> Result<Vec<String>, PortError> {
        let files = held(&self.0.files);
        let below_it = files.keys().filter_map(|file| match folder {
            Some(folder) => below(file.as_str(), folder.as_str()),
            None => Some(file.as_str()),
        });
        let names: BTreeSet<&str> = below_it.filter_map(|rest| rest.split('/').next()).collect();
        if names.len() > limit {
            let what = folder.map_or_else(|| ".".to_owned(), ToString::to_string);
            return Err(PortError::TooLarge { what, limit: limit as u64 });
        }
        Ok(names.into_iter().map(str::to_owned).collect())
    }

    async fn is_executable(&self, path: &RepoPath) -> Result<bool, PortError> {
        self.check(path)?;
        Ok(held(&self.0.executable).contains(path))
    }

    fn root(&self) -> String {
        Self::ROOT.to_owned()
    }

    fn folds_case(&self) -> bool {
        *held(&self.0.folds_case)
    }
}

#[async_trait]
impl WorkspaceWriter for MemoryWorkspace {
    async fn put_back(&self, files: &[PutBack]) -> Result<(), PutBackError> {
        for file in files {
            if self.state(&file.path).await? != file.expected {
                return Err(PutBackError::Changed(file.path.clone()));
            }
        }
        for file in files {
            match &file.content {
                Some(bytes) => self.write(&file.path, bytes),
                None => self.remove(&file.path),
            }
        }
        Ok(())
    }
}

/// An absolute path without `.`, `..` and empty segments.
fn normal(requested: &str, cwd: &str) -> String {
    let joined = if requested.starts_with('/') { requested.to_owned() } else { format!("{cwd}/{requested}") };
    let mut segments: Vec<&str> = Vec::new();
    for segment in joined.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            name => segments.push(name),
        }
    }
    format!("/{}", segments.join("/"))
}

/// What is left of a path below a folder; empty for the folder itself.
fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(folder)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

fn folded(path: &RepoPath) -> String {
    let segments: Vec<String> = path
        .segments()
        .map(|segment| segment.to_lowercase().trim_end_matches(['.', ' ']).to_string())
        .collect();
    segments.join("/")
}
