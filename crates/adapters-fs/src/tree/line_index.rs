//! Where lines stand in the working copy: the port `LineIndex`, over a cache of every file's line hashes.
//!
//! The cache holds the hashes of all files in a row, which are searched where they lie. A file that changed is read again;
//! a cache that cannot be read is made anew. It is only written again when that saves more than it costs: reading a
//! few changed files is cheaper than writing all that is known.

mod indexed;
mod kept;
mod scan;
mod search;

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use bailiwick_domain::{ContentHash, LineHash, LineIndex, LinePlace, PortError, Progress};

use crate::files::Layout;
use crate::files::cache::{keep, place};
use kept::Kept;
use scan::Scan;

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

    /// Where the lines are in the files as they are now; `None` when what is known of them cannot be read after all.
    fn search(&self, known: &Kept, wanted: &[LineHash]) -> Result<Option<Vec<LinePlace>>, PortError> {
        let scan = Scan::of(&self.root, known, self.progress.as_deref())?;
        self.remember(&scan, known);
        let Ok(found) = search::find(&scan.files, known, wanted) else { return Ok(None) };
        let mut places: Vec<LinePlace> = Vec::new();
        for (hash, spots) in found {
            let hash = LineHash::from_bits(hash);
            let at =
                spots.into_iter().filter_map(|(file, line)| Some((scan.files.get(file)?.path.clone(), line)));
            places.extend(at.map(|(path, line)| LinePlace { path, line, hash }));
        }
        places.sort();
        Ok(Some(places))
    }

    /// Keeps what was found out, where that is worth it.
    fn remember(&self, scan: &Scan, known: &Kept) {
        let gone = known.files().len().saturating_sub(scan.files.len() - scan.fresh_files);
        let is_much = scan.fresh_bytes > FEW_BYTES || scan.fresh_files + gone > FEW_FILES;
        if (is_much || (known.files().is_empty() && scan.fresh_files > 0))
            && let Ok(bytes) = kept::to_bytes(&scan.files, known)
        {
            keep(&self.cache, &bytes);
        }
    }
}

#[async_trait]
impl LineIndex for FsLineIndex {
    async fn places(&self, wanted: &[LineHash]) -> Result<Vec<LinePlace>, PortError> {
        let known = Kept::read(&self.cache);
        match self.search(&known, wanted)? {
            Some(places) => Ok(places),
            None => Ok(self.search(&Kept::default(), wanted)?.unwrap_or_default()),
        }
    }
}
