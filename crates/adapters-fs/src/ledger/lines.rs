//! Files of lines, read from either end without holding more than a piece of them.
//!
//! Deliberately absent: what a line says, and writing.

pub(in crate::ledger) mod glance;
pub(in crate::ledger) mod parting;

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Take, Write};
use std::path::{Path, PathBuf};

use bailiwick_domain::{ContentHash, PortError};
use sha2::{Digest as _, Sha256};

use crate::files::atomic::{open_regular_optional, unavailable};

/// How much is read at once.
const PIECE: u64 = 128 * 1024;
/// How much is read first from the end: the hook wants a line or two.
const FIRST_PIECE: u64 = 4 * 1024;

/// A file as it was when it was opened: what is appended later is not looked at.
#[derive(Debug)]
pub(super) struct Opened {
    file: File,
    path: PathBuf,
    length: u64,
}

impl Opened {
    /// Opens a file; `None` when there is none.
    ///
    /// # Errors
    /// It is no regular file, or cannot be opened.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, PortError> {
        let opened = open_regular_optional(path)?;
        Ok(opened.map(|(file, length)| Self { file, path: path.to_path_buf(), length }))
    }

    /// The same with line ends as git keeps them, where a checkout made `\r\n` of them: no line of a ledger ends with a CR.
    ///
    /// # Errors
    /// It cannot be read, or there is no room for the copy.
    pub(super) fn into_own_line_ends(self) -> Result<Self, PortError> {
        let mut first = Vec::new();
        self.reader()?.read_until(b'\n', &mut first).map_err(|error| unavailable(&self.path, &error))?;
        if first.ends_with(b"\r\n") {
            self.with_plain_ends().map_err(|error| unavailable(&self.path, &error))
        } else {
            Ok(self)
        }
    }

    fn with_plain_ends(&self) -> std::io::Result<Self> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0))?;
        let (mut reader, mut line) = (BufReader::new(file.take(self.length)), Vec::new());
        let mut plain = BufWriter::new(tempfile::tempfile()?);
        while reader.read_until(b'\n', &mut line)? > 0 {
            match line.strip_suffix(b"\r\n") {
                Some(bare) => plain.write_all(bare).and_then(|()| plain.write_all(b"\n")),
                None => plain.write_all(&line),
            }?;
            line.clear();
        }
        let file = plain.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        let length = file.metadata()?.len();
        Ok(Self { file, path: self.path.clone(), length })
    }

    /// Its length in bytes.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Where it was when it was opened.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Its first whole line; `None` when there is none.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn head(&self) -> Result<Option<Vec<u8>>, PortError> {
        Ok(match self.forwards()?.next()? {
            Some(Line::Whole(line)) => Some(line.to_vec()),
            Some(Line::Torn(_)) | None => None,
        })
    }

    /// Its bytes from the start.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn reader(&self) -> Result<BufReader<Take<&File>>, PortError> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0)).map_err(|error| unavailable(&self.path, &error))?;
        Ok(BufReader::with_capacity(usize::try_from(PIECE).unwrap_or(4096), file.take(self.length)))
    }

    /// Copies its bytes from that one on, so many at most, a piece at a time; how many there were.
    pub(super) fn copy_from(&self, start: u64, most: u64, out: &mut impl Write) -> std::io::Result<u64> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(start))?;
        std::io::copy(&mut file.take(most.min(self.length.saturating_sub(start))), out)
    }

    /// The hash of its bytes.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn hash(&self) -> Result<ContentHash, PortError> {
        let mut hashing = Hashing::default();
        self.copy_from(0, self.length, &mut hashing).map_err(|error| unavailable(&self.path, &error))?;
        Ok(hashing.finish())
    }

    /// Its lines from the start.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn forwards(&self) -> Result<Forwards<'_>, PortError> {
        Ok(Forwards { reader: self.reader()?, path: &self.path, line: Vec::new() })
    }

    /// Its bytes up to there, as if the file ended there.
    pub(super) fn cut(self, length: u64) -> Self {
        Self { length: length.min(self.length), ..self }
    }

    /// The first whole line that begins at this byte or behind it, and where it begins; `None` when there is none.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn line_from(&self, byte: u64) -> Result<Option<(u64, Vec<u8>)>, PortError> {
        let fault = |error: std::io::Error| unavailable(&self.path, &error);
        // A line begins behind an LF: the byte before may be one.
        let from = byte.saturating_sub(1);
        let mut file = &self.file;
        file.seek(SeekFrom::Start(from)).map_err(fault)?;
        let mut reader = BufReader::new(file.take(self.length.saturating_sub(from)));
        let (mut start, mut line) = (byte, Vec::new());
        if byte > 0 {
            let passed = reader.skip_until(b'\n').map_err(fault)?;
            start = from + u64::try_from(passed).unwrap_or(u64::MAX);
        }
        reader.read_until(b'\n', &mut line).map_err(fault)?;
        Ok(line.pop_if(|last| *last == b'\n').map(|_| (start, line)))
    }

    /// Its whole lines from the end.
    pub(super) fn backwards(self) -> Backwards {
        Backwards { start: self.length, opened: self, piece: Vec::new(), wanted: FIRST_PIECE, primed: false }
    }

    /// What stands behind the last LF.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn fragment(&self) -> Result<Vec<u8>, PortError> {
        let mut window = FIRST_PIECE;
        loop {
            let start = self.length.saturating_sub(window);
            let mut bytes = self.slice(start, self.length)?;
            match bytes.iter().rposition(|byte| *byte == b'\n') {
                Some(end) => return Ok(bytes.split_off(end + 1)),
                None if start == 0 => return Ok(bytes),
                None => window = window.saturating_mul(4),
            }
        }
    }

    /// Reads the bytes from `start` on.
    fn fill(&self, start: u64, bytes: &mut [u8]) -> Result<(), PortError> {
        let mut file = &self.file;
        let read = file.seek(SeekFrom::Start(start)).and_then(|_| file.read_exact(bytes));
        read.map_err(|error| unavailable(&self.path, &error))
    }

    fn slice(&self, start: u64, end: u64) -> Result<Vec<u8>, PortError> {
        let mut bytes = Vec::with_capacity(usize::try_from(end - start).unwrap_or_default());
        let mut file = &self.file;
        let read =
            file.seek(SeekFrom::Start(start)).and_then(|_| file.take(end - start).read_to_end(&mut bytes));
        read.map(|_| bytes).map_err(|error| unavailable(&self.path, &error))
    }
}

