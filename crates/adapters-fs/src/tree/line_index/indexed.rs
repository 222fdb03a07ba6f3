//! One file with the hashes of its lines, from the cache or freshly read.

use bailiwick_domain::RepoPath;

use crate::files::identity::Identity;

/// One file with its line hashes.
#[derive(Debug)]
pub(super) struct Indexed {
    pub(super) path: RepoPath,
    pub(super) identity: Identity,
    pub(super) read_at_ns: i64,
    pub(super) hashes: Hashes,
}

/// Line hashes in the order of the lines.
#[derive(Debug)]
pub(super) enum Hashes {
    /// Those of that file in the cache.
    Kept(usize),
    /// From the file that was read now.
    Fresh(Vec<[u8; 4]>),
}
