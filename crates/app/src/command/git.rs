//! Git as a program, for commands that a person or git itself runs; never on a hook's path.
//!
//! Only plumbing that reads, and staging a segment. Lazy fetching is off, so that nothing leaves the machine.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bailiwick_domain::{ContentHash, PortError, SegmentHistory};

use super::CommandError;

/// Where segments are, as git names it.
pub(super) const SEGMENTS: &str = ".orchestration/trace";

/// Git in one working copy.
#[derive(Clone, Debug)]
pub(super) struct Git {
    root: PathBuf,
}

impl Git {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_path_buf() }
    }

    fn run(&self, words: &[&str]) -> std::io::Result<Output> {
        let mut command = Command::new("git");
        command.args(["--no-optional-locks", "-C"]).arg(&self.root).args(words);
        command.env("GIT_NO_LAZY_FETCH", "1").output()
    }

    fn text(&self, words: &[&str]) -> Result<String, CommandError> {
        let output = self.run(words).map_err(|error| CommandError::io("git", error))?;
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(CommandError::Other(format!("git {}: {why}", words.first().unwrap_or(&""))));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The folder that git runs hooks from.
    pub(super) fn hooks_folder(&self) -> Result<PathBuf, CommandError> {
        let folder = self.text(&["rev-parse", "--git-path", "hooks"])?;
        Ok(self.root.join(folder.trim_end_matches(['\n', '\r'])))
    }

    /// Puts a file into the index.
    pub(super) fn stage(&self, paths: &[&Path]) -> Result<(), CommandError> {
        let names: Vec<&str> = paths.iter().filter_map(|path| path.to_str()).collect();
        let words: Vec<&str> = ["add", "--"].into_iter().chain(names).collect();
        self.text(&words).map(drop)
    }

    /// Which of these paths any ref, any stash or the index has, or had as far as is remembered.
    pub(super) fn ever_had(&self, paths: &[&str]) -> Result<Vec<String>, CommandError> {
        let words =
            ["-c", "core.quotePath=false", "log", "--all", "--reflog", "--full-history", "-m", "--root"];
        let words = words.into_iter().chain(["--format=", "--name-only", "-z", "--"]);
        let listed = self.text(&words.chain(paths.iter().copied()).collect::<Vec<_>>())?;
        Ok(listed.split(['\0', '\n']).filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    /// The content that the index has for a path.
    pub(super) fn staged(&self, path: &str) -> Option<Vec<u8>> {
        let output = self.run(&["cat-file", "blob", &format!(":{path}")]).ok()?;
        output.status.success().then_some(output.stdout)
    }

    /// The segments that the index has.
    pub(super) fn staged_segments(&self) -> Result<Vec<ContentHash>, CommandError> {
        Ok(self.text(&["ls-files", "--", SEGMENTS])?.lines().filter_map(segment_name).collect())
    }
}

/// The segment that a path is the name of.
fn segment_name(path: &str) -> Option<ContentHash> {
    let digits = path.rsplit('/').next()?.strip_suffix(".jsonl")?;
    ContentHash::parse(&format!("sha256:{digits}"))
}

impl SegmentHistory for Git {
    fn names(&self) -> Result<BTreeSet<ContentHash>, PortError> {
        let problem = |error: CommandError| PortError::Unavailable(error.to_string());
        let mut names: BTreeSet<ContentHash> = self.staged_segments().map_err(problem)?.into_iter().collect();
        let everywhere = ["rev-list", "--objects", "--all", "--reflog", "--", SEGMENTS];
        names.extend(self.text(&everywhere).map_err(problem)?.lines().filter_map(segment_name));
        Ok(names)
    }
}