/// Hashes what is written to it.
#[derive(Default)]
pub(super) struct Hashing(Sha256);

impl Hashing {
    /// The hash of all of it.
    pub(super) fn finish(self) -> ContentHash {
        ContentHash::from_digest(&self.0.finalize().into())
    }
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A line, as it stands in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line<'l> {
    /// With an LF behind it, which is not part of this.
    Whole(&'l [u8]),
    /// The end of the file, without an LF.
    Torn(&'l [u8]),
}

/// Lines from the start of a file.
#[derive(Debug)]
pub(super) struct Forwards<'f> {
    reader: BufReader<Take<&'f File>>,
    path: &'f Path,
    line: Vec<u8>,
}

impl Forwards<'_> {
    /// The next line; `None` at the end.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn next(&mut self) -> Result<Option<Line<'_>>, PortError> {
        self.line.clear();
        self.reader.read_until(b'\n', &mut self.line).map_err(|error| unavailable(self.path, &error))?;
        Ok(match self.line.as_slice() {
            [] => None,
            [line @ .., b'\n'] => Some(Line::Whole(line)),
            line => Some(Line::Torn(line)),
        })
    }
}

/// Whole lines from the end of a file; what follows the last LF is passed over.
#[derive(Debug)]
pub(super) struct Backwards {
    opened: Opened,
    /// Where `piece` begins in the file.
    start: u64,
    /// What is read and not given out yet; ends in the LF of the next line to give out.
    piece: Vec<u8>,
    /// How much is read next.
    wanted: u64,
    primed: bool,
}

