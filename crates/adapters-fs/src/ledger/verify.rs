//! Finds out whether the ledger still is what was written: the port `LedgerVerifier` (D-25, row 147).
//!
//! It holds the ledger's lock only while it opens the files, and then looks at what was there at that moment. It
//! changes nothing; mending is `repair`.

mod chain;
mod report;
mod segments;
mod signatures;
mod view;
mod witnessed;

use std::sync::Arc;

use bailiwick_domain::{
    ContentHash, Extent, FindingKind, LedgerVerifier, PortError, Progress, SegmentHistory, Severity,
    Verification,
};

use super::lines::{Line, Opened};
use super::record::LedgerLine;
use super::sign::TraceKeys;
use super::view::View;
use super::witness::{Heads, Witness};
use super::{ended, live_file, lock_file};
use crate::Layout;
use crate::lock::{DEFAULT_WAIT, FileLock};
use chain::{ChainWalk, Step};
use report::Report;
use segments::OwnChain;
use signatures::Signatures;
use view::Written;
use witnessed::Witnessed;

/// How many lines are looked at before it is told how far that is.
const LINES_A_STEP: u64 = 512;

/// Verifies the ledger of one clone, with its view in one working copy.
#[derive(Clone, Debug)]
pub struct FsLedgerVerifier {
    layout: Layout,
    history: Option<Arc<dyn SegmentHistory>>,
    progress: Option<Arc<dyn Progress>>,
}

impl FsLedgerVerifier {
    /// A verifier of this root's ledger.
    pub fn new(layout: Layout) -> Self {
        Self { layout, history: None, progress: None }
    }

    /// Asks version control for segments that are not in the working copy.
    #[must_use]
    pub fn with_history(mut self, history: Arc<dyn SegmentHistory>) -> Self {
        self.history = Some(history);
        self
    }

    /// Tells how many bytes of the ledger were looked at.
    #[must_use]
    pub fn with_progress(mut self, progress: Arc<dyn Progress>) -> Self {
        self.progress = Some(progress);
        self
    }
}

/// The files as they were at one moment.
#[derive(Debug)]
pub(super) struct Moment {
    live: Option<Opened>,
    view: Result<Option<Opened>, PortError>,
    heads: Result<Option<Heads>, PortError>,
}

impl Moment {
    fn now(layout: &Layout) -> Result<Self, PortError> {
        let folder = super::folder(layout);
        let _held =
            folder.is_dir().then(|| FileLock::acquire(&lock_file(&folder), DEFAULT_WAIT)).transpose()?;
        Self::under_lock(layout)
    }

    /// The files now; the caller holds the ledger's lock.
    pub(super) fn under_lock(layout: &Layout) -> Result<Self, PortError> {
        Ok(Self {
            live: Opened::open(&live_file(&super::folder(layout)))?,
            view: Opened::open(View::new(layout).path()),
            heads: Witness::new(layout).all(),
        })
    }

    /// What is to say of them, with the sealed segments of the working copy.
    fn look_with_segments(
        self,
        layout: &Layout,
        history: Option<&dyn SegmentHistory>,
        progress: Option<&dyn Progress>,
    ) -> Result<Verification, PortError> {
        let mut own = OwnChain::for_segments_of(layout)?;
        let mut verification = self.look(layout, progress, &mut |seq, checksum| own.entry(seq, checksum))?;
        let mut report = Report::default();
        (verification.extent.sealed, verification.extent.segments) = segments::check(
            layout,
            &own,
            history,
            &TraceKeys::open(layout).unwrap_or_default(),
            &mut report,
        )?;
        verification.findings.extend(report.finish());
        verification.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        Ok(verification)
    }

