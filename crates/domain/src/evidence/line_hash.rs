//! Loose hashes of single lines: what a block of code is found by when it has moved or changed a little.
//!
//! They are hints for a search. Evidence is the block's whole hash ([`block_hash`](crate::block_hash)), never these.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::values::RepoPath;

/// How many hexadecimal digits one line takes.
const DIGITS: usize = 8;

/// 32 bits of the SHA-256 of a line without the blanks at its ends; blank lines are all alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineHash(u32);

impl LineHash {
    /// A line of blanks alone.
    pub const BLANK: Self = Self(0);

    /// The hash of one line, with or without its line end.
    ///
    /// ```
    /// use bailiwick_domain::LineHash;
    /// assert_eq!(LineHash::of(b"  return x;\r\n"), LineHash::of(b"return x;"));
    /// assert_eq!(LineHash::of(b" \t"), LineHash::BLANK);
    /// ```
    pub fn of(line: &[u8]) -> Self {
        let text = line.trim_ascii();
        if text.is_empty() {
            return Self::BLANK;
        }
        let digest = Sha256::digest(text);
        let bits = digest.iter().take(4).fold(0, |bits, byte| (bits << 8) | u32::from(*byte));
        Self(bits.max(1))
    }

    /// Whether the line is blank.
    pub fn is_blank(self) -> bool {
        self == Self::BLANK
    }

    /// The 32 bits.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// The hash of these 32 bits.
    pub fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

/// The loose hashes of some lines in a row; as text, eight hexadecimal digits a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LineHashes(Vec<LineHash>);

impl LineHashes {
    /// How many lines of one block are kept; what follows is found by the lines before it.
    pub const MOST: usize = 2_000;

    /// The hashes of the first [`LineHashes::MOST`] lines of a text.
    pub fn of(text: &[u8]) -> Self {
        Self(text.split_inclusive(|byte| *byte == b'\n').take(Self::MOST).map(LineHash::of).collect())
    }

    /// The hashes of a text form, one after the other; `None` for what is no hash. What is left at the end is passed over.
    pub fn read(text: &[u8]) -> impl Iterator<Item = Option<LineHash>> {
        let hash_of = |digits: &[u8; DIGITS]| {
            let bits = digits.iter().try_fold(0_u32, |bits, digit| {
                char::from(*digit).to_digit(16).map(|nibble| (bits << 4) | nibble)
            });
            bits.map(LineHash)
        };
        text.as_chunks::<DIGITS>().0.iter().map(hash_of)
    }

    /// The hashes in the order of the lines.
    pub fn as_slice(&self) -> &[LineHash] {
        &self.0
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<LineHash> for LineHashes {
    fn from_iter<I: IntoIterator<Item = LineHash>>(hashes: I) -> Self {
        Self(hashes.into_iter().take(Self::MOST).collect())
    }
}

impl From<LineHashes> for String {
    fn from(hashes: LineHashes) -> Self {
        let mut text = Self::with_capacity(hashes.0.len() * DIGITS);
        for LineHash(bits) in hashes.0 {
            let nibbles = (0..DIGITS).rev().map(|place| (bits >> (4 * place)) & 15);
            text.extend(nibbles.filter_map(|nibble| char::from_digit(nibble, 16)));
        }
        text
    }
}

impl TryFrom<String> for LineHashes {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let hashes: Option<Vec<LineHash>> = Self::read(text.as_bytes()).collect();
        match hashes {
            Some(hashes) if text.len().is_multiple_of(DIGITS) => Ok(Self(hashes)),
            _ => Err("not eight hexadecimal digits for each line"),
        }
    }
}

/// What a block is found again by: its lines and those around it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Landmarks {
    /// The lines right above it, the nearest last.
    pub above: LineHashes,
    /// The lines right below it, the nearest first.
    pub below: LineHashes,
    /// The lines of the block.
    pub lines: LineHashes,
}

impl Landmarks {
    /// How many lines around a block are kept.
    pub const AROUND: usize = 3;
}

/// A line of the working copy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinePlace {
    /// The file.
    pub path: RepoPath,
    /// The line, counted from 0.
    pub line: usize,
    /// Its loose hash.
    pub hash: LineHash,
}
