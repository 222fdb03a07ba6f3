//! Mends what can be mended without losing evidence: a torn tail, the view, a witness that is missing or behind; and
//! ends a ledger that cannot be continued, when a person says so (K-24, D-25).
//!
//! Nothing is ever deleted. Deliberately absent: calls whose outcome is unknown, which the gate settles.

use std::ops::ControlFlow;

use bailiwick_domain::{Finding, FindingKind, PortError, Severity, Verification};

use super::lines::Line;
use super::record::read_ledger_line;
use super::verify::Moment;
use super::{FsLedger, ended};
use crate::atomic::invalid;
use crate::jsonl::LineFile;
use crate::lock::{DEFAULT_WAIT, FileLock};

/// What was mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// Whether an unfinished last line was completed or set aside.
    pub torn_tail: bool,
    /// Whether the view was made again.
    pub view: bool,
    /// Whether the witness was begun, or shown the entries that it had not seen.
    pub witness: bool,
    /// What is still to say afterwards.
    pub after: Verification,
}

/// Why nothing was mended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RepairError {
    /// Entries were changed or are gone: what is there cannot be told from what was written.
    #[error("the ledger is not what was written; `bailiwick trace verify` says where")]
    Tampered(Box<Verification>),
    /// Entries are there that nobody accounts for; a person may adopt them.
    #[error(
        "the ledger has entries that nobody accounts for; `bailiwick trace repair --adopt` takes them as written"
    )]
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
        self.repair_with(false)
    }

    /// Mends what can be mended, and takes entries that nobody accounts for as written: a person looked at them.
    ///
    /// # Errors
    /// As for [`FsLedger::repair`]; entries that were changed or are gone are never taken.
    pub fn adopt(&self) -> Result<Repaired, RepairError> {
        self.repair_with(true)
    }

    fn repair_with(&self, adopts: bool) -> Result<Repaired, RepairError> {
        let _held = FileLock::acquire(&self.lock, DEFAULT_WAIT)?;
        let before = Moment::under_lock(&self.layout)?.look(&self.layout, None, &mut |_, _| {})?;
        let wrong = |finding: &&Finding| self.is_tampered(finding);
        let (strange, changed): (Vec<&Finding>, Vec<&Finding>) = before
            .findings
            .iter()
            .filter(wrong)
            .partition(|finding| finding.kind == FindingKind::Unaccounted);
        if !changed.is_empty() {
            return Err(RepairError::Tampered(Box::new(before)));
        }
        if !strange.is_empty() && !adopts {
            return Err(RepairError::Unaccounted(Box::new(before)));
        }
        let mut live = LineFile::open(&self.live)?;
        let length = live.len();
        let torn_tail = {
            self.last_line(&mut live)?;
            live.len() != length
        };
        let view = self.view.mend(&live)?;
        let behind = before.extent.witnessed != Some(before.extent.entries);
        let witness = behind && before.extent.entries > 0 && self.witness.folder().is_some();
        if witness {
            self.show_the_witness()?;
        }
        let after = Moment::under_lock(&self.layout)?.look(&self.layout, None, &mut |_, _| {})?;
        Ok(Repaired { torn_tail, view, witness, after })
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
        let number = ended::end(&super::folder(&self.layout), &self.chain)?;
        let live = LineFile::open(&self.live)?;
        self.view.mend(&live)?;
        self.witness.restart(|_| Ok(()))?;
        Ok(number)
    }
}