    /// What is to say of them; each checksum in its place is given to `each`.
    pub(super) fn look(
        self,
        layout: &Layout,
        progress: Option<&dyn Progress>,
        each: &mut dyn FnMut(u64, &ContentHash),
    ) -> Result<Verification, PortError> {
        let mut report = Report::default();
        let path = live_file(&super::folder(layout));
        report.about(path.display().to_string());
        let heads = self.heads.unwrap_or_else(|error| {
            report.note(FindingKind::WitnessBroken, format!("the witness cannot be read: {error}"));
            None
        });
        let keys = TraceKeys::open(layout).unwrap_or_else(|error| {
            report.note(FindingKind::KeysBroken, format!("the known signing keys cannot be read: {error}"));
            TraceKeys::default()
        });
        let mut walk = Walk {
            signatures: Signatures::new(&keys),
            chain: ChainWalk::new(),
            witnessed: Witnessed::new(heads),
            written: Written::default(),
            progress,
            each,
        };
        let here = super::working_copy(layout);
        if let Some(live) = &self.live {
            walk.lines(live, &here, &mut report)?;
        }
        walk.chain.finish(&mut report);
        walk.signatures.finish_chain(&mut report);
        walk.witnessed.finish(walk.chain.next_place(), &mut report);
        let extent = Extent {
            entries: walk.chain.placed(),
            head: walk.chain.head(),
            witnessed: walk.witnessed.agreed(),
            signed: walk.signatures.believed(),
            ..Extent::default()
        };
        let written = Written { witnessed: walk.witnessed.count(), ..walk.written };
        let view_path = View::new(layout).path().to_path_buf();
        match &self.view {
            Ok(view) => view::compare(self.live.as_ref(), view.as_ref(), &view_path, written, &mut report)?,
            Err(error) => {
                report.about(view_path.display().to_string());
                report.push(Severity::Alarm, FindingKind::ViewDiffers, None, None, error.to_string());
            }
        }
        for (number, path) in ended::files(&super::folder(layout))? {
            report.about(path.display().to_string());
            report.note(
                FindingKind::Ended,
                format!("ledger {number} was ended by a person, and a new one begun"),
            );
        }
        Ok(Verification { extent, findings: report.finish() })
    }
}

struct Walk<'e> {
    signatures: Signatures<'e>,
    chain: ChainWalk,
    witnessed: Witnessed,
    written: Written,
    progress: Option<&'e dyn Progress>,
    each: &'e mut dyn FnMut(u64, &ContentHash),
}

impl Walk<'_> {
    fn lines(&mut self, live: &Opened, here: &str, report: &mut Report) -> Result<(), PortError> {
        let mut lines = live.forwards()?;
        let (mut number, mut bytes_read) = (0, 0);
        while let Some(line) = lines.next()? {
            number += 1;
            let (bytes, torn) = match line {
                Line::Whole(bytes) => (bytes, false),
                Line::Torn(bytes) => (bytes, true),
            };
            bytes_read += u64::try_from(bytes.len()).unwrap_or_default() + 1;
            if let Some(progress) = self.progress.filter(|_| number % LINES_A_STEP == 0) {
                progress.at(bytes_read, Some(live.length()));
            }
            if torn {
                let message = format!("line {number} was not finished; the next recorded change repairs it");
                report.push(Severity::Note, FindingKind::TornTail, Some(number), None, message);
                if !self.chain.would_follow(bytes) {
                    break;
                }
            }
            self.written.lines = number;
            match self.chain.line(number, bytes, report) {
                Step::Placed(line) => self.placed(number, &line, here, report),
                Step::Displaced(line) => {
                    self.witnessed.forget(line.seq.saturating_sub(1));
                    self.placed(number, &line, here, report);
                }
                Step::Misplaced => {}
            }
        }
        Ok(())
    }

    fn placed(&mut self, number: u64, line: &LedgerLine, here: &str, report: &mut Report) {
        self.signatures.entry(number, line, report);
        self.witnessed.entry(line.seq, &line.checksum);
        (self.each)(line.seq, &line.checksum);
        if line.working_copy.as_deref().is_none_or(|from| from == here) {
            self.written.last_from_here = number;
        }
    }
}

impl LedgerVerifier for FsLedgerVerifier {
    fn verify(&self) -> Result<Verification, PortError> {
        Moment::now(&self.layout)?.look_with_segments(
            &self.layout,
            self.history.as_deref(),
            self.progress.as_deref(),
        )
    }
}
