//! The text of a file as it is now, ready to be searched for lines.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use bailiwick_domain::{ContentHash, LineHash, RepoPath, Touching, block_hash};

use crate::shares::in_shares;

/// A text with its lines' loose hashes and where each of them stands. Lines are counted from 0.
#[derive(Debug)]
pub struct IndexedText<'a> {
    lines: Vec<&'a [u8]>,
    hashes: Vec<LineHash>,
    /// The lines that are not blank.
    dense: Vec<usize>,
    places: HashMap<LineHash, Vec<usize>>,
}

impl<'a> IndexedText<'a> {
    /// Indexes a text.
    pub fn new(text: &'a [u8]) -> Self {
        let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let hashes = in_shares(&lines, |line| LineHash::of(line));
        let mut places: HashMap<LineHash, Vec<usize>> = HashMap::new();
        let mut dense = Vec::new();
        for (line, hash) in hashes.iter().enumerate().filter(|(_, hash)| !hash.is_blank()) {
            dense.push(line);
            places.entry(*hash).or_default().push(line);
        }
        Self { lines, hashes, dense, places }
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The bytes of a line, its end included.
    pub fn line(&self, line: usize) -> Option<&'a [u8]> {
        self.lines.get(line).copied()
    }

    /// What tells the entries that may have written a line of this text, which stands in a file that has, or had, these
    /// names.
    pub fn touching(&self, names: BTreeSet<RepoPath>) -> Touching {
        Touching::new(names, self.hashes.iter().copied())
    }

    /// These lines with their ends, `None` beyond the end.
    pub(super) fn lines(&self, lines: Range<usize>) -> Option<&[&'a [u8]]> {
        self.lines.get(lines)
    }

    pub(super) fn hash(&self, line: usize) -> Option<LineHash> {
        self.hashes.get(line).copied()
    }

    pub(super) fn hashes(&self, lines: Range<usize>) -> &[LineHash] {
        self.hashes.get(lines).unwrap_or_default()
    }

    /// The lines that are not blank, in order.
    pub(super) fn dense(&self) -> &[usize] {
        &self.dense
    }

    /// Where lines with this hash stand, in order; nothing for blank lines.
    pub(super) fn places(&self, hash: LineHash) -> &[usize] {
        self.places.get(&hash).map(Vec::as_slice).unwrap_or_default()
    }

    /// The hash of these lines as one block, `None` beyond the end.
    pub(super) fn block_hash(&self, lines: Range<usize>) -> Option<ContentHash> {
        match self.lines.get(lines)? {
            [only] => Some(block_hash(only)),
            lines => Some(block_hash(&lines.concat())),
        }
    }

    /// How many letters and digits these lines hold: what git measures a move by.
    pub(super) fn letters(&self, lines: Range<usize>) -> usize {
        let lines = self.lines.get(lines).unwrap_or_default().iter();
        lines
            .map(|line| line.iter().filter(|byte| byte.is_ascii_alphanumeric() || **byte >= 0x80).count())
            .sum()
    }
}
