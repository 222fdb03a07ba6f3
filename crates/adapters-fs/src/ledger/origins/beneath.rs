//! A ledger that somebody else began here, with a state folder of their own: in a container that shares the folder of the
//! repository, or as another user. It goes on from the ledger that the witness of this place knows, which is kept whole
//! beneath it.
//!
//! What the witness saw must still be there. The newer ledger is nobody's here, and one's own next entry begins another
//! one. Deliberately absent: beginning it (`continuing`), and what others may have known of the newer one (`arrival`).

use bailiwick_domain::PortError;

use crate::Layout;
use crate::ledger::FsLedger;
use crate::ledger::chain::ended;
use crate::ledger::chain::parts::Chain;
use crate::ledger::folder;
use crate::ledger::lines::Opened;
use crate::ledger::record::{LedgerLine, read_ledger_line};
use crate::ledger::trust::accounting::Accounts;
use crate::ledger::trust::witness::Heads;

/// The ledger beneath the live one that these heads are of; `None` where they are of the live one, or of none of both.
///
/// # Errors
/// A ledger cannot be read.
pub(in crate::ledger) fn beneath(
    layout: &Layout,
    live: &Chain,
    heads: &mut Heads,
) -> Result<Option<Chain>, PortError> {
    let Some(known) = heads.first() else { return Ok(None) };
    let is_known = |chain: &Chain| -> Result<bool, PortError> {
        let first = chain.open()?.head()?.and_then(|line| read_ledger_line(&line).ok());
        Ok(first.is_some_and(|first| Heads::name_of(&first.checksum) == known))
    };
    if is_known(live)? {
        return Ok(None);
    }
    for chain in ended::gone_on_from(&folder(layout), live)? {
        if is_known(&chain)? {
            return Ok(Some(chain));
        }
    }
    Ok(None)
}

impl FsLedger {
    /// Whether somebody else began the live ledger here, and all that the witness saw is beneath it. The end is looked at,
    /// as it is before each entry; verifying looks at all of it.
    pub(in crate::ledger) fn is_begun_by_another(&self) -> Result<bool, PortError> {
        let Some(mut heads) = self.witness.all()? else { return Ok(false) };
        let Some(chain) = beneath(&self.layout, &self.chain, &mut heads)? else { return Ok(false) };
        let mut lines = chain.backwards(Opened::open(chain.newest())?);
        let mut unseen: Vec<LedgerLine> = Vec::new();
        while let Some(line) = lines.next()? {
            let Ok(line) = read_ledger_line(&line) else { return Ok(false) };
            match heads.saw(line.seq, &line.checksum) {
                None => unseen.push(line),
                Some(true) if line.seq + 1 == heads.count() => {
                    unseen.reverse();
                    return Ok(Accounts::of(&self.layout).stranger(unseen.iter()).is_none());
                }
                Some(_) => return Ok(false),
            }
        }
        Ok(false)
    }
}
