//! Where lines stand in the working copy: the port `LineIndex`, over a cache of every file's line hashes.
//!
//! The cache holds the hashes of all files in a row, which are searched as they are. A file that changed is read again;
//! a cache that cannot be read is made anew. It is only written again when that saves more than it costs: reading a
//! few changed files is cheaper than writing all that is known.

mod kept;
mod scan;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use bailiwick_domain::{COMMON_LINE, ContentHash, LineHash, LineIndex, LinePlace, PortError, Progress};

use crate::cache::{keep, place};
use crate::layout::Layout;
use kept::Kept;
use scan::{Indexed, Scan};

/// As long as no more bytes than this had to be read again, nor more files than [`FEW_FILES`], the cache stays.
const FEW_BYTES: u64 = 256 * 1024;
const FEW_FILES: usize = 64;

/// The line index of one working copy.
#[derive(Clone, Debug)]
pub struct FsLineIndex {
    root: PathBuf,
    cache: PathBuf,
    progress: Option<Arc<dyn Progress>>,
}

impl FsLineIndex {
    /// The index of this root.
    pub fn new(layout: &Layout) -> Self {
        let root = layout.root().to_path_buf();
        let cache = place(layout, "lines", &ContentHash::of(root.as_os_str().as_encoded_bytes()));
        Self { root, cache, progress: None }
    }

    /// Tells how many files had to be read.
    #[must_use]
    pub fn with_progress(mut self, progress: Arc<dyn Progress>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// All files as they are now, by path; what is known of them is kept.
    fn current<'k>(&self, known: &'k Kept) -> Result<Vec<Indexed<'k>>, PortError> {
        let scan = Scan::of(&self.root, known, self.progress.as_deref())?;
        let gone = known.files().len().saturating_sub(scan.files.len() - scan.fresh_files);
        let is_much = scan.fresh_bytes > FEW_BYTES || scan.fresh_files + gone > FEW_FILES;
        if is_much || (known.files().is_empty() && scan.fresh_files > 0) {
            keep(&self.cache, &kept::to_bytes(&scan.files));
        }
        Ok(scan.files)
    }
}

/// Each wanted hash with the places of its lines, as file and line, but for hashes that stand too often to be of use.
fn find(files: &[Indexed<'_>], wanted: &[LineHash]) -> HashMap<u32, Vec<(usize, usize)>> {
    let mut found: HashMap<u32, Vec<(usize, usize)>> =
        wanted.iter().filter(|hash| !hash.is_blank()).map(|hash| (hash.bits(), Vec::new())).collect();
    let mut sieve = vec![false; 1 << 16];
    for hash in found.keys() {
        if let Some(hole) = sieve.get_mut((*hash >> 16) as usize) {
            *hole = true;
        }
    }
    for (file, indexed) in files.iter().enumerate() {
        for (line, hash) in indexed.hashes.iter().enumerate() {
            let hash = u32::from_le_bytes(*hash);
            if sieve.get((hash >> 16) as usize).is_some_and(|hole| *hole)
                && let Some(places) = found.get_mut(&hash).filter(|places| places.len() <= COMMON_LINE)
            {
                places.push((file, line));
            }
        }
    }
    found.retain(|_, places| places.len() <= COMMON_LINE);
    found
}

#[async_trait]
impl LineIndex for FsLineIndex {
    async fn places(&self, wanted: &[LineHash]) -> Result<Vec<LinePlace>, PortError> {
        let known = Kept::read(&self.cache);
        let files = self.current(&known)?;
        let found = find(&files, wanted);
        let mut places: Vec<LinePlace> = Vec::new();
        for (hash, lines) in found {
            let hash = LineHash::from_bits(hash);
            let at = lines.into_iter().filter_map(|(file, line)| Some((files.get(file)?.path.clone(), line)));
            places.extend(at.map(|(path, line)| LinePlace { path, line, hash }));
        }
        places.sort();
        Ok(places)
    }
}
