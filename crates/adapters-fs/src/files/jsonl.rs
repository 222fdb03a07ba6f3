//! Append-only files of lines: one write a line, a torn tail set aside, the cost independent of the file's size.
//!
//! Callers hold a lock of their own over opening, looking at the tail and appending. Deliberately absent: what a line
//! says.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bailiwick_domain::PortError;

use crate::files::atomic::{Durability, open_private, private_options, shorten, unavailable};

const FIRST_WINDOW: u64 = 4096;

/// An open file of lines.
#[derive(Debug)]
pub(crate) struct LineFile {
    file: File,
    path: PathBuf,
    len: u64,
    /// The bytes at the end, as far as they are known.
    end: Vec<u8>,
    /// How long it was before the lines that are written and not settled yet.
    unsettled: Option<u64>,
}

impl LineFile {
    /// Opens the file for appending and creates it when it is missing.
    pub(crate) fn open(path: &Path) -> Result<Self, PortError> {
        let file = open_private(path, private_options().read(true).append(true).create(true))?;
        Self::from(file, path)
    }

    /// The same for a file that is there.
    pub(crate) fn open_existing(path: &Path) -> Result<Self, PortError> {
        let opened = private_options().read(true).append(true).open(path);
        Self::from(opened.map_err(|error| unavailable(path, &error))?, path)
    }

    fn from(file: File, path: &Path) -> Result<Self, PortError> {
        let meta = file.metadata().map_err(|error| unavailable(path, &error))?;
        if !meta.is_file() {
            return Err(PortError::Unavailable(format!("{}: not a regular file", path.display())));
        }
        Ok(Self { file, path: path.to_owned(), len: meta.len(), end: Vec::new(), unsettled: None })
    }

    /// The length in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Where the file is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The bytes from `start` to `end`.
    pub(crate) fn slice(&self, start: u64, end: u64) -> Result<Vec<u8>, PortError> {
        if let Some(known) = self.known(start, end) {
            return Ok(known.to_vec());
        }
        let size = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
        let mut bytes = Vec::with_capacity(size);
        let mut file = &self.file;
        file.seek(SeekFrom::Start(start))
            .and_then(|_| file.take(end.saturating_sub(start)).read_to_end(&mut bytes))
            .map_err(|error| unavailable(&self.path, &error))?;
        Ok(bytes)
    }

    fn known(&self, start: u64, end: u64) -> Option<&[u8]> {
        let first = self.len.checked_sub(u64::try_from(self.end.len()).ok()?)?;
        let place = |at: u64| usize::try_from(at.checked_sub(first)?).ok();
        self.end.get(place(start)?..place(end)?)
    }

    /// Copies all of it, however long it is.
    pub(crate) fn copy_to(&self, out: &mut File) -> std::io::Result<()> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0))?;
        std::io::copy(&mut file.take(self.len), out).map(drop)
    }

    /// The first line without its LF.
    pub(crate) fn head(&self) -> Result<Vec<u8>, PortError> {
        let mut window = FIRST_WINDOW;
        loop {
            let bytes = self.slice(0, window.min(self.len))?;
            if let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
                return Ok(bytes.get(..end).unwrap_or_default().to_vec());
            }
            if window >= self.len {
                return Ok(bytes);
            }
            window = window.saturating_mul(4);
        }
    }

    /// The last whole line without its LF, and the fragment behind it.
    pub(crate) fn tail(&mut self) -> Result<(Option<Vec<u8>>, Vec<u8>), PortError> {
        let mut window = FIRST_WINDOW;
        loop {
            let start = self.len.saturating_sub(window);
            let bytes = self.slice(start, self.len)?;
            let whole = memchr::memrchr(b'\n', &bytes);
            let before = whole.and_then(|end| bytes.get(..end)).unwrap_or_default();
            let begin = memchr::memrchr(b'\n', before).map(|at| at + 1);
            let found = match (begin, whole) {
                (Some(begin), Some(end)) => split_tail(&bytes, begin, end),
                (None, Some(end)) if start == 0 => split_tail(&bytes, 0, end),
                (None, None) if start == 0 => (None, bytes.clone()),
                _ => {
                    window = window.saturating_mul(4);
                    continue;
                }
            };
            self.end = bytes;
            return Ok(found);
        }
    }

    /// Cuts a fragment off the end and keeps it in a side file.
    pub(crate) fn set_aside(&mut self, fragment: &[u8]) -> Result<(), PortError> {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(".torn");
        let side = self.path.with_file_name(name);
        let mut torn = open_private(&side, private_options().append(true).create(true))?;
        torn.write_all(&with_lf(fragment)).map_err(|error| unavailable(&side, &error))?;
        self.cut(self.len.saturating_sub(u64::try_from(fragment.len()).unwrap_or(u64::MAX)))
    }

    /// Appends a line and its LF with one write; what could not be written whole is taken back.
    pub(crate) fn append(&mut self, line: &[u8], durability: Durability) -> Result<(), PortError> {
        self.append_raw(&with_lf(line), durability)
    }

    /// Appends bytes that already are whole lines.
    pub(crate) fn append_raw(&mut self, bytes: &[u8], durability: Durability) -> Result<(), PortError> {
        self.write(bytes)?;
        self.settle(durability)
    }

    /// Writes a line and its LF behind the others, and lets the disk begin with it where it is to be on the disk. It does
    /// not count before the file is settled.
    pub(crate) fn begin(&mut self, line: &[u8], durability: Durability) -> Result<(), PortError> {
        let start = self.len;
        self.write(&with_lf(line))?;
        if durability == Durability::Synced {
            start_writeback(&self.file, start, self.len - start);
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), PortError> {
        let before = self.len;
        match self.file.write(bytes) {
            Ok(count) if count == bytes.len() => {
                self.len = before.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
                self.end.extend_from_slice(bytes);
                self.unsettled.get_or_insert(before);
                Ok(())
            }
            Ok(_) => self.give_up(before, &std::io::ErrorKind::WriteZero.into()),
            Err(error) => self.give_up(before, &error),
        }
    }

    /// Waits until what was written is as durable as it is to be; what cannot be made so is taken back.
    pub(crate) fn settle(&mut self, durability: Durability) -> Result<(), PortError> {
        let Some(before) = self.unsettled.take() else { return Ok(()) };
        match durability {
            Durability::Synced => self.file.sync_data().or_else(|error| self.give_up(before, &error)),
            Durability::Os => Ok(()),
        }
    }

    /// Takes back what is written and not settled.
    pub(crate) fn take_back(&mut self) -> Result<(), PortError> {
        self.unsettled.take().map_or(Ok(()), |before| self.cut(before))
    }

    fn give_up(&mut self, before: u64, error: &std::io::Error) -> Result<(), PortError> {
        self.cut(before)?;
        Err(unavailable(&self.path, error))
    }

    /// Cuts off what stands behind that length.
    pub(crate) fn cut(&mut self, len: u64) -> Result<(), PortError> {
        self.end.clear();
        shorten(&self.file, &self.path, len).map_err(|error| unavailable(&self.path, &error))?;
        self.len = len;
        Ok(())
    }
}

