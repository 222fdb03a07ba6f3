//! Finds out whether the ledger is still what was written: the port `LedgerVerifier`.
//!
//! It holds the ledger's lock only while it opens the files, and then looks at what was there at that moment. It
//! changes nothing; repairs are in `repair`.

mod against;
mod chain;
mod continued;
mod departed;
mod halves;
mod hands;
mod references;
mod report;
mod segments;
mod signatures;
mod view;
mod witnessed;

use std::ops::ControlFlow;
use std::sync::Arc;

use bailiwick_domain::{
    ContentHash, Extent, FindingKind, LedgerVerifier, PortError, Progress, SegmentHistory, Severity,
    Verification,
};

use crate::Layout;
use crate::files::lock::{DEFAULT_WAIT, FileLock};
use crate::ledger::chain::ended;
use crate::ledger::chain::parts::{Chain, Files};
use crate::ledger::chain::view::View;
use crate::ledger::lines::parting::begins_with;
use crate::ledger::lines::{Line, Opened};
use crate::ledger::lock_file;
use crate::ledger::origins::arrival::{Arrival, Arrivals};
use crate::ledger::origins::beneath::beneath;
use crate::ledger::record::{LedgerLine, LedgerSays, Link, read_ledger_line};
use crate::ledger::segment::kept;
use crate::ledger::sign::TraceKeys;
use crate::ledger::transparency::Checkpoint;
use crate::ledger::trust::accounting::Accounts;
use crate::ledger::trust::seen::Seen;
use crate::ledger::trust::witness::{Heads, Witness};
use against::Against;
use chain::{ChainWalk, Step};
use report::Report;
use segments::{OwnChain, With};
use signatures::Signatures;
use view::Written;
use witnessed::Witnessed;

pub use departed::departed;

/// How many lines are looked at before it is told how far that is.
const LINES_A_STEP: u64 = 512;

/// Verifies the ledger of one clone, with its view in one working copy.
#[derive(Clone, Debug)]
pub struct FsLedgerVerifier {
    layout: Layout,
    history: Option<Arc<dyn SegmentHistory>>,
    progress: Option<Arc<dyn Progress>>,
    against: Option<Checkpoint>,
    keys: Option<TraceKeys>,
}

impl FsLedgerVerifier {
    /// A verifier of this root's ledger.
    pub fn new(layout: Layout) -> Self {
        Self { layout, history: None, progress: None, against: None, keys: None }
    }

    /// Asks version control for segments that are not in the working copy.
    #[must_use]
    pub fn with_history(mut self, history: Arc<dyn SegmentHistory>) -> Self {
        self.history = Some(history);
        self
    }

    /// Compares it with a checkpoint that was kept elsewhere.
    #[must_use]
    pub fn against(mut self, checkpoint: Checkpoint) -> Self {
        self.against = Some(checkpoint);
        self
    }

    /// Believes these keys, and not those that are known on this machine.
    #[must_use]
    pub fn with_keys(mut self, keys: TraceKeys) -> Self {
        self.keys = Some(keys);
        self
    }

    /// Tells how many bytes of the ledger were looked at.
    #[must_use]
    pub fn with_progress(mut self, progress: Arc<dyn Progress>) -> Self {
        self.progress = Some(progress);
        self
    }
}

/// The view as git names it.
const VIEW: &str = ".orchestration/agent_trace.jsonl";

/// The files as they were at one moment.
#[derive(Debug)]
pub(super) struct Moment {
    chain: Chain,
    files: Files,
    view: Result<Option<Opened>, PortError>,
    heads: Result<Option<Heads>, PortError>,
    /// The ledger that the witness knows, where somebody else began the live one here.
    beneath: Option<Chain>,
    /// Where the witness does not know this place: what is to be made of the ledger.
    arrival: Result<Option<Arrival>, PortError>,
}

impl Moment {
    pub(super) fn now(layout: &Layout) -> Result<Self, PortError> {
        let folder = crate::ledger::folder(layout);
        let _held = match folder.is_dir() {
            true => FileLock::acquire_to_look(&lock_file(&folder), DEFAULT_WAIT)?,
            false => None,
        };
        Self::under_lock(layout)
    }

    /// The files now; the caller holds the ledger's lock.
    pub(super) fn under_lock(layout: &Layout) -> Result<Self, PortError> {
        let chain = Chain::live(&crate::ledger::folder(layout));
        let witness = Witness::new(layout);
        let mut heads = witness.all();
        let beneath = match &mut heads {
            Ok(Some(heads)) => beneath(layout, &chain, heads)?,
            _ => None,
        };
        let arrival = match &heads {
            Ok(None) if layout.user_state().is_some() => arrival(layout, &chain, &witness),
            Ok(Some(_)) if beneath.is_some() => arrival(layout, &chain, &witness),
            _ => Ok(None),
        };
        let view = Opened::open(View::new(layout).path());
        Ok(Self { files: chain.open()?, chain, view, heads, beneath, arrival })
    }

