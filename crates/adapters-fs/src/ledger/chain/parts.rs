//! The files of a chain as one: older parts, each named after the place of its first entry, and the newest file.
//!
//! Whoever reads a ledger reads it through here and does not know how many files it has. The newest file is opened
//! before the names of the others are read: a rotation in between makes a part of what is already open, and such a part
//! is not read again. Deliberately absent: beginning a new file (`rotate`), and judging what is found (`verify`).

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use bailiwick_domain::PortError;

use crate::files::atomic::{invalid, read_names};
use crate::ledger::lines::{Backwards, Opened};
use crate::ledger::record::read_ledger_line;

/// Digits of a part's name, so that names stand in the order of their entries.
const DIGITS: usize = 12;

/// Where the files of one chain are.
#[derive(Clone, Debug)]
pub(in crate::ledger) struct Chain {
    newest: PathBuf,
    parts: PathBuf,
}

/// A part, which nobody writes to any more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::ledger) struct Part {
    /// The place of its first entry, as its name says it.
    pub(in crate::ledger) first: u64,
    pub(in crate::ledger) path: PathBuf,
}

/// The files of a chain as they were at one moment: what is appended later is not looked at.
#[derive(Debug)]
pub(in crate::ledger) struct Files {
    /// Before the newest file, the oldest first.
    pub(in crate::ledger) older: Vec<Part>,
    /// Parts whose entries the newest file has too: a rotation was interrupted, or somebody put them there.
    pub(in crate::ledger) again: Vec<Part>,
    /// The file that is appended to, where there is one.
    pub(in crate::ledger) newest: Option<Opened>,
}

impl Chain {
    /// The chain whose newest file is this, with its older parts in that folder.
    pub(in crate::ledger) fn new(newest: PathBuf, parts: PathBuf) -> Self {
        Self { newest, parts }
    }

    /// The chain of this clone, in the ledger's folder.
    pub(in crate::ledger) fn live(folder: &Path) -> Self {
        Self::new(crate::ledger::live_file(folder), folder.join("parts"))
    }

    /// The file that is appended to.
    pub(in crate::ledger) fn newest(&self) -> &Path {
        &self.newest
    }

    /// The folder of older parts.
    pub(in crate::ledger) fn folder(&self) -> &Path {
        &self.parts
    }

    /// Where the part is whose first entry has that place.
    pub(in crate::ledger) fn part(&self, first: u64) -> PathBuf {
        self.parts.join(format!("{first:0DIGITS$}.jsonl"))
    }

    /// The files that are there now.
    ///
    /// # Errors
    /// One of them is no regular file, or cannot be read.
    pub(in crate::ledger) fn open(&self) -> Result<Files, PortError> {
        let newest = Opened::open(&self.newest)?;
        let (older, again) = self.before(newest.as_ref())?;
        Ok(Files { older, again, newest })
    }

    /// The whole lines from the end, beginning in the newest file, which is open already. Other files are only looked
    /// for when that one is at its start.
    pub(in crate::ledger) fn backwards(&self, newest: Option<Opened>) -> ChainBackwards {
        ChainBackwards { current: newest.map(Opened::backwards), older: Older::Unknown(self.clone()) }
    }

    /// The last whole line of the newest part; `None` when there is no part.
    ///
    /// # Errors
    /// It cannot be read, or has no whole line.
    pub(in crate::ledger) fn last_of_parts(&self) -> Result<Option<(Vec<u8>, PathBuf)>, PortError> {
        let Some(part) = self.all_parts()?.pop() else { return Ok(None) };
        let opened = part.open()?;
        match opened.backwards().next()? {
            Some(line) => Ok(Some((line, part.path))),
            None => Err(invalid(&part.path, "an empty part of the ledger")),
        }
    }

    /// The parts before the newest file, and those that hold what it holds.
    fn before(&self, newest: Option<&Opened>) -> Result<(Vec<Part>, Vec<Part>), PortError> {
        let parts = self.all_parts()?;
        let Some(newest) = newest.filter(|_| !parts.is_empty()) else { return Ok((parts, Vec::new())) };
        let begins = newest.head()?.and_then(|line| Some(read_ledger_line(&line).ok()?.seq));
        Ok(parts.into_iter().partition(|part| begins.is_none_or(|begins| part.first < begins)))
    }

