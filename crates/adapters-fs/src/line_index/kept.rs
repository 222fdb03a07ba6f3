//! The cache file: a table of the indexed files, and behind it their line hashes in a row.
//!
//! It is read in one go and searched where it lies, so that a question costs little more than reading it. It is a hint
//! that is checked, never a truth: bytes that do not have this form are as good as none.

use std::path::Path;

use bailiwick_domain::RepoPath;

use super::scan::Indexed;
use crate::identity::Identity;

/// Changes whenever the meaning of what is kept changes.
const FORMAT: &[u8] = b"lines-2\n";
/// The numbers of a file's row: identity, when it was read, how many lines, how long the path is.
const WORDS: usize = 8;

/// What is known of one file.
#[derive(Debug)]
pub(super) struct KeptFile {
    pub(super) path: RepoPath,
    pub(super) identity: Identity,
    pub(super) read_at_ns: i64,
    /// Where its hashes begin in the row of all hashes, and how many there are.
    start: usize,
    lines: usize,
}

/// A cache that was read.
#[derive(Debug, Default)]
pub(super) struct Kept {
    bytes: Vec<u8>,
    /// Where the row of hashes begins.
    row: usize,
    files: Vec<KeptFile>,
}

impl Kept {
    /// Reads a cache; an empty one where there is none, or where it cannot be understood.
    pub(super) fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap_or_default();
        let Some((files, row)) = table(&bytes) else { return Self::default() };
        Self { files, row, bytes }
    }

    pub(super) fn files(&self) -> &[KeptFile] {
        &self.files
    }

    /// The hashes of one of the files, as they lie in the cache.
    pub(super) fn hashes(&self, file: &KeptFile) -> &[[u8; 4]] {
        let row = self.bytes.get(self.row..).unwrap_or_default().as_chunks().0;
        row.get(file.start..file.start.saturating_add(file.lines)).unwrap_or_default()
    }
}

/// The table and where the hashes begin; `None` unless exactly the promised hashes follow.
fn table(bytes: &[u8]) -> Option<(Vec<KeptFile>, usize)> {
    let mut rest = bytes.strip_prefix(FORMAT)?;
    let [count] = words(&mut rest)?;
    let mut files = Vec::with_capacity(usize::try_from(count).ok()?.min(rest.len()));
    let mut start = 0_usize;
    for _ in 0..count {
        let [len, modified, changed, inode, device, read_at, lines, path] = words::<WORDS>(&mut rest)?;
        let (path, after) = rest.split_at_checked(usize::try_from(path).ok()?)?;
        rest = after;
        let path = RepoPath::new(str::from_utf8(path).ok()?).ok()?;
        let identity = Identity::from_words([len, modified, changed, inode, device]);
        let lines = usize::try_from(lines).ok()?;
        files.push(KeptFile { path, identity, read_at_ns: read_at.cast_signed(), start, lines });
        start = start.checked_add(lines)?;
    }
    (start.checked_mul(4)? == rest.len()).then(|| (files, bytes.len() - rest.len()))
}

/// Takes so many numbers off the front.
fn words<const N: usize>(rest: &mut &[u8]) -> Option<[u64; N]> {
    let mut all = [0; N];
    for word in &mut all {
        let (bytes, after) = rest.split_first_chunk()?;
        *word = u64::from_le_bytes(*bytes);
        *rest = after;
    }
    Some(all)
}

/// The cache of these files.
pub(super) fn to_bytes(files: &[Indexed<'_>]) -> Vec<u8> {
    let mut bytes = FORMAT.to_vec();
    let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    bytes.extend(number(files.len()).to_le_bytes());
    for file in files {
        let [len, modified, changed, inode, device] = file.identity.to_words();
        let path = file.path.as_str().as_bytes();
        let (read_at, lines) = (file.read_at_ns.cast_unsigned(), number(file.hashes.len()));
        let words: [u64; WORDS] = [len, modified, changed, inode, device, read_at, lines, number(path.len())];
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(path);
    }
    for file in files {
        bytes.extend(file.hashes.as_flattened());
    }
    bytes
}
