//! A scratch world for one scenario or measurement: its own home, its own repository, its own copy of the binary.
//!
//! Dropping it removes everything; the copy exists so that a scenario may break the installed gate.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tempfile::TempDir;

use crate::stage::terminal::Terminal;

/// How long a person's terminal may take to draw something.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// The intents that scenarios start with.
pub(crate) const INTENTS: &str = "\
active_intents:
  - id: INT-001
    name: Fix login timeout
    status: IN_PROGRESS
    owned_scope:
      - src/auth/**
    constraints:
      - Keep the public API
    acceptance_criteria:
      - Login succeeds after 30 seconds
    requirements:
      - REQ-AUTH-1
";

const FILES: &[(&str, &str)] = &[
    ("README.md", "# Shop\n"),
    ("src/auth/login.ts", "export const timeout = 10;\n"),
    ("src/core/main.ts", "export const main = 1;\n"),
];

/// One scratch world.
pub(crate) struct World {
    /// Removes the folder when dropped.
    _folder: TempDir,
    base: PathBuf,
    product: PathBuf,
    notes: Mutex<BTreeMap<String, String>>,
}

/// Where worlds were made, for [`sweep`].
static MADE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Takes away what a client wrote after its world was gone: it keeps its notes while it ends. Called when no world is
/// left.
pub(crate) fn sweep() {
    std::thread::sleep(Duration::from_secs(2));
    let made = MADE.lock().map(|mut made| std::mem::take(&mut *made)).unwrap_or_default();
    for folder in made.iter().filter(|folder| folder.exists()) {
        drop(std::fs::remove_dir_all(folder));
    }
}

impl World {
    /// An empty world with a committed repository and no gate.
    pub(crate) fn new(product: &Path) -> Result<Self> {
        Self::in_folder(product, &std::env::temp_dir())
    }

    /// The same below a folder of the caller's choice.
    pub(crate) fn in_folder(product: &Path, parent: &Path) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("bw-").tempdir_in(parent)?;
        let base = folder.path().canonicalize()?;
        if let Ok(mut made) = MADE.lock() {
            made.push(base.clone());
        }
        let world = Self { _folder: folder, base, product: product.to_path_buf(), notes: Mutex::default() };
        for path in [world.home(), world.bin(), world.repo()] {
            std::fs::create_dir_all(&path)?;
        }
        for (path, text) in FILES {
            world.write(path, text)?;
        }
        for words in [
            &["init", "-q", "-b", "main"][..],
            &["config", "user.name", "Dev"],
            &["config", "user.email", "dev@example.com"],
            &["add", "-A"],
            &["commit", "-q", "-m", "start"],
        ] {
            world.git(words)?;
        }
        Ok(world)
    }

    /// Puts the gate in place as a person would: intents, `init`, commit.
    pub(crate) fn govern(&self) -> Result<()> {
        self.govern_with(INTENTS)
    }

    /// The same with other intents.
    pub(crate) fn govern_with(&self, intents: &str) -> Result<()> {
        self.place_program(&self.product)?;
        self.write(".orchestration/active_intents.yaml", intents)?;
        self.gate_says(&["init", "--agent", "claude-code"])?;
        self.git(&["add", "-A"])?;
        self.git(&["commit", "-q", "--allow-empty", "-m", "govern"])
    }

    /// Puts a program where the gate is. Another process copies it: a file that this one wrote could still be open in a
    /// child that a parallel scenario has just forked, and then it cannot be run.
    pub(crate) fn place_program(&self, program: &Path) -> Result<()> {
        self.succeed(Command::new("cp").arg("-f").arg("--").arg(program).arg(self.gate()))
    }

    /// The program that this world's gate is a copy of.
    pub(crate) fn product(&self) -> &Path {
        &self.product
    }

    /// The folder that holds everything.
    pub(crate) fn base(&self) -> &Path {
        &self.base
    }

    /// The home folder of this world.
    pub(crate) fn home(&self) -> PathBuf {
        self.base.join("home")
    }

    /// The repository.
    pub(crate) fn repo(&self) -> PathBuf {
        self.base.join("repo")
    }

    /// The folder of programs that comes first in the path.
    pub(crate) fn bin(&self) -> PathBuf {
        self.base.join("bin")
    }

    /// This world's copy of the binary.
    pub(crate) fn gate(&self) -> PathBuf {
        self.bin().join("bailiwick")
    }

    /// The environment of everything that runs here.
    pub(crate) fn environment(&self) -> Vec<(String, String)> {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.bin().display());
        let home = self.home().display().to_string();
        [("PATH", path.as_str()), ("HOME", home.as_str()), ("LANG", "C.UTF-8")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec()
    }

    /// Writes a file of the repository.
    pub(crate) fn write(&self, path: &str, text: &str) -> Result<()> {
        let target = self.repo().join(path);
        if let Some(folder) = target.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&target, text).with_context(|| target.display().to_string())
    }

    /// Reads a file of the repository; `None` when it does not exist.
    pub(crate) fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.repo().join(path)).ok()
    }

    /// Runs a program here, outside any agent.
    pub(crate) fn output(&self, command: &mut Command) -> Result<Output> {
        command.env_clear().envs(self.environment()).current_dir(self.repo()).stdin(Stdio::null());
        command.output().with_context(|| format!("{command:?}"))
    }

    /// Runs the gate's command line and gives its output; a failure is an error.
    pub(crate) fn gate_says(&self, words: &[&str]) -> Result<String> {
        let output = self.output(Command::new(self.gate()).args(words))?;
        if !output.status.success() {
            bail!("bailiwick {words:?} failed ({}): {}", output.status, text_of(&output));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// What `status` says, also where it says by its exit status that no agent is hooked.
    pub(crate) fn status(&self) -> Result<Value> {
        let words = ["status", "--json"];
        let output = self.output(Command::new(self.gate()).args(words))?;
        if !matches!(output.status.code(), Some(0 | 1)) {
            bail!("bailiwick {words:?} failed ({}): {}", output.status, text_of(&output));
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    /// The open approval requests.
    pub(crate) fn open_approvals(&self) -> Result<Vec<Value>> {
        let listing: Value = serde_json::from_str(&self.gate_says(&["approval", "list", "--json"])?)?;
        Ok(listing["approvals"].as_array().cloned().unwrap_or_default())
    }

    /// The oldest open approval request.
    pub(crate) fn oldest_approval(&self) -> Result<Value> {
        self.open_approvals()?.into_iter().next().context("no approval is open")
    }

    /// A person at a terminal of their own approves the oldest request.
    pub(crate) fn approve_oldest(&self) -> Result<()> {
        let request = self.oldest_approval()?;
        self.approve(request["id"].as_str().context("an approval without an id")?)
    }

    /// A person at a terminal of their own answers the oldest request with the grant that it offers.
    pub(crate) fn grant_oldest(&self) -> Result<()> {
        let request = self.oldest_approval()?;
        let id = request["id"].as_str().context("an approval without an id")?;
        self.person_runs(&format!("bailiwick approval grant {id}"))
    }

    /// A person at a terminal of their own approves this request.
    pub(crate) fn approve(&self, id: &str) -> Result<()> {
        self.person_runs(&format!("bailiwick approval approve {id}"))
    }

    /// A person at a terminal of their own lets an intent count that was written by hand.
    pub(crate) fn accept_intent(&self, id: &str) -> Result<()> {
        let terminal = self.terminal(&format!("bailiwick intent accept {id}"))?;
        terminal.wait_for(&["y/N", "[ended"], PATIENCE)?;
        terminal.press(&["y", "Enter"])?;
        terminal.wait_for(&["[ended 0]"], PATIENCE).map(drop)
    }

    /// A person's terminal in the repository.
    pub(crate) fn terminal(&self, command: &str) -> Result<Terminal> {
        Terminal::open(&self.repo(), &self.environment(), command)
    }

    /// The same with that many columns and rows.
    pub(crate) fn terminal_of(&self, columns: u16, rows: u16, command: &str) -> Result<Terminal> {
        Terminal::of_size((columns, rows), &self.repo(), &self.environment(), command)
    }

    /// Remembers a value for the steps to come: `{name}` in an input stands for it.
    pub(crate) fn note(&self, name: &str, value: &str) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), value.to_owned());
    }

    /// Whether a value of that name was remembered.
    pub(crate) fn is_noted(&self, name: &str) -> bool {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).contains_key(name)
    }

    /// An input with `{root}` and every note put in.
    pub(crate) fn fill(&self, input: &Value) -> Value {
        self.fill_for(&self.repo(), input)
    }

    /// The same for another root than the repository.
    pub(crate) fn fill_for(&self, root: &Path, input: &Value) -> Value {
        match input {
            Value::String(text) => {
                let mut text = text.replace("{root}", &root.display().to_string());
                for (name, value) in &*self.notes.lock().unwrap_or_else(PoisonError::into_inner) {
                    text = text.replace(&format!("{{{name}}}"), value);
                }
                Value::String(text)
            }
            Value::Array(items) => items.iter().map(|item| self.fill_for(root, item)).collect(),
            Value::Object(fields) => {
                fields.iter().map(|(key, value)| (key.clone(), self.fill_for(root, value))).collect()
            }
            other => other.clone(),
        }
    }

    /// Where the calls lie whose outcome is not known yet.
    pub(crate) fn pending(&self) -> Result<PathBuf> {
        let roots = std::fs::read_dir(self.home().join(".local/state/bailiwick/roots"))?;
        let folders: Vec<PathBuf> =
            roots.map(|root| Ok(root?.path().join("pending"))).collect::<Result<_>>()?;
        folders.into_iter().find(|folder| folder.is_dir()).context("nothing is pending")
    }

    /// Runs git in the repository, as the person would.
    pub(crate) fn git(&self, words: &[&str]) -> Result<()> {
        self.succeed(Command::new("git").args(words))
    }

    /// Commits everything, as the person.
    pub(crate) fn commit(&self, message: &str) -> Result<()> {
        self.git(&["add", "-A"])?;
        self.git(&["commit", "-q", "-m", message])
    }

    /// The person runs a command in a terminal of their own and says yes to what it asks; it must succeed.
    pub(crate) fn person_runs(&self, command: &str) -> Result<()> {
        let terminal = self.terminal(command)?;
        let screen = terminal.wait_for(&["y/N", "[ended"], PATIENCE)?;
        if !screen.contains("[ended") {
            terminal.press(&["y", "Enter"])?;
        }
        terminal.wait_for(&["[ended 0]"], PATIENCE).map(drop)
    }

    fn succeed(&self, command: &mut Command) -> Result<()> {
        let output = self.output(command)?;
        if !output.status.success() {
            bail!("{command:?} failed: {}", text_of(&output));
        }
        Ok(())
    }
}

fn text_of(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