    /// Whether somebody else began the live ledger here.
    pub(super) fn is_begun_by_another(&self) -> bool {
        self.beneath.is_some()
    }

    /// Why no new ledger may go on from this one, at a place that the witness does not know.
    pub(super) fn refused(&self) -> Option<Arrival> {
        let arrival = self.arrival.as_ref().ok()?.clone();
        arrival.filter(|arrival| !matches!(arrival, Arrival::GoesOn { .. }))
    }

    /// What is to say of them, with the sealed segments of the working copy.
    fn look_with_segments(
        self,
        layout: &Layout,
        history: Option<&dyn SegmentHistory>,
        progress: Option<&dyn Progress>,
        against: Option<&Checkpoint>,
        keys: Option<&TraceKeys>,
    ) -> Result<Verification, PortError> {
        let is_new_place = matches!(self.arrival, Ok(Some(_)));
        let absent = history.map(|history| kept::absent(layout, history)).transpose()?.unwrap_or_default();
        let mut own = OwnChain::for_segments_of(layout, &self.chain, is_new_place, &absent)?;
        let mut against = against.cloned().map(Against::new);
        let newest = self.chain.newest().display().to_string();
        let mut verification = self.look_with(layout, progress, keys, &mut |seq, checksum| {
            own.entry(seq, checksum);
            against.iter_mut().for_each(|against| against.entry(seq, checksum));
        })?;
        let mut report = Report::default();
        report.about(newest);
        if let Some(against) = against {
            against.finish(layout, &absent, &mut report)?;
        }
        // Keys that were named say nothing about what is known on this machine.
        let seen = keys.is_none().then(|| Seen::new(layout));
        let keys = keys.cloned().unwrap_or_else(|| TraceKeys::open(layout).unwrap_or_default());
        let with = With { own: &own, history, absent: &absent, keys: &keys, seen: seen.as_ref() };
        segments::check(layout, with, &mut verification.extent, &mut report)?;
        verification.findings.extend(report.finish());
        if history.is_some_and(|history| history.keeps(VIEW)) {
            view::is_tracked(&mut verification.findings, &View::new(layout).path().display().to_string());
        }
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
        self.look_with(layout, progress, None, each)
    }

    /// The same with keys that were named.
    fn look_with(
        self,
        layout: &Layout,
        progress: Option<&dyn Progress>,
        keys: Option<&TraceKeys>,
        each: &mut dyn FnMut(u64, &ContentHash),
    ) -> Result<Verification, PortError> {
        let mut report = Report::default();
        report.about(self.chain.newest().display().to_string());
        let heads = self.heads.unwrap_or_else(|error| {
            report.note(FindingKind::WitnessBroken, format!("the witness cannot be read: {error}"));
            None
        });
        let keys = keys.cloned().map_or_else(|| TraceKeys::open(layout), Ok).unwrap_or_else(|error| {
            report.note(FindingKind::KeysBroken, format!("the known signing keys cannot be read: {error}"));
            TraceKeys::default()
        });
        let heads = match &self.beneath {
            Some(chain) => {
                witnessed::beneath(chain, heads, &Accounts::of(layout), &mut report)?;
                report.about(self.chain.newest().display().to_string());
                None
            }
            None => heads,
        };
        let mut walk = Walk {
            signatures: Signatures::new(&keys),
            chain: ChainWalk::new(),
            witnessed: Witnessed::new(heads, self.arrival?),
            says: Vec::new(),
            written: Written::default(),
            told: Told::new(progress, &self.files),
            each,
        };
        let here = crate::ledger::working_copy(layout);
        self.files.each(&mut |opened| {
            let is_newest = opened.path() == self.chain.newest();
            walk.lines(opened, is_newest, &here, &mut report).map(ControlFlow::Continue)
        })?;
        if self.files.newest.is_none() {
            report.goes_on_in(self.chain.newest().display().to_string(), walk.written.lines);
        }
        walk.chain.finish(&mut report);
        walk.signatures.finish_chain(&mut report);
        walk.witnessed.finish(
            walk.chain.next_place(),
            walk.written.lines,
            &Accounts::of(layout),
            &mut report,
        );
        let extent = Extent {
            entries: walk.chain.placed(),
            head: walk.chain.head(),
            witnessed: walk.witnessed.agreed(),
            signed: walk.signatures.believed(),
            signed_from: walk.says.iter().find_map(|(_, says)| says.signed_from),
            ..Extent::default()
        };
        let written = Written { witnessed: walk.witnessed.count(), ..walk.written };
        twice(&self.files, &mut report)?;
        let view_path = View::new(layout).path().to_path_buf();
        match &self.view {
            Ok(view) => {
                let ended = ended::chains(&crate::ledger::folder(layout))?;
                view::compare(&self.files, view.as_ref(), &view_path, &written, &ended, &mut report)?;
            }
            Err(error) => {
                report.about(view_path.display().to_string());
                report.push(Severity::Alarm, FindingKind::ViewDiffers, None, None, error.to_string());
            }
        }
        continued::check(layout, &self.chain, &walk.says, &keys, &mut report)?;
        Ok(Verification { extent, findings: report.finish() })
    }
}

