//! The cache file: a table of the indexed files, and behind it their line hashes in a row.
//!
//! The table is read in one go, the row in pieces and only by who wants it: it is twenty times as long, and memory that
//! is touched once costs more than the reading. It is a hint that is checked, never a truth: bytes that do not have this
//! form are as good as none.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use bailiwick_domain::RepoPath;

use super::indexed::{Hashes, Indexed};
use crate::files::identity::Identity;

/// Changes whenever the meaning of what is kept changes.
const FORMAT: &[u8; 8] = b"lines-3\n";
/// How long the table is, and how many files it has, stand before it.
const HEAD: usize = FORMAT.len() + 2 * size_of::<u64>();
/// The numbers of a file's row: identity, when it was read, how many lines, how long the path is.
const WORDS: usize = 8;
/// The bytes of a hash.
const HASH: usize = 4;

/// What is known of one file.
#[derive(Debug)]
pub(super) struct KeptFile {
    pub(super) path: RepoPath,
    pub(super) identity: Identity,
    pub(super) read_at_ns: i64,
    /// Where its hashes stand in the row of all hashes.
    pub(super) lines: Range<usize>,
}

/// A cache whose table was read.
#[derive(Debug, Default)]
pub(super) struct Kept {
    files: Vec<KeptFile>,
    row: Option<Row>,
}

/// The row of all hashes in the file.
#[derive(Debug)]
struct Row {
    file: Mutex<File>,
    start: u64,
}

impl Kept {
    /// Reads a cache; an empty one where there is none, or where it cannot be understood.
    pub(super) fn read(path: &Path) -> Self {
        Self::of(path).unwrap_or_default()
    }

    /// `None` unless exactly the promised hashes follow the table.
    fn of(path: &Path) -> Option<Self> {
        let mut file = File::open(path).ok()?;
        let length = file.metadata().ok()?.len();
        let mut head = [0; HEAD];
        file.read_exact(&mut head).ok()?;
        let mut rest = head.strip_prefix(FORMAT)?;
        let [size, count] = words(&mut rest)?;
        let start = size.checked_add(u64::try_from(HEAD).ok()?).filter(|start| *start <= length)?;
        let mut bytes = Vec::with_capacity(usize::try_from(size).ok()?);
        Read::by_ref(&mut file).take(size).read_to_end(&mut bytes).ok()?;
        let files = table(&bytes, count)?;
        let hashes = files.last().map_or(0, |file| file.lines.end);
        let end = u64::try_from(hashes.checked_mul(HASH)?).ok()?.checked_add(start)?;
        (end == length).then(|| Self { files, row: Some(Row { file: Mutex::new(file), start }) })
    }

    pub(super) fn files(&self) -> &[KeptFile] {
        &self.files
    }

    /// How many hashes there are.
    pub(super) fn hashes(&self) -> usize {
        self.files.last().map_or(0, |file| file.lines.end)
    }

    /// Reads the hashes from that one on into all of the bytes.
    ///
    /// # Errors
    /// The file cannot be read, or there are not so many.
    pub(super) fn read_row(&self, first: usize, bytes: &mut [u8]) -> io::Result<()> {
        let row = self.row.as_ref().ok_or(io::ErrorKind::UnexpectedEof)?;
        let offset = u64::try_from(first.saturating_mul(HASH)).unwrap_or(u64::MAX);
        let mut file = row.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(row.start.saturating_add(offset)))?;
        file.read_exact(bytes)
    }

    /// The whole row.
    fn row(&self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; self.hashes().saturating_mul(HASH)];
        if !bytes.is_empty() {
            self.read_row(0, &mut bytes)?;
        }
        Ok(bytes)
    }
}

fn table(bytes: &[u8], count: u64) -> Option<Vec<KeptFile>> {
    let mut rest = bytes;
    let mut files = Vec::with_capacity(usize::try_from(count).ok()?.min(rest.len()));
    let mut start = 0_usize;
    for _ in 0..count {
        let [len, modified, changed, inode, device, read_at, lines, path] = words::<WORDS>(&mut rest)?;
        let (path, after) = rest.split_at_checked(usize::try_from(path).ok()?)?;
        rest = after;
        let path = RepoPath::new(str::from_utf8(path).ok()?).ok()?;
        let identity = Identity::from_words([len, modified, changed, inode, device]);
        let end = start.checked_add(usize::try_from(lines).ok()?)?;
        files.push(KeptFile { path, identity, read_at_ns: read_at.cast_signed(), lines: start..end });
        start = end;
    }
    rest.is_empty().then_some(files)
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

/// The cache of these files, some of which may be as they are in a cache from before.
///
/// # Errors
/// The cache from before cannot be read.
pub(super) fn to_bytes(files: &[Indexed], before: &Kept) -> io::Result<Vec<u8>> {
    let row = before.row()?;
    let row = row.as_chunks::<HASH>().0;
    let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let mut table: Vec<u8> = Vec::new();
    for file in files {
        let [len, modified, changed, inode, device] = file.identity.to_words();
        let path = file.path.as_str().as_bytes();
        let (read_at, lines) = (file.read_at_ns.cast_unsigned(), number(hashes_of(file, before, row).len()));
        let words: [u64; WORDS] = [len, modified, changed, inode, device, read_at, lines, number(path.len())];
        table.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        table.extend(path);
    }
    let head = [*FORMAT, number(table.len()).to_le_bytes(), number(files.len()).to_le_bytes()];
    let mut bytes = [head.as_flattened(), &table].concat();
    for file in files {
        bytes.extend(hashes_of(file, before, row).as_flattened());
    }
    Ok(bytes)
}

fn hashes_of<'h>(file: &'h Indexed, before: &Kept, row: &'h [[u8; HASH]]) -> &'h [[u8; HASH]] {
    match &file.hashes {
        Hashes::Fresh(hashes) => hashes,
        Hashes::Kept(nth) => {
            before.files.get(*nth).and_then(|kept| row.get(kept.lines.clone())).unwrap_or_default()
        }
    }
}
