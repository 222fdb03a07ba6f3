//! Steps through a hook call instruction by instruction and remembers which were run, in the order of the first time.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use serde_json::Value;

use crate::stage::follow::{self, Followed};
use crate::stage::hook_driver::HookDriver;

/// The addresses that hook calls ran.
#[derive(Debug)]
pub(super) struct Trace {
    folder: PathBuf,
    calls: Vec<Vec<u64>>,
}

impl Trace {
    /// An empty one; the folder takes what goes into a call and comes out of it.
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf(), calls: Vec::new() }
    }

    /// For each call the addresses that it ran, each once, in the order of the first time.
    pub(super) fn calls(&self) -> &[Vec<u64>] {
        &self.calls
    }

    /// Sends an event, steps through the call, and gives the answer.
    pub(super) fn follow(&mut self, hook: &HookDriver, event: &Value) -> Result<String> {
        let (input, output) = (self.folder.join("event.json"), self.folder.join("answer.json"));
        std::fs::write(&input, event.to_string())?;
        let mut command = follow::shell(&hook.words);
        command.env_clear().envs(hook.environment.iter().cloned());
        command.stdin(Stdio::from(File::open(&input)?)).stdout(Stdio::from(File::create(&output)?));
        let Followed { mut child, pid } = follow::start(&mut command, Options::empty())?;
        self.calls.push(steps(pid)?);
        let _ = child.wait();
        std::fs::read_to_string(&output).context("the answer")
    }
}

/// Runs a stopped program to its end, one instruction at a time.
fn steps(pid: Pid) -> Result<Vec<u64>> {
    let (mut seen, mut order, mut signal) = (BTreeSet::new(), Vec::new(), None);
    loop {
        let address = ptrace::getregs(pid)?.rip;
        if seen.insert(address) {
            order.push(address);
        }
        ptrace::step(pid, signal)?;
        signal = match waitpid(pid, None)? {
            WaitStatus::Exited(..) => return Ok(order),
            // Stepping takes many times as long as running: the hook's own alarm would end every call.
            WaitStatus::Stopped(_, Signal::SIGTRAP | Signal::SIGALRM) => None,
            WaitStatus::Stopped(_, signal) => Some(signal),
            other => bail!("the hook ended with {other:?}"),
        };
    }
}
