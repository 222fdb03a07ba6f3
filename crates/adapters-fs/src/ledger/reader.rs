//! Reads the ledger back: the port `LedgerReader` over this clone's own ledger and the sealed segments of others that
//! are in the working copy (D-22).
//!
//! Deliberately absent: saying what is wrong with it (`verify`).

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::PathBuf;

use bailiwick_domain::{
    ContentHash, LedgerQuery, LedgerReader, Order, Origin, PortError, StoredEntry, Timestamp, Visit,
};

use super::ended;
use super::lines::{Backwards, Line, Opened};
use super::record::read_ledger_line;
use super::segment::{self, SegmentFile};
use crate::Layout;

/// Reads the ledger of one clone.
#[derive(Clone, Debug)]
pub struct FsLedgerReader {
    layout: Layout,
}

impl FsLedgerReader {
    /// A reader of this root's ledger.
    pub fn new(layout: &Layout) -> Self {
        Self { layout: layout.clone() }
    }

    /// This clone's own files with where they are from, the oldest first.
    fn own_files(&self) -> Result<Vec<(Origin, PathBuf)>, PortError> {
        let folder = super::folder(&self.layout);
        let ended = ended::files(&folder)?.into_iter();
        let mut files: Vec<_> = ended.map(|(number, path)| (Origin::Ended(number), path)).collect();
        files.push((Origin::Live, super::live_file(&folder)));
        Ok(files)
    }

    /// Segments of chains that are not this clone's own, by when their newest entry was recorded, the oldest first.
    fn others(&self, own: &[(Origin, PathBuf)]) -> Result<Vec<(Timestamp, SegmentFile)>, PortError> {
        let files = segment::all(&self.layout)?;
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let own: BTreeSet<ContentHash> = own.iter().filter_map(|(_, path)| genesis(path)).collect();
        let known =
            files.into_iter().filter_map(|file| file.header().map(|(header, newest)| (header, newest, file)));
        let mut others: Vec<_> = known
            .filter(|(header, ..)| !own.contains(&header.chain))
            .map(|(_, newest, file)| (newest, file))
            .collect();
        others.sort_by_key(|(newest, _)| *newest);
        Ok(others)
    }
}

fn genesis(path: &std::path::Path) -> Option<ContentHash> {
    let opened = Opened::open(path).ok()??;
    let mut lines = opened.forwards().ok()?;
    let Some(Line::Whole(line)) = lines.next().ok()? else { return None };
    read_ledger_line(line).ok().map(|line| line.checksum)
}

impl LedgerReader for FsLedgerReader {
    fn visit(&self, query: &LedgerQuery, visit: &mut Visit<'_>) -> Result<(), PortError> {
        let own = self.own_files()?;
        let here = &super::working_copy(&self.layout);
        let others =
            Others { files: self.others(&own)?, lines: Vec::new(), seen: BTreeSet::new(), query, here };
        match query.order {
            Order::NewestFirst => newest_first(Own { files: own, current: None, query, here }, others, visit),
            Order::OldestFirst => oldest_first(&own, others, visit),
        }
    }
}

/// Both by their timestamps, as far as each of them is in that order.
fn newest_first(mut own: Own<'_>, mut others: Others<'_>, visit: &mut Visit<'_>) -> Result<(), PortError> {
    let (mut ours, mut theirs) = (own.next()?, others.next());
    loop {
        let take_ours = match (&ours, &theirs) {
            (Some(ours), Some(theirs)) => ours.entry.timestamp >= theirs.entry.timestamp,
            (Some(_), None) => true,
            (None, _) => false,
        };
        let next = if take_ours {
            std::mem::replace(&mut ours, own.next()?)
        } else {
            std::mem::replace(&mut theirs, others.next())
        };
        let Some(stored) = next else { return Ok(()) };
        if visit(stored).is_break() {
            return Ok(());
        }
    }
}

/// What others wrote, then what was written here.
fn oldest_first(
    own: &[(Origin, PathBuf)],
    mut others: Others<'_>,
    visit: &mut Visit<'_>,
) -> Result<(), PortError> {
    let (query, here) = (others.query, others.here);
    let mut all: Vec<StoredEntry> = std::iter::from_fn(|| others.next()).collect();
    all.reverse();
    for stored in all {
        if visit(stored).is_break() {
            return Ok(());
        }
    }
    for (origin, path) in own {
        let Some(opened) = Opened::open(path)? else { continue };
        let mut lines = opened.forwards()?;
        while let Some(line) = lines.next()? {
            let Line::Whole(line) = line else { continue };
            let flow = understood(origin, line, query, here).map_or(ControlFlow::Continue(()), &mut *visit);
            if flow.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// This clone's own entries, the newest first.
struct Own<'q> {
    files: Vec<(Origin, PathBuf)>,
    current: Option<(Origin, Backwards)>,
    query: &'q LedgerQuery,
    /// What tells this working copy.
    here: &'q str,
}

impl Own<'_> {
    fn next(&mut self) -> Result<Option<StoredEntry>, PortError> {
        loop {
            if let Some((origin, lines)) = &mut self.current {
                while let Some(line) = lines.next()? {
                    if let Some(stored) = understood(origin, &line, self.query, self.here) {
                        return Ok(Some(stored));
                    }
                }
            }
            let Some((origin, path)) = self.files.pop() else { return Ok(None) };
            self.current = Opened::open(&path)?.map(|opened| (origin, opened.backwards()));
        }
    }
}

/// The entries of other chains, the newest segment first; segments may overlap, and an entry comes once.
struct Others<'q> {
    files: Vec<(Timestamp, SegmentFile)>,
    lines: Vec<StoredEntry>,
    seen: BTreeSet<ContentHash>,
    query: &'q LedgerQuery,
    /// What tells this working copy.
    here: &'q str,
}

impl Others<'_> {
    fn next(&mut self) -> Option<StoredEntry> {
        loop {
            while let Some(stored) = self.lines.pop() {
                if self.seen.insert(stored.checksum.clone()) {
                    return Some(stored);
                }
            }
            let (_, file) = self.files.pop()?;
            let origin = Origin::Segment(file.name.clone());
            let lines = file.bytes.split(|byte| *byte == b'\n').skip(1);
            self.lines = lines.filter_map(|line| understood(&origin, line, self.query, self.here)).collect();
        }
    }
}

fn understood(origin: &Origin, line: &[u8], query: &LedgerQuery, here: &str) -> Option<StoredEntry> {
    let record = std::str::from_utf8(line).ok()?;
    if query.containing.as_ref().is_some_and(|text| !record.contains(text.as_str())) {
        return None;
    }
    let found = read_ledger_line(line).ok()?;
    Some(StoredEntry {
        is_from_here: found.working_copy.as_deref().is_none_or(|copy| copy == here),
        origin: origin.clone(),
        seq: found.seq,
        checksum: found.checksum,
        entry: found.entry,
        record: record.to_owned(),
    })
}
