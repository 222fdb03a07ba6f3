//! Which processes are agents: hooks write them down, and commands of humans look whether one is above them (D-16).
//!
//! Linux reads `/proc`; macOS asks `ps`; elsewhere no ancestor is known. Deliberately absent: what an agent's
//! descendants may do.

use std::path::PathBuf;

use bailiwick_domain::{PortError, json};

use crate::Layout;
use crate::atomic::{Durability, create_once};

/// How far up a chain is followed.
const MAX_DEPTH: usize = 64;

/// A running process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its id.
    pub pid: u32,
    /// When it started, in the system's own unit; tells it from a later process with the same id.
    pub started: u64,
    /// The words of its command line.
    pub words: Vec<String>,
    /// Whether it has a controlling terminal.
    pub has_terminal: bool,
}

/// The agent that called this hook: the nearest process above that is not a shell around the hook itself.
pub fn calling_agent() -> Option<Process> {
    chain(own_parent()).find(|process| !is_wrapper(&process.words))
}

/// The processes above `pid`, nearest first.
pub fn ancestors(pid: u32) -> Vec<Process> {
    let Some(first) = platform::parent(pid) else { return Vec::new() };
    chain(first).collect()
}

/// The process `first` and those above it, looked up as they are asked for.
fn chain(first: u32) -> impl Iterator<Item = Process> {
    let mut next = Some(first);
    std::iter::from_fn(move || {
        let pid = next.filter(|pid| *pid != 0)?;
        let (process, parent) = platform::look(pid)?;
        next = parent;
        Some(process)
    })
    .take(MAX_DEPTH)
}

/// The agents that hooks of this root were called by.
#[derive(Clone, Debug)]
pub struct AgentProcesses {
    dir: PathBuf,
}

impl AgentProcesses {
    /// The agents of this root.
    pub fn new(layout: Layout) -> Self {
        Self { dir: layout.private().join("agents") }
    }

    /// Writes down the agent that called this hook: the nearest process above that is not a shell around the hook
    /// itself. Does nothing when it is written down already.
    pub fn record(&self, host: &str) -> Result<(), PortError> {
        let Some(agent) = calling_agent() else { return Ok(()) };
        let path = self.file(&agent);
        if path.exists() {
            return Ok(());
        }
        let content = json!({"host": host, "program": agent.words.first()}).to_string();
        create_once(&path, content.as_bytes(), Durability::Os).map(|_| ())
    }

    /// The nearest process above this one that is a recorded agent.
    pub fn governed_ancestor(&self) -> Option<Process> {
        chain(own_parent()).find(|process| self.file(process).exists())
    }

    fn file(&self, process: &Process) -> PathBuf {
        self.dir.join(format!("{}-{}", process.pid, process.started))
    }
}

/// Whether a command line is a shell that was started only to run our hook: `sh -c '…bailiwick… hook --agent …'`.
fn is_wrapper(words: &[String]) -> bool {
    const SHELLS: [&str; 5] = ["sh", "bash", "dash", "zsh", "ksh"];
    let [shell, flags, script @ ..] = words else { return false };
    let name = shell.rsplit('/').next().unwrap_or_default();
    SHELLS.contains(&name)
        && flags.starts_with('-')
        && flags.contains('c')
        && script.join(" ").contains(" hook --agent ")
}

fn own_parent() -> u32 {
    #[cfg(unix)]
    return std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    return 0;
}

#[cfg(target_os = "linux")]
mod platform {
    use super::Process;

    /// The process and its parent's id, from two small files.
    pub(super) fn look(pid: u32) -> Option<(Process, Option<u32>)> {
        let (parent, started, has_terminal) = stat(pid)?;
        let bytes = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let words = text.split_terminator('\0').map(str::to_owned).collect();
        Some((Process { pid, started, words, has_terminal }, Some(parent)))
    }

    pub(super) fn parent(pid: u32) -> Option<u32> {
        stat(pid).map(|(parent, _, _)| parent)
    }

    /// Parent, start time and whether there is a terminal; fields are counted behind the name, which may hold blanks and parentheses.
    fn stat(pid: u32) -> Option<(u32, u64, bool)> {
        let text = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
        let text = String::from_utf8_lossy(&text);
        let (_, fields) = text.rsplit_once(')')?;
        let mut fields = fields.split_ascii_whitespace();
        let parent = fields.nth(1)?.parse().ok()?;
        let terminal: i32 = fields.nth(2)?.parse().ok()?;
        let started = fields.nth(14)?.parse().ok()?;
        Some((parent, started, terminal != 0))
    }
}

#[cfg(target_os = "macos")]
mod platform {
    use bailiwick_domain::ContentHash;

    use super::Process;

    const START_WORDS: usize = 5;

    pub(super) fn look(pid: u32) -> Option<(Process, Option<u32>)> {
        let output = std::process::Command::new("/bin/ps")
            .args(["-o", "ppid=", "-o", "tty=", "-o", "lstart=", "-o", "command=", "-p", &pid.to_string()])
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let mut words = text.split_ascii_whitespace();
        let parent = words.next()?.parse().ok()?;
        let terminal = words.next()?;
        let start: Vec<&str> = words.by_ref().take(START_WORDS).collect();
        let started = ContentHash::of(start.join(" ").as_bytes());
        let started = u64::from_str_radix(started.digits().get(..15)?, 16).ok()?;
        let words = words.map(str::to_owned).collect();
        Some((Process { pid, started, words, has_terminal: terminal != "??" }, Some(parent)))
    }

    pub(super) fn parent(pid: u32) -> Option<u32> {
        look(pid).and_then(|(_, parent)| parent)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
mod platform {
    use super::Process;

    pub(super) fn look(_pid: u32) -> Option<(Process, Option<u32>)> {
        None
    }

    pub(super) fn parent(_pid: u32) -> Option<u32> {
        None
    }
}
