//! Sealed segments: immutable pieces of a chain that travel with git, each named by the hash of its bytes (ADR 0003).
//!
//! The first line is a header, which is a record of its own: which chain, which of its entries, which segment it follows,
//! the edge of the tree where it begins, and the signed checkpoint where it ends. The lines of the chain stand behind it byte for byte. Deliberately absent: writing them (`seal`), and what
//! git knows of them.

pub(in crate::ledger) mod kept;
pub(in crate::ledger) mod seal;
pub(in crate::ledger) mod sealed_here;

use std::path::{Path, PathBuf};

use bailiwick_domain::{ContentHash, PortError, Timestamp, json};
use serde::{Deserialize, Serialize};

use crate::Layout;
use crate::files::atomic::{invalid, read_names, unavailable};
use crate::ledger::lines::{Line, Opened};
use crate::ledger::record::NAMESPACE;
use crate::ledger::record::canonical::CanonicalObject;
use crate::ledger::sign::TraceKey;
use crate::ledger::transparency::{Checkpoint, Frontier, Note, hash_from, origin_of};

/// A piece of a chain ends before it is longer, in bytes; the header, and a single entry that is, come on top.
const PIECE: u64 = 16 << 20;

/// What is larger is no segment, in bytes: nobody seals such a one, and nothing reads it.
pub(super) const LARGEST: u64 = 64 << 20;

/// What a segment holds, as its header says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) schema: u32,
    /// The checksum of the chain's first entry.
    pub(super) chain: ContentHash,
    /// The place of the first entry.
    pub(super) first: u64,
    /// How many entries.
    pub(super) count: u64,
    /// The segment before; `None` for the first of a chain.
    pub(super) follows: Option<ContentHash>,
    /// The right edge of the tree over the entries before the first: its complete subtrees, the largest first, in base64.
    /// Earlier versions did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) frontier: Option<Vec<String>>,
    /// The checkpoint of the chain behind the last entry, signed with the chain's key, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) checkpoint: Option<String>,
}

#[derive(Deserialize)]
struct Record {
    timestamp: Timestamp,
    metadata: Metadata,
    checksum: ContentHash,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(rename = "dev.bailiwick")]
    own: Own,
}

#[derive(Deserialize)]
struct Own {
    segment: Header,
}

impl Header {
    /// The place behind the last entry.
    pub(super) fn end(&self) -> u64 {
        self.first.saturating_add(self.count)
    }

    /// The tree over the entries before the first, as far as it says.
    pub(super) fn tree(&self) -> Option<Frontier> {
        let peaks = self.frontier.as_ref()?.iter().map(|peak| hash_from(peak)).collect::<Option<_>>()?;
        Frontier::of(self.first, peaks)
    }

    /// Whether the checkpoint is that of this tree, signed with this key; a header without one says nothing wrong.
    pub(super) fn has_checkpoint_of(&self, tree: &Frontier, key: Option<&TraceKey>) -> bool {
        let Some(text) = &self.checkpoint else { return true };
        let note = Note::parse(text).ok();
        let checkpoint = note.as_ref().and_then(|note| Checkpoint::parse(note.text()).ok());
        let wanted = Checkpoint { origin: origin_of(&self.chain), size: tree.count(), root: tree.root() };
        note.zip(key).is_some_and(|(note, key)| {
            checkpoint.as_ref() == Some(&wanted) && note.is_checkpoint_of(&wanted, key) == Some(true)
        })
    }

    /// The header's line, without LF. It is the same for the same entries, whoever seals them and whenever.
    pub(super) fn write(&self, newest: Timestamp) -> Result<Vec<u8>, serde_json::Error> {
        let mut record = json!({
            "version": "0.1.0",
            "id": self.id(),
            "timestamp": newest,
            "tool": {"name": "bailiwick", "version": env!("CARGO_PKG_VERSION")},
            "files": [],
            "metadata": {NAMESPACE: {"segment": self}},
        });
        let checksum = ContentHash::of(&serde_json_canonicalizer::to_vec(&record)?);
        if let Some(members) = record.as_object_mut() {
            members.insert("checksum".into(), json!(checksum));
        }
        serde_json_canonicalizer::to_vec(&record)
    }

