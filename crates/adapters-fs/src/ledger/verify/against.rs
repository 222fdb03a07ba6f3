//! Compares the ledger with a checkpoint that was kept elsewhere: today's entries must go on from those it signed.

use std::ops::ControlFlow;

use bailiwick_domain::{ContentHash, FindingKind, PortError, Severity};

use super::chain::entries;
use super::report::Report;
use crate::Layout;
use crate::ledger::chain::ended;
use crate::ledger::folder;
use crate::ledger::lines::Line;
use crate::ledger::record::read_ledger_line;
use crate::ledger::transparency::{Checkpoint, Frontier, leaf_of, origin_of};

/// How the entries so far compare with one checkpoint.
#[derive(Debug)]
pub(super) struct Against {
    wanted: Checkpoint,
    origin: Option<String>,
    tree: Frontier,
}

impl Against {
    pub(super) fn new(wanted: Checkpoint) -> Self {
        Self { wanted, origin: None, tree: Frontier::default() }
    }

    /// Looks at one entry that has its place.
    pub(super) fn entry(&mut self, seq: u64, checksum: &ContentHash) {
        if seq == 0 {
            self.origin = Some(origin_of(checksum));
        }
        if seq == self.tree.count() && seq < self.wanted.size {
            self.tree.push(leaf_of(checksum), |_| ());
        }
    }

    /// Reports what differs.
    ///
    /// # Errors
    /// A ledger that this one goes on from cannot be read.
    pub(super) fn finish(mut self, layout: &Layout, report: &mut Report) -> Result<(), PortError> {
        if self.origin.as_ref() != Some(&self.wanted.origin) {
            self.look_before(layout)?;
        }
        let Self { wanted, origin, tree } = self;
        let mut alarm = |message: String, gone| {
            report.push(Severity::Alarm, FindingKind::CheckpointDiffers, None, gone, message);
        };
        if origin.as_ref().is_some_and(|origin| *origin != wanted.origin) {
            alarm(format!("the checkpoint is of another ledger: {}", wanted.origin), None);
        } else if tree.count() < wanted.size {
            let gone = (tree.count(), wanted.size - 1);
            let message = format!("{} missing that the checkpoint signed", entries(gone.0, gone.1));
            alarm(message, Some(gone));
        } else if tree.root() != wanted.root {
            let message =
                format!("the first {} entries are not the ones that the checkpoint signed", wanted.size);
            alarm(message, Some((0, wanted.size.saturating_sub(1))));
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
