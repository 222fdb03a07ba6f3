//! Which processes are agents: hooks and the MCP server record them, and commands for people check whether one is above
//! them, so that no agent answers its own requests.
//!
//! Linux reads `/proc`; macOS asks `ps`; elsewhere no ancestor is known. Deliberately absent: what an agent's
//! descendants may do.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use bailiwick_domain::{PortError, Value, json};

use crate::Layout;
use crate::files::atomic::{Durability, create_once, unavailable};
use crate::files::freeing::{Doing, Freed, entries, remove};

mod caller;
mod client;
mod loaded;

pub use caller::{CALLERS_ARE_KNOWN, calling_over};
pub use client::calling_client;

/// The member of a record that says that the process is a part of another agent.
const PART: &str = "part";

/// How far up a chain is followed.
const MAX_DEPTH: usize = 64;

/// A running process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its id.
    pub pid: u32,
    /// When it started, in the system's own unit; tells it from a later process with the same id.
    pub started: u64,
    /// The name of its program, without a folder; the system may cut it.
    pub name: String,
    /// Whether it has a controlling terminal.
    pub has_terminal: bool,
    /// The id of its process group.
    pub group: u32,
    /// Whether its session began with it.
    pub leads_session: bool,
}

/// The agent that called this hook: the nearest process above that is not a shell around the hook itself.
pub fn calling_agent() -> Option<Process> {
    static AGENT: OnceLock<Option<Process>> = OnceLock::new();
    AGENT.get_or_init(|| chain(own_parent()).find(|process| !process.is_wrapper())).clone()
}

const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "fish"];

impl Process {
    /// The words of its command line; none when the process is gone.
    pub fn words(&self) -> Vec<String> {
        platform::words(self.pid)
    }

    /// Whether it is a shell that was started only to run our hook: `sh -c '…bailiwick… hook --agent …'`.
    fn is_wrapper(&self) -> bool {
        self.script(&self.words()).is_some_and(|script| script.contains(" hook --agent "))
    }

    /// Whether it still runs.
    pub fn is_alive(&self) -> bool {
        runs((self.pid, self.started))
    }

    /// What a shell with this command line was started to run: `sh -c '…'`.
    fn script(&self, words: &[String]) -> Option<String> {
        if !SHELLS.contains(&self.name.as_str()) {
            return None;
        }
        let [_, flags, script @ ..] = words else { return None };
        (flags.starts_with('-') && flags.contains('c')).then(|| script.join(" "))
    }
}

/// This process.
pub(crate) fn this_process() -> Option<Process> {
    chain(std::process::id()).next()
}

/// The processes above `pid`, nearest first.
pub fn ancestors(pid: u32) -> Vec<Process> {
    chain(pid).skip(1).collect()
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
    /// The agents of every root of this user, so that none answers for another root either.
    everywhere: Option<PathBuf>,
}

impl AgentProcesses {
    /// The agents of this root.
    pub fn new(layout: Layout) -> Self {
        let everywhere = layout.user_state().map(|folder| folder.join("agents"));
        Self { dir: layout.private().join("agents"), everywhere }
    }

    /// Writes down the agent that called this hook: the nearest process above that is not a shell around the hook
    /// itself. Does nothing when it is written down already.
    pub fn record(&self, host: &str) -> Result<(), PortError> {
        calling_agent().map_or(Ok(()), |agent| self.note(host, &agent))
    }

    /// Writes down this process, which runs commands of agents, and its client, which may have a shell of its own: nothing
    /// below them answers for a person.
    pub fn record_server(&self, host: &str, client: &[Process]) -> Result<(), PortError> {
        let this = chain(std::process::id()).next();
        let mut all = this.iter().chain(client).rev();
        all.next().map_or(Ok(()), |agent| self.note(host, agent))?;
        all.try_for_each(|part| self.note_part(host, part))
    }

    fn note(&self, host: &str, agent: &Process) -> Result<(), PortError> {
        self.write(agent, &json!({"host": host, "program": agent.name}))
    }

