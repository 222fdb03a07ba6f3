//! Runs lines under `strace` and reads what they did.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::call::Call;
use super::scene::Scene;

/// What a process may do that is no reading. A question mark: not every machine has the call.
const CALLS: &str = "trace=?execve,?execveat,?open,?openat,?openat2,?creat,?unlink,?unlinkat,?rename,?renameat,?renameat2,\
                     ?mkdir,?mkdirat,?rmdir,?truncate,?chmod,?fchmodat,?chown,?fchownat,?link,?linkat,?symlink,?symlinkat,\
                     ?mknod,?mknodat,?utimensat,?setxattr";

/// How long a batch may take, in seconds.
const PATIENCE: &str = "60";

/// What is installed.
pub(crate) fn version() -> Result<()> {
    let output = Command::new("strace").arg("--version").output()?;
    if output.status.success() { Ok(()) } else { bail!("`strace --version` fails") }
}

/// Runs the lines, each in its folder, and says what all of them did.
pub(crate) fn run(scene: &Scene, lines: &[&(usize, String)]) -> Result<Vec<Call>> {
    let mut script = String::new();
    for (folder, line) in lines {
        let _ = writeln!(script, "cd '{}' && {line}", scene.folder(*folder).display());
    }
    let (script_path, log) = (scene.outside("batch.sh"), scene.outside("batch.log"));
    fs::write(&script_path, script)?;
    let mut tracer = Command::new("timeout");
    tracer.args([PATIENCE, "strace", "-f", "-qq", "-s", "4096", "--seccomp-bpf", "-e", CALLS, "-o"]);
    tracer.arg(&log).arg("sh").arg(&script_path);
    scene.surround(&mut tracer);
    tracer.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = tracer.current_dir(scene.folder(0)).status().context("strace")?;
    if status.code() == Some(124) {
        bail!("a line did not end within {PATIENCE} seconds");
    }
    let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    Ok(calls(&text))
}

/// The calls of a log that succeeded; those that were interrupted by another process are put together again.
fn calls(log: &str) -> Vec<Call> {
    let mut open: HashMap<&str, String> = HashMap::new();
    let mut calls = Vec::new();
    for line in log.lines() {
        let Some((process, rest)) = line.split_once(' ') else { continue };
        let rest = rest.trim_start();
        if let Some(begun) = rest.strip_suffix(" <unfinished ...>") {
            open.insert(process, begun.to_owned());
            continue;
        }
        let whole = match rest.strip_prefix("<... ").and_then(|rest| rest.split_once(" resumed>")) {
            Some((_, end)) => open.remove(process).unwrap_or_default() + end,
            None => rest.to_owned(),
        };
        let Some((call, result)) = whole.rsplit_once(" = ") else { continue };
        let Some((name, arguments)) = call.split_once('(') else { continue };
        if !result.starts_with('-') && !result.starts_with('?') {
            calls.push(Call { name: name.to_owned(), arguments: arguments.trim_end().to_owned() });
        }
    }
    calls
}
