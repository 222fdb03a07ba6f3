//! A glance at the ledgers of others whose signed head was seen here before: do the segments still have it, and do they go
//! on in the same hand? For whoever asks a question, in the words that verifying has for it.
//!
//! It reads the headers of segments, the newest line of each that may go on from a head, and the line of the head.
//! Deliberately absent: everything else that verifying looks at, and remembering heads, which verifying does.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_domain::{ContentHash, Finding, FindingKind, OtherLedger, PortError, SegmentHistory, Severity};

use super::hands::{another_head, other_hand};
use super::references;
use super::report::Report;
use crate::Layout;
use crate::ledger::chain::ended;
use crate::ledger::chain::parts::Chain;
use crate::ledger::folder;
use crate::ledger::lines::Line;
use crate::ledger::record::{LedgerLine, SignedBy, read_ledger_line, signed_by};
use crate::ledger::segment::kept;
use crate::ledger::segment::{self, Header, SegmentFile};
use crate::ledger::sign::{TraceKey, TraceKeys};
use crate::ledger::trust::seen::{Head, Seen};

/// What is to say of them, alarms first; nothing where no head was seen.
///
/// # Errors
/// The segments or the heads cannot be listed.
pub fn departed(layout: &Layout, history: Option<&dyn SegmentHistory>) -> Result<Vec<Finding>, PortError> {
    let seen = Seen::new(layout);
    if !seen.is_any() {
        return Ok(Vec::new());
    }
    let own = own(layout)?;
    let keys = TraceKeys::open(layout).unwrap_or_default();
    let mut files = segment::all(layout)?;
    if let Some(history) = history {
        files.extend(kept::files(layout, history)?);
    }
    let mut chains: BTreeMap<ContentHash, Vec<Piece>> = BTreeMap::new();
    for file in files {
        // What cannot be read is not the answer's, and verifying says so.
        let Ok(Some((header, _))) = file.header() else { continue };
        if !own.contains(&header.chain) {
            chains.entry(header.chain.clone()).or_default().push(Piece { header, file });
        }
    }
    let (mut report, mut ledgers) = (Report::default(), Vec::new());
    for (chain, mut pieces) in chains {
        pieces.sort_by_key(|piece| (piece.header.first, piece.header.end()));
        let Some(head) = seen.of(&chain) else { continue };
        judge(&chain, &pieces, &head, &keys, &mut report);
        ledgers.push(OtherLedger { entries: rooted(&pieces), chain, seen: None, signer: None });
    }
    references::gone(layout, &seen, &ledgers, &|chain| own.contains(chain), &mut report)?;
    Ok(report.finish())
}

/// The ledgers of this clone, which the witness knows, by their first checksums.
fn own(layout: &Layout) -> Result<BTreeSet<ContentHash>, PortError> {
    let folder = folder(layout);
    let ended = ended::chains(&folder)?.into_iter().map(|(_, chain)| chain);
    let mut own = BTreeSet::new();
    for chain in ended.chain([Chain::live(&folder)]) {
        let first = chain.open()?.head()?.and_then(|line| read_ledger_line(&line).ok());
        own.extend(first.map(|first| first.checksum));
    }
    Ok(own)
}

/// A segment.
struct Piece {
    header: Header,
    file: SegmentFile,
}

impl Piece {
    /// The line of an entry that its header says it has.
    fn entry(&self, seq: u64) -> Option<LedgerLine> {
        let opened = self.file.open().ok()?;
        let mut lines = opened.forwards().ok()?;
        for _ in self.header.first..=seq {
            lines.next().ok()??;
        }
        let (Line::Whole(line) | Line::Torn(line)) = lines.next().ok()??;
        read_ledger_line(line).ok()
    }

    fn newest(&self) -> Option<LedgerLine> {
        let line = self.file.open().ok()?.backwards().next().ok()??;
        read_ledger_line(&line).ok()
    }

    /// Whether it ends where its header says.
    fn is_complete(&self) -> bool {
        self.newest().and_then(|line| line.seq.checked_add(1)) == Some(self.header.end())
    }

    /// Whether its header says that it has an entry.
    fn has(&self, seq: u64) -> bool {
        (self.header.first..self.header.end()).contains(&seq)
    }
}

/// How many of the first entries are there, one behind another, as the headers say of segments that are complete.
fn rooted(pieces: &[Piece]) -> u64 {
    pieces.iter().fold(0, |end, piece| {
        let goes_on = piece.header.first <= end && end < piece.header.end();
        if goes_on && piece.is_complete() { piece.header.end() } else { end }
    })
}

fn named(line: &LedgerLine) -> Option<TraceKey> {
    line.signed_by.as_deref().and_then(TraceKey::parse)
}

/// The key that signed the entry by which a ledger is called; what a header calls so is no such entry.
fn begun_by(chain: &ContentHash, pieces: &[Piece]) -> Option<TraceKey> {
    let firsts = pieces.iter().filter(|piece| piece.has(0)).filter_map(|piece| piece.entry(0));
    named(&firsts.into_iter().find(|first| first.checksum == *chain)?)
}

fn judge(chain: &ContentHash, pieces: &[Piece], head: &Head, keys: &TraceKeys, report: &mut Report) {
    // A ledger is called by its first entry, and has the key that signed it: another head does not count.
    let begun = begun_by(chain, pieces);
    if begun.as_ref().is_some_and(|key| *key != head.key) {
        return;
    }
    let is_known =
        |key: &TraceKey, seq: u64| keys.whose(key, Some(chain), seq.saturating_add(1)).name().is_some();
    let is_certain = begun.is_some() || head.first == 0 || is_known(&head.key, head.seq);
    let mut other: Option<(LedgerLine, &Piece)> = None;
    for piece in pieces.iter().filter(|piece| piece.header.end() > head.first.saturating_add(1)) {
        let Some(line) = piece.newest().filter(|line| line.seq > head.first) else { continue };
        let is_its_own = match line.seq > head.seq {
            true => signed_by(&line) == SignedBy::Key(head.key.clone()),
            // What was there when the head was seen was verified then.
            false => named(&line).as_ref() == Some(&head.key),
        };
        if is_its_own {
            continue;
        }
        if !is_certain && named(&line).is_some_and(|key| is_known(&key, line.seq)) {
            return;
        }
        if other.as_ref().is_none_or(|(known, _)| known.seq < line.seq) {
            other = Some((line, piece));
        }
    }
    if let Some((line, piece)) = other {
        report.about(piece.file.path.display().to_string());
        other_hand(piece.header.count.saturating_add(1), line.seq, report);
    }
    for piece in pieces.iter().filter(|piece| piece.has(head.seq)) {
        let line = piece.entry(head.seq);
        if line.as_ref().is_some_and(|line| line.checksum == head.checksum) {
            continue;
        }
        report.about(piece.file.path.display().to_string());
        match line {
            Some(_) => another_head(head.seq, report),
            None => no_head(head.seq, report),
        }
        return;
    }
}

/// A segment should have the entry of a head, and no line there can be read as one.
fn no_head(seq: u64, report: &mut Report) {
    let message = format!(
        "the header promises entry {seq}, which was seen here before, signed, and no line can be read as that entry"
    );
    report.push(Severity::Alarm, FindingKind::Cut, None, Some((seq, seq)), message);
}
