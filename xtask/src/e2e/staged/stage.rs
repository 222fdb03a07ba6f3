//! Where a session happens: a working copy, a home, a path of programs, and what may be changed in `git status`.
//!
//! The governed repository, a teammate's clone and the repository after uninstalling are stages of one world.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Result, ensure};
use serde_json::Value;

use crate::e2e::client;
use crate::stage::world::World;

/// The intents' file, which the gate writes on a person's yes.
pub(crate) const INTENTS: &str = ".orchestration/active_intents.yaml";

/// One stage.
pub(crate) struct Stage {
    pub(crate) world: Arc<World>,
    /// The client's program.
    pub(crate) client: PathBuf,
    /// Where the client is started.
    pub(crate) folder: PathBuf,
    home: PathBuf,
    path: String,
    work: Mutex<BTreeSet<String>>,
}

impl Stage {
    /// The governed repository.
    pub(crate) fn governed(world: &Arc<World>, client: PathBuf) -> Self {
        let path = format!("{}:{SYSTEM}", world.bin().display());
        let (folder, home) = (world.repo(), world.home());
        Self { world: Arc::clone(world), client, folder, home, path, work: Mutex::default() }
    }

    /// The same repository on a machine without the gate.
    pub(crate) fn without_the_gate(&self) -> Self {
        Self { path: SYSTEM.to_owned(), ..self.elsewhere(self.folder.clone(), self.home.clone()) }
    }

    /// The clone of a teammate who has no gate.
    pub(crate) fn clone_of_a_teammate(&self) -> Result<Self> {
        let base = self.world.base();
        let stage = self.elsewhere(base.join("clone"), base.join("teammate"));
        std::fs::create_dir_all(&stage.home)?;
        self.world.git(&["clone", "-q", ".", "../clone"])?;
        Ok(stage)
    }

    fn elsewhere(&self, folder: PathBuf, home: PathBuf) -> Self {
        let (world, client) = (Arc::clone(&self.world), self.client.clone());
        Self { world, client, folder, home, path: SYSTEM.to_owned(), work: Mutex::default() }
    }

    /// The environment of the client here.
    pub(crate) fn client_environment(&self, url: &str) -> Vec<(String, String)> {
        let mut variables = client::environment(&self.world, url);
        for (name, value) in &mut variables {
            match name.as_str() {
                "HOME" => *value = self.home.display().to_string(),
                "PATH" => value.clone_from(&self.path),
                _ => {}
            }
        }
        variables
    }

    /// An input with this stage's paths put in.
    pub(crate) fn fill(&self, input: &Value) -> Value {
        self.world.fill_for(&self.folder, input)
    }

    /// The paths in `git status` that are nobody's work.
    pub(crate) fn strays(&self) -> Result<Vec<String>> {
        let mut status = Command::new("git");
        status.arg("-C").arg(&self.folder).arg("--no-optional-locks");
        status.args(["status", "--porcelain", "--untracked-files=all", "--no-renames"]);
        let output = self.world.output(&mut status)?;
        ensure!(output.status.success(), "git status failed");
        let work = lock(&self.work);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let paths = text.lines().filter_map(|line| line.get(3..));
        Ok(paths.filter(|path| !work.contains(*path)).map(str::to_owned).collect())
    }

    /// From now on these paths may be changed.
    pub(crate) fn expect_changes<T: Into<String>>(&self, paths: impl IntoIterator<Item = T>) {
        lock(&self.work).extend(paths.into_iter().map(Into::into));
    }

    /// The person commits: nothing may be changed any more.
    pub(crate) fn committed(&self, message: &str) -> Result<()> {
        self.world.commit(message)?;
        lock(&self.work).clear();
        Ok(())
    }
}

/// Where the system's programs are.
const SYSTEM: &str = "/usr/local/bin:/usr/bin:/bin";

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