    /// Notes a process of an agent that is noted itself.
    fn note_part(&self, host: &str, part: &Process) -> Result<(), PortError> {
        self.write(part, &json!({"host": host, "program": part.name, PART: true}))
    }

    fn write(&self, agent: &Process, content: &Value) -> Result<(), PortError> {
        let content = content.to_string();
        let note = |path: &Path| match path.exists() {
            true => Ok(()),
            false => create_once(path, content.as_bytes(), Durability::Os).map(drop),
        };
        if let Some(everywhere) = &self.everywhere {
            // Where the user's folder cannot be written, the root's own record still holds for this root.
            drop(note(&everywhere.join(name_of(agent))));
        }
        note(&self.file(agent))
    }

    /// The nearest process above this one that is a recorded agent, of this root or of another root of this user.
    pub fn governed_ancestor(&self) -> Option<Process> {
        let elsewhere = |process: &Process| {
            self.everywhere.as_ref().is_some_and(|folder| folder.join(name_of(process)).exists())
        };
        chain(own_parent()).find(|process| self.file(process).exists() || elsewhere(process))
    }

    /// Whether a recorded agent of this root runs below this process. `None` where nobody can look at processes.
    pub fn runs_below_this(&self) -> Option<bool> {
        let this = this_process()?;
        let entries = std::fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut running = names.filter_map(|name| named(&name)).filter(|agent| runs(*agent));
        let is_this = |process: Process| (process.pid, process.started) == (this.pid, this.started);
        Some(running.any(|(pid, _)| chain(pid).skip(1).any(is_this)))
    }

    /// The host that a recorded process was noted for.
    pub fn host_of(&self, agent: &Process) -> Option<String> {
        let elsewhere = self.everywhere.iter().map(|folder| folder.join(name_of(agent)));
        let mut records = std::iter::once(self.file(agent)).chain(elsewhere);
        let text = records.find_map(|record| std::fs::read_to_string(record).ok())?;
        let record = serde_json::from_str::<Value>(&text).ok()?;
        record.get("host")?.as_str().map(str::to_owned)
    }

    /// How many of the recorded agents still run.
    ///
    /// # Errors
    /// The folder is there but cannot be read.
    pub fn running(&self) -> Result<usize, PortError> {
        let entries = match std::fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(unavailable(&self.dir, &error)),
        };
        let agents = entries.flatten().filter(|entry| !is_part(&entry.path()));
        let names = agents.filter_map(|entry| entry.file_name().into_string().ok());
        Ok(names.filter(|name| named(name).is_some_and(runs)).count())
    }

    /// Forgets, or counts, recorded agents that do not run any more. Where this process itself cannot be found, nobody
    /// can, and all stay.
    pub(crate) fn forget_gone(&self, doing: Doing) -> Result<Freed, PortError> {
        let mut freed = Freed::default();
        if platform::look(std::process::id()).is_none() {
            return Ok(freed);
        }
        let everywhere = self.everywhere.iter().map(|folder| entries(folder).unwrap_or_default());
        let is_gone = |record: &str| named(record).is_some_and(|agent| !runs(agent));
        let agents = entries(&self.dir)?.into_iter().chain(everywhere.flatten());
        let agents = agents.filter(|(path, _)| is_named(path, is_gone));
        let notes = entries(&self.loaded())?.into_iter().filter(|(path, _)| is_named(path, loaded::is_over));
        for (path, meta) in agents.chain(notes) {
            freed.add(meta.len());
            remove(&path, doing)?;
        }
        Ok(freed)
    }

    fn file(&self, process: &Process) -> PathBuf {
        self.dir.join(name_of(process))
    }
}

fn is_named(path: &Path, as_wanted: impl Fn(&str) -> bool) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(as_wanted)
}

/// Whether the record is of a process that belongs to an agent with a record of its own.
fn is_part(record: &Path) -> bool {
    let text = std::fs::read_to_string(record).unwrap_or_default();
    serde_json::from_str::<Value>(&text).is_ok_and(|record| record.get(PART) == Some(&Value::Bool(true)))
}

