//! A small tree to apply patches in, and what they changed in it. Each run starts from the same files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;

/// What every file holds at first: lines that no patch format takes for its own.
pub(crate) const LINES: [&str; 8] = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"];

/// The files: plain and odd names, names with the folders that other strip levels leave, and the words that a program
/// takes for names when it reads an envelope as a context diff.
pub(crate) const FILES: [&str; 20] = [
    "src/a.ts",
    "src/b.ts",
    "lib/b.ts",
    "a.ts",
    "run.sh",
    "my file.ts",
    "my",
    "src/üm.ts",
    "a/src/a.ts",
    "b/src/a.ts",
    "a/lib/b.ts",
    "b/lib/b.ts",
    "a/a.ts",
    "b/a.ts",
    "Update",
    "Begin",
    "End",
    "Add",
    "dev/null",
    "quote\"d.ts",
];

/// What a file holds at first. Most hold the lines once; two end without LF and two with an empty line, two hold every line
/// twice, and two have blanks around some of them.
pub(crate) fn at_first(file: &str) -> String {
    let usual: String = LINES.iter().map(|line| format!("{line}\n")).collect();
    match file {
        "a.ts" | "b/a.ts" => usual.trim_end().to_owned(),
        "src/b.ts" | "my" => format!("{usual}\n"),
        "lib/b.ts" | "Update" => usual.repeat(2),
        "a/a.ts" | "run.sh" => {
            usual.replace("beta", "\tbeta").replace("epsilon", "epsilon  ").replace("zeta", " zeta ")
        }
        _ => usual,
    }
}

/// A file as it is seen: the exec bit and the content; a link is the text that it holds.
type Seen = (u32, Vec<u8>);

pub(crate) struct Tree {
    outer: TempDir,
    first: BTreeMap<String, Seen>,
    index: Vec<u8>,
    stamp: SystemTime,
}

/// The file that GNU patch began to write: one that it gives up stays beside it as `.o` with six letters or digits.
fn begun(name: &str) -> Option<&str> {
    let (file, drawn) = name.rsplit_once(".o")?;
    (drawn.len() == 6 && drawn.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(file)
}

impl Tree {
    pub(crate) fn new() -> Result<Self> {
        let outer = TempDir::new()?;
        let stamp = SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000);
        let mut tree = Self { outer, first: BTreeMap::new(), index: Vec::new(), stamp };
        for folder in ["tree", "orig"] {
            for file in FILES {
                let path = tree.outer.path().join(folder).join(file);
                fs::create_dir_all(path.parent().context("no parent")?)?;
                tree.write(&path, &(0o644, at_first(file).into_bytes()))?;
            }
        }
        fs::create_dir(tree.outer.path().join("home"))?;
        tree.git(&["init", "--quiet", "--initial-branch=main", "."])?;
        // The index then trusts what was put back.
        tree.git(&["config", "core.checkStat", "minimal"])?;
        tree.git(&["config", "core.trustctime", "false"])?;
        tree.git(&["add", "--all"])?;
        tree.git(&["-c", "user.name=n", "-c", "user.email=n@localhost", "commit", "--quiet", "-m", "first"])?;
        tree.index = fs::read(tree.root().join(".git/index"))?;
        tree.first = tree.look()?;
        Ok(tree)
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.outer.path().join("tree")
    }

    /// A folder beside it, in which nothing is looked at.
    pub(crate) fn home(&self) -> PathBuf {
        self.outer.path().join("home")
    }

    /// A program that knows nothing of this machine's settings.
    pub(crate) fn program(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command
            .current_dir(self.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.outer.path().join("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CEILING_DIRECTORIES", self.outer.path())
            .env("TMPDIR", self.outer.path().join("home"))
            .env("LC_ALL", "C.UTF-8")
            .env("TZ", "UTC");
        command
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> Result<Vec<u8>> {
        let output = self.program("git").args(arguments).output()?;
        if !output.status.success() {
            bail!("git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(output.stdout)
    }

    /// Feeds the text to a program; whether it says that it succeeded.
    pub(crate) fn feed(&self, program: &str, arguments: &[&str], text: &str) -> Result<bool> {
        let mut child = self
            .program(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        if let Some(mut input) = child.stdin.take() {
            // A program that has seen enough closes its input.
            let _ = input.write_all(text.as_bytes());
        }
        Ok(child.wait()?.success())
    }

    /// The files that are not as they were, relative to the root, `../` in front of those beside it.
    pub(crate) fn changed(&self) -> Result<BTreeSet<String>> {
        let now = self.look()?;
        let names: BTreeSet<&String> = self.first.keys().chain(now.keys()).collect();
        let left = |name: &str| name.ends_with(".rej") || name.ends_with(".orig");
        Ok(names
            .into_iter()
            .filter(|name| self.first.get(*name) != now.get(*name) && !left(name))
            .map(|name| begun(name).unwrap_or(name))
            .map(|name| name.strip_prefix("tree/").map_or_else(|| format!("../{name}"), str::to_owned))
            .collect())
    }

    /// What each of these files holds now; nothing where it is gone.
    pub(crate) fn contents(&self) -> Result<BTreeMap<String, Option<Vec<u8>>>> {
        let read = |name: String| (fs::read(self.root().join(&name)).ok(), name);
        Ok(self.changed()?.into_iter().map(read).map(|(bytes, name)| (name, bytes)).collect())
    }

    /// Every file as it was at first.
    pub(crate) fn restore(&self) -> Result<()> {
        let now = self.look()?;
        for name in now.keys().filter(|name| !self.first.contains_key(*name)) {
            fs::remove_file(self.outer.path().join(name))?;
        }
        for (name, seen) in self.first.iter().filter(|(name, seen)| now.get(*name) != Some(*seen)) {
            let path = self.outer.path().join(name);
            let folder = path.parent().context("no parent")?;
            if folder.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
                fs::remove_file(folder)?;
            }
            fs::create_dir_all(folder)?;
            if path.is_dir() {
                fs::remove_dir_all(&path)?;
            } else if path.symlink_metadata().is_ok() {
                fs::remove_file(&path)?;
            }
            self.write(&path, seen)?;
        }
        Ok(fs::write(self.root().join(".git/index"), &self.index)?)
    }

    fn write(&self, path: &Path, (mode, bytes): &Seen) -> Result<()> {
        fs::write(path, bytes)?;
        fs::set_permissions(path, fs::Permissions::from_mode(*mode))?;
        fs::File::options().write(true).open(path)?.set_modified(self.stamp)?;
        Ok(())
    }

    fn look(&self) -> Result<BTreeMap<String, Seen>> {
        let mut seen = BTreeMap::new();
        let mut folders = vec![self.outer.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                let name = path.strip_prefix(self.outer.path())?.to_string_lossy().into_owned();
                let found = path.symlink_metadata()?;
                if name == "tree/.git" || name == "home" {
                    continue;
                }
                if found.is_dir() {
                    folders.push(path);
                } else if found.is_symlink() {
                    seen.insert(
                        name,
                        (0o120_000, fs::read_link(&path)?.to_string_lossy().into_owned().into_bytes()),
                    );
                } else {
                    let mode = if found.permissions().mode() & 0o100 == 0 { 0o644 } else { 0o755 };
                    seen.insert(name, (mode, fs::read(&path)?));
                }
            }
        }
        Ok(seen)
    }
}
