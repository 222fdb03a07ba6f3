//! The evidence of one run of lines, as an entry has it. What becomes of it is for others.

use bailiwick_domain::{ContentHash, LineHash};

/// A run of lines that an entry wrote.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// Where it stood, counted from 0.
    pub start: usize,
    /// How many lines.
    pub len: usize,
    /// The block's hash: the evidence.
    pub hash: &'a ContentHash,
    /// The loose hashes of its lines, of the first ones if there are very many; empty when the record has none.
    pub lines: &'a [LineHash],
    /// The lines above it, the nearest last.
    pub above: &'a [LineHash],
    /// The lines below it, the nearest first.
    pub below: &'a [LineHash],
}
