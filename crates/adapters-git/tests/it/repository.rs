//! A scratch folder in which the real `git` runs, away from the user's configuration.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bailiwick_adapters_git::GitPlace;
use tempfile::TempDir;

/// What is found, where the system says what is there.
pub(crate) fn discover(start: &Path) -> Option<GitPlace> {
    bailiwick_adapters_git::discover(start).unwrap()
}

/// A scratch folder; its path is free of symlinks.
#[derive(Debug)]
pub(crate) struct Scratch {
    _folder: TempDir,
    pub(crate) root: PathBuf,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        Self { _folder: folder, root }
    }

    /// A scratch folder with a repository `repo`, which has no commit yet.
    pub(crate) fn with_repository() -> Self {
        let scratch = Self::new();
        scratch.git(".", &["init", "-q", "-b", "main", "repo"]);
        scratch
    }

    /// A scratch folder with a repository `repo` with one commit.
    pub(crate) fn with_commit() -> Self {
        let scratch = Self::with_repository();
        scratch.write("repo/a.txt", "a\n");
        scratch.git("repo", &["add", "-A"]);
        scratch.git("repo", &["commit", "-q", "-m", "one"]);
        scratch
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    pub(crate) fn write(&self, relative: &str, text: impl AsRef<[u8]>) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Runs git in a folder below the scratch root and returns what it printed.
    pub(crate) fn git(&self, folder: &str, arguments: &[&str]) -> String {
        let output = git_in(&self.root, folder).args(arguments).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "git {arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    /// Whether this git knows what the arguments ask for.
    pub(crate) fn git_can(&self, folder: &str, arguments: &[&str]) -> bool {
        git_in(&self.root, folder).args(arguments).output().unwrap().status.success()
    }
}

fn git_in(root: &Path, folder: &str) -> Command {
    let mut git = Command::new("git");
    let path = std::env::var_os("PATH").unwrap_or_default();
    git.env_clear()
        .env("PATH", path)
        .env("HOME", root)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .current_dir(root.join(folder));
    for setting in [
        "user.name=Ada",
        "user.email=ada@example.org",
        "commit.gpgsign=false",
        "protocol.file.allow=always",
        "advice.detachedHead=false",
        "init.defaultBranch=main",
    ] {
        git.args(["-c", setting]);
    }
    git
}