/// The name of a process's record: its id, and when it started.
fn name_of(process: &Process) -> String {
    format!("{}-{}", process.pid, process.started)
}

/// The process that a record is about: its id, and when it started.
fn named(record: &str) -> Option<(u32, u64)> {
    let (pid, started) = record.split_once('-')?;
    Some((pid.parse().ok()?, started.parse().ok()?))
}

fn runs((pid, started): (u32, u64)) -> bool {
    platform::look(pid).is_some_and(|(process, _)| process.started == started)
}

fn own_parent() -> u32 {
    #[cfg(unix)]
    return std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    return 0;
}

#[cfg(target_os = "linux")]
mod platform {
    use std::fs::File;

    use super::Process;
    use crate::files::atomic::whole;

    /// The process and its parent's id, from one small file.
    pub(crate) fn look(pid: u32) -> Option<(Process, Option<u32>)> {
        let text = whole(File::open(format!("/proc/{pid}/stat")).ok()?).ok()?;
        let text = String::from_utf8_lossy(&text);
        // The name may hold blanks and parentheses; fields are counted behind it.
        let (head, fields) = text.rsplit_once(')')?;
        let (_, name) = head.split_once('(')?;
        let mut fields = fields.split_ascii_whitespace();
        let parent = fields.nth(1)?.parse().ok()?;
        let group = fields.next()?.parse().ok()?;
        let session: i64 = fields.next()?.parse().ok()?;
        let terminal: i32 = fields.next()?.parse().ok()?;
        let started = fields.nth(14)?.parse().ok()?;
        let (name, has_terminal, leads_session) = (name.to_owned(), terminal != 0, session == i64::from(pid));
        Some((Process { pid, started, name, has_terminal, group, leads_session }, Some(parent)))
    }

    pub(crate) fn words(pid: u32) -> Vec<String> {
        let bytes = File::open(format!("/proc/{pid}/cmdline")).and_then(whole).unwrap_or_default();
        String::from_utf8_lossy(&bytes).split_terminator('\0').map(str::to_owned).collect()
    }
}

#[cfg(target_os = "macos")]
mod platform {
    use bailiwick_domain::ContentHash;

    use super::Process;

    const START_WORDS: usize = 5;

    const COLUMNS: [&str; 12] =
        ["-o", "ppid=", "-o", "pgid=", "-o", "stat=", "-o", "tty=", "-o", "lstart=", "-o", "comm="];

    pub(crate) fn look(pid: u32) -> Option<(Process, Option<u32>)> {
        let text = ps(pid, &COLUMNS)?;
        let mut words = text.split_ascii_whitespace();
        let parent = words.next()?.parse().ok()?;
        let group = words.next()?.parse().ok()?;
        let leads_session = words.next()?.contains('s');
        let has_terminal = words.next()? != "??";
        let start: Vec<&str> = words.by_ref().take(START_WORDS).collect();
        let started = ContentHash::of(start.join(" ").as_bytes());
        let started = u64::from_str_radix(started.digits().get(..15)?, 16).ok()?;
        let program = words.collect::<Vec<_>>().join(" ");
        let name = program.rsplit('/').next().unwrap_or_default().trim_start_matches('-').to_owned();
        Some((Process { pid, started, name, has_terminal, group, leads_session }, Some(parent)))
    }

    pub(crate) fn words(pid: u32) -> Vec<String> {
        let text = ps(pid, &["-o", "command="]).unwrap_or_default();
        text.split_ascii_whitespace().map(str::to_owned).collect()
    }

    fn ps(pid: u32, columns: &[&str]) -> Option<String> {
        let output = std::process::Command::new("/bin/ps")
            .args(columns)
            .args(["-p", &pid.to_string()])
            .output()
            .ok()?;
        String::from_utf8(output.stdout).ok()
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
mod platform {
    use super::Process;

    pub(crate) fn look(_pid: u32) -> Option<(Process, Option<u32>)> {
        None
    }

    pub(crate) fn words(_pid: u32) -> Vec<String> {
        Vec::new()
    }
}
