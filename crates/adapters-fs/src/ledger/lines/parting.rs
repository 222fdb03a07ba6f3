//! Where two files part, without holding more than a piece of either.
//!
//! Deliberately absent: what follows from it.

use std::io::{BufRead, Read as _};

use bailiwick_domain::PortError;

use crate::ledger::lines::Opened;

/// No line of a ledger is longer, in bytes.
const LONGEST: u64 = 64 << 20;

/// How much two files have in common from their start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ledger) struct Parting {
    /// In bytes.
    pub(in crate::ledger) bytes: u64,
    /// The line in which they part, counted from 1.
    pub(in crate::ledger) line: u64,
    /// Whether the second one has nothing behind that.
    pub(in crate::ledger) is_whole: bool,
}

/// Compares two files.
///
/// # Errors
/// One of them cannot be read.
pub(in crate::ledger) fn parting(one: &Opened, other: &Opened) -> Result<Parting, PortError> {
    let (mut ours, mut theirs) = (one.reader()?, other.reader()?);
    let mut at = Parting { bytes: 0, line: 1, is_whole: false };
    loop {
        let (a, b) = (filled(&mut ours)?, filled(&mut theirs)?);
        let same = equal_start(a, b);
        let lines = memchr::memchr_iter(b'\n', a.get(..same).unwrap_or_default()).count();
        let ended = same < a.len().min(b.len()) || a.is_empty() || b.is_empty();
        at.bytes += u64::try_from(same).unwrap_or(u64::MAX);
        at.line += u64::try_from(lines).unwrap_or(u64::MAX);
        if ended {
            return Ok(Parting { is_whole: at.bytes == other.length(), ..at });
        }
        ours.consume(same);
        theirs.consume(same);
    }
}

/// The same for a view, in which git may have made CRLF of each line end. No line of the ledger has a CR in it.
///
/// # Errors
/// One of them cannot be read.
pub(in crate::ledger) fn parting_of_view(one: &Opened, view: &Opened) -> Result<Parting, PortError> {
    let found = parting(one, view)?;
    let mut rest = view.reader()?;
    let problem = |error| PortError::Unavailable(format!("the view: {error}"));
    let mut line = Vec::new();
    one_line(&mut rest, &mut line).map_err(problem)?;
    if found.is_whole || !line.ends_with(b"\r\n") {
        return Ok(found);
    }
    let (mut ours, mut theirs, mut own) = (one.reader()?, view.reader()?, Vec::new());
    let mut at = Parting { bytes: 0, line: 1, is_whole: false };
    loop {
        line.clear();
        own.clear();
        one_line(&mut theirs, &mut line).map_err(problem)?;
        if line.is_empty() {
            return Ok(Parting { is_whole: true, ..at });
        }
        ours.read_until(b'\n', &mut own).map_err(problem)?;
        if line.ends_with(b"\r\n") {
            line.truncate(line.len() - 2);
            line.push(b'\n');
        }
        if line != own {
            return Ok(at);
        }
        at.bytes += u64::try_from(own.len()).unwrap_or(u64::MAX);
        at.line += 1;
    }
}

/// Reads a line of a view, or the start of one that is longer than any of a ledger: whoever can commit a view can make it
/// of any size.
fn one_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<usize> {
    reader.take(LONGEST).read_until(b'\n', line)
}

/// Whether the whole of `start` stands at the start of `file`.
///
/// # Errors
/// One of them cannot be read.
pub(in crate::ledger) fn begins_with(file: &Opened, start: &Opened) -> Result<bool, PortError> {
    Ok(start.length() <= file.length() && parting(file, start)?.bytes == start.length())
}

/// How many bytes are the same from the start.
fn equal_start(a: &[u8], b: &[u8]) -> usize {
    let shorter = a.len().min(b.len());
    match (a.get(..shorter), b.get(..shorter)) {
        (a, b) if a == b => shorter,
        _ => a.iter().zip(b).take_while(|(a, b)| a == b).count(),
    }
}

fn filled(reader: &mut impl BufRead) -> Result<&[u8], PortError> {
    reader.fill_buf().map_err(|error| PortError::Unavailable(format!("the ledger or its view: {error}")))
}