    /// The parts that stand in the folder, the oldest first; none where there is no folder.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub(in crate::ledger) fn all_parts(&self) -> Result<Vec<Part>, PortError> {
        let mut parts = read_names(&self.parts, |name| {
            let digits = name.strip_suffix(".jsonl").filter(|digits| digits.len() >= DIGITS)?;
            Some(Part { first: digits.parse().ok()?, path: self.parts.join(name) })
        })?;
        parts.sort();
        Ok(parts)
    }
}

impl Part {
    /// Opens it.
    ///
    /// # Errors
    /// It went away, is no regular file, or cannot be opened.
    pub(in crate::ledger) fn open(&self) -> Result<Opened, PortError> {
        Opened::open(&self.path)?
            .ok_or_else(|| invalid(&self.path, "it disappeared while the ledger was read"))
    }
}

impl Files {
    /// Gives each file to `see`, the oldest first, until that breaks.
    ///
    /// # Errors
    /// One of them cannot be opened, or what `see` says.
    pub(in crate::ledger) fn each(
        &self,
        see: &mut dyn FnMut(&Opened) -> Result<ControlFlow<()>, PortError>,
    ) -> Result<(), PortError> {
        for part in &self.older {
            if see(&part.open()?)?.is_break() {
                return Ok(());
            }
        }
        self.newest.as_ref().map_or(Ok(()), |newest| see(newest).map(drop))
    }

    /// The files from that one on, opened.
    ///
    /// # Errors
    /// One of them cannot be opened.
    pub(in crate::ledger) fn since(self, path: &Path) -> Result<Vec<Opened>, PortError> {
        let mut files = self.older.iter().map(Part::open).collect::<Result<Vec<_>, _>>()?;
        files.extend(self.newest);
        files.drain(..files.iter().position(|file| file.path() == path).unwrap_or(files.len()));
        Ok(files)
    }

    /// The whole lines from the end.
    pub(in crate::ledger) fn backwards(self) -> ChainBackwards {
        ChainBackwards { current: self.newest.map(Opened::backwards), older: Older::Known(self.older) }
    }

    /// The first whole line of the oldest file.
    ///
    /// # Errors
    /// It cannot be read.
    pub(in crate::ledger) fn head(&self) -> Result<Option<Vec<u8>>, PortError> {
        match (self.older.first(), &self.newest) {
            (Some(part), _) => part.open()?.head(),
            (None, Some(newest)) => newest.head(),
            (None, None) => Ok(None),
        }
    }

    /// How many bytes all of them have together.
    pub(in crate::ledger) fn length(&self) -> u64 {
        let size = |part: &Part| part.path.metadata().map_or(0, |meta| meta.len());
        self.older.iter().map(size).sum::<u64>() + self.newest.as_ref().map_or(0, Opened::length)
    }
}

/// Which files stand before the one that is being read.
#[derive(Debug)]
enum Older {
    /// Nobody looked yet.
    Unknown(Chain),
    Known(Vec<Part>),
}

/// The whole lines of a chain from its end.
#[derive(Debug)]
pub(in crate::ledger) struct ChainBackwards {
    current: Option<Backwards>,
    older: Older,
}

impl ChainBackwards {
    /// The lines of a file, then those of the parts before it.
    pub(in crate::ledger) fn of(lines: Backwards, before: Vec<Part>) -> Self {
        Self { current: Some(lines), older: Older::Known(before) }
    }

    /// The file of the line that was given out last, and where it begins there.
    pub(in crate::ledger) fn place(&self) -> Option<(&Path, u64)> {
        self.current.as_ref().map(|lines| (lines.opened().path(), lines.place()))
    }

    /// The line before; `None` when there is no other.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(in crate::ledger) fn next(&mut self) -> Result<Option<Vec<u8>>, PortError> {
        let mut line = Vec::new();
        Ok(self.next_into(&mut line)?.then_some(line))
    }

    /// Puts the line before behind what is there; whether there is one.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(in crate::ledger) fn next_into(&mut self, line: &mut Vec<u8>) -> Result<bool, PortError> {
        loop {
            if let Some(lines) = &mut self.current
                && lines.next_into(line)?
            {
                return Ok(true);
            }
            let part = match &mut self.older {
                Older::Known(parts) => parts.pop(),
                Older::Unknown(chain) => {
                    let (older, _) = chain.before(self.current.as_ref().map(Backwards::opened))?;
                    self.older = Older::Known(older);
                    continue;
                }
            };
            let Some(part) = part else { return Ok(false) };
            self.current = Some(part.open()?.backwards());
        }
    }
}
