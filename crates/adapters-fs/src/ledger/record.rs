//! The form of a ledger line: one superset record, valid as Agent Trace 0.1.0 and with the older names beside it
//! for readers of either, in RFC 8785 bytes with a checksum and the checksum of the line before.

pub(in crate::ledger) mod canonical;
mod names;
mod read;
mod says;
mod signed;
mod strict;
mod write;
mod written;

use bailiwick_domain::{ContentHash, TraceEntry};

use crate::ledger::sign::Signer;

pub use read::read_ledger_line;
pub(super) use read::{Link, check_link, claimed_key, claimed_link};
pub use says::{Adopted, Continues, LedgerSays, Why};
pub use signed::{SignedBy, signed_by};
pub use strict::strict_record;
pub(super) use write::write;

/// The key of our own members, as the format asks of vendors.
pub(crate) const NAMESPACE: &str = "dev.bailiwick";

/// A line of the ledger that is what it claims to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerLine {
    /// Its place, counted from 0.
    pub seq: u64,
    /// The checksum of the line before; `None` for the first.
    pub prev: Option<ContentHash>,
    /// The checksum of this line.
    pub checksum: ContentHash,
    /// The working copy that it was written from; older versions did not say.
    pub working_copy: Option<String>,
    /// The key that it names as the one it was signed with, as it is spelled.
    pub signed_by: Option<String>,
    /// The signature, as it is spelled; whether it fits says [`signed_by`](crate::ledger::signed_by).
    pub signature: Option<String>,
    /// What it says of the ledger that it is in.
    pub says: LedgerSays,
    /// The mutation.
    pub entry: TraceEntry,
}

/// Why a line is not one of the ledger's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// Not JSON, or members are missing.
    #[error("not a trace record: {0}")]
    Form(String),
    /// The bytes are not the record's RFC 8785 form.
    #[error("not in canonical form")]
    NotCanonical,
    /// The record does not match its checksum.
    #[error("the checksum does not match")]
    Checksum,
}

/// The place of a line: where it stands in the chain, and which working copy it was written from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    pub(super) seq: u64,
    pub(super) prev: Option<&'a ContentHash>,
    pub(super) working_copy: &'a str,
    /// Who signs it.
    pub(super) signer: Option<&'a Signer>,
    /// What it says of its ledger.
    pub(super) says: &'a LedgerSays,
}
