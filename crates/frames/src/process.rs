//! The other program's process: started without a shell, with the environment as it is, and ended with the proxy.

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// How often is looked whether a group is gone.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// Why a program is not there.
#[derive(Debug, thiserror::Error)]
pub enum NotStarted {
    /// No command was given.
    #[error("there is no command")]
    NoCommand,
    /// The system does not start it.
    #[error("`{0}` cannot be started: {1}")]
    System(String, std::io::Error),
    /// It has no input or output.
    #[error("the program has no pipes")]
    NoPipes,
}

/// A program that runs; it is killed when this is dropped.
#[derive(Debug)]
pub struct Started {
    child: Child,
    /// The process group that it leads, with all that it has started there.
    group: Option<Group>,
}

impl Started {
    /// Starts what these words name, with its error output where this process has its own.
    ///
    /// # Errors
    /// There is no word, or the system does not start it.
    pub fn of(command: &[String]) -> Result<Self, NotStarted> {
        let child = spawned(command, |_| {})?;
        Ok(Self { child, group: None })
    }

    /// The same in a process group of its own, so that nobody takes this process and those above it for a part of it. It is
    /// ended with that group: whoever ends the group of this process does not reach it.
    ///
    /// # Errors
    /// As [`Started::of`].
    pub fn apart(command: &[String]) -> Result<Self, NotStarted> {
        let child = spawned(command, |command| {
            #[cfg(unix)]
            command.process_group(0);
            #[cfg(not(unix))]
            let _ = command;
        })?;
        let group = Group::led_by(&child);
        Ok(Self { child, group })
    }

    /// Its input and its output, once.
    ///
    /// # Errors
    /// They were taken.
    pub fn pipes(&mut self) -> Result<(ChildStdin, ChildStdout), NotStarted> {
        let pipes = (self.child.stdin.take(), self.child.stdout.take());
        let (Some(input), Some(output)) = pipes else { return Err(NotStarted::NoPipes) };
        Ok((input, output))
    }

    /// Waits until it has ended by itself.
    pub async fn ended(&mut self) {
        let _ = self.child.wait().await;
    }

    /// Its input is closed by now: it ends by itself, or is told to, or is ended; so long is waited before each.
    pub async fn end(mut self, patience: Duration) -> Option<ExitStatus> {
        if let Ok(ended) = tokio::time::timeout(patience, self.child.wait()).await {
            return ended.ok();
        }
        match self.group {
            Some(group) => group.tell_to_end(),
            None => tell_to_end(&self.child),
        }
        let gone = async {
            let ended = self.child.wait().await;
            while self.group.is_some_and(|group| group.is_there()) {
                tokio::time::sleep(LOOK_AGAIN).await;
            }
            ended.ok()
        };
        if let Ok(ended) = tokio::time::timeout(patience, gone).await {
            return ended;
        }
        if let Some(group) = self.group {
            group.end();
        }
        let _ = self.child.kill().await;
        None
    }
}

fn spawned(words: &[String], prepare: impl FnOnce(&mut Command)) -> Result<Child, NotStarted> {
    let (program, words) = words.split_first().ok_or(NotStarted::NoCommand)?;
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    prepare(&mut command);
    let child = command.kill_on_drop(true).spawn();
    child.map_err(|error| NotStarted::System(program.clone(), error))
}

/// The id of a process that runs and was not waited for.
#[cfg(unix)]
fn id_of(child: &Child) -> Option<rustix::process::Pid> {
    child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw)
}

#[cfg(unix)]
fn tell_to_end(child: &Child) {
    if let Some(id) = id_of(child) {
        let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
    }
}

#[cfg(not(unix))]
fn tell_to_end(_child: &Child) {}

/// A process group, by the process that leads it.
#[cfg(unix)]
#[derive(Clone, Copy, Debug)]
struct Group(rustix::process::Pid);

#[cfg(unix)]
impl Group {
    fn led_by(child: &Child) -> Option<Self> {
        id_of(child).map(Self)
    }

    fn tell_to_end(self) {
        let _ = rustix::process::kill_process_group(self.0, rustix::process::Signal::TERM);
    }

    fn end(self) {
        let _ = rustix::process::kill_process_group(self.0, rustix::process::Signal::KILL);
    }

    /// Whether any process is in it still.
    fn is_there(self) -> bool {
        rustix::process::test_kill_process_group(self.0).is_ok()
    }
}

/// There are none.
#[cfg(not(unix))]
#[derive(Clone, Copy, Debug)]
enum Group {}

#[cfg(not(unix))]
impl Group {
    fn led_by(_child: &Child) -> Option<Self> {
        None
    }

    fn tell_to_end(self) {}

    fn end(self) {}

    fn is_there(self) -> bool {
        false
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use tokio::io::{AsyncBufReadExt, BufReader};

    use super::*;

    const SOON: Duration = Duration::from_millis(50);

    /// Whether a process runs; one that nobody waited for does not.
    fn runs(id: &str) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        !status.is_empty() && !status.contains(") Z ")
    }

    #[tokio::test]
    async fn a_program_behind_a_launcher_ends_with_it() {
        for kept in ["", "trap '' TERM; "] {
            let script = format!("{kept}sleep 600 & echo $!; wait; wait");
            let words = ["/bin/sh", "-c", &script].map(str::to_owned);
            let mut started = Started::apart(&words).unwrap();
            let (_input, output) = started.pipes().unwrap();
            let mut id = String::new();
            BufReader::new(output).read_line(&mut id).await.unwrap();
            assert!(runs(id.trim()), "{id}");
            started.end(SOON).await;
            while runs(id.trim()) {
                tokio::task::yield_now().await;
            }
        }
    }
}
