//! A ledger at a place that has no witness of it: copied, moved to another disk, from a backup, or on a machine that never
//! saw it. What the witness knows of it from other places decides whether a new ledger may go on from it.
//!
//! A new ledger always begins there, so that two places never write the same entry of one ledger. Deliberately absent:
//! beginning it (`continuing`).

use std::path::PathBuf;

use bailiwick_domain::{ContentHash, PortError};

use crate::Layout;
use crate::ledger::chain::next::Waiting;
use crate::ledger::chain::parts::Chain;
use crate::ledger::lines::Opened;
use crate::ledger::next_seq;
use crate::ledger::record::{Continues, LedgerLine, Link, Why, read_ledger_line};
use crate::ledger::sign::TraceKey;
use crate::ledger::trust::accounting::{Accounts, MAX_UNSEEN};
use crate::ledger::trust::witness::{Elsewhere, Witness};

/// What is to be made of such a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ledger) enum Arrival {
    /// A new ledger may go on from it.
    GoesOn {
        continues: Continues,
        /// The other place, where it is known from one.
        from: Option<PathBuf>,
    },
    /// Entries that were seen at a place which is gone are missing at its end.
    Shorter {
        continues: Continues,
        /// How many were seen there.
        seen: u64,
        from: PathBuf,
    },
    /// Entries are not the ones that were seen, and nobody accounts for them.
    Other {
        continues: Continues,
        /// The first of them.
        first: u64,
        from: PathBuf,
    },
}

/// Judges a ledger that has at least one entry, at a place that has no witness.
#[derive(Debug)]
pub(in crate::ledger) struct Arrivals<'a> {
    pub(in crate::ledger) layout: &'a Layout,
    pub(in crate::ledger) chain: &'a Chain,
    pub(in crate::ledger) witness: &'a Witness,
}

impl Arrivals<'_> {
    /// What is to be made of the ledger with that last entry.
    ///
    /// # Errors
    /// It or the witness cannot be read.
    pub(in crate::ledger) fn judge(&self, last: &Link) -> Result<Arrival, PortError> {
        let entries = next_seq(Some(last));
        if let Some(continues) = self.decided(last)? {
            return Ok(Arrival::GoesOn { continues, from: None });
        }
        let continues = |why| -> Result<Continues, PortError> {
            let (chain, head) =
                (self.first()?.unwrap_or_else(|| last.checksum.clone()), last.checksum.clone());
            Ok(Continues { by: None, chain, entries, head, why })
        };
        let known = continues(Why::NewPlace)?;
        let elsewhere = self.witness.elsewhere(&known.chain)?;
        if elsewhere.is_empty() {
            return Ok(Arrival::GoesOn { continues: continues(Why::NoWitness)?, from: None });
        }
        let accounts = Accounts::of(self.layout);
        let mut refused = None;
        for mut one in elsewhere {
            match self.compare(&mut one, entries, &accounts)? {
                Compared::Known => {
                    return Ok(Arrival::GoesOn { continues: known, from: Some(one.place) });
                }
                Compared::Shorter if one.is_there => {
                    return Ok(Arrival::GoesOn { continues: known, from: Some(one.place) });
                }
                Compared::Shorter => {
                    let seen = one.heads.count();
                    refused = Some(Arrival::Shorter { continues: known.clone(), seen, from: one.place });
                }
                Compared::Other { first } if refused.is_none() => {
                    refused = Some(Arrival::Other { continues: known.clone(), first, from: one.place });
                }
                Compared::Other { .. } => {}
            }
        }
        Ok(refused.unwrap_or(Arrival::GoesOn { continues: known, from: None }))
    }

    /// What was decided already of a ledger with this end: by a person, or by a writer that was killed in the middle.
    fn decided(&self, last: &Link) -> Result<Option<Continues>, PortError> {
        let Some(waiting) = Waiting::of(self.witness) else { return Ok(None) };
        let continues = waiting.read()?.continues;
        Ok(continues.filter(|to| to.head == last.checksum && to.entries == next_seq(Some(last))))
    }

    /// The checksum of the first entry.
    fn first(&self) -> Result<Option<ContentHash>, PortError> {
        let line = self.chain.open()?.head()?;
        Ok(line.and_then(|line| read_ledger_line(&line).ok()).map(|line| line.checksum))
    }

    /// Compares with what was seen elsewhere, from the end backwards to the first entry that was seen exactly so.
    fn compare(
        &self,
        seen: &mut Elsewhere,
        entries: u64,
        accounts: &Accounts,
    ) -> Result<Compared, PortError> {
        let mut lines = self.chain.backwards(Opened::open(self.chain.newest())?);
        let mut unseen: Vec<LedgerLine> = Vec::new();
        let mut first = entries;
        while let Some(line) = lines.next()? {
            let Ok(line) = read_ledger_line(&line) else { continue };
            if seen.heads.saw(line.seq, &line.checksum) == Some(true) {
                break;
            }
            first = line.seq;
            if u64::try_from(unseen.len()).is_ok_and(|count| count >= MAX_UNSEEN) {
                return Ok(Compared::Other { first });
            }
            unseen.push(line);
        }
        unseen.reverse();
        Ok(match accounts.stranger(unseen.iter()) {
            Some(_) => Compared::Other { first },
            None if unseen.is_empty() && seen.heads.count() > entries => Compared::Shorter,
            None => Compared::Known,
        })
    }
}

/// How a ledger compares with what was seen of it elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    /// Its end was seen, or its own user wrote what was not.
    Known,
    /// Its end was seen, and more behind it.
    Shorter,
    /// It has entries that nobody accounts for.
    Other { first: u64 },
}

/// Why a ledger with this last line may not go on with a signature of this key, if so: one ledger has one key for ever.
pub(in crate::ledger) fn other_hand(last_signed_by: Option<&str>, own: Option<&TraceKey>) -> Option<Why> {
    match (last_signed_by, own) {
        (None, _) => None,
        (Some(key), Some(own)) if key == own.as_str() => None,
        (Some(_), Some(_)) => Some(Why::OtherKey),
        (Some(_), None) => Some(Why::Unsigned),
    }
}
