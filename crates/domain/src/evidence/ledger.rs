//! What can be asked of the ledger after the fact: its entries, and whether it is still what was written (ADR 0003).
//!
//! Deliberately absent: how entries are stored, and what follows from a finding.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::evidence::{LineHash, TraceEntry};
use crate::values::{ContentHash, RepoPath};

/// Where a stored entry was read from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// This clone's own ledger.
    Live,
    /// A ledger of this clone that a person ended, by its number.
    Ended(u32),
    /// A sealed segment, named by the hash of its bytes.
    Segment(ContentHash),
}

/// How it is known that an entry is what somebody wrote. The words are part of the contract of the commands' JSON.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trust {
    /// A witness of this user saw it, or this user's key signed it.
    Own,
    /// Somebody signed it whose key a person trusts here, under this name.
    Signed(String),
    /// It is well-formed, and anybody could have written it.
    Unvouched,
}

impl Trust {
    /// Its word.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Signed(_) => "signed",
            Self::Unvouched => "unvouched",
        }
    }

    /// Who signed it, where it is somebody else.
    pub fn signer(&self) -> Option<&str> {
        match self {
            Self::Signed(name) => Some(name),
            Self::Own | Self::Unvouched => None,
        }
    }
}

/// An entry with its place in the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntry {
    /// Where it was read from.
    pub origin: Origin,
    /// How it is known; `None` where the reader was not asked.
    pub trust: Option<Trust>,
    /// Whether it was written from this very working copy; entries of older versions count as such.
    pub is_from_here: bool,
    /// Its place in its chain, counted from 0.
    pub seq: u64,
    /// The checksum of its record.
    pub checksum: ContentHash,
    /// The mutation.
    pub entry: TraceEntry,
    /// The record as it is stored, one line of JSON; empty where the query asked for none.
    pub record: String,
}

/// What a session recorded in a span of time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionEntries {
    /// Its entries, oldest first; the newest ones where there are more than were asked for.
    pub entries: Vec<TraceEntry>,
    /// Whether that is all of them.
    pub is_complete: bool,
}

/// In which order entries are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The newest entry first.
    #[default]
    NewestFirst,
    /// In the order of writing.
    OldestFirst,
}

/// Which entries are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LedgerQuery {
    /// In which order.
    pub order: Order,
    /// Only entries whose stored record has this text in it, as it is spelled there. It saves the work of
    /// understanding the others; whoever asks still looks at the field that is meant.
    pub containing: Option<String>,
    /// Only entries that may have written a line of this text.
    pub touching: Option<Touching>,
    /// Entries without the records that they are stored as, which are most of what many entries hold.
    pub without_records: bool,
}

/// The lines of a text as it is today, for passing over entries that cannot have written any of them. It saves the work
/// of understanding them; whoever asks still looks at what is left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touching {
    names: BTreeSet<RepoPath>,
    lines: BTreeSet<LineHash>,
    once: BTreeSet<LineHash>,
}

impl Touching {
    /// A text by the loose hashes of its lines, in a file that has, or had, these names.
    pub fn new(names: BTreeSet<RepoPath>, lines: impl IntoIterator<Item = LineHash>) -> Self {
        let mut counts: BTreeMap<LineHash, usize> = BTreeMap::new();
        for line in lines.into_iter().filter(|line| !line.is_blank()) {
            *counts.entry(line).or_default() += 1;
        }
        let once = counts.iter().filter(|(_, count)| **count == 1).map(|(line, _)| *line).collect();
        Self { names, lines: counts.into_keys().collect(), once }
    }

    /// The names of the file.
    pub fn names(&self) -> impl Iterator<Item = &RepoPath> {
        self.names.iter()
    }

    /// Whether a block may stand in the text: all of its lines are there, or two that cannot be mistaken for others, or one
    /// when it was written into this very file. Only such lines tell a part of a block from chance. A block without line
    /// hashes always may.
    pub fn may_hold(&self, block: impl IntoIterator<Item = LineHash>, is_own: bool) -> bool {
        let (mut is_whole, mut unmistaken) = (true, 0);
        for line in block.into_iter().filter(|line| !line.is_blank()) {
            unmistaken += usize::from(self.once.contains(&line));
            if unmistaken > usize::from(!is_own) {
                return true;
            }
            is_whole = is_whole && self.lines.contains(&line);
        }
        is_whole
    }
}

/// How much a finding means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Ordinary, and worth knowing.
    Note,
    /// Evidence was changed, or is gone.
    Alarm,
}

