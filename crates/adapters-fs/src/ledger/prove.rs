//! Makes checkpoints of this clone's ledger and proofs of its entries, also of those of the ledgers that it goes on from.
//!
//! A checkpoint looks at the whole ledger first: what is not what was written is not signed. A proof is made of kept nodes
//! and checked against the checkpoint before it is given away. Deliberately absent: their forms (`transparency`).

mod nodes;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use bailiwick_domain::{ContentHash, Origin, PortError, Progress, StoredEntry, Trust};

use crate::Layout;
use crate::files::atomic::{Durability, invalid, read_optional, replace};
use crate::ledger::chain::ended;
use crate::ledger::chain::parts::Chain;
use crate::ledger::folder;
use crate::ledger::lines::Line;
use crate::ledger::live_file;
use crate::ledger::record::{LedgerLine, read_ledger_line};
use crate::ledger::sign::Signer;
use crate::ledger::transparency::{Checkpoint, Frontier, LogProof, Note, Span, leaf_of, note_key, origin_of};
use crate::ledger::trust::Vouchers;
use crate::ledger::verify::Moment;
use nodes::{NodeWriter, Nodes};

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
        let note = self.signed(&Of::Live)?;
        replace(&self.kept(), note.to_text().as_bytes(), Durability::Os)?;
        Ok(note)
    }

    /// A proof that the ledger of a checkpoint has this entry: of the checkpoint that is given, else of the newest one that
    /// was made here, else of one that is made now. `whole` puts the entry itself into the proof.
    ///
    /// # Errors
    /// The entry is not of a ledger of this clone, the checkpoint is of another one or older than the entry, or what
    /// [`FsLedgerProver::checkpoint`] says; a ledger that somebody else wrote here is not signed.
    pub fn prove(
        &self,
        stored: &StoredEntry,
        given: Option<Note>,
        whole: bool,
    ) -> Result<LogProof, PortError> {
        let of = self.of(stored)?;
        let is_given = given.is_some();
        let kept = given.or_else(|| self.newest(&of, stored.seq));
        let note = kept.map_or_else(|| self.made(&of), Ok)?;
        match self.proof(&of, stored, note, whole) {
            Err(_) if !is_given => self.proof(&of, stored, self.made(&of)?, whole),
            made => made,
        }
    }

    /// The ledger that an entry is of.
    fn of(&self, stored: &StoredEntry) -> Result<Of, PortError> {
        let ended = |number: u32| {
            let all = ended::chains(&folder(&self.layout)).ok()?;
            all.into_iter().find(|(of, _)| *of == number).map(|(_, chain)| Of::Ended(chain))
        };
        let of = match stored.origin {
            Origin::Live => Some(Of::Live),
            Origin::Ended(number) => ended(number),
            Origin::Segment(_) => None,
        };
        of.ok_or_else(|| {
            let message =
                "only an entry of this clone's own ledgers can be proved here; run it where it was recorded";
            invalid(&self.live(), message)
        })
    }

    fn made(&self, of: &Of) -> Result<Note, PortError> {
        match of {
            Of::Live => self.checkpoint(),
            Of::Ended(_) => self.signed(of),
        }
    }

    /// A checkpoint that is made now.
    fn signed(&self, of: &Of) -> Result<Note, PortError> {
        let grown = self.grow(of)?;
        let Some(Grown { checkpoint, is_intact, is_own }) = grown else {
            return Err(invalid(&self.live(), "nothing is recorded yet, so there is nothing to sign"));
        };
        if !is_intact {
            return Err(invalid(
                &self.live(),
                "the ledger was changed, so it is not signed; run `bailiwick trace verify`",
            ));
        }
        if !is_own {
            let message = "the ledger of the entry is somebody else's, so it is not signed with your key: give a \
                           checkpoint of theirs with `--checkpoint`, or run it where it was recorded";
            return Err(invalid(&self.live(), message));
        }
        let signer = Signer::load_or_create(self.layout.user_state())?;
        let key = note_key(&checkpoint.origin, &signer.public());
        Ok(Note::signed(checkpoint.to_text(), &key, |text| signer.sign_note(text)))
    }

    fn proof(&self, of: &Of, stored: &StoredEntry, note: Note, whole: bool) -> Result<LogProof, PortError> {
        let live = self.live();
        let checkpoint = Checkpoint::parse(note.text())
            .map_err(|error| invalid(&live, format!("the checkpoint: {error}")))?;
        if checkpoint.size <= stored.seq {
            let message = format!(
                "the checkpoint has {} entries and this is entry {}, counted from 0; use a newer checkpoint",
                checkpoint.size, stored.seq
            );
            return Err(invalid(&live, message));
        }
        let mut nodes = self.nodes(of, &checkpoint)?;
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
    fn nodes(&self, of: &Of, checkpoint: &Checkpoint) -> Result<Nodes, PortError> {
        let first = checkpoint.until().map(|until| until.chain);
        let first = first.filter(|first| origin_of(first) == checkpoint.origin);
        let first =
            first.ok_or_else(|| invalid(&self.live(), "the checkpoint is of a ledger of another program"))?;
        if let Some(nodes) = Nodes::of(&self.layout, &first, checkpoint.size) {
            return Ok(nodes);
        }
        self.grow(of)?;
        let message = "the checkpoint is of another ledger, or of more entries than this one has";
        Nodes::of(&self.layout, &first, checkpoint.size).ok_or_else(|| invalid(&self.live(), message))
    }

    /// Grows the tree over a whole ledger and keeps its nodes; nothing where there is no entry.
    fn grow(&self, of: &Of) -> Result<Option<Grown>, PortError> {
        let mut tree =
            Tree { frontier: Frontier::default(), first: None, writer: NodeWriter::begin(&self.layout)? };
        let (is_intact, is_own) = match of {
            Of::Live => {
                let moment = Moment::now(&self.layout)?;
                let is_own = !moment.is_begun_by_another();
                let verification =
                    moment.look(&self.layout, self.progress.as_deref(), &mut |_, checksum| {
                        tree.grow(checksum)
                    })?;
                (!verification.has_alarm(), is_own)
            }
            Of::Ended(chain) => {
                let (last, is_whole) = walked(chain, &mut tree)?;
                let vouchers = Vouchers::of(&self.layout)?;
                let is_own =
                    last.is_some_and(|last| vouchers.trust(tree.first.as_ref(), &last) == Trust::Own);
                (is_whole, is_own)
            }
        };
        let Tree { frontier, first, writer } = tree;
        let Some(first) = first else { return Ok(None) };
        writer.finish(&self.layout, &first)?;
        let (size, root) = (frontier.count(), frontier.root());
        Ok(Some(Grown {
            checkpoint: Checkpoint { origin: origin_of(&first), size, root },
            is_intact,
            is_own,
        }))
    }

    fn live(&self) -> PathBuf {
        live_file(&folder(&self.layout))
    }

    fn kept(&self) -> PathBuf {
        folder(&self.layout).join("checkpoint")
    }

    /// The newest checkpoint that was made here, when it is of that ledger and has that entry.
    fn newest(&self, of: &Of, seq: u64) -> Option<Note> {
        let bytes = read_optional(&self.kept()).ok()??;
        let note = Note::parse(std::str::from_utf8(&bytes).ok()?).ok()?;
        let checkpoint = Checkpoint::parse(note.text()).ok()?;
        let chain = match of {
            Of::Live => &Chain::live(&folder(&self.layout)),
            Of::Ended(chain) => chain,
        };
        let first = read_ledger_line(&chain.open().ok()?.head().ok()??).ok()?;
        (checkpoint.size > seq && checkpoint.origin == origin_of(&first.checksum)).then_some(note)
    }
}

