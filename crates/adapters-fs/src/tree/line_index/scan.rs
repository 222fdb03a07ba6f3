//! Looks at every file of the working copy, with several threads, and reads those that changed.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use bailiwick_domain::{LineHash, PortError, Progress, RepoPath};
use ignore::{DirEntry, WalkState};

use super::indexed::{Hashes, Indexed};
use super::kept::{Kept, KeptFile};
use crate::files::atomic::unavailable;
use crate::files::identity::{Identity, now_ns};
use crate::tree::meter::gather_below;

/// A larger file is not searched: generated data, not code.
const LARGEST: u64 = 4 * 1024 * 1024;

/// All files, by path.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) files: Vec<Indexed>,
    /// How many of them had to be read.
    pub(super) fresh_files: usize,
    pub(super) fresh_bytes: u64,
}

/// What one thread found.
type Found = Result<Scan, PortError>;

#[derive(Debug)]
struct Part(Found);

impl Default for Part {
    fn default() -> Self {
        Self(Ok(Scan::default()))
    }
}

impl Scan {
    /// Looks at all files below the root.
    ///
    /// # Errors
    /// A file that changed cannot be read.
    pub(super) fn of(root: &Path, known: &Kept, progress: Option<&dyn Progress>) -> Found {
        let read = AtomicU64::new(0);
        let by_path: HashMap<&RepoPath, (usize, &KeptFile)> =
            known.files().iter().enumerate().map(|(nth, file)| (&file.path, (nth, file))).collect();
        let parts = gather_below(root, |part: &mut Part, path, entry| {
            if path.is_in_orchestration() {
                return WalkState::Continue;
            }
            let Ok(scan) = &mut part.0 else { return WalkState::Quit };
            let of_before = by_path.get(&path).copied();
            match scan.take(path, entry, of_before) {
                Ok(fresh) => {
                    if let Some(progress) = progress.filter(|_| fresh > 0) {
                        progress.at(read.fetch_add(fresh, Ordering::Relaxed) + fresh, None);
                    }
                    WalkState::Continue
                }
                Err(error) => {
                    part.0 = Err(error);
                    WalkState::Quit
                }
            }
        });
        let mut whole = Self::default();
        for Part(part) in parts {
            let part = part?;
            whole.files.extend(part.files);
            whole.fresh_files += part.fresh_files;
            whole.fresh_bytes += part.fresh_bytes;
        }
        whole.files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        Ok(whole)
    }

    /// Takes a file up; how many were read for it.
    fn take(
        &mut self,
        path: RepoPath,
        entry: &DirEntry,
        of_before: Option<(usize, &KeptFile)>,
    ) -> Result<u64, PortError> {
        let Ok(metadata) = entry.metadata() else { return Ok(0) };
        let identity = Identity::of(&metadata);
        let is_same = |file: &KeptFile| file.identity == identity && identity.is_proof(file.read_at_ns);
        if let Some((nth, file)) = of_before.filter(|(_, file)| is_same(file)) {
            let (read_at_ns, hashes) = (file.read_at_ns, Hashes::Kept(nth));
            self.files.push(Indexed { path, identity, read_at_ns, hashes });
        } else if metadata.is_file() && metadata.len() <= LARGEST {
            self.fresh_files += 1;
            self.fresh_bytes += identity.len();
            let read_at_ns = now_ns();
            let hashes = Hashes::Fresh(hashes_of(&read(entry.path())?));
            self.files.push(Indexed { path, identity, read_at_ns, hashes });
            return Ok(1);
        }
        Ok(0)
    }
}

/// The hashes of all lines; none for what is no text.
fn hashes_of(content: &[u8]) -> Vec<[u8; 4]> {
    if content.contains(&0) {
        return Vec::new();
    }
    let lines = content.split_inclusive(|byte| *byte == b'\n');
    lines.map(|line| LineHash::of(line).bits().to_le_bytes()).collect()
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
