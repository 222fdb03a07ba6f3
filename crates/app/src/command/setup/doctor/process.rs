//! Runs one program with a given input and a limit, as a host does. Its output goes to files without a name, so that a
//! grandchild that keeps them open cannot hold up the end.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How a program ended.
#[derive(Debug)]
pub(super) struct Ended {
    /// Its exit status; `None` when a signal ended it.
    pub(super) status: Option<i32>,
    /// Its standard output.
    pub(super) stdout: String,
    /// Its standard error.
    pub(super) stderr: String,
    /// How long it took.
    pub(super) took: Duration,
}

/// Runs it; an error when it cannot be started or does not end in time.
pub(super) fn run(command: &mut Command, input: &[u8], limit: Duration) -> io::Result<Ended> {
    let (out, err) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let begun = Instant::now();
    let mut child =
        command.stdin(Stdio::piped()).stdout(out.try_clone()?).stderr(err.try_clone()?).spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that ends without reading closes the pipe; that is its right.
        let _ = stdin.write_all(input);
    }
    let status = wait(&mut child, begun, limit)?;
    Ok(Ended { status, stdout: text(out)?, stderr: text(err)?, took: begun.elapsed() })
}

fn wait(child: &mut Child, begun: Instant, limit: Duration) -> io::Result<Option<i32>> {
    const NAP: Duration = Duration::from_millis(2);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        if begun.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                format!("no answer within {} s", limit.as_secs()),
            ));
        }
        std::thread::sleep(NAP);
    }
}

fn text(mut file: File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
