//! Runs a program and lets one of its calls of the system be its last, fail, or do less than it was asked for.
//!
//! Deliberately absent: what must hold afterwards.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use nix::libc;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::stage::follow::{self, Followed};

/// What happens to one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The process is killed before it.
    Kill,
    /// It writes only so many bytes, and the process is killed.
    KillWithin(u64),
    /// It does nothing and fails with this error.
    Error(i32),
    /// The same, and so does every later call that would take room on the disk.
    ErrorFrom(i32),
    /// It writes only so many bytes.
    Short(u64),
}

/// Which call, counted from 0, and what happens to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Injection {
    pub(super) at: usize,
    pub(super) fault: Fault,
}

/// A call of the system that was made.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) number: i64,
    /// The first three arguments.
    pub(super) arguments: [u64; 3],
    /// The file that it is about, if that can be told.
    pub(super) file: PathBuf,
}

/// What is run.
#[derive(Debug)]
pub(super) struct Start<'s> {
    pub(super) words: &'s [String],
    pub(super) environment: &'s [(String, String)],
    pub(super) folder: &'s Path,
    /// What it reads.
    pub(super) input: PathBuf,
    /// What it writes to.
    pub(super) output: PathBuf,
}

/// How it ended.
#[derive(Debug)]
pub(super) struct Ended {
    /// Its exit status; `None` when it was killed.
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    pub(super) calls: Vec<Call>,
}

impl Call {
    /// Whether it writes bytes into something that is open.
    pub(super) fn is_write(&self) -> bool {
        matches!(self.number, libc::SYS_write | libc::SYS_pwrite64)
    }

    /// How many bytes it would write.
    pub(super) fn length(&self) -> u64 {
        self.arguments[2]
    }

    /// Whether it may change what is on the disk.
    pub(super) fn changes_the_disk(&self) -> bool {
        let creates = |flags: u64| flags & u64::from(libc::O_CREAT.unsigned_abs()) != 0;
        match self.number {
            libc::SYS_openat => creates(self.arguments[2]),
            libc::SYS_open => creates(self.arguments[1]),
            libc::SYS_write | libc::SYS_pwrite64 => self.arguments[0] > 2,
            number => OTHERS_THAT_CHANGE.contains(&number),
        }
    }

    /// Whether it would take room on the disk.
    fn takes_room(&self) -> bool {
        let frees = [libc::SYS_unlink, libc::SYS_unlinkat, libc::SYS_ftruncate];
        self.changes_the_disk() && !frees.contains(&self.number)
    }

    /// The errors that it may meet.
    pub(super) fn errors(&self) -> &'static [i32] {
        match self.number {
            libc::SYS_open | libc::SYS_openat if self.changes_the_disk() => {
                &[libc::ENOSPC, libc::EIO, libc::EACCES, libc::EMFILE]
            }
            libc::SYS_open | libc::SYS_openat => &[libc::EIO, libc::EMFILE],
            libc::SYS_write | libc::SYS_pwrite64 => &[libc::ENOSPC, libc::EIO, libc::EINTR],
            libc::SYS_fsync | libc::SYS_fdatasync => &[libc::EIO, libc::ENOSPC, libc::EINTR],
            libc::SYS_read | libc::SYS_pread64 => &[libc::EIO, libc::EINTR],
            libc::SYS_flock => &[libc::ENOLCK, libc::EINTR],
            libc::SYS_fstat
            | libc::SYS_statx
            | libc::SYS_newfstatat
            | libc::SYS_getdents64
            | libc::SYS_lseek => &[libc::EIO],
            number if OTHERS_THAT_CHANGE.contains(&number) => &[libc::ENOSPC, libc::EIO, libc::EACCES],
            _ => &[],
        }
    }
}

const OTHERS_THAT_CHANGE: &[i64] = &[
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_link,
    libc::SYS_linkat,
    libc::SYS_unlink,
    libc::SYS_unlinkat,
    libc::SYS_mkdir,
    libc::SYS_mkdirat,
    libc::SYS_ftruncate,
    libc::SYS_copy_file_range,
    libc::SYS_sendfile,
];

/// Runs it, with the injection if there is one.
pub(super) fn run(start: &Start<'_>, injection: Option<Injection>) -> Result<Ended> {
    let mut command = follow::shell(start.words);
    command.env_clear().envs(start.environment.iter().cloned()).current_dir(start.folder);
    command.stdin(Stdio::from(File::open(&start.input)?));
    command.stdout(Stdio::from(File::create(&start.output)?)).stderr(Stdio::null());
    let Followed { mut child, pid } = follow::start(&mut command, Options::PTRACE_O_TRACESYSGOOD)?;
    let mut walk = Walk { pid, injection, calls: Vec::new(), inside: true, undo: None, is_killed: false };
    let code = walk.walk()?;
    let _ = child.wait();
    let stdout = std::fs::read_to_string(&start.output).context("the answer")?;
    Ok(Ended { code, stdout, calls: walk.calls })
}

/// What is to be done when the call under way returns.
#[derive(Clone, Copy, Debug)]
enum Undo {
    Fail(i32),
    Restore(u64),
    Kill,
}

struct Walk {
    pid: Pid,
    injection: Option<Injection>,
    calls: Vec<Call>,
    /// Whether a call is under way. The program stands inside its `execve` first.
    inside: bool,
    undo: Option<Undo>,
    is_killed: bool,
}

