//! Finds the line of a chain that has a certain place, and what stands before it, by halves: a page of a ledger costs the
//! same wherever it lies.
//!
//! Places grow from line to line. Deliberately absent: what a line says, and whether the chain is whole.

use bailiwick_domain::PortError;

use crate::ledger::chain::parts::{ChainBackwards, Files, Part};
use crate::ledger::lines::Opened;
use crate::ledger::record::claimed_link;

/// So many bytes are looked through line by line rather than halved further.
const FEW: u64 = 32 * 1024;

/// A line, and the lines before it from the newest on.
pub(in crate::ledger) type Found = (Vec<u8>, ChainBackwards);

impl Files {
    /// The line with this place, and those before it; `None` where that cannot be found so, as in a damaged file.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(in crate::ledger) fn at_place(mut self, seq: u64) -> Result<Option<Found>, PortError> {
        let begins = self.newest.as_ref().map(Opened::head).transpose()?.flatten();
        let in_newest = begins.and_then(|line| place_of(&line)).is_some_and(|first| first <= seq);
        self.older.retain(|part| part.first <= seq);
        let opened = match (in_newest, self.newest) {
            (true, newest) => newest,
            (false, _) => self.older.pop().as_ref().map(Part::open).transpose()?,
        };
        let Some(opened) = opened else { return Ok(None) };
        let Some((start, line)) = search(&opened, seq)? else { return Ok(None) };
        Ok(Some((line, ChainBackwards::of(opened.cut(start).backwards(), self.older))))
    }
}

/// Where in the file the line with this place begins, and the line.
fn search(opened: &Opened, seq: u64) -> Result<Option<(u64, Vec<u8>)>, PortError> {
    // A line that begins at `low` has a place of at most `seq`; those that begin at `high` or behind have a greater one.
    let (mut low, mut high) = (0, opened.length());
    while high - low > FEW {
        let middle = low + (high - low) / 2;
        let found = opened.line_from(middle)?.filter(|(start, _)| *start < high);
        let Some((start, line)) = found else {
            high = middle;
            continue;
        };
        match place_of(&line) {
            None => return Ok(None),
            Some(place) if place <= seq => low = start,
            Some(_) => high = middle,
        }
    }
    while let Some((start, line)) = opened.line_from(low)? {
        match place_of(&line) {
            Some(place) if place == seq => return Ok(Some((start, line))),
            Some(place) if place < seq => low = start + u64::try_from(line.len()).unwrap_or_default() + 1,
            _ => return Ok(None),
        }
    }
    Ok(None)
}

fn place_of(line: &[u8]) -> Option<u64> {
    claimed_link(line).ok().map(|link| link.seq)
}
