//! The complete nodes of the tree, kept in a cache file in the order in which they become complete, so that a proof reads
//! a few of them. A cache is a hint: a proof that is made of it is checked before it is given away.

use std::fs::File;
use std::io::{BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use bailiwick_domain::{ContentHash, PortError};

use crate::Layout;
use crate::files::atomic::{create_dirs, unavailable};
use crate::files::cache;
use crate::ledger::transparency::{Hash, complete_nodes, place_of};

const HASH_BYTES: u64 = 32;

/// Where the nodes of the ledger that begins with this entry are kept.
fn place(layout: &Layout, first: &ContentHash) -> PathBuf {
    cache::place(layout, "tree", first)
}

/// Writes nodes as they become complete; readers see them once all are there.
#[derive(Debug)]
pub(super) struct NodeWriter {
    unfinished: PathBuf,
    file: BufWriter<File>,
    failed: Option<std::io::Error>,
}

impl NodeWriter {
    pub(super) fn begin(layout: &Layout) -> Result<Self, PortError> {
        let folder = layout.cache();
        create_dirs(&folder)?;
        let unfinished = folder.join("tree.new");
        let file = File::create(&unfinished).map_err(|error| unavailable(&unfinished, &error))?;
        Ok(Self { file: BufWriter::new(file), unfinished, failed: None })
    }

    /// Takes the next node. What fails is said at the end.
    pub(super) fn node(&mut self, node: &Hash) {
        if self.failed.is_none() {
            self.failed = self.file.write_all(node).err();
        }
    }

    pub(super) fn finish(mut self, layout: &Layout, first: &ContentHash) -> Result<(), PortError> {
        let written = match self.failed.take() {
            None => self.file.flush(),
            Some(error) => Err(error),
        };
        let kept = written.and_then(|()| std::fs::rename(&self.unfinished, place(layout, first)));
        kept.map_err(|error| {
            let _ = std::fs::remove_file(&self.unfinished);
            unavailable(&self.unfinished, &error)
        })
    }
}

/// The kept nodes of one ledger.
#[derive(Debug)]
pub(super) struct Nodes {
    path: PathBuf,
    file: File,
}

impl Nodes {
    /// The nodes of at least so many leaves; `None` where they are not kept.
    pub(super) fn of(layout: &Layout, first: &ContentHash, leaves: u64) -> Option<Self> {
        let path = place(layout, first);
        let file = File::open(&path).ok()?;
        let length = file.metadata().ok()?.len();
        (length / HASH_BYTES >= complete_nodes(leaves)).then_some(Self { path, file })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn read(&mut self, level: u32, index: u64) -> Result<Hash, PortError> {
        let mut node = [0; 32];
        let place = SeekFrom::Start(place_of(level, index) * HASH_BYTES);
        let read = self.file.seek(place).and_then(|_| self.file.read_exact(&mut node));
        read.map(|()| node).map_err(|error| unavailable(&self.path, &error))
    }
}
