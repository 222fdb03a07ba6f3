//! Seals what this working copy has no segment of yet, and remembers what was sealed here.
//!
//! A segment goes on from the last one of this chain that is *in this working copy*, so that every tree carries its
//! evidence whole: what two branches seal may overlap, and never conflicts. Deliberately absent: staging and committing.

mod edges;

use std::path::PathBuf;
use std::rc::Rc;

use bailiwick_domain::{ContentHash, PortError, Timestamp, counted};

use crate::files::atomic::{Durability, create_once, create_once_with, invalid, unavailable};
use crate::files::jsonl::LineFile;
use crate::files::lock::{DEFAULT_WAIT, FileLock};
use crate::ledger::End;
use crate::ledger::FsLedger;
use crate::ledger::chain::ended;
use crate::ledger::chain::parts::Chain;
use crate::ledger::folder;
use crate::ledger::lines::{Hashing, Opened};
use crate::ledger::next_seq;
use crate::ledger::record::{LedgerLine, Link, read_ledger_line, signed_by};
use crate::ledger::segment::sealed_here::SealedHere;
use crate::ledger::segment::{self, Header, LARGEST, PIECE, SegmentFile};
use crate::ledger::transparency::{Hash, leaf_of};
use edges::{Edges, Entries};

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
}

impl FsLedger {
    /// Seals the entries that no segment of this working copy has; `None` when there are none.
    ///
    /// # Errors
    /// The ledger is not what was written, or a file cannot be written.
    pub fn seal(&self) -> Result<Option<Sealed>, PortError> {
        if segment::is_no_folder(&self.layout) {
            return Err(invalid(&segment::folder(&self.layout), segment::NO_FOLDER));
        }
        let _held = FileLock::acquire(&self.lock, DEFAULT_WAIT)?;
        let mut live = LineFile::open(&self.live)?;
        let last = self.last_line(&mut live)?;
        let signed_by = last.as_ref().and_then(|last| last.signed_by.clone());
        self.vouched(&End { last: last.clone().map(Link::from), signed_by, has_fragment: false })?;
        let mut sealed = None;
        for chain in ended::gone_on_from(&folder(&self.layout), &self.chain)?.into_iter().rev() {
            let line = chain.backwards(Opened::open(chain.newest())?).next()?.unwrap_or_default();
            let last = read_ledger_line(&line).map_err(|fault| invalid(chain.newest(), fault.to_string()))?;
            sealed = self.seal_chain(&chain, last)?.or(sealed);
        }
        match last {
            Some(last) => Ok(self.seal_chain(&self.chain, last)?.or(sealed)),
            None => Ok(sealed),
        }
    }

    /// Seals what no segment here has of a chain with that last line, in as many segments as it takes; the last of them.
    fn seal_chain(&self, of: &Chain, last: LedgerLine) -> Result<Option<Sealed>, PortError> {
        let chain = of.open()?.head()?.unwrap_or_default();
        let chain = read_ledger_line(&chain)
            .map_err(|fault| invalid(of.newest(), format!("first line: {fault}")))?
            .checksum;
        let end = next_seq(Some(&Link::from(last)));
        let mut sealed = None;
        while let Some((next, is_last)) = self.seal_piece(of, &chain, end)? {
            sealed = Some(next);
            if is_last {
                break;
            }
        }
        Ok(sealed)
    }

    /// Seals the next piece of a chain that ends there, and whether that is the last one; `None` where there is no more.
    fn seal_piece(
        &self,
        of: &Chain,
        chain: &ContentHash,
        end: u64,
    ) -> Result<Option<(Sealed, bool)>, PortError> {
        let (follows, first) = self.sealed_so_far(chain)?;
        if first > end && self.goes_on_elsewhere(of, follows.as_ref())? {
            return Ok(None);
        }
        if first > end {
            return Err(invalid(
                of.newest(),
                format!("it has {}, and sealed segments have {first}", counted(end, "entry", "entries")),
            ));
        }
        if first == end {
            return Ok(None);
        }
        let Found { lines, mut taken, names } = lines_from(of, first, end)?;
        let length = first_piece(&mut taken);
        let Some(newest) = taken.last().cloned() else { return Ok(None) };
        let leaves = taken.iter().map(|entry| entry.leaf).collect();
        let before = follows.as_ref().map(|name| {
            let path = segment::file(&segment::folder(&self.layout), name);
            SegmentFile { name: name.clone(), path }
        });
        let entries = Entries { of, chain, first, names, leaves, key: newest.key.as_deref() };
        let Edges { frontier, checkpoint } = entries.edges(before, self.layout.user_state())?;
        let (count, frontier) = (taken.len() as u64, Some(frontier));
        let header = Header { schema: 1, chain: chain.clone(), first, count, follows, frontier, checkpoint };
        let is_last = header.end() == end;
        let head = header.write(newest.at).map_err(|error| invalid(of.newest(), error.to_string()))?;
        let content = Content { head, lines, length };
        if content.size() > LARGEST {
            return Err(invalid(of.newest(), format!("entry {first} is larger than a segment can be")));
        }
        self.write_segment(&content, header).map(|sealed| Some((sealed, is_last)))
    }

