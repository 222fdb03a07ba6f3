//! Appends an entry to the ledger.
//!
//! The line is written as soon as its place is known. While the disk works on it, the line and the one before it are
//! checked, and the view follows. The entry counts when the disk has its line, and then the witness sees it; a line that
//! must not stay is taken back, from the view too. Deliberately absent: the form of a line (`record`).

use bailiwick_domain::{ContentHash, PortError, TraceEntry};

use crate::files::atomic::{Durability, invalid, sync_parent};
use crate::files::jsonl::LineFile;
use crate::files::lock::{DEFAULT_WAIT, FileLock};
use crate::ledger::End;
use crate::ledger::FsLedger;
use crate::ledger::LineFault;
use crate::ledger::chain::next::Waiting;
use crate::ledger::next_seq;
use crate::ledger::record::{
    self, LedgerLine, LedgerSays, Link, Place, check_link, claimed_key, claimed_link, read_ledger_line,
};
use crate::ledger::sign::Signer;
use crate::ledger::trust::witness::{Last, Unseen};
use crate::ledger::understood;

/// A line with the place that it claims.
#[derive(Debug)]
struct Claimed {
    link: Link,
    line: Vec<u8>,
}

impl Claimed {
    fn by(line: Vec<u8>) -> Result<Self, LineFault> {
        Ok(Self { link: claimed_link(&line)?, line })
    }

    fn checked(line: Vec<u8>) -> Result<Self, LineFault> {
        let claimed = Self::by(line)?;
        claimed.check().map(|()| claimed)
    }

    fn check(&self) -> Result<(), LineFault> {
        check_link(&self.line, &self.link)
    }

    /// The key that it names as its own.
    fn key(&self) -> Option<String> {
        claimed_key(&self.line)
    }
}

impl FsLedger {
    /// Appends the line of an entry, durable when this comes back without an error; what it says of the ledger.
    pub(in crate::ledger) fn append_line(&self, entry: &TraceEntry) -> Result<LedgerSays, PortError> {
        let _held = FileLock::acquire(&self.lock, DEFAULT_WAIT)?;
        let signer = self.signer()?;
        let (mut live, last) = self.place_of_next(signer.as_ref())?;
        let key = last.as_ref().and_then(Claimed::key);
        let before = last.as_ref().map(|last| (&last.link, key.as_deref()));
        let says = self.says(before, signer.as_ref())?;
        let next = self.next(entry, last.as_ref(), signer.as_ref(), &says)?;
        self.put(&mut live, last.as_ref(), &next)?;
        let unseen = self.unseen(last.as_ref(), &next);
        let accounted = unseen.as_ref().map_or(Ok(()), |unseen| self.account_for_older(unseen, &next));
        if let Err(fault) = self.check(last.as_ref(), &next).and(accounted) {
            return live.take_back().and(Err(fault));
        }
        let shown = self.view.follow(&live);
        if let Err(fault) = self.make_durable(&mut live, last.is_none()) {
            // The view goes back with the truth, or is made again with the next entry.
            let _ = self.view.follow(&live);
            return Err(fault);
        }
        // The entry counts from here on. What the view lacks the witness does not see either, so that a view that could
        // not be written is told from one that was cut.
        if let (Ok(()), Some(unseen)) = (shown, unseen) {
            unseen.remember();
        }
        if !says.is_empty()
            && let Some(waiting) = Waiting::of(&self.witness)
        {
            waiting.said();
        }
        Ok(says)
    }

    /// The file and the line that the next one follows: a new ledger's, where it goes on from the one that is here.
    fn place_of_next(&self, signer: Option<&Signer>) -> Result<(LineFile, Option<Claimed>), PortError> {
        let mut live = LineFile::open(&self.live)?;
        let Some(last) = self.last(&mut live)? else { return Ok((live, None)) };
        let signed_by = last.key();
        if self.is_of_this_place(&last.link)? && self.other_hand(signed_by.as_deref(), signer).is_none() {
            return Ok((live, Some(last)));
        }
        understood(last.check(), &self.live)?;
        let end = End { last: Some(last.link.clone()), signed_by, has_fragment: false };
        match self.goes_on(&end, signer)? {
            Some(continues) if self.decide(&continues)? => Ok((self.begin_origin(live)?, None)),
            _ => Ok((live, Some(last))),
        }
    }

    /// Whether this line is of a ledger that may be that of this place.
    fn is_of_this_place(&self, last: &Link) -> Result<bool, PortError> {
        Ok(match self.witness.last(Some(&last.checksum)) {
            Ok(Last::Unknown) => false,
            Ok(Last::Saw { fits: false, .. }) => !self.is_begun_by_another()?,
            Ok(Last::Saw { .. } | Last::Nothing) | Err(_) => true,
        })
    }

    /// Waits until the disk has the line, and the name of the file where it is new.
    fn make_durable(&self, live: &mut LineFile, is_first: bool) -> Result<(), PortError> {
        live.settle(self.durability)?;
        if is_first && self.durability == Durability::Synced { sync_parent(&self.live) } else { Ok(()) }
    }

    /// The last line of the chain, looked at as a whole; a torn tail is repaired first.
    pub(in crate::ledger) fn last_line(&self, live: &mut LineFile) -> Result<Option<LedgerLine>, PortError> {
        let last = self.last(live)?;
        last.map(|last| understood(read_ledger_line(&last.line), &self.live)).transpose()
    }