/// A line as it stands in a file.
pub(crate) fn with_lf(line: &[u8]) -> Vec<u8> {
    [line, b"\n"].concat()
}

/// Lets the disk begin with bytes that were written, while the process goes on: what it does meanwhile is not waited for
/// on top. A system that knows no such call writes them when they are waited for.
#[cfg(target_os = "linux")]
fn start_writeback(file: &File, start: u64, length: u64) {
    use rustix::fs::{Advice, fadvise};
    // What is not on the disk yet is not let go of, it is sent there.
    let _ = fadvise(file, start, std::num::NonZeroU64::new(length), Advice::DontNeed);
}

#[cfg(not(target_os = "linux"))]
fn start_writeback(_file: &File, _start: u64, _length: u64) {}

fn split_tail(bytes: &[u8], begin: usize, end: usize) -> (Option<Vec<u8>>, Vec<u8>) {
    let line = bytes.get(begin..end).unwrap_or_default().to_vec();
    let fragment = bytes.get(end + 1..).unwrap_or_default().to_vec();
    (Some(line), fragment)
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;

    use super::LineFile;
    use crate::files::Durability;

    // D-26: on Windows a handle for appending is one that must not cut
    #[test]
    fn a_file_is_cut_also_where_its_handle_must_not_cut() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        std::fs::write(&path, "one\ntorn").unwrap();
        let read_only = OpenOptions::new().read(true).open(&path).unwrap();
        let mut log = LineFile::from(read_only, &path).unwrap();
        log.set_aside(b"torn").unwrap();
        assert_eq!((std::fs::read(&path).unwrap().as_slice(), log.len()), (&b"one\n"[..], 4));
    }

    // D-26
    #[test]
    fn a_line_that_cannot_be_written_leaves_the_file_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        std::fs::write(&path, "one\n").unwrap();
        let read_only = OpenOptions::new().read(true).open(&path).unwrap();
        let mut log = LineFile::from(read_only, &path).unwrap();
        assert!(log.append(b"two", Durability::Os).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"one\n");
    }

    // K-24
    #[test]
    fn what_is_begun_and_not_settled_can_be_taken_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let mut log = LineFile::open(&path).unwrap();
        log.append(b"one", Durability::Os).unwrap();
        log.begin(b"two", Durability::Synced).unwrap();
        log.begin(b"three", Durability::Synced).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one\ntwo\nthree\n");
        log.take_back().unwrap();
        assert_eq!((std::fs::read(&path).unwrap().as_slice(), log.len()), (&b"one\n"[..], 4));
        log.begin(b"four", Durability::Synced).unwrap();
        log.settle(Durability::Synced).unwrap();
        log.take_back().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one\nfour\n", "what is settled stays");
    }

    // D-26
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let file = OpenOptions::new().append(true).open("/dev/full").unwrap();
        let mut log = LineFile { file, path: "/dev/full".into(), len: 0, end: Vec::new(), unsettled: None };
        assert!(log.append(b"line", Durability::Os).is_err());
        assert_eq!(log.len(), 0);
    }

    #[test]
    fn the_end_that_is_known_is_what_stands_in_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let mut log = LineFile::open(&path).unwrap();
        for round in 0..200_usize {
            match round % 7 {
                5 => drop(log.tail().unwrap()),
                6 => log.set_aside(&log.slice(log.len() - 2, log.len()).unwrap()).unwrap(),
                _ => log
                    .append(&vec![b'a' + u8::try_from(round % 26).unwrap(); round * 3], Durability::Os)
                    .unwrap(),
            }
            let content = std::fs::read(&path).unwrap();
            assert_eq!(log.len(), u64::try_from(content.len()).unwrap());
            for back in [0, 1, 5, 700, 4096, 5000].map(|back| content.len().saturating_sub(back)) {
                let start = u64::try_from(back).unwrap();
                assert_eq!(log.slice(start, log.len()).unwrap(), content[back..]);
                assert_eq!(log.slice(start / 2, start).unwrap(), content[back / 2..back]);
            }
        }
    }
}
