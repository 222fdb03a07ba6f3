//! Whether a repository tracks `.orchestration/` or a file, as its index says.
//!
//! The index stands in for the tree of `HEAD`: it is one file, sorted by path, so that a look at its first entries is
//! enough, while the tree is behind compressed objects. The two differ while a change is staged. A split index is
//! seen only with the entries that were not shared, and a sparse one with its folders as entries.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::ops::Bound;
use std::path::{Path, PathBuf};

use crate::files::{is_absent, open, path_of};
use crate::place::GitPlace;

const FOLDER: &[u8] = b".orchestration/";

/// Bytes of an entry before its object id: times, device, inode, mode, owner, size.
const STAT_BYTES: usize = 40;
/// Where the mode is in them.
const MODE_AT: usize = 24;
/// The mode of a submodule.
const LINK: u32 = 0o160_000;
const EXTENDED: u16 = 0x4000;
/// In the flags behind: the working copy is not to have the file.
const SKIPPED: u16 = 0x4000;
const NAME_LENGTH: u16 = 0x0fff;

/// Whether the working copy's index has an entry below `.orchestration/`.
///
/// An index that cannot be understood is searched for the bytes of the folder's name instead, and one that cannot be
/// read tracks nothing.
pub fn head_tracks_orchestration(place: &GitPlace) -> bool {
    let path = place.git_dir.join("index");
    [20, 32].into_iter().find_map(|id_bytes| by_entries(&path, id_bytes)).unwrap_or_else(|| by_bytes(&path))
}

/// Walks the sorted entries; `None` when they do not have the expected form.
fn by_entries(path: &Path, id_bytes: usize) -> Option<bool> {
    let mut entries = Entries::open(path, id_bytes)?;
    while entries.left > 0 {
        entries.advance()?;
        let name = entries.name.as_slice();
        if name.starts_with(FOLDER) {
            return Some(true);
        }
        if name > FOLDER {
            return Some(false);
        }
    }
    Some(false)
}

struct Entries<R> {
    input: R,
    version: u32,
    left: u32,
    id_bytes: usize,
    name: Vec<u8>,
    mode: u32,
    /// Whether the working copy is not to have the entry's file (a sparse checkout).
    is_skipped: bool,
}

impl Entries<BufReader<std::fs::File>> {
    fn open(path: &Path, id_bytes: usize) -> Option<Self> {
        let mut input = BufReader::with_capacity(16 * 1024, open(path).ok()?);
        let (mut magic, mut version, mut left) = ([0; 4], [0; 4], [0; 4]);
        for part in [&mut magic, &mut version, &mut left] {
            input.read_exact(part).ok()?;
        }
        let (version, left) = (u32::from_be_bytes(version), u32::from_be_bytes(left));
        let known = &magic == b"DIRC" && (2..=4).contains(&version);
        known.then(|| Self { input, version, left, id_bytes, name: Vec::new(), mode: 0, is_skipped: false })
    }
}

impl<R: BufRead> Entries<R> {
    /// Reads one entry; its name must be as long as its flags say, which a wrong size of ids does not survive.
    fn advance(&mut self) -> Option<()> {
        let mut fixed = [0; STAT_BYTES + 32];
        self.input.read_exact(fixed.get_mut(..STAT_BYTES + self.id_bytes)?).ok()?;
        self.mode = u32::from_be_bytes(*fixed.get(MODE_AT..)?.first_chunk()?);
        let flags = self.number()?;
        let extended = flags & EXTENDED != 0;
        self.is_skipped = extended && self.number()? & SKIPPED != 0;
        if self.version == 4 {
            let dropped = self.offset()?;
            self.name.truncate(self.name.len().checked_sub(dropped)?);
        } else {
            self.name.clear();
        }
        self.input.read_until(0, &mut self.name).ok()?;
        (self.name.pop()? == 0).then_some(())?;
        if self.version < 4 {
            self.skip_padding(STAT_BYTES + self.id_bytes + if extended { 4 } else { 2 })?;
        }
        self.left -= 1;
        let told = usize::from(flags & NAME_LENGTH);
        let long = told == usize::from(NAME_LENGTH) && self.name.len() >= told;
        (long || told == self.name.len()).then_some(())
    }

    fn number(&mut self) -> Option<u16> {
        let mut bytes = [0; 2];
        self.input.read_exact(&mut bytes).ok()?;
        Some(u16::from_be_bytes(bytes))
    }

    /// A number in git's offset encoding: seven bits a byte, highest first, each continued byte counting one more.
    fn offset(&mut self) -> Option<usize> {
        let mut value = 0_usize;
        loop {
            let mut byte = [0; 1];
            self.input.read_exact(&mut byte).ok()?;
            let [byte] = byte;
            value = value.checked_add(usize::from(byte & 0x7f))?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
            value = value.checked_add(1)?.checked_mul(128)?;
        }
    }