/// A ledger of this clone.
#[derive(Debug)]
enum Of {
    /// The one that is appended to.
    Live,
    /// One that ended.
    Ended(Chain),
}

/// A ledger whose tree was grown.
struct Grown {
    checkpoint: Checkpoint,
    /// Whether it is what was written.
    is_intact: bool,
    /// Whether it is this user's.
    is_own: bool,
}

/// A tree that grows, and whose nodes are written down.
struct Tree {
    frontier: Frontier,
    first: Option<ContentHash>,
    writer: NodeWriter,
}

impl Tree {
    fn grow(&mut self, checksum: &ContentHash) {
        self.first.get_or_insert_with(|| checksum.clone());
        let writer = &mut self.writer;
        self.frontier.push(leaf_of(checksum), |node| writer.node(node));
    }
}

/// Walks a ledger that ended: its last entry, and whether each follows the one before.
fn walked(chain: &Chain, tree: &mut Tree) -> Result<(Option<LedgerLine>, bool), PortError> {
    let (mut last, mut is_whole): (Option<LedgerLine>, bool) = (None, true);
    chain.open()?.each(&mut |opened| {
        let mut lines = opened.forwards()?;
        while let Some(Line::Whole(line)) = lines.next()? {
            let before = last.as_ref().map(|last| &last.checksum);
            let read = read_ledger_line(line).ok();
            let Some(line) =
                read.filter(|line| line.prev.as_ref() == before && line.seq == tree.frontier.count())
            else {
                is_whole = false;
                return Ok(ControlFlow::Break(()));
            };
            tree.grow(&line.checksum);
            last = Some(line);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok((last, is_whole))
}
