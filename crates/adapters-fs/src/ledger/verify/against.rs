//! Compares the ledger with a checkpoint that was kept elsewhere: today's entries must go on from those it signed.

use bailiwick_domain::{ContentHash, FindingKind, Severity};

use super::chain::entries;
use super::report::Report;
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
    pub(super) fn finish(self, report: &mut Report) {
        let Self { wanted, origin, tree } = self;
        let mut alarm = |message: String, gone| {
            report.push(Severity::Alarm, FindingKind::CheckpointDiffers, None, gone, message);
        };
        if origin.as_ref().is_some_and(|origin| *origin != wanted.origin) {
            alarm(format!("the checkpoint is of another ledger: {}", wanted.origin), None);
        } else if tree.count() < wanted.size {
            let gone = (tree.count(), wanted.size - 1);
            let message = format!("{} gone that the checkpoint signed", entries(gone.0, gone.1));
            alarm(message, Some(gone));
        } else if tree.root() != wanted.root {
            let message =
                format!("the first {} entries are not the ones that the checkpoint signed", wanted.size);
            alarm(message, Some((0, wanted.size.saturating_sub(1))));
        }
    }
}
