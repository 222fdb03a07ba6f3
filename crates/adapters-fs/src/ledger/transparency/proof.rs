//! A proof that an entry is in a ledger, as a text that is checked offline (C2SP `tlog-proof`).
//!
//! The line `extra` carries the entry's checksum, or the whole entry. It is believed only as far as the tree confirms it.
//! Deliberately absent: which keys are believed.

use bailiwick_domain::ContentHash;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ct_merkle::InclusionProof;
use ct_merkle::RootHash;
use sha2::Sha256;

use super::checkpoint::{Checkpoint, decimal, hash_from};
use super::note::{Note, NoteError};
use super::tree::Hash;
use crate::ledger::record::{LedgerLine, LineFault, read_ledger_line};

const HEAD: &str = "c2sp.org/tlog-proof@v1";
/// An entry and its path are small; what is longer is no proof.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// A tree has no more levels.
const MAX_PATH: usize = 64;

/// Why a proof does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// It is longer than a proof can be.
    #[error("larger than a proof may be")]
    TooLarge,
    /// The form is another one.
    #[error("not a proof: {0}")]
    Form(&'static str),
    /// What it says of the ledger is no signed checkpoint.
    #[error("its checkpoint: {0}")]
    Checkpoint(#[from] NoteError),
    /// The entry that it carries is none of a ledger.
    #[error("its entry: {0}")]
    Entry(#[from] LineFault),
    /// The tree has no such entry at that place.
    #[error("the ledger of the checkpoint has no such entry at that place")]
    NotIncluded,
}

/// A proof as it is written. Nothing of it is checked yet but its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogProof {
    pub(in crate::ledger) index: u64,
    pub(in crate::ledger) extra: Vec<u8>,
    pub(in crate::ledger) path: Vec<Hash>,
    pub(in crate::ledger) note: Note,
    pub(in crate::ledger) checkpoint: Checkpoint,
}

/// What a proof is about.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Subject {
    Checksum(ContentHash),
    Entry(Box<LedgerLine>),
}

impl LogProof {
    /// Reads one.
    ///
    /// # Errors
    /// It is too large or has another form.
    pub fn parse(text: &str) -> Result<Self, ProofError> {
        if text.len() > MAX_BYTES {
            return Err(ProofError::TooLarge);
        }
        let (proof, note) = text.split_once("\n\n").ok_or(ProofError::Form("it has no checkpoint"))?;
        let mut lines = proof.split('\n');
        if lines.next() != Some(HEAD) {
            return Err(ProofError::Form("its first line is another one"));
        }
        let extra = lines.next().and_then(|line| line.strip_prefix("extra "));
        let extra = extra.and_then(|extra| BASE64.decode(extra).ok());
        let extra = extra.ok_or(ProofError::Form("it does not say which entry it is about"))?;
        let index = lines.next().and_then(|line| line.strip_prefix("index ")).and_then(decimal);
        let index = index.ok_or(ProofError::Form("it does not say the entry's place"))?;
        let path: Vec<&str> = lines.collect();
        if path.len() > MAX_PATH {
            return Err(ProofError::TooLarge);
        }
        let path = path.into_iter().map(hash_from).collect::<Option<_>>();
        let path = path.ok_or(ProofError::Form("a line of its path is no hash"))?;
        let note = Note::parse(note)?;
        let checkpoint = Checkpoint::parse(note.text())?;
        Ok(Self { index, extra, path, note, checkpoint })
    }

    /// The proof as it is kept and sent.
    pub fn to_text(&self) -> String {
        let path: String = self.path.iter().map(|hash| BASE64.encode(hash) + "\n").collect();
        let (extra, note) = (BASE64.encode(&self.extra), self.note.to_text());
        format!("{HEAD}\nextra {extra}\nindex {}\n{path}\n{note}", self.index)
    }

    /// The place of the entry, counted from 0.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// The ledger that it is about.
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// The same with its signatures.
    pub fn note(&self) -> &Note {
        &self.note
    }

    /// The entry, where the proof carries it.
    ///
    /// # Errors
    /// What it carries is no entry.
    pub fn entry(&self) -> Result<Option<LedgerLine>, ProofError> {
        Ok(match self.subject()? {
            Subject::Entry(line) => Some(*line),
            Subject::Checksum(_) => None,
        })
    }

    /// The checksum of the entry.
    ///
    /// # Errors
    /// What it carries is no entry.
    pub fn checksum(&self) -> Result<ContentHash, ProofError> {
        Ok(match self.subject()? {
            Subject::Entry(line) => line.checksum,
            Subject::Checksum(checksum) => checksum,
        })
    }

    fn subject(&self) -> Result<Subject, ProofError> {
        if self.extra.first() == Some(&b'{') {
            return Ok(Subject::Entry(Box::new(read_ledger_line(&self.extra)?)));
        }
        let checksum = std::str::from_utf8(&self.extra).ok().and_then(ContentHash::parse);
        checksum.map(Subject::Checksum).ok_or(ProofError::Form("it names no entry"))
    }

    /// Checks that the tree of the checkpoint has the entry at its place. Who signed the checkpoint is another question.
    ///
    /// # Errors
    /// It has not, or what the proof carries is no entry, or an entry of another place.
    pub fn check_inclusion(&self) -> Result<(), ProofError> {
        if self.entry()?.is_some_and(|line| line.seq != self.index) {
            return Err(ProofError::NotIncluded);
        }
        let proof = InclusionProof::<Sha256>::try_from_bytes(self.path.concat());
        let root = RootHash::<Sha256>::new(self.checkpoint.root.into(), self.checkpoint.size);
        let checksum = self.checksum()?.bytes().to_vec();
        let holds = proof.is_ok_and(|proof| root.verify_inclusion(&checksum, self.index, &proof).is_ok());
        if holds { Ok(()) } else { Err(ProofError::NotIncluded) }
    }
}
