//! One watched file and what was understood of it. The entry on disk is believed where the file has not changed since, so
//! there is none without a state folder of the user's.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bailiwick_domain::{Clock, ContentHash};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::source::{Fault, bytes_of, entry_bytes, metadata_of};
use crate::files::Layout;
use crate::files::atomic::{self, Durability};
use crate::files::identity::{Identity, now_ns, ns_of};

/// Changes whenever the meaning of what is kept changes, together with the program's version.
const FORMAT: &str = concat!("3-", env!("CARGO_PKG_VERSION"));

/// What was understood of the content with this hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cached<T> {
    pub(crate) hash: ContentHash,
    pub(crate) value: T,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry<T> {
    format: String,
    identity: Identity,
    read_at_ns: i64,
    cached: Cached<T>,
}

/// Watches one file.
#[derive(Debug)]
pub(crate) struct FileCache<T> {
    file: PathBuf,
    entry: Option<PathBuf>,
    clock: Option<Arc<dyn Clock>>,
    memory: Mutex<Option<Entry<T>>>,
    reads: AtomicUsize,
    parses: AtomicUsize,
}

impl<T: Clone + Serialize + DeserializeOwned> FileCache<T> {
    /// Watches `file`; without a clock the system's is used.
    pub(crate) fn new(layout: &Layout, name: &str, file: PathBuf, clock: Option<Arc<dyn Clock>>) -> Self {
        let root = ContentHash::of(layout.root().as_os_str().as_encoded_bytes());
        let entry = believed(layout, name, &root);
        let (reads, parses) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { file, entry, clock, memory: Mutex::new(None), reads, parses }
    }

    /// What `understand` makes of the file as it is now; asked only about content that was not understood before.
    pub(crate) fn current(
        &self,
        understand: impl FnOnce(&[u8], &ContentHash) -> T,
    ) -> Result<Cached<T>, Fault> {
        let mut memory = locked(&self.memory);
        let read_at_ns = self.clock.as_ref().map_or_else(now_ns, |clock| ns_of(clock.now()));
        let identity = Identity::of(&metadata_of(&self.file)?);
        let known = memory.take().or_else(|| self.entry_on_disk());
        if let Some(entry) = known.as_ref().filter(|entry| entry.identity == identity)
            && identity.is_proof(entry.read_at_ns)
        {
            let cached = entry.cached.clone();
            *memory = known;
            return Ok(cached);
        }
        let bytes = self.bytes()?;
        let hash = ContentHash::of(&bytes);
        let cached = match known.map(|entry| entry.cached).filter(|cached| cached.hash == hash) {
            Some(cached) => cached,
            None => {
                self.count_parse();
                let value = understand(&bytes, &hash);
                Cached { hash, value }
            }
        };
        let entry = Entry { format: FORMAT.into(), identity, read_at_ns, cached: cached.clone() };
        if let (Some(place), Ok(text)) = (&self.entry, serde_json::to_vec(&entry)) {
            keep(place, &text);
        }
        *memory = Some(entry);
        Ok(cached)
    }

    /// Counts content that was understood outside [`FileCache::current`].
    pub(crate) fn count_parse(&self) {
        self.parses.fetch_add(1, Ordering::Relaxed);
    }

    /// The file's bytes, past every cache.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Fault> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        bytes_of(&self.file)
    }

    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// How often the file's content was read.
    pub(crate) fn reads(&self) -> usize {
        self.reads.load(Ordering::Relaxed)
    }

    /// How often content had to be understood anew.
    pub(crate) fn parses(&self) -> usize {
        self.parses.load(Ordering::Relaxed)
    }

    fn entry_on_disk(&self) -> Option<Entry<T>> {
        let bytes = entry_bytes(self.entry.as_ref()?).ok()?;
        serde_json::from_slice(&bytes).ok().filter(|entry: &Entry<T>| entry.format == FORMAT)
    }
}

/// The place of a cache file: a name and the hash of what it belongs to.
pub(crate) fn place(layout: &Layout, name: &str, hash: &ContentHash) -> PathBuf {
    layout.cache().join(format!("{name}-{}", hash.digits().get(..24).unwrap_or_default()))
}

/// The place of what is believed as it stands: nowhere without a state folder of the user's, since others may write the
/// rest.
pub(crate) fn believed(layout: &Layout, name: &str, hash: &ContentHash) -> Option<PathBuf> {
    layout.user_state().map(|_| place(layout, name, hash))
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Replaces a cache file in one step; a failure is of no consequence. The state folder itself is never created here.
pub(crate) fn keep(path: &Path, bytes: &[u8]) {
    let Some(folder) = path.parent() else { return };
    if folder.ancestors().nth(2).is_some_and(Path::is_dir) {
        let _ = atomic::create_dirs(folder).and_then(|()| atomic::replace(path, bytes, Durability::Os));
    }
}
