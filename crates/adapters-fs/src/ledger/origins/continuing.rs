//! Begins a new ledger that goes on from the one that is here: at a place that the witness does not know, and where a
//! ledger that one key signed would go on with another, or with none.
//!
//! The ledger that was here is kept whole beside it, as one that ended, and the first entry of the new one names it with
//! its newest entry, so that nothing of it can be changed later. Deliberately absent: whether it may go on (`arrival`).

use bailiwick_domain::{Action, DecisionLog as _, DecisionRecord, PortError, State, TraceEntry, counted};

use crate::FsDecisionLog;
use crate::files::atomic::invalid;
use crate::files::jsonl::LineFile;
use crate::files::lock::{DEFAULT_WAIT, FileLock};
use crate::ledger::End;
use crate::ledger::FsLedger;
use crate::ledger::chain::ended;
use crate::ledger::chain::next::Waiting;
use crate::ledger::chain::parts::Chain;
use crate::ledger::folder;
use crate::ledger::lines::Opened;
use crate::ledger::next_seq;
use crate::ledger::origins::arrival::{Arrival, Arrivals, other_hand};
use crate::ledger::record::{Continues, LedgerSays, Link, Why, read_ledger_line};
use crate::ledger::sign::Signer;
use crate::ledger::trust::witness::Last;

impl FsLedger {
    /// Whether the end is one that the next entry may follow, and the ledger that a new one goes on from in its place,
    /// if so.
    pub(in crate::ledger) fn goes_on(
        &self,
        end: &End,
        signer: Option<&Signer>,
    ) -> Result<Option<Continues>, PortError> {
        if let Some(continues) = self.vouched(end)? {
            return Ok(Some(continues));
        }
        let Some(why) = self.other_hand(end.signed_by.as_deref(), signer) else { return Ok(None) };
        end.last.as_ref().map(|last| self.continues(last, why)).transpose()
    }

    /// Why an entry by this signer may not follow one by that key.
    pub(in crate::ledger) fn other_hand(&self, key: Option<&str>, signer: Option<&Signer>) -> Option<Why> {
        self.layout.user_state()?;
        other_hand(key, signer.map(Signer::public).as_ref())
    }

    fn continues(&self, last: &Link, why: Why) -> Result<Continues, PortError> {
        let first = self.chain.open()?.head()?.and_then(|line| read_ledger_line(&line).ok());
        let chain = first.map_or_else(|| last.checksum.clone(), |first| first.checksum);
        Ok(Continues { by: None, chain, entries: next_seq(Some(last)), head: last.checksum.clone(), why })
    }

    /// What is to be made of a ledger that this place has no witness of.
    pub(in crate::ledger) fn arrived(&self, last: &Link) -> Result<Continues, PortError> {
        let (layout, chain, witness) = (&self.layout, &self.chain, &self.witness);
        let refused = match (Arrivals { layout, chain, witness }).judge(last)? {
            Arrival::GoesOn { continues, .. } => return Ok(continues),
            Arrival::Shorter { seen, from, .. } => format!(
                "it has {}, and the witness saw {seen} at {}, which is gone",
                counted(next_seq(Some(last)), "entry", "entries"),
                from.display()
            ),
            Arrival::Other { first, from, .. } => {
                format!(
                    "entry {first} is not one that the witness saw at {}, and nobody accounts for it",
                    from.display()
                )
            }
        };
        Err(invalid(&self.live, format!("{refused}: run `bailiwick trace verify`")))
    }

    /// Writes down that a new ledger will go on from this one, before a change is let through whose entry needs it.
    pub(in crate::ledger) fn prepare(
        &self,
        live: &mut LineFile,
        signer: Option<&Signer>,
    ) -> Result<(), PortError> {
        let _held = FileLock::acquire(&self.lock, DEFAULT_WAIT)?;
        let end = self.whole_end(live)?;
        match self.goes_on(&end, signer)? {
            Some(continues) => self.decide(&continues).map(drop),
            None => Ok(()),
        }
    }

    /// Decides that a new ledger goes on from this one, so that it is completed whoever is killed; whether it could be
    /// written down. Where nothing can be kept beside the witness, a ledger by the same hand goes on itself.
    pub(in crate::ledger) fn decide(&self, continues: &Continues) -> Result<bool, PortError> {
        let Some(waiting) = Waiting::of(&self.witness) else { return Ok(false) };
        let mut says = waiting.read()?;
        if says.continues.as_ref() == Some(continues) {
            return Ok(true);
        }
        says.continues = Some(continues.clone());
        match waiting.write(&says) {
            Ok(()) => Ok(true),
            Err(error) if matches!(continues.why, Why::OtherKey | Why::Unsigned) => Err(error),
            Err(_) => Ok(false),
        }
    }

    /// Ends this ledger, which the next entry goes on from; the new file, which is empty. The caller holds the lock.
    pub(in crate::ledger) fn begin_origin(&self, live: LineFile) -> Result<LineFile, PortError> {
        drop(live);
        self.witness.put_aside()?;
        ended::end(&folder(&self.layout), &self.chain)?;
        LineFile::open(&self.live)
    }

    /// What the next entry has to say of its ledger, behind a line that names that key as its own.
    pub(in crate::ledger) fn says(
        &self,
        last: Option<(&Link, Option<&str>)>,
        signer: Option<&Signer>,
    ) -> Result<LedgerSays, PortError> {
        let mut says = match Waiting::of(&self.witness) {
            // A change that was made is recorded, also where this cannot be read now.
            Some(waiting) => match waiting.read() {
                Err(PortError::Unavailable(_)) => LedgerSays::default(),
                read => read?,
            },
            None => LedgerSays::default(),
        };
        says.signed_from = match last {
            Some((last, None)) if signer.is_some() => Some(next_seq(Some(last))),
            _ => None,
        };
        says.continues = says.continues.filter(|to| last.is_none() && self.has_ended(to));
        Ok(says)
    }

    /// Whether the newest ledger that ended is this one.
    fn has_ended(&self, continues: &Continues) -> bool {
        self.newest_ended().is_some_and(|(_, last)| last.checksum == continues.head)
    }

    /// The newest ledger that ended, and its newest entry.
    fn newest_ended(&self) -> Option<(Chain, Link)> {
        let (_, chain) = ended::chains(&folder(&self.layout)).ok()?.pop()?;
        let line = chain.backwards(Opened::open(chain.newest()).ok()?).next().ok()??;
        Some((chain, Link::from(read_ledger_line(&line).ok()?)))
    }

    /// That the ledger goes on from another one is remembered in the decision log, too.
    pub(in crate::ledger) async fn log_beginning(&self, entry: &TraceEntry, says: &LedgerSays) {
        let Some(continues) = &says.continues else { return };
        let note = format!(
            "a new ledger with its own witness continues {} of {}, because {}",
            counted(continues.entries, "entry", "entries"),
            continues.chain,
            continues.why.said()
        );
        let actor = entry.context.actor.clone();
        let at = entry.timestamp;
        let record = DecisionRecord {
            call: Some(entry.context.call.clone()),
            ..DecisionRecord::new(at, actor, "trace", State::Request, Action::Transition, note)
        };
        // The entry says it as well, under its checksum.
        drop(FsDecisionLog::new(self.layout.clone()).append(&record).await);
    }

    /// Whether this place may be one that the witness does not know.
    pub(in crate::ledger) fn is_new_place(&self) -> bool {
        matches!(self.witness.last(None), Ok(Last::Unknown))
    }
}
