//! How a record is signed, as far as it says itself. Whether the key is one to believe is another question (`sign`).

use super::LedgerLine;
use crate::ledger::sign::TraceKey;

/// How a record is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignedBy {
    /// Not at all.
    Nobody,
    /// By that key, and the signature fits.
    Key(TraceKey),
    /// The record names a key, and the signature is gone.
    Missing,
    /// The signature does not fit the record, or there is a signature and no key.
    Wrong,
}

impl SignedBy {
    /// What is wrong with it, whoever's key it is, as words behind the name of the entry.
    pub(in crate::ledger) fn fault(&self) -> Option<&'static str> {
        match self {
            Self::Missing => Some("names its signing key, but the signature is missing"),
            Self::Wrong => Some("has a signature that does not fit this record"),
            Self::Nobody | Self::Key(_) => None,
        }
    }
}

/// How this line is signed. Whether the key is one to believe is another question (`TraceKeys`).
pub fn signed_by(line: &LedgerLine) -> SignedBy {
    match (&line.signed_by, &line.signature) {
        (None, None) => SignedBy::Nobody,
        (Some(_), None) => SignedBy::Missing,
        (None, Some(_)) => SignedBy::Wrong,
        (Some(key), Some(signature)) => match TraceKey::parse(key) {
            Some(key) if key.verifies(&line.checksum, signature) => SignedBy::Key(key),
            _ => SignedBy::Wrong,
        },
    }
}