impl Backwards {
    /// Where the line begins that was given out last.
    pub(super) fn place(&self) -> u64 {
        let rest = u64::try_from(self.piece.len()).unwrap_or_default();
        if self.primed { self.start + rest + 1 } else { 0 }
    }

    /// The file.
    pub(super) fn opened(&self) -> &Opened {
        &self.opened
    }

    /// The line before; `None` when there is no other.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn next(&mut self) -> Result<Option<Vec<u8>>, PortError> {
        let mut line = Vec::new();
        Ok(self.next_into(&mut line)?.then_some(line))
    }

    /// Puts the line before behind what is there; whether there is one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn next_into(&mut self, line: &mut Vec<u8>) -> Result<bool, PortError> {
        loop {
            if !self.primed {
                match memchr::memrchr(b'\n', &self.piece) {
                    Some(end) => {
                        self.piece.truncate(end);
                        self.primed = true;
                    }
                    None if self.start == 0 => return Ok(false),
                    None => {
                        self.piece.clear();
                        self.more()?;
                        continue;
                    }
                }
            }
            if let Some(before) = memchr::memrchr(b'\n', &self.piece) {
                line.extend_from_slice(self.piece.get(before + 1..).unwrap_or_default());
                self.piece.truncate(before);
                return Ok(true);
            }
            if self.start == 0 {
                self.primed = false;
                line.append(&mut self.piece);
                return Ok(true);
            }
            self.more()?;
        }
    }

    /// Reads on in front of the piece, in the memory that it has.
    fn more(&mut self) -> Result<(), PortError> {
        let known = self.piece.len();
        let wanted = self.wanted.max(u64::try_from(known).unwrap_or(PIECE));
        self.wanted = self.wanted.saturating_mul(4).min(PIECE);
        let start = self.start.saturating_sub(wanted);
        let more = usize::try_from(self.start - start).unwrap_or_default();
        self.piece.resize(known + more, 0);
        self.piece.copy_within(..known, more);
        self.opened.fill(start, self.piece.get_mut(..more).unwrap_or_default())?;
        self.start = start;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Line, Opened};

    type Lines = Vec<Vec<u8>>;

    fn both_ways(content: &[u8]) -> (Lines, Option<Vec<u8>>, Lines) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lines");
        std::fs::write(&path, content).unwrap();
        let opened = Opened::open(&path).unwrap().unwrap();
        let (mut whole, mut torn) = (Vec::new(), None);
        let mut forwards = opened.forwards().unwrap();
        while let Some(line) = forwards.next().unwrap() {
            match line {
                Line::Whole(line) => whole.push(line.to_vec()),
                Line::Torn(line) => torn = Some(line.to_vec()),
            }
        }
        let mut backwards = opened.backwards();
        let mut reversed = Vec::new();
        while let Some(line) = backwards.next().unwrap() {
            let place = usize::try_from(backwards.place()).unwrap();
            assert_eq!(content[place..place + line.len()], line, "and its place is known");
            assert!(place == 0 || content[place - 1] == b'\n');
            reversed.push(line);
        }
        (whole, torn, reversed)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn both_ends_see_the_same_lines(lengths in prop::collection::vec(prop_oneof![0..5_usize, 0..200_000_usize], 0..8), torn in 0..3_usize) {
            let lines: Vec<Vec<u8>> = lengths.iter().map(|length| vec![b'x'; *length]).collect();
            let mut content: Vec<u8> = lines.iter().flat_map(|line| [line.as_slice(), b"\n"].concat()).collect();
            content.extend(std::iter::repeat_n(b'y', torn));
            let (whole, fragment, mut reversed) = both_ways(&content);
            reversed.reverse();
            prop_assert_eq!(&whole, &lines);
            prop_assert_eq!(fragment.map_or(0, |fragment| fragment.len()), torn);
            prop_assert_eq!(&reversed, &lines);
        }
    }
}
