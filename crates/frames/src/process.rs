//! The other program's process: started without a shell, with the environment as it is, and ended with the proxy.

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::process::{Child, ChildStdin, ChildStdout, Command};

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
}

impl Started {
    /// Starts what these words name, with its error output where this process has its own.
    ///
    /// # Errors
    /// There is no word, or the system does not start it.
    pub fn of(command: &[String]) -> Result<Self, NotStarted> {
        Self::spawned(command, |_| {})
    }

    /// The same in a process group of its own, so that nobody takes this process and those above it for a part of it.
    ///
    /// # Errors
    /// As [`Started::of`].
    pub fn apart(command: &[String]) -> Result<Self, NotStarted> {
        Self::spawned(command, |command| {
            #[cfg(unix)]
            command.process_group(0);
            #[cfg(not(unix))]
            let _ = command;
        })
    }

    fn spawned(words: &[String], prepare: impl FnOnce(&mut Command)) -> Result<Self, NotStarted> {
        let (program, words) = words.split_first().ok_or(NotStarted::NoCommand)?;
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        prepare(&mut command);
        let child = command.kill_on_drop(true).spawn();
        Ok(Self { child: child.map_err(|error| NotStarted::System(program.clone(), error))? })
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

    /// Its input is closed by now: it ends by itself, or is told to, or is ended; so long is waited before each.
    pub async fn end(mut self, patience: Duration) -> Option<ExitStatus> {
        if let Ok(ended) = tokio::time::timeout(patience, self.child.wait()).await {
            return ended.ok();
        }
        self.tell_to_end();
        if let Ok(ended) = tokio::time::timeout(patience, self.child.wait()).await {
            return ended.ok();
        }
        let _ = self.child.kill().await;
        None
    }

    #[cfg(unix)]
    fn tell_to_end(&self) {
        let id =
            self.child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
        if let Some(id) = id {
            let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
        }
    }

    #[cfg(not(unix))]
    fn tell_to_end(&self) {}
}
