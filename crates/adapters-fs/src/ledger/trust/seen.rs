//! Signed heads of other people's ledgers that were seen here, by the ledger's origin: an origin has one key for ever, so
//! what goes on from a head without that key is not its owner's. It holds in each clone of this user.
//!
//! One small file for each ledger in the user's state folder: the key, the first place that it signed and the newest one
//! that was seen, the checksum there, and the clones that it was seen in. Deliberately absent: judging what differs
//! (`verify`), and one's own ledger, which the witness knows.

use std::path::{Path, PathBuf};

use bailiwick_domain::{ContentHash, PortError};

use crate::Layout;
use crate::files::atomic::{Durability, create_dirs, read_names, read_optional, replace};
use crate::ledger::sign::TraceKey;
use crate::ledger::trust::witness::Witness;

const FOLDER: &str = "heads";
/// So many clones are remembered for a ledger.
const MAX_PLACES: usize = 64;

/// A head of a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ledger) struct Head {
    /// The key of the ledger.
    pub(in crate::ledger) key: TraceKey,
    /// The first place that it signed, as far as is known.
    pub(in crate::ledger) first: u64,
    /// The newest place that it signed.
    pub(in crate::ledger) seq: u64,
    /// The checksum there.
    pub(in crate::ledger) checksum: ContentHash,
}

/// What is remembered of one ledger.
#[derive(Clone, Debug)]
struct Remembered {
    head: Head,
    places: Vec<String>,
}

impl Remembered {
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut lines = std::str::from_utf8(bytes).ok()?.lines();
        let mut words = lines.next()?.split(' ');
        let key = TraceKey::parse(words.next()?)?;
        let (first, seq) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let checksum = ContentHash::parse(words.next()?)?;
        let head = Head { key, first, seq, checksum };
        Some(Self { head, places: lines.map(str::to_owned).collect() })
    }

    fn text(&self) -> String {
        let Head { key, first, seq, checksum } = &self.head;
        let places = self.places.iter().map(|place| format!("{place}\n")).collect::<String>();
        format!("{key} {first} {seq} {checksum}\n{places}")
    }
}

/// The heads that this user saw.
#[derive(Debug)]
pub(in crate::ledger) struct Seen {
    folder: Option<PathBuf>,
    /// What the clone is called.
    place: Option<String>,
}

impl Seen {
    pub(in crate::ledger) fn new(layout: &Layout) -> Self {
        let place = Witness::new(layout).folder();
        let place = place.and_then(|folder| Some(folder.file_name()?.to_str()?.to_owned()));
        Self { folder: layout.user_state().map(|state| state.join(FOLDER)), place }
    }

    /// Whether there may be a head.
    pub(in crate::ledger) fn is_any(&self) -> bool {
        let listed = self.folder.as_ref().and_then(|folder| std::fs::read_dir(folder).ok());
        listed.is_some_and(|mut listed| listed.next().is_some())
    }

    /// The head of the ledger with that first entry. A file that cannot be read says nothing.
    pub(in crate::ledger) fn of(&self, chain: &ContentHash) -> Option<Head> {
        self.read(chain).map(|remembered| remembered.head)
    }

    /// The ledgers that were seen in this clone, with their heads.
    ///
    /// # Errors
    /// The folder is there and cannot be listed.
    pub(in crate::ledger) fn here(&self) -> Result<Vec<(ContentHash, Head)>, PortError> {
        let (Some(folder), Some(place)) = (&self.folder, &self.place) else { return Ok(Vec::new()) };
        let chains = read_names(folder, |name| ContentHash::parse(&format!("sha256:{name}")))?;
        let seen = chains.into_iter().filter_map(|chain| {
            let remembered = self.read(&chain)?;
            remembered.places.contains(place).then_some((chain, remembered.head))
        });
        Ok(seen.collect())
    }

    /// Remembers a head, and that it was seen in this clone. What cannot be written is seen another time.
    pub(in crate::ledger) fn remember(&self, chain: &ContentHash, head: Head) {
        let (Some(file), Some(place)) = (self.file(chain), &self.place) else { return };
        let before = self.read(chain);
        let mut places = before.as_ref().map(|before| before.places.clone()).unwrap_or_default();
        let is_new_place = !places.contains(place) && places.len() < MAX_PLACES;
        if is_new_place {
            places.push(place.clone());
        }
        let head = match before.map(|before| before.head) {
            Some(known) if known.key == head.key => {
                let first = known.first.min(head.first);
                let newest = if known.seq < head.seq { head } else { known.clone() };
                let head = Head { first, ..newest };
                if head == known && !is_new_place {
                    return;
                }
                head
            }
            Some(_) | None => head,
        };
        let folder = file.parent().unwrap_or(Path::new("."));
        if create_dirs(folder).is_ok() {
            drop(replace(&file, Remembered { head, places }.text().as_bytes(), Durability::Os));
        }
    }

    fn read(&self, chain: &ContentHash) -> Option<Remembered> {
        Remembered::read(&read_optional(&self.file(chain)?).ok()??)
    }

    fn file(&self, chain: &ContentHash) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(chain.digits()))
    }
}