    /// A UUID that is made of what the header says.
    fn id(&self) -> String {
        let said = format!("{} {} {}", self.chain, self.first, self.count);
        let digits = ContentHash::of(said.as_bytes());
        let part = |from: usize, to: usize| digits.digits().get(from..to).unwrap_or_default().to_owned();
        format!("{}-{}-4{}-8{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32))
    }

    /// Reads a header's line; `None` when it is none, or does not match its checksum.
    pub(super) fn read(line: &[u8]) -> Option<(Self, Timestamp)> {
        let object = CanonicalObject::scan(line)?;
        let record: Record = serde_json::from_slice(line).ok()?;
        let whole = object.hash_without(&["checksum", "signature"]) == record.checksum;
        whole.then_some((record.metadata.own.segment, record.timestamp))
    }
}

/// A segment's file; what it holds is read when it is asked for, a piece at a time.
#[derive(Clone, Debug)]
pub(super) struct SegmentFile {
    /// The name that the file has.
    pub(super) name: ContentHash,
    pub(super) path: PathBuf,
}

impl SegmentFile {
    /// Opens it, with the line ends that it was written with: a commit may lack the file that keeps git from changing them.
    ///
    /// # Errors
    /// It is no regular file, is too large, or cannot be read.
    pub(super) fn open(&self) -> Result<Opened, PortError> {
        let opened = Opened::open(&self.path)?;
        let opened = opened.ok_or_else(|| invalid(&self.path, "it disappeared while it was read"))?;
        match opened.length() {
            ..=LARGEST => opened.into_own_line_ends(),
            _ => Err(invalid(&self.path, TOO_LARGE)),
        }
    }

    /// Whether its bytes are the ones that it is named by.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn is_whole(&self) -> Result<bool, PortError> {
        Ok(self.open()?.hash()? == self.name)
    }

    /// Why what has its name can be no segment: a commit can bring a link, or a file of any size.
    pub(super) fn is_none(&self) -> Option<&'static str> {
        let found = std::fs::symlink_metadata(&self.path).ok()?;
        match found.is_file() {
            false => Some("it is no file"),
            true => (found.len() > LARGEST).then_some(TOO_LARGE),
        }
    }

    /// Its header, and when its newest entry was recorded; `None` when it has none.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn header(&self) -> Result<Option<(Header, Timestamp)>, PortError> {
        let opened = match self.open() {
            Err(_) if self.is_none().is_some() => return Ok(None),
            opened => opened?,
        };
        let mut lines = opened.forwards()?;
        Ok(match lines.next()? {
            Some(Line::Whole(line) | Line::Torn(line)) => Header::read(line),
            None => None,
        })
    }
}

const TOO_LARGE: &str = "it is too large for a segment";

/// The folder of segments in a working copy.
pub(super) fn folder(layout: &Layout) -> PathBuf {
    layout.orchestration().join("trace")
}

/// Whether something else than a folder stands in its place: through a link, everything would be written elsewhere.
pub(super) fn is_no_folder(layout: &Layout) -> bool {
    std::fs::symlink_metadata(folder(layout)).is_ok_and(|found| !found.is_dir())
}

/// What is said of it.
pub(super) const NO_FOLDER: &str =
    "the place of the sealed segments is no folder, but a link or a file: take it away";

/// Where the segment of that name is.
pub(super) fn file(folder: &Path, name: &ContentHash) -> PathBuf {
    folder.join(format!("{}.jsonl", name.digits()))
}

/// Whether there may be a segment in a working copy.
///
/// # Errors
/// The folder is there and cannot be listed.
pub(super) fn is_any(layout: &Layout) -> Result<bool, PortError> {
    let folder = folder(layout);
    if is_no_folder(layout) {
        return Ok(false);
    }
    match std::fs::read_dir(&folder) {
        Ok(mut entries) => Ok(entries.next().is_some()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(unavailable(&folder, &error)),
    }
}

/// The segments in a working copy, by name.
///
/// # Errors
/// The folder cannot be read.
pub(super) fn all(layout: &Layout) -> Result<Vec<SegmentFile>, PortError> {
    let folder = folder(layout);
    if is_no_folder(layout) {
        return Ok(Vec::new());
    }
    let mut found = read_names(&folder, |name| {
        let digits = name.strip_suffix(".jsonl")?;
        let path = folder.join(name);
        Some(SegmentFile { name: ContentHash::parse(&format!("sha256:{digits}"))?, path })
    })?;
    found.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(found)
}

/// The segments of a working copy whose bytes are not those that they are named by, or cannot be read: what they held may
/// be missing wherever entries are read.
///
/// # Errors
/// The folder cannot be read.
pub fn damaged_segments(layout: &Layout) -> Result<Vec<PathBuf>, PortError> {
    if is_no_folder(layout) {
        return Ok(vec![folder(layout)]);
    }
    let damaged = all(layout)?.into_iter().filter(|file| !file.is_whole().unwrap_or(false));
    Ok(damaged.map(|file| file.path).collect())
}