/// What was found. The words are part of the contract of `trace verify --json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// A line is no record, not in its canonical form, or does not match its checksum.
    Edited,
    /// A line does not name the line before it.
    NotLinked,
    /// Entries are missing between two lines.
    Missing,
    /// A line has no place in the chain.
    Inserted,
    /// Entries are there in another order than they were written in.
    Reordered,
    /// Entries that the witness saw are missing at the end: cut, or an older copy was put back.
    Cut,
    /// The ledger was emptied.
    Emptied,
    /// Entries are well-formed, and not the ones that the witness or a sealed segment saw.
    Rechained,
    /// The last line was not finished; the next append repairs it.
    TornTail,
    /// The view in the working copy is not what the ledger says.
    ViewDiffers,
    /// The view is missing or behind; the next recorded change mends it.
    ViewBehind,
    /// Git keeps the view, in the index or in the commit of the working copy, so that it comes and goes with branches.
    ViewTracked,
    /// There is no witness, so a cut tail or a new chain could not be told.
    NoWitness,
    /// The witness knows the ledger from another place: the next entry begins a new one that goes on from it.
    NewPlace,
    /// The ledger goes on from another one, which its first entry names.
    Continued,
    /// A person took entries as written that nobody accounted for.
    Adopted,
    /// The witness saw less than the ledger holds.
    WitnessBehind,
    /// Entries that the witness has not seen, and that nobody accounts for: somebody may have appended them by hand.
    Unaccounted,
    /// The witness cannot be read, or is not what this program writes.
    WitnessBroken,
    /// A ledger was ended by a person and a new one begun.
    Ended,
    /// The bytes of a sealed segment are not the ones that it is named by.
    SegmentDiffers,
    /// A segment that was sealed here, never was in git, and is followed by another one, is nowhere.
    SegmentGone,
    /// The list of the segments that were sealed here is damaged, so that one that is gone could not be told.
    SealedListDamaged,
    /// A segment is not in this working copy: on another ref, or withdrawn by git.
    SegmentElsewhere,
    /// A signed head of somebody's ledger was seen in this clone, and no segment here or in its history has it any more.
    HeadGone,
    /// A signature is not that of the record that it stands on.
    BadSignature,
    /// A record names the key that it was signed with, and has no signature.
    SignatureMissing,
    /// Entries are signed with a key that is not known on this machine.
    UnknownKey,
    /// Entries are signed with a key that was stolen, and no checkpoint from before has them.
    StolenKey,
    /// Entries are not signed and stand behind one that is.
    Unsigned,
    /// An entry continues a ledger that a known key signed, without that key.
    OtherHand,
    /// Entries of others that nobody signed.
    Unvouched,
    /// The keys that are known on this machine cannot be read.
    KeysBroken,
    /// The ledger does not go on from a checkpoint that was kept elsewhere.
    CheckpointDiffers,
    /// A checkpoint that was kept elsewhere signed more entries of a ledger than this clone has segments of: nothing is
    /// proved.
    CheckpointAhead,
}

/// One thing that `trace verify` says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How much it means.
    pub severity: Severity,
    /// What it is.
    pub kind: FindingKind,
    /// The file that it is about.
    pub file: String,
    /// The first line that it is about, counted from 1, where one can be named.
    pub line: Option<u64>,
    /// The first and last entry that it is about, by place in the chain counted from 0, where they can be named.
    pub entries: Option<(u64, u64)>,
    /// The same for people, in one sentence without a final period.
    pub message: String,
}

/// How far the ledger reaches, and who vouches for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Extent {
    /// Entries of this clone's chain, torn and misplaced lines not counted.
    pub entries: u64,
    /// The checksum of the newest of them.
    pub head: Option<ContentHash>,
    /// How many of the first entries the witness saw exactly so; `None` without a witness.
    pub witnessed: Option<u64>,
    /// How many of them have a good signature by a key that is known on this machine.
    pub signed: u64,
    /// The first signed entry of a ledger that was not signed before, by its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signed_from: Option<u64>,
    /// How many of the first entries the sealed segments of this working copy hold.
    pub sealed: u64,
    /// How many sealed segments there are in this working copy, everybody's.
    pub segments: u64,
    /// How far the ledgers of others are there, in segments of this working copy and of its history.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ledgers: Vec<OtherLedger>,
}

/// How far a ledger of somebody else is there. What is newer than that cannot be known from segments alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherLedger {
    /// The checksum of its first entry, by which it is called.
    pub chain: ContentHash,
    /// How many of the first entries are there, one behind another.
    pub entries: u64,
    /// How many were seen here before, where that were more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<u64>,
    /// Who signed it, where their key is known on this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signer: Option<String>,
}

/// What `trace verify` says of a ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// How far it reaches.
    pub extent: Extent,
    /// What was found, alarms first, else in the order of the files.
    pub findings: Vec<Finding>,
}

impl Verification {
    /// Whether something was changed or is gone.
    pub fn has_alarm(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Alarm)
    }

    /// Whether there is nothing at all to say.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }
}
