//! Whether content is an object of a repository: by its id, in loose objects and in the indexes of packs.
//!
//! Deliberately absent: reading objects, and filters of `.gitattributes` other than line ends. Content that such a
//! filter made is found under neither spelling and counts as unknown.

use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use sha1::Sha1;
use sha2::{Digest, Sha256};

use crate::files::{open, path_of, read_small, without_line_end};

/// How many pack indexes are looked into; beyond, content counts as unknown.
const MAX_PACKS: usize = 1_000;
/// How many object folders are followed through `info/alternates`.
const MAX_STORES: usize = 8;

const MAGIC: [u8; 8] = [0xff, b't', b'O', b'c', 0, 0, 0, 2];
const FANOUT: u64 = 8;
const IDS: u64 = FANOUT + 256 * 4;

/// Whether a blob with this content is in the object store below `common_dir`, as it is or with LF for CRLF.
///
/// Repositories of both hash functions are understood. What cannot be read holds nothing.
pub(crate) fn has_blob(common_dir: &Path, content: &[u8]) -> bool {
    let mut ids = ids_of(content).to_vec();
    if content.windows(2).any(|pair| pair == b"\r\n") {
        ids.extend(ids_of(&with_lf(content)));
    }
    let stores = stores(common_dir.join("objects"));
    stores.iter().any(|store| ids.iter().any(|id| is_loose(store, id)))
        || stores.iter().any(|store| is_packed(store, &ids))
}

/// The ids that git gives this content, one for each hash function.
fn ids_of(content: &[u8]) -> [Vec<u8>; 2] {
    let header = format!("blob {}\0", content.len());
    let id = |digest: &mut dyn FnMut(&[u8])| {
        digest(header.as_bytes());
        digest(content);
    };
    let (mut short, mut long) = (Sha1::new(), Sha256::new());
    id(&mut |bytes| short.update(bytes));
    id(&mut |bytes| long.update(bytes));
    [short.finalize().to_vec(), long.finalize().to_vec()]
}

fn with_lf(content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(content.len());
    let mut rest = content.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if !(byte == b'\r' && rest.peek() == Some(&b'\n')) {
            bytes.push(byte);
        }
    }
    bytes
}

/// The object folder, and those that it borrows from.
fn stores(first: PathBuf) -> Vec<PathBuf> {
    let mut found = vec![first];
    let mut next = 0;
    while let Some(store) = found.get(next).cloned() {
        next += 1;
        let text = read_small(&store.join("info/alternates")).unwrap_or_default();
        for line in text.split(|byte| *byte == b'\n').map(without_line_end) {
            let Some(named) = path_of(line).filter(|_| !line.starts_with(b"#")) else { continue };
            let folder = store.join(named);
            if found.len() < MAX_STORES && !found.contains(&folder) {
                found.push(folder);
            }
        }
    }
    found
}

fn hex(id: &[u8]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_loose(store: &Path, id: &[u8]) -> bool {
    let name = hex(id);
    name.split_at_checked(2).is_some_and(|(folder, file)| store.join(folder).join(file).is_file())
}

fn is_packed(store: &Path, ids: &[Vec<u8>]) -> bool {
    let Ok(entries) = fs::read_dir(store.join("pack")) else { return false };
    let indexes = entries.flatten().map(|entry| entry.path());
    let indexes = indexes.filter(|path| path.extension().is_some_and(|extension| extension == "idx"));
    indexes.take(MAX_PACKS).any(|path| {
        let width = id_width(&path);
        ids.iter().filter(|id| Some(id.len()) == width).any(|id| in_index(&path, id).unwrap_or(false))
    })
}

/// How many bytes an id has in a pack, told by its name: `pack-` and the hash of its contents.
fn id_width(path: &Path) -> Option<usize> {
    match path.file_stem()?.to_str()?.strip_prefix("pack-")?.len() {
        40 => Some(20),
        64 => Some(32),
        _ => None,
    }
}

/// Looks an id up in a pack index of version 2: a table of counts by first byte, then all ids, sorted.
fn in_index(path: &Path, id: &[u8]) -> Option<bool> {
    let mut file = open(path).ok()?;
    let mut magic = [0; 8];
    file.read_exact(&mut magic).ok()?;
    if magic != MAGIC {
        return None;
    }
    let first = u64::from(*id.first()?);
    let mut count_at = |byte: u64| -> Option<u64> {
        let mut count = [0; 4];
        file.seek(SeekFrom::Start(FANOUT + byte * 4)).ok()?;
        file.read_exact(&mut count).ok()?;
        Some(u64::from(u32::from_be_bytes(count)))
    };
    let (mut low, mut high) = (if first == 0 { 0 } else { count_at(first - 1)? }, count_at(first)?);
    let width = u64::try_from(id.len()).ok()?;
    let mut found = vec![0; id.len()];
    while low < high {
        let middle = low + (high - low) / 2;
        file.seek(SeekFrom::Start(IDS + middle * width)).ok()?;
        file.read_exact(&mut found).ok()?;
        match found.as_slice().cmp(id) {
            std::cmp::Ordering::Equal => return Some(true),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    Some(false)
}
