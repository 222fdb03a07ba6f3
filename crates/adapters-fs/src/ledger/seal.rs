//! Seals what this working copy has no segment of yet (D-22), and remembers what was sealed here.
//!
//! A segment goes on from the last one of this chain that is *in this working copy*, so that every tree carries its
//! evidence whole: what two branches seal may overlap, and never conflicts. Deliberately absent: staging and committing.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bailiwick_domain::{ContentHash, PortError};
use serde::{Deserialize, Serialize};

use super::lines::Opened;
use super::record::read_ledger_line;
use super::segment::{self, Header};
use super::{FsLedger, next_seq};
use crate::Layout;
use crate::atomic::{Durability, create_once, invalid, read_optional, replace};
use crate::jsonl::LineFile;
use crate::lock::{DEFAULT_WAIT, FileLock};

/// Git must not change a byte of a segment, whatever the settings for line ends are.
const ATTRIBUTES: &[u8] = b"*.jsonl -text -diff\n";

/// A segment that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// Its name.
    pub name: ContentHash,
    /// Where it is.
    pub path: PathBuf,
    /// How many entries it holds.
    pub entries: u64,
    /// The segment that it follows.
    pub follows: Option<ContentHash>,
    /// What belongs into a commit with it.
    pub attributes: PathBuf,
}

/// What is remembered of a segment that was sealed in this clone.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Known {
    /// Whether version control was seen to have it.
    pub(super) in_git: bool,
}

/// The segments that were sealed in this clone, in private state.
#[derive(Debug)]
pub(super) struct SealedHere {
    path: PathBuf,
    pub(super) known: BTreeMap<ContentHash, Known>,
}

impl SealedHere {
    pub(super) fn read(layout: &Layout) -> Result<Self, PortError> {
        let path = super::folder(layout).join("sealed.json");
        let known = match read_optional(&path)? {
            Some(bytes) => {
                serde_json::from_slice(&bytes).map_err(|error| invalid(&path, error.to_string()))?
            }
            None => BTreeMap::new(),
        };
        Ok(Self { path, known })
    }

    fn write(&self) -> Result<(), PortError> {
        let bytes =
            serde_json::to_vec(&self.known).map_err(|error| invalid(&self.path, error.to_string()))?;
        replace(&self.path, &bytes, Durability::Synced)
    }
}

impl FsLedger {
    /// Seals the entries that no segment of this working copy has; `None` when there are none.
    ///
    /// # Errors
    /// The ledger is not what was written, or a file cannot be written.
    pub fn seal(&self) -> Result<Option<Sealed>, PortError> {
        let _held = FileLock::acquire(&self.lock, DEFAULT_WAIT)?;
        let mut live = LineFile::open(&self.live)?;
        let last = self.last(&mut live)?;
        self.vouched(last.as_ref())?;
        let Some(last) = last else { return Ok(None) };
        let chain = self.chain.open()?.head()?.unwrap_or_default();
        let chain = read_ledger_line(&chain)
            .map_err(|fault| invalid(&self.live, format!("first line: {fault}")))?
            .checksum;
        let (follows, first) = self.sealed_so_far(&chain)?;
        let end = next_seq(Some(&last));
        if first > end {
            return Err(invalid(
                &self.live,
                format!("it has {end} entries, and sealed segments have {first}"),
            ));
        }
        if first == end {
            return Ok(None);
        }
        let header = Header { schema: 1, chain, first, count: end - first, follows };
        let head = header.write(last.timestamp).map_err(|error| invalid(&self.live, error.to_string()))?;
        let mut bytes = [head, b"\n".to_vec()].concat();
        for line in self.lines_from(first)?.into_iter().rev() {
            bytes.extend_from_slice(&line);
            bytes.push(b'\n');
        }
        self.write_segment(&bytes, header).map(Some)
    }

    /// The last segment of this chain in this working copy, and the place behind it.
    fn sealed_so_far(&self, chain: &ContentHash) -> Result<(Option<ContentHash>, u64), PortError> {
        let mut so_far = (None, 0);
        for file in segment::all(&self.layout)? {
            let Some((header, _)) = file.header()?.filter(|(header, _)| header.chain == *chain) else {
                continue;
            };
            if header.end() > so_far.1 && file.is_whole()? {
                so_far = (Some(file.name), header.end());
            }
        }
        Ok(so_far)
    }

    /// The lines from that place on, the newest first.
    fn lines_from(&self, first: u64) -> Result<Vec<Vec<u8>>, PortError> {
        let mut found = Vec::new();
        let mut lines = self.chain.backwards(Opened::open(&self.live)?);
        while let Some(line) = lines.next()? {
            let understood =
                read_ledger_line(&line).map_err(|fault| invalid(&self.live, fault.to_string()))?;
            if understood.seq < first {
                break;
            }
            found.push(line);
        }
        Ok(found)
    }

    fn write_segment(&self, bytes: &[u8], header: Header) -> Result<Sealed, PortError> {
        let folder = segment::folder(&self.layout);
        let attributes = folder.join(".gitattributes");
        create_once(&attributes, ATTRIBUTES, Durability::Os)?;
        let name = ContentHash::of(bytes);
        let path = segment::file(&folder, &name);
        if !create_once(&path, bytes, Durability::Synced)? && read_optional(&path)?.as_deref() != Some(bytes)
        {
            return Err(invalid(&path, "the file has the name of the segment and holds something else"));
        }
        let mut here = SealedHere::read(&self.layout)?;
        here.known.entry(name.clone()).or_default();
        here.write()?;
        Ok(Sealed { name, path, entries: header.count, follows: header.follows, attributes })
    }

    /// Remembers that version control has these of the segments that were sealed here.
    ///
    /// # Errors
    /// Private state cannot be read or written.
    pub fn seen_in_git(&self, names: &[ContentHash]) -> Result<(), PortError> {
        let _held = FileLock::acquire(&self.lock, DEFAULT_WAIT)?;
        let mut here = SealedHere::read(&self.layout)?;
        let mut news = false;
        for name in names {
            if let Some(known) = here.known.get_mut(name).filter(|known| !known.in_git) {
                known.in_git = true;
                news = true;
            }
        }
        if news { here.write() } else { Ok(()) }
    }
}