impl Walk {
    fn walk(&mut self) -> Result<Option<i32>> {
        let mut signal = None;
        loop {
            if !self.is_killed {
                ptrace::syscall(self.pid, signal.take())?;
            }
            match waitpid(self.pid, None)? {
                WaitStatus::Exited(_, code) => return Ok(Some(code)),
                WaitStatus::Signaled(..) => return Ok(None),
                WaitStatus::PtraceSyscall(_) if self.inside => {
                    self.inside = false;
                    self.returns()?;
                }
                WaitStatus::PtraceSyscall(_) => {
                    self.inside = true;
                    self.enters()?;
                }
                WaitStatus::Stopped(_, other) => signal = Some(other),
                WaitStatus::PtraceEvent(..) => {}
                other => bail!("the program ended with {other:?}"),
            }
        }
    }

    fn enters(&mut self) -> Result<()> {
        let mut registers = ptrace::getregs(self.pid)?;
        let number = i64::from_ne_bytes(registers.orig_rax.to_ne_bytes());
        let arguments = [registers.rdi, registers.rsi, registers.rdx];
        let is_watched = self.injection.is_none();
        let file = if is_watched { self.file(number, arguments) } else { PathBuf::new() };
        let call = Call { number, arguments, file };
        let index = self.calls.len();
        let injection = self.injection.filter(|injection| match injection.fault {
            Fault::ErrorFrom(_) if injection.at < index => call.takes_room(),
            // Where it waits for the other session, another call stands at this place: one that never fails so, as a `close`.
            Fault::Error(error) | Fault::ErrorFrom(error) => {
                injection.at == index && call.errors().contains(&error)
            }
            _ => injection.at == index,
        });
        let is_write = call.is_write();
        self.calls.push(call);
        match injection.map(|injection| injection.fault) {
            Some(Fault::KillWithin(_)) if self.is_within_a_page(number, arguments) => self.kill()?,
            Some(Fault::Kill) => {
                registers.orig_rax = u64::MAX;
                ptrace::setregs(self.pid, registers)?;
                self.kill()?;
            }
            Some(Fault::Error(error) | Fault::ErrorFrom(error)) => {
                self.undo = Some(Undo::Fail(error));
                registers.orig_rax = u64::MAX;
                ptrace::setregs(self.pid, registers)?;
            }
            Some(Fault::Short(length) | Fault::KillWithin(length)) if is_write => {
                let kills = matches!(injection, Some(Injection { fault: Fault::KillWithin(_), .. }));
                self.undo = Some(if kills { Undo::Kill } else { Undo::Restore(registers.rdx) });
                registers.rdx = registers.rdx.min(length);
                ptrace::setregs(self.pid, registers)?;
            }
            Some(Fault::Short(_) | Fault::KillWithin(_)) | None => {}
        }
        Ok(())
    }

    fn returns(&mut self) -> Result<()> {
        let Some(undo) = self.undo.take() else { return Ok(()) };
        let mut registers = ptrace::getregs(self.pid)?;
        match undo {
            Undo::Kill => return self.kill(),
            Undo::Fail(error) => registers.rax = i64::from(-error).cast_unsigned(),
            Undo::Restore(length) => registers.rdx = length,
        }
        ptrace::setregs(self.pid, registers).map_err(Into::into)
    }

    /// Whether a write is over what is there, within one page: a process that is killed has made all of it or nothing.
    fn is_within_a_page(&self, number: i64, arguments: [u64; 3]) -> bool {
        self.file(number, arguments).ends_with("state.json")
    }

    fn kill(&mut self) -> Result<()> {
        self.is_killed = true;
        kill(self.pid, Signal::SIGKILL).map_err(Into::into)
    }

    /// The file that a call is about, as far as its first two arguments say it.
    fn file(&self, number: i64, arguments: [u64; 3]) -> PathBuf {
        const ON_A_NAME: &[i64] =
            &[libc::SYS_open, libc::SYS_rename, libc::SYS_link, libc::SYS_unlink, libc::SYS_mkdir];
        const BESIDE_A_FOLDER: &[i64] = &[
            libc::SYS_openat,
            libc::SYS_statx,
            libc::SYS_newfstatat,
            libc::SYS_renameat,
            libc::SYS_renameat2,
            libc::SYS_linkat,
            libc::SYS_unlinkat,
            libc::SYS_mkdirat,
            libc::SYS_readlinkat,
        ];
        match number {
            _ if ON_A_NAME.contains(&number) => self.text(arguments[0]).unwrap_or_default(),
            _ if BESIDE_A_FOLDER.contains(&number) => self.text(arguments[1]).unwrap_or_default(),
            _ => std::fs::read_link(format!("/proc/{}/fd/{}", self.pid, arguments[0])).unwrap_or_default(),
        }
    }

    /// The text that the program has at that place.
    fn text(&self, address: u64) -> Option<PathBuf> {
        const LONGEST: usize = 512;
        let memory = File::open(format!("/proc/{}/mem", self.pid)).ok()?;
        let mut bytes = [0; LONGEST];
        let read = memory.read_at(&mut bytes, address).ok()?;
        let text = bytes.get(..read)?.split(|byte| *byte == 0).next()?;
        Some(PathBuf::from(String::from_utf8_lossy(text).into_owned()))
    }
}
