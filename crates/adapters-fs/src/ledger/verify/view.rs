//! Compares the view in the working copy with the ledger, byte by byte (D-22, D-25).
//!
//! A view that is missing, or behind because other working copies of the repository recorded changes, is ordinary. One
//! that says something else, or lacks what was recorded from here, is not.

use std::io::BufRead;
use std::path::Path;

use bailiwick_domain::{FindingKind, PortError, Severity};

use super::report::Report;
use crate::ledger::lines::Opened;

/// What the walk of the ledger found out that the comparison needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Written {
    /// Whole lines of the ledger.
    pub(super) lines: u64,
    /// The last of them that was written from this working copy, or that does not say from where, counted from 1.
    pub(super) last_from_here: u64,
    /// How many lines the witness saw: their writers had come past the view. `None` without a witness.
    pub(super) witnessed: Option<u64>,
}

/// Where two files part, in bytes and in lines from 1.
#[derive(Debug)]
struct Parting {
    bytes: u64,
    line: u64,
}

/// Compares and reports. `view` is `None` when there is none.
pub(super) fn compare(
    live: Option<&Opened>,
    view: Option<&Opened>,
    path: &Path,
    written: Written,
    report: &mut Report,
) -> Result<(), PortError> {
    report.about(path.display().to_string());
    let live_length = live.map_or(0, Opened::length);
    let Some(view) = view else {
        if live_length > 0 {
            report.note(
                FindingKind::ViewBehind,
                "the view is missing; the next recorded change makes it again",
            );
        }
        return Ok(());
    };
    let parting = match live {
        Some(live) => parting(live, view)?,
        None => Parting { bytes: 0, line: 1 },
    };
    if parting.bytes < view.length() {
        let message = format!("the view is not what the ledger says from line {} on", parting.line);
        report.push(Severity::Alarm, FindingKind::ViewDiffers, Some(parting.line), None, message);
    } else if parting.bytes < live_length {
        behind(parting.line, written, report);
    }
    Ok(())
}

fn behind(line: u64, written: Written, report: &mut Report) {
    let writer_was_interrupted = written.witnessed.map_or(line == written.lines, |count| line > count);
    if line <= written.last_from_here && !writer_was_interrupted {
        let message =
            format!("the view ends before line {line}, and changes recorded from here are missing in it");
        report.push(Severity::Alarm, FindingKind::ViewDiffers, Some(line), None, message);
    } else {
        let message =
            format!("the view ends before line {line}; the next change recorded from here completes it");
        report.push(Severity::Note, FindingKind::ViewBehind, Some(line), None, message);
    }
}

fn parting(live: &Opened, view: &Opened) -> Result<Parting, PortError> {
    let (mut ours, mut theirs) = (live.reader()?, view.reader()?);
    let mut at = Parting { bytes: 0, line: 1 };
    loop {
        let (a, b) = (filled(&mut ours)?, filled(&mut theirs)?);
        let same = equal_start(a, b);
        let lines = memchr::memchr_iter(b'\n', a.get(..same).unwrap_or_default()).count();
        let ended = same < a.len().min(b.len()) || a.is_empty() || b.is_empty();
        at.bytes += u64::try_from(same).unwrap_or(u64::MAX);
        at.line += u64::try_from(lines).unwrap_or(u64::MAX);
        if ended {
            return Ok(at);
        }
        ours.consume(same);
        theirs.consume(same);
    }
}

/// How many bytes are the same from the start.
fn equal_start(a: &[u8], b: &[u8]) -> usize {
    let shorter = a.len().min(b.len());
    match (a.get(..shorter), b.get(..shorter)) {
        (a, b) if a == b => shorter,
        _ => a.iter().zip(b).take_while(|(a, b)| a == b).count(),
    }
}

fn filled(reader: &mut impl BufRead) -> Result<&[u8], PortError> {
    reader.fill_buf().map_err(|error| PortError::Unavailable(format!("the ledger or its view: {error}")))
}