    /// The last line of the chain, not checked yet. A torn tail is repaired first: a record that only lacks its LF gets it,
    /// anything else is set aside.
    fn last(&self, live: &mut LineFile) -> Result<Option<Claimed>, PortError> {
        let (line, fragment) = live.tail()?;
        let last = match line {
            Some(line) => Some(understood(Claimed::by(line), &self.live)?),
            None => self.last_of_parts(Claimed::checked)?,
        };
        if fragment.is_empty() {
            return Ok(last);
        }
        understood(last.as_ref().map_or(Ok(()), Claimed::check), &self.live)?;
        match read_ledger_line(&fragment) {
            Ok(whole) if follows(&whole, last.as_ref()) => {
                live.append_raw(b"\n", self.durability)?;
                Ok(Some(Claimed { link: whole.into(), line: fragment }))
            }
            _ => {
                live.set_aside(&fragment)?;
                Ok(last)
            }
        }
    }

    /// The line that follows.
    fn next(
        &self,
        entry: &TraceEntry,
        last: Option<&Claimed>,
        signer: Option<&Signer>,
        says: &LedgerSays,
    ) -> Result<Claimed, PortError> {
        let last = last.map(|last| &last.link);
        let seq = next_seq(last);
        let place = Place {
            seq,
            prev: last.map(|last| &last.checksum),
            working_copy: &self.working_copy,
            signer,
            says,
        };
        let written = record::write(entry, place);
        let (line, checksum) = written.map_err(|fault| invalid(&self.live, fault.to_string()))?;
        Ok(Claimed { link: Link { seq, checksum }, line })
    }

    /// Puts the line where it belongs: behind the others, or, durable at once, into a file of its own.
    fn put(&self, live: &mut LineFile, last: Option<&Claimed>, next: &Claimed) -> Result<(), PortError> {
        if self.is_long(live) {
            self.check(last, next)?;
            if let Some(begun) = self.begin_anew(live, &next.line)? {
                *live = begun;
                return Ok(());
            }
        }
        live.begin(&next.line, self.durability)
    }

    /// Whether the chain can go on from its last line, and with this one.
    fn check(&self, last: Option<&Claimed>, next: &Claimed) -> Result<(), PortError> {
        understood(last.map_or(Ok(()), Claimed::check), &self.live)?;
        next.check().map_err(|fault| invalid(&self.live, format!("next line: {fault}")))
    }

    /// Whether somebody accounts for the lines before this one that the witness will see with it.
    fn account_for_older(&self, unseen: &Unseen, next: &Claimed) -> Result<(), PortError> {
        match unseen.count() {
            0 | 1 => Ok(()),
            count => self.account_for((next.link.seq + 1).saturating_sub(count), 1),
        }
    }

    /// What the witness has not seen when the line is there.
    fn unseen(&self, last: Option<&Claimed>, next: &Claimed) -> Option<Unseen> {
        let seq = next.link.seq;
        let checksums = [Some(&next.link), last.map(|last| &last.link)];
        let known: Vec<ContentHash> =
            checksums.into_iter().flatten().map(|link| link.checksum.clone()).collect();
        let older = std::iter::once_with(|| self.older(seq.saturating_sub(1))).flatten();
        self.witness.unseen(seq, known.into_iter().chain(older))
    }
}

fn follows(line: &LedgerLine, last: Option<&Claimed>) -> bool {
    let last = last.map(|last| &last.link);
    line.prev.as_ref() == last.map(|last| &last.checksum) && line.seq == next_seq(last)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use bailiwick_domain::testing::sample;
    use bailiwick_domain::{Ledger as _, Sync};
    use pollster::block_on;

    use super::*;
    use crate::Layout;

    fn ledger(dir: &std::path::Path) -> FsLedger {
        let root = dir.join("repo");
        fs::create_dir_all(root.join(".orchestration")).unwrap();
        FsLedger::new(Layout::new(&root, root.join(".git/bailiwick"), Some(dir.join("state"))), Sync::Always)
    }

    fn entry(id: &str) -> TraceEntry {
        sample::trace_entry(id, &sample::intent("INT-001", &["src/**"]))
    }

    // D-22, K-24: nothing of a line that must not stay is left, and nothing followed it
    #[test]
    fn a_line_behind_a_damaged_one_is_taken_back() {
        let dir = tempfile::tempdir().unwrap();
        let ledger = ledger(dir.path());
        block_on(ledger.append(&entry("one"))).unwrap();
        let damaged = fs::read_to_string(&ledger.live).unwrap().replace("claude", "crude");
        fs::write(&ledger.live, &damaged).unwrap();
        let view = fs::read(ledger.view.path()).unwrap();
        let fault = block_on(ledger.append(&entry("two"))).unwrap_err().to_string();
        assert!(fault.contains("last line: the checksum does not match"), "{fault}");
        assert_eq!(fs::read_to_string(&ledger.live).unwrap(), damaged);
        assert_eq!(fs::read(ledger.view.path()).unwrap(), view);
        assert_eq!(ledger.witness.all().unwrap().unwrap().count(), 1);
    }

    // D-23: so that a member that was declared in the wrong place is found before it counts
    #[test]
    fn a_line_that_is_not_in_canonical_form_does_not_stay() {
        let dir = tempfile::tempdir().unwrap();
        let ledger = ledger(dir.path());
        let mut next = ledger.next(&entry("one"), None, None, &LedgerSays::default()).unwrap();
        ledger.check(None, &next).unwrap();
        next.line.insert(1, b' ');
        let fault = ledger.check(None, &next).unwrap_err().to_string();
        assert!(fault.contains("next line: not in canonical form"), "{fault}");
    }
}
