//! Runs a command in a process group of its own, within a time and with a bounded output, and leaves nothing of
//! that group running; a process that left the group goes on. It confines nothing.

#[cfg(unix)]
use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

/// What of an output is kept at each of its ends, in bytes.
#[cfg(unix)]
const KEPT: usize = 32 * 1024;

/// What shall be run.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// For `sh -c`.
    pub command: &'a str,
    /// Where.
    pub folder: &'a Path,
    /// How long at most.
    pub limit: Duration,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, with this status.
    Exited(i32),
    /// By a signal.
    Signal(i32),
    /// Its time was over.
    TimedOut,
    /// Nobody waited for it any more.
    Stopped,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// What it printed, on both outputs as it came; a long one without its middle.
    pub output: String,
    /// How many bytes of the output are left out.
    pub left_out: u64,
}

/// Runs it to its end.
///
/// # Errors
/// It could not be started.
pub fn run(order: Order<'_>, is_stopped: &dyn Fn() -> bool) -> std::io::Result<Ran> {
    platform::run(order, is_stopped)
}

/// The two ends of an output.
#[cfg(unix)]
#[derive(Debug, Default)]
struct Output {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
}

#[cfg(unix)]
impl Output {
    fn take(&mut self, bytes: &[u8]) {
        let room = KEPT.saturating_sub(self.head.len()).min(bytes.len());
        let (head, rest) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(KEPT);
        self.tail.drain(..over);
        self.left_out = self.left_out.saturating_add(u64::try_from(over).unwrap_or(u64::MAX));
    }

    fn text(self) -> (String, u64) {
        let Self { mut head, tail, left_out } = self;
        if left_out > 0 {
            head.extend(format!("\n[… {left_out} bytes left out …]\n").bytes());
        }
        head.extend(tail);
        (String::from_utf8_lossy(&head).into_owned(), left_out)
    }
}

#[cfg(unix)]
mod platform {
    use std::io::{ErrorKind, Read};
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Child, Command, ExitStatus, Stdio};
    use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

    use super::{End, Order, Output, Ran};

    /// How often a command is looked after.
    const LOOK: Duration = Duration::from_millis(20);

    /// How long output is still taken after the group was ended: a process that left it may hold the pipe open.
    const LAST_OUTPUT: Duration = Duration::from_millis(500);

    /// So many pieces of output may wait to be taken; a command that prints faster waits.
    const WAITING: usize = 16;

    const SHELL: &str = "/bin/sh";

    pub(super) fn run(order: Order<'_>, is_stopped: &dyn Fn() -> bool) -> std::io::Result<Ran> {
        let (reader, writer) = std::io::pipe()?;
        let mut child = {
            let mut command = Command::new(SHELL);
            command.args(["-c", order.command]).current_dir(order.folder).process_group(0);
            command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
            command.spawn()?
        };
        let pieces = pieces_of(reader);
        let mut output = Output::default();
        let end = wait(&child, order.limit, is_stopped, &pieces, &mut output);
        let status = end_all(&mut child)?;
        let until = Instant::now() + LAST_OUTPUT;
        while let Some(left) = until.checked_duration_since(Instant::now()) {
            let Ok(piece) = pieces.recv_timeout(left) else { break };
            output.take(&piece);
        }
        let (output, left_out) = output.text();
        Ok(Ran { end: end.unwrap_or_else(|| ended(status)), output, left_out })
    }

    /// Everything that is printed, piece by piece, until nobody holds the pipe any more.
    fn pieces_of(mut reader: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
        let (send, pieces) = sync_channel(WAITING);
        std::thread::spawn(move || {
            let mut piece = vec![0_u8; 16 * 1024];
            loop {
                let length = match reader.read(&mut piece) {
                    Ok(length) => length,
                    // A signal came in between, and nothing was read yet.
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    Err(_) => return,
                };
                let read = piece.get(..length).unwrap_or_default();
                if read.is_empty() || send.send(read.to_vec()).is_err() {
                    return;
                }
            }
        });
        pieces
    }

    /// Waits until the command is over; why it must be ended, where it must.
    fn wait(
        child: &Child,
        limit: Duration,
        is_stopped: &dyn Fn() -> bool,
        pieces: &Receiver<Vec<u8>>,
        output: &mut Output,
    ) -> Option<End> {
        let until = Instant::now() + limit;
        while !is_over(child) {
            if is_stopped() {
                return Some(End::Stopped);
            }
            if Instant::now() >= until {
                return Some(End::TimedOut);
            }
            match pieces.recv_timeout(LOOK) {
                Ok(piece) => output.take(&piece),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(LOOK),
            }
        }
        None
    }

    /// Whether it has ended; it keeps its id until it is waited for, so that the id of its group names no other one.
    fn is_over(child: &Child) -> bool {
        let Some(pid) = pid_of(child) else { return true };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
    }

    /// Ends whatever is left of the group, and takes the status.
    fn end_all(child: &mut Child) -> std::io::Result<ExitStatus> {
        if let Some(group) = pid_of(child) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        child.wait()
    }

    fn pid_of(child: &Child) -> Option<Pid> {
        i32::try_from(child.id()).ok().and_then(Pid::from_raw)
    }

    fn ended(status: ExitStatus) -> End {
        match (status.code(), status.signal()) {
            (Some(code), _) => End::Exited(code),
            (None, signal) => End::Signal(signal.unwrap_or_default()),
        }
    }

    #[cfg(test)]
    mod tests {
        use std::io::{Error, ErrorKind, Read, Result};

        /// Reads its pieces one by one; `None` is a read that a signal ended.
        struct Reads(Vec<Option<&'static str>>);

        impl Read for Reads {
            fn read(&mut self, into: &mut [u8]) -> Result<usize> {
                match self.0.pop() {
                    Some(Some(piece)) => piece.as_bytes().read(into),
                    Some(None) => Err(Error::from(ErrorKind::Interrupted)),
                    None => Ok(0),
                }
            }
        }

        #[test]
        fn an_output_goes_on_after_a_read_that_a_signal_ended() {
            let pieces = super::pieces_of(Reads(vec![Some("two"), None, None, Some("one "), None]));
            let all: Vec<u8> = pieces.iter().flatten().collect();
            assert_eq!(all, b"one two");
        }
    }
}

#[cfg(not(unix))]
mod platform {
    use super::{Order, Ran};

    pub(super) fn run(_order: Order<'_>, _is_stopped: &dyn Fn() -> bool) -> std::io::Result<Ran> {
        Err(std::io::Error::other("commands are run only on Unix systems"))
    }
}
