//! One person's machine in a temporary folder: a home, a repository, a search path, and the real binary.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A repository that is still ungoverned, on a machine without any agent's program.
pub(crate) struct World {
    folder: tempfile::TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = Self::without_git();
        git(&world.root(), &["init", "--quiet"]);
        world
    }

    pub(crate) fn without_git() -> Self {
        let world = Self { folder: tempfile::tempdir().unwrap() };
        for folder in ["home", "bin", "repo"] {
            std::fs::create_dir(world.path(folder)).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("/bin/sh", world.path("bin/sh")).unwrap();
        world
    }

    /// A path on this machine, free of symlinks.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.path("repo")
    }

    pub(crate) fn local_settings(&self) -> PathBuf {
        self.path("repo/.claude/settings.local.json")
    }

    pub(crate) fn servers(&self) -> PathBuf {
        self.path("home/.claude.json")
    }

    /// The binary, run by a person in that folder.
    pub(crate) fn command_in(&self, folder: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bailiwick"));
        command.args(words).current_dir(folder).env_clear();
        command.env("HOME", self.path("home")).env("PATH", self.path("bin"));
        command
    }

    #[track_caller]
    pub(crate) fn run(&self, words: &[&str]) -> Output {
        self.command_in(&self.root(), words).output().unwrap()
    }

    /// Runs a command that must work, and gives what it said.
    #[track_caller]
    pub(crate) fn ok(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// What a command shows that also says by its exit status whether calls are judged, which they are not on a machine
    /// without any hooked agent.
    #[track_caller]
    pub(crate) fn shown(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{words:?}: {}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Every file, folder and link of the home and the repository with its content; caches do not count.
    pub(crate) fn everything(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        for folder in ["home", "repo"] {
            collect(&self.path(folder), &mut found);
        }
        found.retain(|name, _| !name.contains("/bailiwick/cache/"));
        found
    }

    /// The names of everything that came, went or changed since.
    pub(crate) fn changes_since(&self, before: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
        let after = self.everything();
        let gone = before.keys().filter(|name| !after.contains_key(*name));
        let other =
            after.iter().filter(|(name, content)| before.get(*name) != Some(content)).map(|(name, _)| name);
        gone.chain(other).cloned().collect()
    }

    pub(crate) fn git_status(&self) -> String {
        git(&self.root(), &["status", "--porcelain"])
    }
}

/// Everything that a command said.
pub(crate) fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

pub(crate) fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

#[track_caller]
pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[track_caller]
pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Git itself, without the person's settings.
#[track_caller]
pub(crate) fn git(folder: &Path, words: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=t", "-c", "user.email=t@example.invalid"]).args(words).current_dir(folder);
    let variables = std::env::vars_os().map(|(name, _)| name);
    for name in variables.filter(|name| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    let output =
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn collect(folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.display().to_string();
        let kind = path.symlink_metadata().unwrap();
        if kind.is_symlink() {
            found.insert(name, path.read_link().unwrap().to_string_lossy().into_owned().into_bytes());
        } else if kind.is_file() {
            found.insert(name, std::fs::read(&path).unwrap());
        } else {
            found.insert(format!("{name}/"), Vec::new());
            collect(&path, found);
        }
    }
}
