//! What an entry says of the ledger that it is in: that a person adopted entries, that the ledger goes on from another
//! one, that it is signed from here on.
//!
//! It stands under the entry's checksum, so that it can neither be taken off nor be added later. Deliberately absent: who
//! decides any of it.

use bailiwick_domain::{ContentHash, Timestamp};
use serde::{Deserialize, Serialize};

/// What an entry says of its ledger. The members stand in the order of the canonical form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerSays {
    /// Entries that a person took as written since the entry before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adopted: Vec<Adopted>,
    /// The ledger that this one goes on from; only the first entry of a ledger says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<Continues>,
    /// The place of this entry, when it is the first signed one of a ledger that was not signed before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_from: Option<u64>,
}

impl LedgerSays {
    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Entries that nobody accounted for, and that a person took as written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adopted {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub by: String,
    /// The first of them, by its place.
    pub first: u64,
    /// The checksum of the last of them.
    pub head: ContentHash,
    /// The last of them, by its place.
    pub last: u64,
}

/// A ledger that is gone on from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Continues {
    /// Who decided it, where a person had to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The checksum of its first entry, by which it is known.
    pub chain: ContentHash,
    /// How many entries it had.
    pub entries: u64,
    /// The checksum of the newest of them.
    pub head: ContentHash,
    /// Why it did not go on itself.
    pub why: Why,
}

/// Why a ledger did not go on itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It was copied, or moved to another disk: the witness knows it from another place.
    NewPlace,
    /// No witness here knows it.
    NoWitness,
    /// An older copy of it was put back, and a person took it.
    OlderCopy,
    /// It is signed with another key.
    OtherKey,
    /// It is signed, and signing was turned off.
    Unsigned,
    /// A reason of a later version.
    #[serde(other)]
    Other,
}

impl Why {
    /// The same for people, behind `because`.
    pub fn said(self) -> &'static str {
        match self {
            Self::NewPlace => "it was copied or moved here",
            Self::NoWitness => "no witness here knew it",
            Self::OlderCopy => "a person put an older copy back",
            Self::OtherKey => "it is signed with another key",
            Self::Unsigned => "signing was turned off",
            Self::Other => "a later version had a reason",
        }
    }
}
