//! Compares the view in the working copy with the ledger, byte by byte.
//!
//! A view that is missing, or behind because other working copies of the repository recorded changes, is ordinary. One
//! that says something else, or lacks what was recorded from here, is not.

use std::ops::ControlFlow;
use std::path::Path;

use bailiwick_domain::{Finding, FindingKind, PortError, Severity};

use super::report::Report;
use crate::ledger::chain::parts::{Chain, Files};
use crate::ledger::lines::Opened;
use crate::ledger::lines::parting::{Parting, parting_of_view};

/// What the walk of the ledger found out that the comparison needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    /// Whole lines of the ledger, through all of its files.
    pub(super) lines: u64,
    /// How many of them are before each file, the oldest file first.
    pub(super) before: Vec<u64>,
    /// The last of them that was written from this working copy, or that does not say from where, counted from 1.
    pub(super) last_from_here: u64,
    /// How many lines the witness saw: their writers had come past the view. `None` without a witness.
    pub(super) witnessed: Option<u64>,
}

/// Compares and reports. `view` is `None` when there is none; `ended` are the ledgers before this one.
pub(super) fn compare(
    files: &Files,
    view: Option<&Opened>,
    path: &Path,
    written: &Written,
    ended: &[(u32, Chain)],
    report: &mut Report,
) -> Result<(), PortError> {
    report.about(path.display().to_string());
    let live_length = files.newest.as_ref().map_or(0, Opened::length);
    let Some(view) = view else {
        if live_length > 0 {
            report.note(
                FindingKind::ViewBehind,
                "the view is missing; the next recorded change creates it again",
            );
        }
        return Ok(());
    };
    let parting = match &files.newest {
        Some(live) => parting_of_view(live, view)?,
        None => Parting { bytes: 0, line: 1, is_whole: view.length() == 0 },
    };
    if parting.is_whole {
        if parting.bytes < live_length {
            let before = written.before.get(files.older.len()).copied().unwrap_or_default();
            behind(parting.line, before, written, report);
        }
        return Ok(());
    }
    if let Some((line, before)) = older_part(files, view, written)? {
        behind(line, before, written, report);
        return Ok(());
    }
    if is_of_an_ended_ledger(ended, view)? {
        // None of its lines is of this ledger.
        behind(1, 0, written, report);
        return Ok(());
    }
    let message = format!("the view differs from the ledger from line {} on", parting.line);
    report.push(Severity::Alarm, FindingKind::ViewDiffers, Some(parting.line), None, message);
    Ok(())
}

/// A view that nothing was recorded from since the ledger went on in a new file still is what an older part says: the
/// line in which it ends, and how many lines are before that part.
fn older_part(files: &Files, view: &Opened, written: &Written) -> Result<Option<(u64, u64)>, PortError> {
    for (part, before) in files.older.iter().zip(&written.before).rev() {
        let parting = parting_of_view(&part.open()?, view)?;
        if parting.is_whole {
            return Ok(Some((parting.line, *before)));
        }
    }
    Ok(None)
}

/// A working copy from which nothing was recorded since another one began a new ledger still has the view of the older
/// one.
fn is_of_an_ended_ledger(ended: &[(u32, Chain)], view: &Opened) -> Result<bool, PortError> {
    for (_, chain) in ended.iter().rev() {
        let mut is_whole = false;
        chain.open()?.each(&mut |opened| {
            is_whole = parting_of_view(opened, view)?.is_whole;
            Ok(if is_whole { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        if is_whole {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Says that git keeps the view, in the place of whatever was found of it: it is what a branch says, not this clone.
pub(super) fn is_tracked(findings: &mut Vec<Finding>, view: &str) {
    findings.retain(|finding| finding.file != view);
    let message = "git tracks the view, so it changes with the branch and is not compared: `git rm --cached \
                   .orchestration/agent_trace.jsonl` untracks it and keeps the file";
    findings.push(Finding {
        severity: Severity::Note,
        kind: FindingKind::ViewTracked,
        file: view.to_owned(),
        line: None,
        entries: None,
        message: message.to_owned(),
    });
}

/// The view ends before that line of a file which has so many lines of the ledger before it.
fn behind(line: u64, before: u64, written: &Written, report: &mut Report) {
    let missing = before + line;
    let writer_was_interrupted = written.witnessed.map_or(missing == written.lines, |count| missing > count);
    if missing <= written.last_from_here && !writer_was_interrupted {
        let message =
            format!("the view ends before line {line}, and changes recorded from here are missing in it");
        report.push(Severity::Alarm, FindingKind::ViewDiffers, Some(line), None, message);
    } else {
        let message =
            format!("the view ends before line {line}; the next change recorded from here completes it");
        report.push(Severity::Note, FindingKind::ViewBehind, Some(line), None, message);
    }
}
