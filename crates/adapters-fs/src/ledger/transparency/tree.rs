//! The Merkle tree over the checksums of the entries (RFC 6962 section 2.1), grown a leaf at a time.
//!
//! A tree of a million entries is never held: growing it keeps one hash for each level, and a proof asks for the few
//! nodes that it needs. Deliberately absent: where nodes are kept (`prove`), and checking a proof, which a library does
//! (`proof`).

use bailiwick_domain::ContentHash;
use sha2::{Digest as _, Sha256};

/// A SHA-256 hash.
pub(in crate::ledger) type Hash = [u8; 32];

const LEAF: u8 = 0;
const NODE: u8 = 1;

/// The leaf of an entry: the hash of the 32 bytes of its checksum.
pub(in crate::ledger) fn leaf_of(checksum: &ContentHash) -> Hash {
    Sha256::new().chain_update([LEAF]).chain_update(checksum.bytes()).finalize().into()
}

fn node_of(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([NODE]).chain_update(left).chain_update(right).finalize().into()
}

/// The right edge of a growing tree: its complete subtrees, the largest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::ledger) struct Frontier {
    count: u64,
    peaks: Vec<Hash>,
}

impl Frontier {
    /// How many leaves it has.
    pub(in crate::ledger) fn count(&self) -> u64 {
        self.count
    }

    /// One with so many leaves and these complete subtrees, the largest first; `None` where they are not as many as such a
    /// tree has.
    pub(in crate::ledger) fn of(count: u64, peaks: Vec<Hash>) -> Option<Self> {
        let fits = usize::try_from(count.count_ones()).is_ok_and(|wanted| wanted == peaks.len());
        fits.then_some(Self { count, peaks })
    }

    /// Its complete subtrees, the largest first.
    pub(in crate::ledger) fn peaks(&self) -> &[Hash] {
        &self.peaks
    }

    /// Adds a leaf. Each node that becomes complete is given to `each`, the leaf itself first.
    pub(in crate::ledger) fn push(&mut self, leaf: Hash, mut each: impl FnMut(&Hash)) {
        each(&leaf);
        self.count += 1;
        let mut newest = leaf;
        for _ in 0..self.count.trailing_zeros() {
            let Some(left) = self.peaks.pop() else { break };
            newest = node_of(&left, &newest);
            each(&newest);
        }
        self.peaks.push(newest);
    }

    /// The root of the tree as it is now.
    pub(in crate::ledger) fn root(&self) -> Hash {
        let joined = self.peaks.iter().rev().copied().reduce(|right, left| node_of(&left, &right));
        joined.unwrap_or_else(|| Sha256::digest([]).into())
    }
}

/// Leaves beside each other, as a subtree of the tree that a proof is about.
#[derive(Clone, Copy, Debug)]
pub(in crate::ledger) struct Span {
    first: u64,
    count: u64,
}

impl Span {
    /// All leaves of a tree.
    pub(in crate::ledger) fn all(count: u64) -> Self {
        Self { first: 0, count }
    }

    /// The two subtrees below; the left one has as many leaves as a power of two can.
    fn halves(self) -> (Self, Self) {
        let left = self.count.next_power_of_two() / 2;
        let right = Self { first: self.first + left, count: self.count - left };
        (Self { first: self.first, count: left }, right)
    }

    /// The root of it.
    pub(super) fn root<E>(self, node: &mut impl FnMut(u32, u64) -> Result<Hash, E>) -> Result<Hash, E> {
        if self.count.is_power_of_two() {
            let level = self.count.trailing_zeros();
            return node(level, self.first >> level);
        }
        let (left, right) = self.halves();
        Ok(node_of(&left.root(node)?, &right.root(node)?))
    }

    /// The hashes that lead from leaf `index` to the root, from the leaf's sibling on.
    pub(in crate::ledger) fn path<E>(
        self,
        index: u64,
        node: &mut impl FnMut(u32, u64) -> Result<Hash, E>,
    ) -> Result<Vec<Hash>, E> {
        if self.count <= 1 {
            return Ok(Vec::new());
        }
        let (left, right) = self.halves();
        let (with, beside) = if index < right.first { (left, right) } else { (right, left) };
        let mut path = with.path(index, node)?;
        path.push(beside.root(node)?);
        Ok(path)
    }
}

/// How many nodes are complete in a tree of so many leaves.
pub(in crate::ledger) fn complete_nodes(leaves: u64) -> u64 {
    2 * leaves - u64::from(leaves.count_ones())
}

/// The place of a node among all complete ones, in the order in which they become complete.
pub(in crate::ledger) fn place_of(level: u32, index: u64) -> u64 {
    let last_leaf = ((index + 1) << level) - 1;
    complete_nodes(last_leaf) + u64::from(level)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use ct_merkle::InclusionProof;
    use ct_merkle::RootHash;
    use ct_merkle::mem_backed_tree::MemoryBackedTree;

    use super::*;

    fn checksum(number: u64) -> ContentHash {
        ContentHash::of(&number.to_be_bytes())
    }

    /// The tree of a library, which is the judge.
    fn judge(count: u64) -> MemoryBackedTree<Sha256, Vec<u8>> {
        let mut tree = MemoryBackedTree::new();
        (0..count).for_each(|number| tree.push(checksum(number).bytes().to_vec()));
        tree
    }

    fn grown(count: u64) -> (Frontier, Vec<Hash>) {
        let (mut frontier, mut kept) = (Frontier::default(), Vec::new());
        (0..count).for_each(|number| frontier.push(leaf_of(&checksum(number)), |node| kept.push(*node)));
        (frontier, kept)
    }

    fn reading(kept: &[Hash]) -> impl FnMut(u32, u64) -> Result<Hash, Infallible> {
        |level, index| Ok(kept[usize::try_from(place_of(level, index)).unwrap()])
    }

    #[test]
    fn the_tree_of_no_entries_has_the_root_of_the_rfc() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(ContentHash::from_digest(&Frontier::default().root()).digits(), empty);
    }

    #[test]
    fn roots_and_proofs_are_those_of_the_library_at_every_size() {
        for count in 1..=70 {
            let (frontier, kept) = grown(count);
            let root = judge(count).root();
            assert_eq!(frontier.root().as_slice(), root.as_bytes().as_slice(), "{count}");
            assert_eq!(complete_nodes(count), kept.len() as u64);
            assert_eq!(Span::all(count).root(&mut reading(&kept)).unwrap(), frontier.root());
            for index in 0..count {
                let path = Span::all(count).path(index, &mut reading(&kept)).unwrap();
                let proof = InclusionProof::<Sha256>::try_from_bytes(path.concat()).unwrap();
                let root = RootHash::<Sha256>::new(frontier.root().into(), count);
                root.verify_inclusion(&checksum(index).bytes().to_vec(), index, &proof).unwrap();
            }
        }
    }
}
