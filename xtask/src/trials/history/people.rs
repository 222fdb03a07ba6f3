//! Other clones with a ledger of their own, by the same person or by one whose state folder is another: a new laptop, and
//! a container that shares the folder of the repository.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::{History, State};
use crate::stage::wire::Wire;

impl History {
    /// A second clone of the same person.
    pub(super) fn second_clone(&self, state: &mut State) -> Result<()> {
        self.other_clone(&self.world.home(), "second", state)
    }

    /// A clone on a machine that knows nothing yet.
    pub(super) fn laptop(&self, state: &mut State) -> Result<()> {
        self.other_clone(&self.home("laptop-home")?, "laptop", state)
    }

    /// Work in a container that shares the repository's folder, but not the state folder.
    pub(super) fn container(&self, state: &mut State) -> Result<()> {
        let (home, repo) = (self.home("container-home")?, self.world.repo());
        for _ in 0..=state.dice.roll(2) {
            self.change_by(&home, &repo, state)?;
            self.verify_from(&home, &repo, &repo)?;
        }
        self.verify(&repo)?;
        if state.dice.roll(2) > 0 {
            self.run_in(&home, &repo, "git", &["add", "-A"])?;
            self.run_in(&home, &repo, "git", &["commit", "-qm", "in a container"])?;
            self.verify_from(&home, &repo, &repo)?;
        }
        Ok(())
    }

    /// Work in a clone that stays, which exchanges commits with the repository.
    fn other_clone(&self, home: &Path, name: &str, state: &mut State) -> Result<()> {
        let (place, repo) = (self.beside(name), self.world.repo());
        let from = repo.display().to_string();
        if place.exists() {
            let pull = ["pull", "-q", "--no-rebase", "--no-edit", &from, "HEAD"];
            if !self.run_in(home, &place, "git", &pull)?.status.success() {
                self.run_in(home, &place, "git", &["merge", "--abort"])?;
            }
        } else {
            let to = place.display().to_string();
            self.must(home, &repo, "git", &["clone", "-q", "--no-local", ".", &to])?;
            self.must(home, &place, "git", &["config", "user.name", "t"])?;
            self.must(home, &place, "git", &["config", "user.email", "t@example.invalid"])?;
        }
        if !Self::is_governed(&place) {
            return std::fs::remove_dir_all(&place).map_err(Into::into);
        }
        let gate = self.world.gate().display().to_string();
        self.must(home, &place, &gate, &["init", "--git"])?;
        self.change_by(home, &place, state)?;
        self.verify_from(home, &place, &place)?;
        self.run_in(home, &place, "git", &["add", "-A"])?;
        self.run_in(home, &place, "git", &["commit", "-qm", name])?;
        self.verify_from(home, &place, &place)?;
        let to = place.display().to_string();
        if state.dice.roll(3) > 0
            && !self.try_git(&["pull", "-q", "--no-rebase", "--no-edit", &to, "HEAD"])?
        {
            self.try_git(&["merge", "--abort"])?;
        }
        Ok(())
    }

    /// A home folder of somebody else.
    fn home(&self, name: &str) -> Result<PathBuf> {
        let home = self.beside(name);
        std::fs::create_dir_all(&home)?;
        Ok(home)
    }

    /// An approved change by somebody with that home folder.
    fn change_by(&self, home: &Path, folder: &Path, state: &mut State) -> Result<()> {
        if !Self::is_governed(folder) {
            return Ok(());
        }
        state.files += 1;
        let path = format!("src/auth/file{}.ts", state.files);
        let content = format!("export const n{} = 1;\n", state.files);
        Wire::open_from(&self.world, folder, home)?.record(folder, &path, &content)
    }

    /// Runs a program with that home folder.
    pub(super) fn run_in(&self, home: &Path, folder: &Path, program: &str, words: &[&str]) -> Result<Output> {
        let mut command = Command::new(program);
        command.args(words).env_clear().envs(self.world.environment()).env("HOME", home);
        command.current_dir(folder).stdin(Stdio::null());
        command.output().with_context(|| format!("{command:?}"))
    }

    fn must(&self, home: &Path, folder: &Path, program: &str, words: &[&str]) -> Result<()> {
        let output = self.run_in(home, folder, program, words)?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{program} {words:?} in {}: {said}", folder.display());
        Ok(())
    }

    /// No alarm for somebody with that home folder; what they find.
    pub(super) fn verify_from(&self, home: &Path, from: &Path, folder: &Path) -> Result<Value> {
        let (gate, root) = (self.world.gate().display().to_string(), folder.display().to_string());
        let output = self.run_in(home, from, &gate, &["trace", "verify", "--json", "--root", &root])?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        // A branch from before the repository was governed has nothing to verify, and the command says that alone.
        if !output.status.success() && !Self::is_governed(folder) && !said.contains("findings") {
            ensure!(said.contains("is not governed by Bailiwick"), "verify in {root}: {said}{error}");
            return Ok(Value::Null);
        }
        ensure!(output.status.success(), "verify in {root}: {said}{error}");
        Ok(serde_json::from_str(&said)?)
    }
}