    /// Whether a segment of a ledger that has less than it was made at another place, where that ledger went on.
    fn goes_on_elsewhere(&self, of: &Chain, segment: Option<&ContentHash>) -> Result<bool, PortError> {
        if of.newest() == self.live && !self.is_new_place() {
            return Ok(false);
        }
        let here = SealedHere::read(&self.layout)?;
        Ok(segment.is_some_and(|name| !here.known.contains_key(name)))
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

    fn write_segment(&self, content: &Content, header: Header) -> Result<Sealed, PortError> {
        self.segment_attributes()?;
        let mut hashing = Hashing::default();
        content.write(&mut hashing).map_err(|error| unavailable(&self.live, &error))?;
        let name = hashing.finish();
        let path = segment::file(&segment::folder(&self.layout), &name);
        let is_new = create_once_with(&path, Durability::Synced, |file| content.write(file))?;
        let segment = SegmentFile { name: name.clone(), path: path.clone() };
        if !is_new && !segment.is_whole()? {
            return Err(invalid(&path, "a file with the segment's name holds something else"));
        }
        let mut here = SealedHere::read(&self.layout)?;
        here.known.entry(name.clone()).or_default();
        here.write()?;
        Ok(Sealed { name, path, entries: header.count, follows: header.follows })
    }

    /// The file that belongs into a commit with segments; made where it is missing, as on a branch from before.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn segment_attributes(&self) -> Result<PathBuf, PortError> {
        let file = segment::folder(&self.layout).join(".gitattributes");
        create_once(&file, ATTRIBUTES, Durability::Os)?;
        Ok(file)
    }

    /// The segments of this working copy that were sealed in this clone and are not among `staged`, with their files.
    ///
    /// # Errors
    /// Private state cannot be read.
    pub fn sealed_beside(&self, staged: &[ContentHash]) -> Result<Vec<(ContentHash, PathBuf)>, PortError> {
        let folder = segment::folder(&self.layout);
        let here = SealedHere::read(&self.layout)?.known.into_keys();
        let beside = here.filter(|name| !staged.contains(name)).map(|name| {
            let path = segment::file(&folder, &name);
            (name, path)
        });
        Ok(beside.filter(|(_, path)| path.exists()).collect())
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

/// Lines of a chain, one behind another.
struct Found {
    /// As files with where to begin in them.
    lines: Vec<(Opened, u64)>,
    /// What is to know of each, the oldest first.
    taken: Vec<Taken>,
    /// What the oldest names before it.
    names: Option<ContentHash>,
}

/// A line that is to be sealed.
#[derive(Clone)]
struct Taken {
    leaf: Hash,
    /// Its bytes, with the LF.
    length: u64,
    at: Timestamp,
    /// The key that it names as its own; one key signs many.
    key: Option<Rc<str>>,
}

/// Leaves those of the first piece: as many as fit into it, and at least one. How many bytes they have.
fn first_piece(taken: &mut Vec<Taken>) -> u64 {
    let mut length = 0;
    let fits = |entry: &&Taken| {
        let is_first = length == 0;
        let with_it = length + entry.length;
        let fits = is_first || with_it <= PIECE;
        length = if fits { with_it } else { length };
        fits
    };
    let count = taken.iter().take_while(fits).count();
    taken.truncate(count);
    length
}

/// The lines from that place to the end. They must be one behind another, each as it was signed: what is not what was written
/// is not sealed.
fn lines_from(of: &Chain, first: u64, end: u64) -> Result<Found, PortError> {
    let mut lines = of.backwards(Opened::open(of.newest())?);
    let (mut wanted, mut named, mut taken) = (end, None, Vec::<Taken>::new());
    while wanted > first {
        let bytes = lines.next()?;
        let length = bytes.as_ref().map_or(0, |bytes| bytes.len() as u64 + 1);
        let line = bytes.map(|bytes| read_ledger_line(&bytes)).transpose();
        let line = line.map_err(|fault| invalid(of.newest(), fault.to_string()))?;
        wanted -= 1;
        let fits = |line: &LedgerLine| {
            line.seq == wanted && named.as_ref().is_none_or(|named| *named == line.checksum)
        };
        let Some(line) = line.filter(fits) else {
            return Err(invalid(of.newest(), format!("entry {wanted} is not where it belongs")));
        };
        if let Some(fault) = signed_by(&line).fault() {
            let message = format!("entry {wanted} {fault}: run `bailiwick trace verify`");
            return Err(invalid(of.newest(), message));
        }
        let known = taken.last().and_then(|last| last.key.clone());
        let key = known.filter(|known| line.signed_by.as_deref() == Some(known));
        let key = key.or_else(|| line.signed_by.as_deref().map(Rc::from));
        taken.push(Taken { leaf: leaf_of(&line.checksum), length, at: line.entry.timestamp, key });
        named = line.prev;
    }
    taken.reverse();
    let Some((path, place)) = lines.place() else {
        return Ok(Found { lines: Vec::new(), taken, names: named });
    };
    let mut places = std::iter::once(place).chain(std::iter::repeat(0));
    let files = of.open()?.since(path)?.into_iter();
    let lines = files.map(|file| (file, places.next().unwrap_or_default())).collect();
    Ok(Found { lines, taken, names: named })
}

/// What a segment is made of; its lines stay where they are until they are copied.
struct Content {
    head: Vec<u8>,
    lines: Vec<(Opened, u64)>,
    /// How many bytes of those lines, from the first one on.
    length: u64,
}

impl Content {
    fn size(&self) -> u64 {
        self.head.len() as u64 + 1 + self.length
    }

    fn write(&self, out: &mut impl std::io::Write) -> std::io::Result<()> {
        out.write_all(&self.head)?;
        out.write_all(b"\n")?;
        let mut left = self.length;
        for (file, place) in &self.lines {
            left -= file.copy_from(*place, left, out)?;
        }
        Ok(())
    }
}
