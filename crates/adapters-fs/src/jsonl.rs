//! Append-only files of lines: one write a line, a torn tail set aside, the cost independent of the file's size.
//!
//! Callers hold a lock of their own over opening, looking at the tail and appending. Deliberately absent: what a line
//! says.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bailiwick_domain::PortError;

use crate::atomic::{Durability, open_private, private_options, unavailable};

const FIRST_WINDOW: u64 = 4096;

/// An open file of lines.
#[derive(Debug)]
pub(crate) struct LineFile {
    file: File,
    path: PathBuf,
    len: u64,
    /// The bytes at the end, as far as they are known.
    end: Vec<u8>,
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
        Ok(Self { file, path: path.to_owned(), len: meta.len(), end: Vec::new() })
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
            let whole = bytes.iter().rposition(|byte| *byte == b'\n');
            let before = whole.and_then(|end| bytes.get(..end)).unwrap_or_default();
            let begin = before.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
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
        let mut kept = fragment.to_vec();
        kept.push(b'\n');
        torn.write_all(&kept).map_err(|error| unavailable(&side, &error))?;
        self.cut(self.len.saturating_sub(u64::try_from(fragment.len()).unwrap_or(u64::MAX)))
    }

    /// Appends a line and its LF with one write; what could not be written whole is taken back.
    pub(crate) fn append(&mut self, line: &[u8], durability: Durability) -> Result<(), PortError> {
        let mut whole = Vec::with_capacity(line.len() + 1);
        whole.extend_from_slice(line);
        whole.push(b'\n');
        self.append_raw(&whole, durability)
    }

    /// Appends bytes that already are whole lines.
    pub(crate) fn append_raw(&mut self, bytes: &[u8], durability: Durability) -> Result<(), PortError> {
        let before = self.len;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let written = self.file.write(bytes).and_then(|count| match durability {
            _ if count < bytes.len() => Err(std::io::ErrorKind::WriteZero.into()),
            Durability::Synced => self.file.sync_data(),
            Durability::Os => Ok(()),
        });
        match written {
            Ok(()) => {
                self.len = before.saturating_add(size);
                self.end.extend_from_slice(bytes);
                Ok(())
            }
            Err(error) => {
                self.cut(before)?;
                Err(unavailable(&self.path, &error))
            }
        }
    }

    fn cut(&mut self, len: u64) -> Result<(), PortError> {
        self.end.clear();
        self.file.set_len(len).map_err(|error| unavailable(&self.path, &error))?;
        self.len = len;
        Ok(())
    }
}

fn split_tail(bytes: &[u8], begin: usize, end: usize) -> (Option<Vec<u8>>, Vec<u8>) {
    let line = bytes.get(begin..end).unwrap_or_default().to_vec();
    let fragment = bytes.get(end + 1..).unwrap_or_default().to_vec();
    (Some(line), fragment)
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;

    use super::LineFile;
    use crate::atomic::Durability;

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

    // D-26
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let file = OpenOptions::new().append(true).open("/dev/full").unwrap();
        let mut log = LineFile { file, path: "/dev/full".into(), len: 0, end: Vec::new() };
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
