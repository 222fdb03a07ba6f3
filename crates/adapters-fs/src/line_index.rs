//! Where lines stand in the working copy: the port `LineIndex`, over a cache of every file's line hashes.
//!
//! The cache is one file: a table of the indexed files and behind it their hashes in a row, which are searched as they
//! are. A file that changed is read again; a cache that cannot be read is made anew.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bailiwick_domain::{COMMON_LINE, ContentHash, LineHash, LineIndex, LinePlace, PortError, RepoPath};
use serde::{Deserialize, Serialize};

use crate::atomic::unavailable;
use crate::cache::{keep, place};
use crate::identity::{Identity, now_ns};
use crate::layout::Layout;
use crate::tree::files_below;

/// Changes whenever the meaning of what is kept changes.
const FORMAT: &str = "lines-1";
/// A larger file is not searched: generated data, not code.
const LARGEST: u64 = 4 * 1024 * 1024;

/// The line index of one working copy.
#[derive(Clone, Debug)]
pub struct FsLineIndex {
    root: PathBuf,
    cache: PathBuf,
}

/// The indexed files and their line hashes, one file's after the other's.
#[derive(Debug, Default)]
struct Lines {
    files: Vec<Indexed>,
    hashes: Vec<u32>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Indexed {
    path: RepoPath,
    identity: Identity,
    read_at_ns: i64,
    lines: usize,
}

#[derive(Debug, Serialize, Deserialize)]
struct Table {
    format: String,
    files: Vec<Indexed>,
}

impl FsLineIndex {
    /// The index of this root.
    pub fn new(layout: &Layout) -> Self {
        let root = layout.root().to_path_buf();
        let cache = place(layout, "lines", &ContentHash::of(root.as_os_str().as_encoded_bytes()));
        Self { root, cache }
    }

    fn current(&self) -> Result<Lines, PortError> {
        let known = Lines::from_bytes(&std::fs::read(&self.cache).unwrap_or_default()).unwrap_or_default();
        let mut starts: HashMap<&RepoPath, (usize, usize)> = HashMap::with_capacity(known.files.len());
        let mut start = 0;
        for (index, file) in known.files.iter().enumerate() {
            starts.insert(&file.path, (index, start));
            start += file.lines;
        }
        let mut lines = Lines::default();
        let mut is_new = false;
        let code = files_below(&self.root).filter(|(path, _)| !path.as_str().starts_with(".orchestration/"));
        for (path, entry) in code {
            let Ok(metadata) = entry.metadata() else { continue };
            let identity = Identity::of(&metadata);
            let kept = starts.remove(&path).and_then(|(index, start)| {
                let file = known.files.get(index)?;
                let is_same = file.identity == identity && identity.is_proof(file.read_at_ns);
                is_same.then(|| (file.clone(), start..start + file.lines))
            });
            match kept {
                Some((file, range)) => {
                    lines.hashes.extend(known.hashes.get(range).unwrap_or_default());
                    lines.files.push(file);
                }
                None if metadata.is_file() && metadata.len() <= LARGEST => {
                    is_new = true;
                    lines.add(path, identity, &read(entry.path())?);
                }
                None => {}
            }
        }
        if is_new || !starts.is_empty() {
            keep(&self.cache, &lines.to_bytes());
        }
        Ok(lines)
    }
}

/// The content; nothing for a file that went away meanwhile.
fn read(path: &Path) -> Result<Vec<u8>, PortError> {
    let mut bytes = Vec::new();
    match File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes)) {
        Ok(_) => Ok(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(unavailable(path, &error)),
    }
}

impl Lines {
    fn add(&mut self, path: RepoPath, identity: Identity, content: &[u8]) {
        let read_at_ns = now_ns();
        let before = self.hashes.len();
        if !content.contains(&0) {
            let lines = content.split_inclusive(|byte| *byte == b'\n');
            self.hashes.extend(lines.map(|line| LineHash::of(line).bits()));
        }
        self.files.push(Indexed { path, identity, read_at_ns, lines: self.hashes.len() - before });
    }

    fn to_bytes(&self) -> Vec<u8> {
        let table = Table { format: FORMAT.to_owned(), files: self.files.clone() };
        let mut bytes = serde_json::to_vec(&table).unwrap_or_default();
        bytes.push(b'\n');
        bytes.extend(self.hashes.iter().flat_map(|hash| hash.to_le_bytes()));
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (table, rest) = bytes.split_at_checked(end)?;
        let table: Table =
            serde_json::from_slice(table).ok().filter(|table: &Table| table.format == FORMAT)?;
        let (hashes, torn) = rest.split_first()?.1.as_chunks::<4>();
        let expected: usize = table.files.iter().map(|file| file.lines).sum();
        let hashes: Vec<u32> = hashes.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        (torn.is_empty() && hashes.len() == expected).then_some(Self { files: table.files, hashes })
    }

    /// Each wanted hash with the places of its lines in the row of all hashes, at most one more than is of use.
    fn find(&self, wanted: &[LineHash]) -> HashMap<u32, Vec<usize>> {
        let mut found: HashMap<u32, Vec<usize>> =
            wanted.iter().filter(|hash| !hash.is_blank()).map(|hash| (hash.bits(), Vec::new())).collect();
        let mut sieve = vec![false; 1 << 16];
        for hash in found.keys() {
            if let Some(hole) = sieve.get_mut((*hash >> 16) as usize) {
                *hole = true;
            }
        }
        for (at, hash) in self.hashes.iter().enumerate() {
            if sieve.get((*hash >> 16) as usize).is_some_and(|hole| *hole)
                && let Some(places) = found.get_mut(hash).filter(|places| places.len() <= COMMON_LINE)
            {
                places.push(at);
            }
        }
        found.retain(|_, places| places.len() <= COMMON_LINE);
        found
    }
}

#[async_trait]
impl LineIndex for FsLineIndex {
    async fn places(&self, wanted: &[LineHash]) -> Result<Vec<LinePlace>, PortError> {
        let lines = self.current()?;
        let mut at: Vec<(usize, u32)> = lines
            .find(wanted)
            .into_iter()
            .flat_map(|(hash, places)| places.into_iter().map(move |place| (place, hash)))
            .collect();
        at.sort_unstable();
        let mut at = at.into_iter().peekable();
        let mut places = Vec::new();
        let mut start = 0;
        for file in &lines.files {
            let end = start + file.lines;
            while let Some((place, hash)) = at.next_if(|(place, _)| *place < end) {
                let (path, hash) = (file.path.clone(), LineHash::from_bits(hash));
                places.push(LinePlace { path, line: place - start, hash });
            }
            start = end;
        }
        places.sort();
        Ok(places)
    }
}
