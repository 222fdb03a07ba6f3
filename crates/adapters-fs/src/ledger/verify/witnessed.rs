//! Compares the entries of a chain with what the witness saw.

use std::ops::ControlFlow;

use bailiwick_domain::{FindingKind, PortError, Severity, counted};

use super::chain::entries;
use super::report::Report;
use crate::ledger::chain::parts::Chain;
use crate::ledger::lines::Line;
use crate::ledger::origins::arrival::Arrival;
use crate::ledger::record::{LedgerLine, Why, read_ledger_line};
use crate::ledger::trust::accounting::{Accounts, MAX_UNSEEN};
use crate::ledger::trust::witness::Heads;

/// How the entries so far compare.
#[derive(Debug)]
pub(super) struct Witnessed {
    heads: Option<Heads>,
    /// Where this place has none: what is known from others.
    arrival: Option<Arrival>,
    agreed: u64,
    other: Option<Other>,
    /// Lines behind those that the witness saw, no more of them than are looked at.
    unseen: Vec<(u64, LedgerLine)>,
}

/// Entries that are not what the witness saw.
#[derive(Clone, Copy, Debug)]
struct Other {
    first: u64,
    last: u64,
    /// The line that the first is in.
    line: u64,
}

impl Witnessed {
    pub(super) fn new(heads: Option<Heads>, arrival: Option<Arrival>) -> Self {
        Self { heads, arrival, agreed: 0, other: None, unseen: Vec::new() }
    }

    /// Looks at one entry that has its place, in line `line` of the chain.
    pub(super) fn entry(&mut self, line: u64, entry: &LedgerLine) {
        let seq = entry.seq;
        let is_unseen = self.heads.as_ref().is_some_and(|heads| seq >= heads.count());
        if is_unseen && u64::try_from(self.unseen.len()).is_ok_and(|count| count <= MAX_UNSEEN) {
            self.unseen.push((line, entry.clone()));
        }
        match self.heads.as_mut().and_then(|heads| heads.saw(seq, &entry.checksum)) {
            Some(true) if self.other.is_none() && seq == self.agreed => self.agreed += 1,
            Some(true) | None => {}
            Some(false) => {
                let before = self.other.filter(|other| other.first <= seq);
                let (first, line) = before.map_or((seq, line), |other| (other.first, other.line));
                self.other = Some(Other { first, last: seq, line });
            }
        }
    }

    /// Another entry has that place after all.
    pub(super) fn forget(&mut self, seq: u64) {
        self.other = self.other.filter(|other| other.first != seq);
        self.agreed = self.agreed.min(seq);
        self.unseen.retain(|(_, line)| line.seq != seq);
    }

    /// How many entries the witness saw, whatever they were.
    pub(super) fn count(&self) -> Option<u64> {
        self.heads.as_ref().map(Heads::count)
    }

    /// How many of the first entries it saw exactly so.
    pub(super) fn agreed(&self) -> Option<u64> {
        self.heads.as_ref().map(|_| self.agreed)
    }

    /// Reports what differs, for a chain of that many places in so many lines.
    pub(super) fn finish(&mut self, places: u64, lines: u64, accounts: &Accounts, report: &mut Report) {
        if let Some(Other { first, last, line }) = self.other {
            let message =
                format!("{} not what the witness saw: the chain was rewritten", entries(first, last));
            report.push(Severity::Alarm, FindingKind::Rechained, Some(line), Some((first, last)), message);
        }
        let Some(heads) = &mut self.heads else {
            if places > 0 {
                arrived(self.arrival.take(), places, lines, report);
            }
            return;
        };
        if !heads.is_well_formed() {
            let message =
                format!("{}: the witness is damaged after entry {}", heads.path().display(), heads.count());
            report.push(Severity::Alarm, FindingKind::WitnessBroken, None, None, message);
        }
        let count = heads.count();
        if count > places {
            missing_at_the_end(places, count, lines, report);
        } else if let Some((first, line)) = stranger(&self.unseen, accounts) {
            let message = format!(
                "{} not seen by the witness, and nobody accounts for {}: somebody may have appended it by hand",
                entries(count, places - 1),
                if count + 1 == places { "it" } else { "all of them" }
            );
            report.push(
                Severity::Alarm,
                FindingKind::Unaccounted,
                Some(line),
                Some((first, places - 1)),
                message,
            );
        } else if count < places {
            let entries = counted(places, "entry", "entries");
            let message = format!(
                "the witness saw {count} of {entries}; `bailiwick trace repair` tells it of the others"
            );
            report.note(FindingKind::WitnessBehind, message);
        }
    }
}

