//! Repairs what can be repaired without losing evidence: a truncated last line, the view, a witness that is missing or
//! behind; and ends a ledger that cannot be continued, when a person says so.
//!
//! Nothing is ever deleted. Deliberately absent: calls whose outcome is unknown, which the gate settles.

use std::ops::ControlFlow;

use bailiwick_domain::{Finding, FindingKind, PortError, Severity, Timestamp, Verification};

use crate::files::atomic::invalid;
use crate::files::jsonl::LineFile;
use crate::files::lock::{DEFAULT_WAIT, FileLock};
use crate::ledger::FsLedger;
use crate::ledger::chain::ended;
use crate::ledger::chain::next::Waiting;
use crate::ledger::lines::Line;
use crate::ledger::origins::arrival::Arrival;
use crate::ledger::record::{Adopted, Continues, Why, read_ledger_line};
use crate::ledger::verify::Moment;

/// What was mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// Whether an unfinished last line was completed or set aside.
    pub torn_tail: bool,
    /// Whether the view was created again.
    pub view: bool,
    /// Whether the witness was begun, or shown the entries that it had not seen.
    pub witness: bool,
    /// Whether the list of what was sealed here was made again.
    pub list_of_sealed: bool,
    /// What is still to say afterwards.
    pub after: Verification,
}

/// Who decided something, and when.
struct By<'a> {
    by: &'a str,
    at: Timestamp,
}

/// Why nothing was mended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RepairError {
    /// Entries were changed or are gone: what is there cannot be told from what was written.
    #[error("the ledger was changed; `bailiwick trace verify` shows where")]
    Tampered(Box<Verification>),
    /// Entries are there that nobody accounts for; a person may adopt them.
    #[error("the ledger has unaccounted entries; `bailiwick trace repair --adopt` accepts them as written")]
    Unaccounted(Box<Verification>),
    /// A file could not be read or written.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl FsLedger {
    /// Mends what can be mended.
    ///
    /// # Errors
    /// The ledger itself is not what was written, which only a person can decide about; or a file cannot be written.
    pub fn repair(&self) -> Result<Repaired, RepairError> {
        self.repair_with(None)
    }

    /// Mends what can be mended, and takes entries that nobody accounts for as written, or an older copy as the ledger: a
    /// person looked at them. The next entry says who it was, and when.
    ///
    /// # Errors
    /// As for [`FsLedger::repair`]; entries that were changed or are gone are never taken.
    pub fn adopt(&self, by: &str, at: Timestamp) -> Result<Repaired, RepairError> {
        self.repair_with(Some(&By { by, at }))
    }

    fn repair_with(&self, adopts: Option<&By<'_>>) -> Result<Repaired, RepairError> {
        let _held = FileLock::acquire(&self.lock, DEFAULT_WAIT)?;
        let moment = Moment::under_lock(&self.layout)?;
        let refused = moment.refused();
        let before = moment.look(&self.layout, None, &mut |_, _| {})?;
        let wrong = |finding: &&Finding| self.is_tampered(finding);
        let is_strange = |finding: &&Finding| match finding.kind {
            FindingKind::Unaccounted => true,
            FindingKind::Cut | FindingKind::Rechained => refused.is_some(),
            _ => false,
        };
        let (strange, changed): (Vec<&Finding>, Vec<&Finding>) =
            before.findings.iter().filter(wrong).partition(is_strange);
        if !changed.is_empty() {
            return Err(RepairError::Tampered(Box::new(before)));
        }
        if !strange.is_empty() {
            let Some(by) = adopts else { return Err(RepairError::Unaccounted(Box::new(before))) };
            self.will_say(by, &before, refused)?;
        }
        let mut live = LineFile::open(&self.live)?;
        let length = live.len();
        let torn_tail = {
            self.last_line(&mut live)?;
            live.len() != length
        };
        let view = self.view.mend(&live)?;
        // Where there is no witness of this ledger the next entry begins a ledger that has one.
        let witness = before.extent.witnessed.is_some_and(|witnessed| witnessed != before.extent.entries);
        if witness {
            self.show_the_witness()?;
        }
        let list_of_sealed = self.list_sealed_again()?;
        let after = Moment::under_lock(&self.layout)?.look(&self.layout, None, &mut |_, _| {})?;
        Ok(Repaired { torn_tail, view, witness, list_of_sealed, after })
    }

    /// Lets the next entry say what a person adopted; that comes first, so that nothing counts without it.
    fn will_say(
        &self,
        by: &By<'_>,
        before: &Verification,
        refused: Option<Arrival>,
    ) -> Result<(), PortError> {
        let missing = || PortError::Unavailable("no state folder to keep a witness in".to_owned());
        let waiting = Waiting::of(&self.witness).ok_or_else(missing)?;
        let mut says = waiting.read()?;
        let strange = before.findings.iter().filter(|one| {
            matches!(one.kind, FindingKind::Unaccounted | FindingKind::Rechained) && self.is_tampered(one)
        });
        let spans = strange.filter_map(|finding| finding.entries);
        let head = before.extent.head.as_ref();
        says.adopted.extend(spans.zip(head.into_iter().cycle()).map(|((first, last), head)| Adopted {
            at: by.at,
            by: by.by.to_owned(),
            first,
            head: head.clone(),
            last,
        }));
        let by = Some(by.by.to_owned());
        says.continues = match refused {
            Some(Arrival::Shorter { continues, .. }) => {
                Some(Continues { by, why: Why::OlderCopy, ..continues })
            }
            Some(Arrival::Other { continues, .. }) => Some(Continues { by, ..continues }),
            Some(Arrival::GoesOn { .. }) | None => says.continues,
        };
        waiting.write(&says)
    }

    /// Whether it is an alarm about the ledger itself.
    fn is_tampered(&self, finding: &Finding) -> bool {
        let is_own = |file: &str| {
            let file = std::path::Path::new(file);
            file == self.live || file.starts_with(self.chain.folder())
        };
        finding.severity == Severity::Alarm && is_own(&finding.file)
    }

    /// Begins the witness anew with every entry; they were found in order.
    fn show_the_witness(&self) -> Result<(), PortError> {
        let files = self.chain.open()?;
        self.witness.restart(|see| {
            files.each(&mut |opened| {
                let mut lines = opened.forwards()?;
                while let Some(Line::Whole(line)) = lines.next()? {
                    let line =
                        read_ledger_line(line).map_err(|fault| invalid(opened.path(), fault.to_string()))?;
                    see(&line.checksum)?;
                }
                Ok(ControlFlow::Continue(()))
            })
        })
    }

    /// Ends the ledger as it is and begins a new one; a person decided that. The number of the ended one.
    ///
    /// # Errors
    /// A file cannot be moved or written.
    pub fn end_chain(&self) -> Result<u32, PortError> {
        let _held = FileLock::acquire(&self.lock, DEFAULT_WAIT)?;
        drop(LineFile::open(&self.live)?);
        let number = ended::end(&crate::ledger::folder(&self.layout), &self.chain)?;
        let live = LineFile::open(&self.live)?;
        self.view.mend(&live)?;
        self.witness.restart(|_| Ok(()))?;
        Ok(number)
    }
}
