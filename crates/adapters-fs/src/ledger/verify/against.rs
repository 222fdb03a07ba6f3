//! Compares the ledger with a checkpoint that was kept elsewhere: today's entries must go on from those it signed.
//!
//! A clone without that ledger has what segments hold of it. Fewer entries than were signed are no alarm there: the rest
//! may not be committed yet. Nothing is proved then, which is said.

use std::ops::ControlFlow;

use bailiwick_domain::{ContentHash, FindingKind, PortError, Severity, counted};

use super::chain::entries;
use super::report::Report;
use crate::Layout;
use crate::ledger::chain::ended;
use crate::ledger::folder;
use crate::ledger::lines::Line;
use crate::ledger::record::read_ledger_line;
use crate::ledger::segment::kept::Past;
use crate::ledger::segment::{self, Header, SegmentFile};
use crate::ledger::transparency::{Checkpoint, Frontier, leaf_of, origin_of};

/// How the entries so far compare with one checkpoint.
#[derive(Debug)]
pub(super) struct Against {
    wanted: Checkpoint,
    origin: Option<String>,
    tree: Frontier,
    /// The checksum of the newest entry in the tree, where it is known.
    last: Option<ContentHash>,
    /// How many entries of the tree are not here, because the edge that a segment names stands for them.
    skipped: u64,
}

impl Against {
    pub(super) fn new(wanted: Checkpoint) -> Self {
        Self { wanted, origin: None, tree: Frontier::default(), last: None, skipped: 0 }
    }

    /// Looks at one entry that has its place.
    pub(super) fn entry(&mut self, seq: u64, checksum: &ContentHash) {
        if seq == 0 {
            self.origin = Some(origin_of(checksum));
        }
        if seq == self.tree.count() && seq < self.wanted.size {
            self.tree.push(leaf_of(checksum), |_| ());
            self.last = Some(checksum.clone());
        }
    }

    /// Reports what differs. `absent` are the segments that only the history has.
    ///
    /// # Errors
    /// A ledger that this one goes on from, or a segment, cannot be read.
    pub(super) fn finish(
        mut self,
        layout: &Layout,
        absent: &[Past],
        report: &mut Report,
    ) -> Result<(), PortError> {
        if self.origin.as_ref() != Some(&self.wanted.origin) {
            self.look_before(layout)?;
        }
        let has_other = self.origin.as_ref().is_some_and(|origin| *origin != self.wanted.origin);
        let is_ours = self.origin.is_some() && !has_other;
        // One's own ledger is compared by what it has itself: segments do not stand for entries that were cut from it.
        if !is_ours {
            self = Self::new(self.wanted);
            self.look_in_segments(layout, absent)?;
        }
        let Self { wanted, tree, skipped, .. } = self;
        let mut differs = |message: String, gone| {
            report.push(Severity::Alarm, FindingKind::CheckpointDiffers, None, gone, message);
        };
        let (here, size) = (tree.count(), wanted.size);
        if here == 0 && size > 0 && has_other {
            differs(format!("the checkpoint is of another ledger: {}", wanted.origin), None);
        } else if here < size && is_ours {
            let message = format!("{} missing that the checkpoint signed", entries(here, size - 1));
            differs(message, Some((here, size - 1)));
        } else if here < size || (skipped > 0 && tree.root() == wanted.root) {
            let missing = skipped.saturating_add(size.saturating_sub(here));
            let here_of = match (here, skipped) {
                (0, _) => "no segment here has any of them".to_owned(),
                (_, 1..) => format!("{missing} of the signed entries are not here"),
                _ => format!("the ledger is complete here up to {here}; what is newer cannot be known"),
            };
            let entries = counted(size, "entry", "entries");
            let message = format!("not proved: the checkpoint signed {entries}, and {here_of}");
            let span = (skipped == 0).then(|| (here, size.saturating_sub(1)));
            report.push(Severity::Note, FindingKind::CheckpointAhead, None, span, message);
        } else if tree.root() != wanted.root {
            let first = match size {
                1 => "the first entry is not the one".to_owned(),
                _ => format!("the first {size} entries are not the ones"),
            };
            let message = format!("{first} that the checkpoint signed");
            differs(message, Some((0, size.saturating_sub(1))));
        }
        Ok(())
    }

    /// Goes on with what segments hold of the ledger that was signed. Behind entries that are not here a segment goes on
    /// from the edge that its header names: a wrong one leads to another root, and a right one proves nothing of what it
    /// stands for.
    fn look_in_segments(&mut self, layout: &Layout, absent: &[Past]) -> Result<(), PortError> {
        let Some(until) = self.wanted.until() else { return Ok(()) };
        let past = absent.iter().filter_map(|one| one.file.clone());
        let mut found: Vec<(Header, SegmentFile)> = Vec::new();
        for file in segment::all(layout)?.into_iter().chain(past) {
            // What cannot be read, or is not what it is named for, is reported of the segment itself.
            let Ok(Some((header, _))) = file.header() else { continue };
            if header.chain == until.chain && header.first < self.wanted.size && file.is_whole()? {
                found.push((header, file));
            }
        }
        found.sort_by_key(|(header, _)| (header.first, header.end()));
        for (header, file) in found {
            let edge = header.tree().filter(|_| header.first > self.tree.count());
            match edge {
                Some(edge) => {
                    self.skipped = self.skipped.saturating_add(header.first - self.tree.count());
                    (self.tree, self.last) = (edge, None);
                }
                None if header.first > self.tree.count() => return Ok(()),
                None => {}
            }
            self.lines_of(&file)?;
        }
        Ok(())
    }

    /// Takes those lines of a segment up that go on from the tree so far.
    fn lines_of(&mut self, file: &SegmentFile) -> Result<(), PortError> {
        let opened = file.open()?;
        let mut lines = opened.forwards()?;
        lines.next()?;
        while let Some(Line::Whole(line)) = lines.next()? {
            if self.tree.count() >= self.wanted.size {
                break;
            }
            let Ok(line) = read_ledger_line(line) else { break };
            let is_next = line.seq == self.tree.count();
            if is_next && self.last.as_ref().is_some_and(|last| line.prev.as_ref() != Some(last)) {
                break;
            }
            self.entry(line.seq, &line.checksum);
        }
        Ok(())
    }

    /// Looks at the ledger that was signed, where this one goes on from it or a person ended it.
    fn look_before(&mut self, layout: &Layout) -> Result<(), PortError> {
        for (_, chain) in ended::chains(&folder(layout))? {
            let mut before = Self::new(self.wanted.clone());
            chain.open()?.each(&mut |opened| {
                let mut lines = opened.forwards()?;
                while let Some(Line::Whole(line)) = lines.next()? {
                    let Ok(line) = read_ledger_line(line) else { break };
                    before.entry(line.seq, &line.checksum);
                    if before.origin.as_ref() != Some(&before.wanted.origin) {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            })?;
            if before.origin.as_ref() == Some(&before.wanted.origin) {
                *self = before;
                return Ok(());
            }
        }
        Ok(())
    }
}
