//! Makes checkpoints of this clone's ledger and proofs of its entries.
//!
//! A checkpoint looks at the whole ledger first: what is not what was written is not signed. A proof is made of kept nodes
//! and checked against the checkpoint before it is given away.

use std::path::PathBuf;
use std::sync::Arc;

use bailiwick_domain::{ContentHash, Origin, PortError, Progress, StoredEntry};

use super::checkpoint::{Checkpoint, origin_of};
use super::nodes::{NodeWriter, Nodes};
use super::note::{Note, NoteKey};
use super::proof::LogProof;
use super::tree::{Frontier, Span, leaf_of};
use crate::Layout;
use crate::atomic::{Durability, invalid, read_optional, replace};
use crate::ledger::sign::Signer;
use crate::ledger::verify::Moment;
use crate::ledger::{TraceKey, folder, live_file};

/// Makes checkpoints and proofs of one clone's ledger.
#[derive(Clone, Debug)]
pub struct FsLedgerProver {
    layout: Layout,
    progress: Option<Arc<dyn Progress>>,
}

impl FsLedgerProver {
    /// Of this root's ledger.
    pub fn new(layout: Layout) -> Self {
        Self { layout, progress: None }
    }

    /// Tells how many bytes of the ledger were looked at.
    #[must_use]
    pub fn with_progress(mut self, progress: Arc<dyn Progress>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// A checkpoint of the ledger as it is now, signed with the key of this user, and kept for the next proofs.
    ///
    /// # Errors
    /// There is no entry, the ledger is not what was written, or there is no key.
    pub fn checkpoint(&self) -> Result<Note, PortError> {
        let live = live_file(&folder(&self.layout));
        let (checkpoint, is_intact) = self.grow()?;
        let Some(checkpoint) = checkpoint else {
            return Err(invalid(&live, "nothing is recorded yet, so there is nothing to sign"));
        };
        if !is_intact {
            return Err(invalid(
                &live,
                "the ledger is not what was written, so it is not signed; run `bailiwick trace verify`",
            ));
        }
        let signer = Signer::load_or_create(self.layout.user_state())?;
        let key = note_key(&checkpoint.origin, &signer.public());
        let note = Note::signed(checkpoint.to_text(), &key, |text| signer.sign_note(text));
        replace(&self.kept(), note.to_text().as_bytes(), Durability::Os)?;
        Ok(note)
    }

    /// A proof that the ledger of a checkpoint has this entry: of the checkpoint that is given, else of the newest one that
    /// was made here, else of one that is made now. `whole` puts the entry itself into the proof.
    ///
    /// # Errors
    /// The entry is not of this clone's ledger, the checkpoint is of another one or older than the entry, or what
    /// [`FsLedgerProver::checkpoint`] says.
    pub fn prove(
        &self,
        stored: &StoredEntry,
        given: Option<Note>,
        whole: bool,
    ) -> Result<LogProof, PortError> {
        if stored.origin != Origin::Live {
            let message =
                "only an entry of this clone's own ledger can be proved here; run it where it was recorded";
            return Err(invalid(&live_file(&folder(&self.layout)), message));
        }
        let is_given = given.is_some();
        let kept = given.or_else(|| self.newest(stored.seq));
        let note = kept.map_or_else(|| self.checkpoint(), Ok)?;
        match self.proof(stored, note, whole) {
            Err(_) if !is_given => self.proof(stored, self.checkpoint()?, whole),
            made => made,
        }
    }

    fn proof(&self, stored: &StoredEntry, note: Note, whole: bool) -> Result<LogProof, PortError> {
        let live = live_file(&folder(&self.layout));
        let checkpoint = Checkpoint::parse(note.text())
            .map_err(|error| invalid(&live, format!("the checkpoint: {error}")))?;
        if checkpoint.size <= stored.seq {
            let message = format!(
                "the checkpoint has {} entries and this is entry {}, counted from 0; use a newer checkpoint",
                checkpoint.size, stored.seq
            );
            return Err(invalid(&live, message));
        }
        let mut nodes = self.nodes(&checkpoint)?;
        let path =
            Span::all(checkpoint.size).path(stored.seq, &mut |level, index| nodes.read(level, index))?;
        let extra = if whole { stored.record.as_bytes() } else { stored.checksum.as_str().as_bytes() };
        let proof = LogProof { index: stored.seq, extra: extra.to_vec(), path, note, checkpoint };
        proof.check_inclusion().map_err(|_| {
            let message = "the checkpoint is not of this ledger as it is now: `bailiwick trace verify --against` says more";
            invalid(nodes.path(), message)
        })?;
        Ok(proof)
    }

    /// The nodes of the tree of a checkpoint; made again where they are not kept.
    fn nodes(&self, checkpoint: &Checkpoint) -> Result<Nodes, PortError> {
        let digits = checkpoint.origin.rsplit_once('/').map_or("", |(_, digits)| digits);
        let first = ContentHash::parse(&format!("sha256:{digits}"))
            .filter(|first| origin_of(first) == checkpoint.origin);
        let live = live_file(&folder(&self.layout));
        let first =
            first.ok_or_else(|| invalid(&live, "the checkpoint is of a ledger of another program"))?;
        if let Some(nodes) = Nodes::of(&self.layout, &first, checkpoint.size) {
            return Ok(nodes);
        }
        self.grow()?;
        let message = "the checkpoint is of another ledger, or of more entries than this one has";
        Nodes::of(&self.layout, &first, checkpoint.size).ok_or_else(|| invalid(&live, message))
    }

    /// Grows the tree over the whole ledger and keeps its nodes; the checkpoint, and whether the ledger is what was written.
    fn grow(&self) -> Result<(Option<Checkpoint>, bool), PortError> {
        let (mut frontier, mut first) = (Frontier::default(), None);
        let mut writer = NodeWriter::begin(&self.layout)?;
        let moment = Moment::now(&self.layout)?;
        let verification = moment.look(&self.layout, self.progress.as_deref(), &mut |_, checksum| {
            first.get_or_insert_with(|| checksum.clone());
            frontier.push(leaf_of(checksum), |node| writer.node(node));
        })?;
        let Some(first) = first else { return Ok((None, true)) };
        writer.finish(&self.layout, &first)?;
        let (size, root) = (frontier.count(), frontier.root());
        Ok((Some(Checkpoint { origin: origin_of(&first), size, root }), !verification.has_alarm()))
    }

    fn kept(&self) -> PathBuf {
        folder(&self.layout).join("checkpoint")
    }

    /// The newest checkpoint that was made here, when it has that entry.
    fn newest(&self, seq: u64) -> Option<Note> {
        let bytes = read_optional(&self.kept()).ok()??;
        let note = Note::parse(std::str::from_utf8(&bytes).ok()?).ok()?;
        let checkpoint = Checkpoint::parse(note.text()).ok()?;
        (checkpoint.size > seq).then_some(note)
    }
}

/// The key of a user as the key of a log of that name.
pub(super) fn note_key(origin: &str, key: &TraceKey) -> NoteKey {
    NoteKey::of_log(origin, key.bytes())
}

impl Note {
    /// Whether the key of a user signed this checkpoint as the log's key: `None` where no signature is under it.
    pub fn is_checkpoint_of(&self, checkpoint: &Checkpoint, key: &TraceKey) -> Option<bool> {
        self.is_signed_by(&note_key(&checkpoint.origin, key))
    }
}
