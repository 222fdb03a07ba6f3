//! Follows a program with `ptrace` from its first instruction on.
//!
//! Deliberately absent: what is done with it there.

use std::process::{Child, Command};

use anyhow::{Result, bail};
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

/// A program that is followed; it stands right behind its `execve`.
#[derive(Debug)]
pub(crate) struct Followed {
    pub(crate) child: Child,
    pub(crate) pid: Pid,
}

/// Starts a program in these surroundings. The command must be a shell's that [`shell`] made.
pub(crate) fn start(command: &mut Command, options: Options) -> Result<Followed> {
    let child = command.spawn()?;
    let pid = Pid::from_raw(i32::try_from(child.id())?);
    until_the_program_starts(pid, options | Options::PTRACE_O_TRACEEXEC | Options::PTRACE_O_EXITKILL)?;
    Ok(Followed { child, pid })
}

/// A shell that stops itself, so that it can be followed from before it becomes the program of these words.
pub(crate) fn shell(words: &[String]) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "kill -STOP $$; exec \"$@\"", "sh"]).args(words);
    command
}

fn until_the_program_starts(pid: Pid, options: Options) -> Result<()> {
    waitpid(pid, Some(WaitPidFlag::WUNTRACED))?;
    ptrace::seize(pid, options)?;
    kill(pid, Signal::SIGCONT)?;
    loop {
        match waitpid(pid, None)? {
            WaitStatus::PtraceEvent(_, _, event) if event == nix::libc::PTRACE_EVENT_EXEC => return Ok(()),
            WaitStatus::PtraceEvent(..) | WaitStatus::Stopped(_, Signal::SIGTRAP) => ptrace::cont(pid, None)?,
            WaitStatus::Stopped(_, signal) => ptrace::cont(pid, signal)?,
            other => bail!("the shell ended with {other:?}"),
        }
    }
}
