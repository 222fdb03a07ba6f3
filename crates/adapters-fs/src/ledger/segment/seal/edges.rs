//! What a segment's header says of the tree over the whole chain: its edge where the segment begins, and the signed
//! checkpoint where it ends. Both follow from the entries and the chain's key, so that the same entries make the same
//! segment.
//!
//! The edge is taken from the segment before, where one's own key vouches for it; else the chain is walked once. Deliberately
//! absent: checking what a header says (`verify`).

use std::ops::ControlFlow;
use std::path::Path;

use bailiwick_domain::{ContentHash, PortError};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::files::atomic::invalid;
use crate::ledger::chain::parts::Chain;
use crate::ledger::lines::Line;
use crate::ledger::record::read_ledger_line;
use crate::ledger::segment::SegmentFile;
use crate::ledger::sign::{Signer, TraceKey};
use crate::ledger::transparency::{Checkpoint, Frontier, Hash, Note, leaf_of, note_key, origin_of};

/// What a header says of the tree.
#[derive(Debug)]
pub(super) struct Edges {
    pub(super) frontier: Vec<String>,
    pub(super) checkpoint: Option<String>,
}

/// The entries of a segment that is to be written.
#[derive(Debug)]
pub(super) struct Entries<'a> {
    /// The chain, and the checksum of its first entry.
    pub(super) of: &'a Chain,
    pub(super) chain: &'a ContentHash,
    /// The place of the first entry, and the checksum that it names before it.
    pub(super) first: u64,
    pub(super) names: Option<ContentHash>,
    /// Their leaves in the tree, the oldest first.
    pub(super) leaves: Vec<Hash>,
    /// The key that the newest entry names as its own.
    pub(super) key: Option<&'a str>,
}

impl Entries<'_> {
    /// The edges, with the segment that this one follows.
    ///
    /// # Errors
    /// The chain is not what was written, or it or the key cannot be read.
    pub(super) fn edges(
        &self,
        follows: Option<SegmentFile>,
        user_state: Option<&Path>,
    ) -> Result<Edges, PortError> {
        let signer = user_state.map(Signer::load).transpose()?.flatten();
        let signer = signer.filter(|signer| self.key == Some(signer.public().as_str()));
        let known = match follows {
            Some(file) => self.behind(&file, signer.as_ref().map(Signer::public).as_ref())?,
            None => None,
        };
        let mut tree = known.map_or_else(|| self.walked(), Ok)?;
        let frontier = tree.peaks().iter().map(|peak| BASE64.encode(peak)).collect();
        self.leaves.iter().for_each(|leaf| tree.push(*leaf, |_| ()));
        let origin = origin_of(self.chain);
        let checkpoint = signer.map(|signer| {
            let key = note_key(&origin, &signer.public());
            let text = Checkpoint { origin, size: tree.count(), root: tree.root() }.to_text();
            Note::signed(text, &key, |text| signer.sign_note(text)).to_text()
        });
        Ok(Edges { frontier, checkpoint })
    }

    /// The tree behind the segment before; `None` where nobody vouches for what it says. What is signed here is made of
    /// nothing that another key, or none, vouches for.
    fn behind(&self, file: &SegmentFile, own: Option<&TraceKey>) -> Result<Option<Frontier>, PortError> {
        let Some((header, _)) = file.header()? else { return Ok(None) };
        let Some(mut tree) = header.tree() else { return Ok(None) };
        let opened = file.open()?;
        let mut lines = opened.forwards()?;
        let (mut is_head, mut last) = (true, None);
        while let Some(Line::Whole(line)) = lines.next()? {
            if !std::mem::take(&mut is_head) {
                let Ok(line) = read_ledger_line(line) else { return Ok(None) };
                tree.push(leaf_of(&line.checksum), |_| ());
                last = Some(line.checksum);
            }
        }
        let is_vouched =
            own.is_none() || (header.checkpoint.is_some() && header.has_checkpoint_of(&tree, own));
        let fits = header.chain == *self.chain && tree.count() == self.first && last == self.names;
        Ok((is_vouched && fits).then_some(tree))
    }

    /// The tree over all entries before the first.
    fn walked(&self) -> Result<Frontier, PortError> {
        let (mut tree, mut last) = (Frontier::default(), None);
        self.of.open()?.each(&mut |opened| {
            let mut lines = opened.forwards()?;
            while tree.count() < self.first
                && let Some(Line::Whole(line)) = lines.next()?
            {
                let line = read_ledger_line(line).ok();
                let line = line.filter(|line| line.seq == tree.count() && line.prev == last);
                let Some(line) = line else {
                    let message = format!("entry {} is not where it belongs", tree.count());
                    return Err(invalid(opened.path(), message));
                };
                tree.push(leaf_of(&line.checksum), |_| ());
                last = Some(line.checksum);
            }
            Ok(if tree.count() < self.first { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })?;
        if tree.count() == self.first && last == self.names {
            return Ok(tree);
        }
        Err(invalid(self.of.newest(), format!("entry {} does not name the one before it", self.first)))
    }
}
