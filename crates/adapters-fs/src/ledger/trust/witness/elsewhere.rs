//! What the witness remembers of a ledger at other places, by its origin: the checksum of the first entry, which holds a
//! random id and is the first thing that each witness remembers.
//!
//! It is asked only where this place has no witness yet. Deliberately absent: what follows from it (`arrival`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bailiwick_domain::{ContentHash, PortError};

use super::{DIGITS, Heads, LINE_BYTES, Witness, remembered};
use crate::files::atomic::{open_regular_optional, read_names, read_optional};
use crate::files::identity;

/// What was seen of the same ledger at one place.
#[derive(Debug)]
pub(in crate::ledger) struct Elsewhere {
    /// What was seen.
    pub(in crate::ledger) heads: Heads,
    /// Where, as far as that is known.
    pub(in crate::ledger) place: PathBuf,
    /// Whether that clone is still there.
    pub(in crate::ledger) is_there: bool,
}

impl Witness {
    /// The files of all that is remembered, at all places, by what each begins with.
    ///
    /// # Errors
    /// The folder of all witnesses cannot be listed.
    pub(in crate::ledger) fn all_remembered(&self) -> Result<BTreeMap<String, Vec<PathBuf>>, PortError> {
        let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        let Some(all) = &self.folder else { return Ok(found) };
        for folder in read_names(all, |name| (name.len() == DIGITS).then(|| all.join(name)))? {
            let names = read_names(&folder, |name| name.starts_with("heads").then(|| folder.join(name)))?;
            for path in names {
                let first = Heads::open(&path).ok().flatten().and_then(|mut heads| heads.first());
                found.entry(first.unwrap_or_default()).or_default().push(path);
            }
        }
        Ok(found)
    }

    /// What is remembered of the ledger with that first entry: at other places, and at this one before it was put aside.
    ///
    /// # Errors
    /// The folder of all witnesses cannot be listed.
    pub(in crate::ledger) fn elsewhere(&self, first: &ContentHash) -> Result<Vec<Elsewhere>, PortError> {
        let Some(all) = &self.folder else { return Ok(Vec::new()) };
        let here = self.heads();
        let mut found = Vec::new();
        for folder in read_names(all, |name| (name.len() == DIGITS).then(|| all.join(name)))? {
            let names = read_names(&folder, |name| name.starts_with("heads").then(|| folder.join(name)))?;
            for path in names.into_iter().filter(|path| Some(path) != here.as_ref()) {
                if let Some(heads) = heads_of(&path, first) {
                    let (place, is_there) = place_of(&folder);
                    found.push(Elsewhere { heads, place, is_there });
                }
            }
        }
        // What saw more says more.
        found.sort_by_key(|one| std::cmp::Reverse(one.heads.count()));
        Ok(found)
    }
}

impl Heads {
    /// What it begins with.
    pub(in crate::ledger) fn first(&mut self) -> Option<String> {
        String::from_utf8(self.line(0)?.strip_suffix(b"\n")?.to_vec()).ok()
    }
}

/// A file that cannot be read says nothing.
fn heads_of(path: &Path, first: &ContentHash) -> Option<Heads> {
    let (file, length) = open_regular_optional(path).ok()??;
    let mut heads = Heads::of(file, length, path.to_path_buf());
    (length >= LINE_BYTES && heads.line(0)?.strip_suffix(b"\n")? == remembered(first)).then_some(heads)
}

/// Where the clone of this witness was when that was written down, and whether the very folder is still there.
fn place_of(folder: &Path) -> (PathBuf, bool) {
    let Ok(Some(bytes)) = read_optional(&folder.join(super::PLACE)) else { return (PathBuf::new(), false) };
    let place = path_of(bytes);
    let identity = identity::of_folder(&place);
    let digits = identity.as_ref().and_then(|identity| identity.digits().get(..DIGITS));
    let is_there = digits.is_some() && folder.file_name().and_then(|name| name.to_str()) == digits;
    (place, is_there)
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}