    /// Before version 4 an entry is filled with 1 to 8 NULs to a multiple of eight bytes; one was read with the name.
    fn skip_padding(&mut self, fixed: usize) -> Option<()> {
        let unpadded = fixed + self.name.len();
        let rest = 8 - unpadded % 8 - 1;
        let mut padding = [1; 8];
        let padding = padding.get_mut(..rest)?;
        self.input.read_exact(padding).ok()?;
        padding.iter().all(|&byte| byte == 0).then_some(())
    }
}

/// Whether the index of that git directory has an entry for exactly this path; `None` when that cannot be told.
pub(crate) fn tracks(git_dir: &Path, path: &str) -> Option<bool> {
    let index = git_dir.join("index");
    [20, 32].into_iter().find_map(|id_bytes| has_entry(&index, id_bytes, path.as_bytes()))
}

fn has_entry(index: &Path, id_bytes: usize, path: &[u8]) -> Option<bool> {
    let mut entries = Entries::open(index, id_bytes)?;
    while entries.left > 0 {
        entries.advance()?;
        let name = entries.name.as_slice();
        // A folder as an entry (a sparse index) hides what is below it.
        if name == path || (name.ends_with(b"/") && path.starts_with(name)) {
            return Some(true);
        }
        if name > path {
            break;
        }
    }
    Some(false)
}

/// Of these paths those that [`tracks`] says yes to, found in one pass; `None` when that cannot be told.
pub(crate) fn tracked_of<'a>(git_dir: &Path, paths: &BTreeSet<&'a str>) -> Option<BTreeSet<&'a str>> {
    let index = git_dir.join("index");
    [20, 32].into_iter().find_map(|id_bytes| entries_of(&index, id_bytes, paths))
}

fn entries_of<'a>(index: &Path, id_bytes: usize, paths: &BTreeSet<&'a str>) -> Option<BTreeSet<&'a str>> {
    let mut entries = Entries::open(index, id_bytes)?;
    let mut found = BTreeSet::new();
    while entries.left > 0 {
        entries.advance()?;
        let Ok(name) = str::from_utf8(&entries.name) else { continue };
        // A folder as an entry (a sparse index) hides what is below it.
        let is_meant =
            |path: &&&str| if name.ends_with('/') { path.starts_with(name) } else { **path == name };
        found.extend(paths.range::<str, _>((Bound::Included(name), Bound::Unbounded)).take_while(is_meant));
    }
    Some(found)
}

/// The paths that the index of that git directory has and the working copy is to have; `None` when that cannot be told.
pub(crate) fn tracked(git_dir: &Path) -> Option<Vec<String>> {
    let index = git_dir.join("index");
    [20, 32].into_iter().find_map(|id_bytes| names(&index, id_bytes))
}

fn names(index: &Path, id_bytes: usize) -> Option<Vec<String>> {
    let mut entries = Entries::open(index, id_bytes)?;
    let mut found: Vec<String> = Vec::new();
    while entries.left > 0 {
        entries.advance()?;
        let is_file = !entries.is_skipped && !entries.name.ends_with(b"/");
        let name = str::from_utf8(&entries.name).ok().filter(|_| is_file);
        found.extend(name.filter(|name| found.last().is_none_or(|last| last != name)).map(str::to_owned));
    }
    Some(found)
}

/// The paths of the submodules in the index of that git directory, and in the parts of it that it shares; `None` when that
/// cannot be told.
pub(crate) fn submodules(git_dir: &Path) -> Option<Vec<PathBuf>> {
    let mut indexes = vec![git_dir.join("index")];
    for entry in std::fs::read_dir(git_dir).ok()? {
        let entry = entry.ok()?;
        if entry.file_name().as_encoded_bytes().starts_with(b"sharedindex.") {
            indexes.push(entry.path());
        }
    }
    let mut found = Vec::new();
    for index in indexes {
        match std::fs::symlink_metadata(&index) {
            Err(error) if is_absent(&error) => {}
            _ => found.extend([20, 32].into_iter().find_map(|id_bytes| links(&index, id_bytes))?),
        }
    }
    Some(found)
}

fn links(index: &Path, id_bytes: usize) -> Option<Vec<PathBuf>> {
    let mut entries = Entries::open(index, id_bytes)?;
    let mut found = Vec::new();
    while entries.left > 0 {
        entries.advance()?;
        if entries.mode == LINK {
            // A split index keeps some of its names in the shared part only.
            found.push(path_of(&entries.name)?);
        }
    }
    Some(found)
}

fn by_bytes(path: &Path) -> bool {
    let mut bytes = Vec::new();
    let read = open(path).and_then(|mut file| file.read_to_end(&mut bytes));
    read.is_ok() && bytes.windows(FOLDER.len()).any(|window| window == FOLDER)
}