/// Compares a ledger that somebody else's goes on from with what the witness saw of it.
///
/// # Errors
/// It cannot be read.
pub(super) fn beneath(
    chain: &Chain,
    heads: Option<Heads>,
    accounts: &Accounts,
    report: &mut Report,
) -> Result<(), PortError> {
    let (mut witnessed, mut places, mut number) = (Witnessed::new(heads, None), 0, 0);
    report.about(chain.newest().display().to_string());
    chain.open()?.each(&mut |opened| {
        report.goes_on_in(opened.path().display().to_string(), number);
        let mut lines = opened.forwards()?;
        while let Some(Line::Whole(line) | Line::Torn(line)) = lines.next()? {
            number += 1;
            // What is no record is an alarm of the walk through all that ended.
            let Ok(line) = read_ledger_line(line) else { continue };
            places = line.seq.saturating_add(1);
            witnessed.entry(number, &line);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    witnessed.finish(places, number, accounts, report);
    Ok(())
}

/// Reports what is known of a ledger at a place without a witness.
fn arrived(arrival: Option<Arrival>, places: u64, lines: u64, report: &mut Report) {
    const NEXT: &str = "the next change starts a new ledger with one, which continues this one";
    match arrival {
        Some(Arrival::GoesOn { continues, from }) if continues.why != Why::NoWitness => {
            let from = from.map_or_else(|| "another place".to_owned(), |from| from.display().to_string());
            report.note(FindingKind::NewPlace, format!("the witness knows this ledger from {from}; {NEXT}"));
        }
        Some(Arrival::Shorter { seen, from, .. }) => {
            let message = format!(
                "{} missing that the witness saw at {}, which is gone: the end was cut off, or an older copy was put back",
                entries(places, seen - 1),
                from.display()
            );
            let span = Some((places, seen - 1));
            report.push(Severity::Alarm, FindingKind::Cut, Some(lines + 1), span, message);
        }
        Some(Arrival::Other { first, from, .. }) => {
            let last = places.saturating_sub(1).max(first);
            let message = format!(
                "{} not what the witness saw at {}, and nobody accounts for them",
                entries(first, last),
                from.display()
            );
            report.push(Severity::Alarm, FindingKind::Rechained, None, Some((first, last)), message);
        }
        Some(Arrival::GoesOn { .. }) | None => {
            let message = format!(
                "no witness outside the repository knows this ledger, so a missing end would not show; {NEXT}"
            );
            report.note(FindingKind::NoWitness, message);
        }
    }
}

/// The first unseen entry that nobody accounts for, with its line.
fn stranger(unseen: &[(u64, LedgerLine)], accounts: &Accounts) -> Option<(u64, u64)> {
    if u64::try_from(unseen.len()).is_ok_and(|count| count > MAX_UNSEEN) {
        return unseen.first().map(|(line, entry)| (entry.seq, *line));
    }
    let nth = accounts.stranger(unseen.iter().map(|(_, line)| line))?;
    unseen.get(nth).map(|(line, entry)| (entry.seq, *line))
}

fn missing_at_the_end(places: u64, count: u64, lines: u64, report: &mut Report) {
    let (kind, what) = match places {
        0 => (FindingKind::Emptied, "the ledger was emptied"),
        _ => (FindingKind::Cut, "the end was cut off, or an older copy was put back"),
    };
    let message = format!("{} missing that the witness saw: {what}", entries(places, count - 1));
    report.push(Severity::Alarm, kind, Some(lines + 1), Some((places, count - 1)), message);
}
