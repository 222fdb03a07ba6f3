//! Where the lines for one side go: whole ones, in their order. A task of its own writes them, so that nobody has to wait for
//! a side that does not read.

use core::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::JoinHandle;

/// So much may wait to be written, in KiB: two of the longest messages.
const ROOM: u32 = 64 * 1024;

/// So long the lines that wait at the end have to be written.
const LAST_WAIT: Duration = Duration::from_millis(500);

/// So many lines that there was no room for wait for it at most.
const LATE: usize = 256;

/// The way to one side. Clones lead to the same.
#[derive(Clone)]
pub struct Output(Arc<Queue>);

/// A side does not take what is sent to it, and too much waits for it already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it does not read what is sent to it")]
pub struct Full;

/// Room for one line, until that is put there.
#[derive(Debug)]
pub struct Room(OwnedSemaphorePermit);

struct Queue {
    /// How much may wait at all, in KiB.
    most: u32,
    room: Arc<Semaphore>,
    /// Places for lines that there was no room for.
    late: Arc<Semaphore>,
    way: Mutex<Option<Way>>,
}

/// As long as it is open.
struct Way {
    lines: UnboundedSender<Queued>,
    writer: JoinHandle<()>,
}

struct Queued {
    line: Vec<u8>,
    /// Dropped when it is written, or when it never will be.
    written: Option<oneshot::Sender<()>>,
    _room: OwnedSemaphorePermit,
}

impl Output {
    /// One that writes there. It is made where tasks run.
    pub fn new(pipe: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        Self::within(ROOM, pipe)
    }

    fn within(most: u32, pipe: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        let (lines, queued) = unbounded_channel();
        let way = Way { lines, writer: tokio::spawn(write(pipe, queued)) };
        let room = Arc::new(Semaphore::new(usize::try_from(most).unwrap_or(Semaphore::MAX_PERMITS)));
        let late = Arc::new(Semaphore::new(LATE));
        Self(Arc::new(Queue { most, room, late, way: Mutex::new(Some(way)) }))
    }

    /// Puts one line, without its end, behind the others, and waits for nobody. A side that is gone is noticed by who reads
    /// from it.
    ///
    /// # Errors
    /// Too much waits already: the line goes nowhere.
    pub fn send(&self, line: &[u8]) -> Result<(), Full> {
        let room = Arc::clone(&self.0.room).try_acquire_many_owned(self.needed(line));
        self.put(line, room.map_err(|_| Full)?, None);
        Ok(())
    }

    /// The same for one that must not be lost: where there is no room, a task waits for it. Of those there are not many; what
    /// comes beyond them goes nowhere.
    pub fn tell(&self, line: &[u8]) {
        if self.send(line).is_ok() {
            return;
        }
        let Ok(place) = Arc::clone(&self.0.late).try_acquire_owned() else { return };
        let (output, line) = (self.clone(), line.to_owned());
        tokio::spawn(async move {
            output.deliver(&line).await;
            drop(place);
        });
    }

    /// Waits for the room that a line takes.
    pub async fn room(&self, line: &[u8]) -> Option<Room> {
        // The room is never closed.
        Arc::clone(&self.0.room).acquire_many_owned(self.needed(line)).await.ok().map(Room)
    }

    /// Puts the line for which this room is behind the others.
    pub fn put_in(&self, room: Room, line: &[u8]) {
        self.put(line, room.0, None);
    }

    /// Waits until all that was put there is written, or never will be.
    pub async fn emptied(&self) {
        let _ = self.0.room.acquire_many(self.0.most).await;
    }

    /// Waits until its side takes nothing any more, as is noticed when something is written. It ends before the way is closed.
    pub async fn broken(&self) {
        let lines = self.way().as_ref().map(|way| way.lines.clone());
        match lines {
            Some(lines) => lines.closed().await,
            None => std::future::pending().await,
        }
    }

    /// The same as [`Output::send`], and waits until it is written, or never will be.
    pub async fn deliver(&self, line: &[u8]) {
        let Some(Room(room)) = self.room(line).await else { return };
        let (written, is_written) = oneshot::channel();
        self.put(line, room, Some(written));
        let _ = is_written.await;
    }

    /// Closes it: what comes later goes nowhere. What waits is written if its side reads it in a moment.
    pub async fn close(&self) {
        let way = self.way().take();
        let Some(Way { lines, mut writer }) = way else { return };
        drop(lines);
        if tokio::time::timeout(LAST_WAIT, &mut writer).await.is_err() {
            writer.abort();
        }
    }

    fn way(&self) -> MutexGuard<'_, Option<Way>> {
        self.0.way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The room that a line takes, in KiB. The longest ones take all of it.
    fn needed(&self, line: &[u8]) -> u32 {
        u32::try_from(line.len() / 1024).map_or(self.0.most, |whole| whole.saturating_add(1).min(self.0.most))
    }

