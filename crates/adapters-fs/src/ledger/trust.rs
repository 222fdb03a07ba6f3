//! How it is known that an entry is what somebody wrote: because the witness of this user saw it, or because somebody
//! signed it whose key a person trusts here. Anyone can write a line or a segment that is well-formed.
//!
//! What nobody vouches for is `Unvouched`; the commands call it *claimed*. Deliberately absent: what is done with such an
//! entry.

pub(in crate::ledger) mod accounting;
pub(in crate::ledger) mod seen;
pub(in crate::ledger) mod witness;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use bailiwick_domain::{ContentHash, PortError, Trust};

use crate::Layout;
use crate::ledger::record::{LedgerLine, SignedBy, signed_by};
use crate::ledger::sign::TraceKeys;
use crate::ledger::trust::witness::{Heads, Witness};

/// What vouches for entries on this machine.
#[derive(Debug)]
pub(super) struct Vouchers {
    keys: TraceKeys,
    /// What was remembered of ledgers, by the beginning of their first checksums.
    remembered: BTreeMap<String, Vec<PathBuf>>,
    /// Those of them that were asked for.
    opened: Mutex<BTreeMap<ContentHash, Vec<Heads>>>,
}

impl Vouchers {
    /// All that there are. A list of keys that cannot be read vouches for nobody.
    ///
    /// # Errors
    /// The folder of all witnesses cannot be listed.
    pub(super) fn of(layout: &Layout) -> Result<Self, PortError> {
        Ok(Self {
            keys: TraceKeys::open(layout).unwrap_or_default(),
            remembered: Witness::new(layout).all_remembered()?,
            opened: Mutex::default(),
        })
    }

    /// How an entry of the ledger with that first entry is known.
    pub(super) fn trust(&self, chain: Option<&ContentHash>, line: &LedgerLine) -> Trust {
        if chain.is_some_and(|chain| self.was_seen(chain, line)) {
            return Trust::Own;
        }
        match signed_by(line) {
            SignedBy::Key(key) if self.keys.own() == Some(&key) => Trust::Own,
            SignedBy::Key(key) => {
                let name = self.keys.whose(&key, chain, line.seq.saturating_add(1)).name();
                name.map_or(Trust::Unvouched, |name| Trust::Signed(name.to_owned()))
            }
            SignedBy::Nobody | SignedBy::Missing | SignedBy::Wrong => Trust::Unvouched,
        }
    }

    /// Whether a witness of this user saw exactly this entry.
    fn was_seen(&self, chain: &ContentHash, line: &LedgerLine) -> bool {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if !opened.contains_key(chain) {
            let paths = self.remembered.get(&Heads::name_of(chain)).map_or(&[][..], Vec::as_slice);
            let heads = paths.iter().filter_map(|path| Heads::open(path).ok()?).collect();
            opened.insert(chain.clone(), heads);
        }
        let heads = opened.get_mut(chain).into_iter().flatten();
        heads.into_iter().any(|heads| heads.saw(line.seq, &line.checksum) == Some(true))
    }
}
