//! Checks the ledgers that ended: one that another goes on from must be exactly the one that the other's first entry
//! names. Names for ever what people decided about the ledger.

use std::ops::ControlFlow;

use bailiwick_domain::{ContentHash, FindingKind, PortError, Severity};

use super::chain::{ChainWalk, Step, entries};
use super::report::Report;
use super::signatures::Signatures;
use crate::Layout;
use crate::ledger::chain::ended;
use crate::ledger::chain::parts::Chain;
use crate::ledger::folder;
use crate::ledger::lines::Line;
use crate::ledger::record::{Continues, LedgerSays, read_ledger_line};
use crate::ledger::sign::TraceKeys;

/// Reports them, for a ledger whose entries say that.
///
/// # Errors
/// A file cannot be read.
pub(super) fn check(
    layout: &Layout,
    live: &Chain,
    says: &[(u64, LedgerSays)],
    keys: &TraceKeys,
    report: &mut Report,
) -> Result<(), PortError> {
    report.about(live.newest().display().to_string());
    for adopted in says.iter().flat_map(|(_, says)| &says.adopted) {
        let message = format!(
            "{} adopted by {}, though nobody accounted for them",
            entries(adopted.first, adopted.last),
            adopted.by
        );
        let span = Some((adopted.first, adopted.last));
        report.push(Severity::Note, FindingKind::Adopted, None, span, message);
    }
    let mut next = says.first().filter(|(seq, _)| *seq == 0).and_then(|(_, says)| says.continues.clone());
    for (number, chain) in ended::chains(&folder(layout))?.into_iter().rev() {
        report.about(chain.newest().display().to_string());
        let first = chain.open()?.head()?.and_then(|line| read_ledger_line(&line).ok());
        let (checksum, before) =
            first.map_or((None, None), |line| (Some(line.checksum), line.says.continues));
        match next {
            Some(continues) if Some(&continues.chain) != checksum.as_ref() => gone(&continues, report),
            Some(continues) => {
                is_what_was_continued(&chain, &continues, keys, report)?;
                let because = continues.why.said();
                let message = format!("a newer ledger continues ledger {number}, because {because}");
                report.note(FindingKind::Continued, message);
            }
            None => {
                let message = format!("ledger {number} was ended by a person, who started a new one");
                report.note(FindingKind::Ended, message);
            }
        }
        next = before;
    }
    next.iter().for_each(|continues| gone(continues, report));
    Ok(())
}

fn gone(continues: &Continues, report: &mut Report) {
    let message = format!("the ledger {} is missing that a newer one continues", continues.chain);
    report.push(Severity::Alarm, FindingKind::Missing, None, None, message);
}

/// Walks a ledger that another goes on from.
fn is_what_was_continued(
    chain: &Chain,
    continues: &Continues,
    keys: &TraceKeys,
    report: &mut Report,
) -> Result<(), PortError> {
    let (mut walk, mut signatures) = (ChainWalk::new(), Signatures::new(keys));
    let (mut number, mut last): (u64, Option<ContentHash>) = (0, None);
    chain.open()?.each(&mut |opened| {
        report.goes_on_in(opened.path().display().to_string(), number);
        let mut lines = opened.forwards()?;
        while let Some(Line::Whole(bytes) | Line::Torn(bytes)) = lines.next()? {
            number += 1;
            if let Step::Placed(line) | Step::Displaced(line) = walk.line(number, bytes, report) {
                signatures.entry(number, &line, report);
                last = Some(line.checksum);
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    walk.finish(report);
    signatures.finish_chain(report);
    let found = walk.next_place();
    if found < continues.entries {
        let span = Some((found, continues.entries - 1));
        let message =
            format!("{} missing that a newer ledger continues", entries(found, continues.entries - 1));
        report.push(Severity::Alarm, FindingKind::Cut, Some(number + 1), span, message);
    } else if last.as_ref() != Some(&continues.head) {
        let message = "its newest entry is not the one that a newer ledger continues";
        report.push(Severity::Alarm, FindingKind::Rechained, Some(number), None, message);
    }
    Ok(())
}
