//! Where two files part, without holding more than a piece of either.
//!
//! Deliberately absent: what follows from it.

use std::io::BufRead;

use bailiwick_domain::PortError;

use super::lines::Opened;

/// How much two files have in common from their start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parting {
    /// In bytes.
    pub(super) bytes: u64,
    /// The line in which they part, counted from 1.
    pub(super) line: u64,
}

/// Compares two files.
///
/// # Errors
/// One of them cannot be read.
pub(super) fn parting(one: &Opened, other: &Opened) -> Result<Parting, PortError> {
    let (mut ours, mut theirs) = (one.reader()?, other.reader()?);
    let mut at = Parting { bytes: 0, line: 1 };
    loop {
        let (a, b) = (filled(&mut ours)?, filled(&mut theirs)?);
        let same = equal_start(a, b);
        let lines = memchr::memchr_iter(b'\n', a.get(..same).unwrap_or_default()).count();
        let ended = same < a.len().min(b.len()) || a.is_empty() || b.is_empty();
        at.bytes += u64::try_from(same).unwrap_or(u64::MAX);
        at.line += u64::try_from(lines).unwrap_or(u64::MAX);
        if ended {
            return Ok(at);
        }
        ours.consume(same);
        theirs.consume(same);
    }
}

/// Whether the whole of `start` stands at the start of `file`.
///
/// # Errors
/// One of them cannot be read.
pub(super) fn begins_with(file: &Opened, start: &Opened) -> Result<bool, PortError> {
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