    fn put(&self, line: &[u8], room: OwnedSemaphorePermit, written: Option<oneshot::Sender<()>>) {
        let mut whole = Vec::with_capacity(line.len().saturating_add(1));
        whole.extend_from_slice(line);
        whole.push(b'\n');
        let way = self.way();
        if let Some(Way { lines, .. }) = way.as_ref() {
            let _ = lines.send(Queued { line: whole, written, _room: room });
        }
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Output").finish_non_exhaustive()
    }
}

/// Writes line after line, until there are no more or nobody takes them.
async fn write(mut pipe: impl AsyncWrite + Unpin, mut lines: UnboundedReceiver<Queued>) {
    while let Some(queued) = lines.recv().await {
        if pipe.write_all(&queued.line).await.is_err() || pipe.flush().await.is_err() {
            return;
        }
        if let Some(written) = queued.written {
            let _ = written.send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, duplex};

    use super::*;

    const LINE: &[u8] = &[b'x'; 2000];

    async fn read(from: &mut (impl AsyncReadExt + Unpin), bytes: usize) -> Vec<u8> {
        let mut read = vec![0; bytes];
        from.read_exact(&mut read).await.unwrap();
        read
    }

    #[tokio::test]
    async fn a_side_that_does_not_read_keeps_nobody_waiting_and_is_full_at_some_time() {
        let (ours, mut theirs) = duplex(16);
        let output = Output::within(4, ours);
        assert_eq!([output.send(LINE), output.send(LINE)], [Ok(()), Ok(())]);
        assert_eq!(output.send(b"more"), Err(Full));
        read(&mut theirs, LINE.len() + 1).await;
        let (read, ()) = tokio::join!(read(&mut theirs, LINE.len() + 6), output.deliver(b"last"));
        assert!(read.ends_with(b"x\nlast\n"));
    }

    #[tokio::test]
    async fn what_must_not_be_lost_comes_when_there_is_room_and_has_a_bound() {
        let (ours, mut theirs) = duplex(16);
        let output = Output::within(4, ours);
        assert_eq!([output.send(LINE), output.send(LINE)], [Ok(()), Ok(())]);
        for _ in 0..LATE * 2 {
            output.tell(b"told");
        }
        read(&mut theirs, (LINE.len() + 1) * 2 + LATE * 5).await;
        let closed = async {
            output.emptied().await;
            output.close().await;
        };
        let mut all = Vec::new();
        let (_, read) = tokio::join!(closed, theirs.read_to_end(&mut all));
        assert_eq!(read.unwrap(), 0);
    }

    #[tokio::test]
    async fn a_line_with_room_waits_for_nobody_and_one_without_does() {
        let (ours, mut theirs) = duplex(16);
        let output = Output::within(4, ours);
        let (one, other) = (output.room(LINE).await.unwrap(), output.room(LINE).await.unwrap());
        assert_eq!(output.send(b"more"), Err(Full));
        output.put_in(other, b"other");
        output.put_in(one, LINE);
        let (read, ()) = tokio::join!(read(&mut theirs, 6 + LINE.len() + 1), output.emptied());
        assert!(read.starts_with(b"other\nx"));
    }

    #[tokio::test]
    async fn a_line_that_is_longer_than_the_room_is_taken_when_nothing_waits() {
        let (ours, mut theirs) = duplex(16);
        let output = Output::within(1, ours);
        assert_eq!(output.send(LINE), Ok(()));
        assert_eq!(output.send(b""), Err(Full));
        read(&mut theirs, LINE.len() + 1).await;
    }

    #[tokio::test]
    async fn what_waits_at_the_end_is_written_and_nothing_later() {
        let (ours, mut theirs) = duplex(16);
        let output = Output::new(ours);
        output.send(LINE).unwrap();
        let closing = async {
            output.close().await;
            output.send(b"late").unwrap();
            output.deliver(b"later").await;
        };
        let mut all = Vec::new();
        let (_, read) = tokio::join!(closing, theirs.read_to_end(&mut all));
        assert_eq!((read.unwrap(), all.last()), (LINE.len() + 1, Some(&b'\n')));
    }

    #[tokio::test]
    async fn the_end_does_not_wait_for_a_side_that_does_not_read() {
        let (ours, mut theirs) = duplex(16);
        let output = Output::new(ours);
        output.send(LINE).unwrap();
        let begun = output.clone();
        let delivers = tokio::spawn(async move { begun.deliver(b"more").await });
        output.close().await;
        delivers.await.unwrap();
        assert_eq!(theirs.read_to_end(&mut Vec::new()).await.unwrap(), 16);
    }

    #[tokio::test]
    async fn a_side_that_is_gone_takes_everything_and_keeps_nobody_waiting() {
        let (ours, theirs) = duplex(16);
        drop(theirs);
        let output = Output::within(4, ours);
        for _ in 0..8 {
            output.deliver(LINE).await;
            assert_eq!(output.send(b"more"), Ok(()));
        }
        output.broken().await;
        output.emptied().await;
    }
}