/// What is to be made of a ledger at a place that the witness does not know; nothing of one without a last entry.
fn arrival(layout: &Layout, chain: &Chain, witness: &Witness) -> Result<Option<Arrival>, PortError> {
    let last = chain.backwards(Opened::open(chain.newest())?).next()?;
    let last = last.and_then(|line| read_ledger_line(&line).ok()).map(Link::from);
    last.map(|last| (Arrivals { layout, chain, witness }).judge(&last)).transpose()
}

/// A part that the newest file begins with was about to be made when a writer was killed; the next one completes that.
/// Any other part whose entries the newest file has was put there.
fn twice(files: &Files, report: &mut Report) -> Result<(), PortError> {
    let Some(newest) = &files.newest else { return Ok(()) };
    for part in &files.again {
        if !begins_with(newest, &part.open()?)? {
            report.about(part.path.display().to_string());
            let message = "line 1 and the lines after it repeat entries of the newest file of the ledger";
            report.alarm(FindingKind::Inserted, Some(1), Some(part.first), message);
        }
    }
    Ok(())
}

struct Walk<'e> {
    signatures: Signatures<'e>,
    chain: ChainWalk,
    witnessed: Witnessed,
    written: Written,
    /// What entries say of the ledger, with their places.
    says: Vec<(u64, LedgerSays)>,
    told: Told<'e>,
    each: &'e mut dyn FnMut(u64, &ContentHash),
}

/// How far the walk is told to be.
struct Told<'p> {
    progress: Option<&'p dyn Progress>,
    lines: u64,
    bytes: u64,
    of: u64,
}

impl<'p> Told<'p> {
    fn new(progress: Option<&'p dyn Progress>, files: &Files) -> Self {
        let of = if progress.is_some() { files.length() } else { 0 };
        Self { progress, lines: 0, bytes: 0, of }
    }

    fn line(&mut self, line: &[u8]) {
        self.bytes += u64::try_from(line.len()).unwrap_or_default() + 1;
        self.lines += 1;
        if let Some(progress) = self.progress.filter(|_| self.lines.is_multiple_of(LINES_A_STEP)) {
            progress.at(self.bytes, Some(self.of));
        }
    }
}

impl Walk<'_> {
    /// Looks at one file of the chain; its lines are counted on from those of the files before.
    fn lines(
        &mut self,
        file: &Opened,
        is_newest: bool,
        here: &str,
        report: &mut Report,
    ) -> Result<(), PortError> {
        let mut number = self.written.lines;
        report.goes_on_in(file.path().display().to_string(), number);
        self.written.before.push(number);
        let mut lines = file.forwards()?;
        while let Some(line) = lines.next()? {
            number += 1;
            let (Line::Whole(bytes) | Line::Torn(bytes)) = line;
            self.told.line(bytes);
            if matches!(line, Line::Torn(_)) && !self.is_end(number, bytes, is_newest, report) {
                break;
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

    /// Says what a line without its LF is, and whether it counts: a writer leaves one at the end of the newest file, and
    /// nowhere else.
    fn is_end(&mut self, number: u64, bytes: &[u8], is_newest: bool, report: &mut Report) -> bool {
        let (line, follows) = (report.line(number), self.chain.would_follow(bytes));
        if is_newest {
            let message = format!("line {line} was not finished; the next recorded change repairs it");
            report.push(Severity::Note, FindingKind::TornTail, Some(number), None, message);
        } else if follows {
            let message = format!("line {line} was changed: its line end is missing");
            report.alarm(FindingKind::Edited, Some(number), None, message);
        }
        follows || !is_newest
    }

    fn placed(&mut self, number: u64, line: &LedgerLine, here: &str, report: &mut Report) {
        self.signatures.entry(number, line, report);
        self.witnessed.entry(number, line);
        if !line.says.is_empty() {
            self.says.push((line.seq, line.says.clone()));
        }
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
            self.against.as_ref(),
            self.keys.as_ref(),
        )
    }
}
