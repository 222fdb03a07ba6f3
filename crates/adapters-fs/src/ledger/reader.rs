//! Reads the ledger back: the port `LedgerReader` over this clone's own ledger and the sealed segments of others, those in
//! the working copy and those that the history of its commit has besides.
//!
//! What a query passes over is passed over unread, as far as that can be seen from outside, and what is left is
//! understood by several threads. Deliberately absent: saying what is wrong with it (`verify`).

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bailiwick_domain::{
    ContentHash, LedgerQuery, LedgerReader, Order, Origin, PortError, Progress, SegmentHistory, StoredEntry,
    Timestamp, Trust, Visit,
};

use crate::Layout;
use crate::ledger::chain::ended;
use crate::ledger::chain::parts::{Chain, ChainBackwards, Files};
use crate::ledger::lines::glance::Glance;
use crate::ledger::lines::{Backwards, Line, Opened};
use crate::ledger::record::read_ledger_line;
use crate::ledger::segment::kept;
use crate::ledger::segment::{self, SegmentFile};
use crate::ledger::trust::Vouchers;

/// So many lines are read ahead when a reading begins, so that one that ends early has read little.
const FIRST_BATCH: usize = 8;
/// And so many when it goes on.
const LARGEST_BATCH: usize = 1_024;
/// How many lines are looked at before it is told how far that is.
const LINES_A_STEP: u64 = 512;
/// A thread takes so many lines at a time, and pays for itself from so many on.
const LINES_FOR_A_THREAD: usize = 64;

/// Reads the ledger of one clone.
#[derive(Clone, Debug)]
pub struct FsLedgerReader {
    layout: Layout,
    history: Option<Arc<dyn SegmentHistory>>,
    progress: Option<Arc<dyn Progress>>,
    asked: Asked,
    behind: Option<Behind>,
}

/// An entry of this clone's live chain, behind which the reading begins.
#[derive(Clone, Debug)]
struct Behind {
    seq: u64,
    timestamp: Timestamp,
}

/// What is asked about how entries are known.
#[derive(Clone, Debug, Default)]
enum Asked {
    /// Nothing.
    #[default]
    Nothing,
    /// All of it, also of those that nobody vouches for.
    All,
    /// Only those are wanted that somebody vouches for; whether others were passed over.
    Vouched(Arc<AtomicBool>),
}

impl FsLedgerReader {
    /// A reader of this root's ledger.
    pub fn new(layout: &Layout) -> Self {
        Self { layout: layout.clone(), history: None, progress: None, asked: Asked::default(), behind: None }
    }

    /// Reads the segments too that the history of the working copy's commit has and the working copy lacks.
    #[must_use]
    pub fn with_history(mut self, history: Arc<dyn SegmentHistory>) -> Self {
        self.history = Some(history);
        self
    }

    /// Tells how many bytes of this clone's own ledger were looked at.
    #[must_use]
    pub fn with_progress(mut self, progress: Arc<dyn Progress>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Says of each entry how it is known.
    #[must_use]
    pub fn with_trust(self) -> Self {
        Self { asked: Asked::All, ..self }
    }

    /// The same, and passes over those that nobody vouches for; `passed_over` is set when there were any.
    #[must_use]
    pub fn vouched_for(self, passed_over: Arc<AtomicBool>) -> Self {
        Self { asked: Asked::Vouched(passed_over), ..self }
    }

    /// The same for what is older than this entry, which is not searched for but stands at that place of this clone's live
    /// chain; `None` where it does not. What others wrote later than that by their clocks is passed over too. Such a reader
    /// reads the newest first.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn behind(self, entry: &str, seq: u64) -> Result<Option<Self>, PortError> {
        let Some((line, _)) = self.live()?.at_place(seq)? else { return Ok(None) };
        let found = read_ledger_line(&line).ok().filter(|found| found.entry.id == entry);
        Ok(found.map(|found| Self { behind: Some(Behind { seq, timestamp: found.entry.timestamp }), ..self }))
    }

    fn live(&self) -> Result<Files, PortError> {
        Chain::live(&crate::ledger::folder(&self.layout)).open()
    }

    /// This clone's own chains with where they are from, the oldest first.
    fn own(&self) -> Result<Vec<(Origin, Files)>, PortError> {
        let folder = crate::ledger::folder(&self.layout);
        let mut chains = Vec::new();
        for (number, chain) in ended::chains(&folder)? {
            chains.push((Origin::Ended(number), chain.open()?));
        }
        chains.push((Origin::Live, self.live()?));
        Ok(chains)
    }

    /// Segments of chains that are not this clone's own, by when their newest entry was recorded, the oldest first; and
    /// those of ledgers that a person ended, which may have lost what was sealed of them, with what those still have.
    fn others(&self, own: &[(Origin, Files)]) -> Result<(Sealed, Came), PortError> {
        let (mut others, mut known) = (Vec::new(), Came::default());
        let mut files = segment::all(&self.layout)?;
        if let Some(history) = &self.history {
            files.extend(kept::files(&self.layout, history.as_ref())?);
        }
        if files.is_empty() {
            return Ok((others, known));
        }
        let chains = own.iter().filter_map(|(origin, files)| Some((genesis(files)?, (origin, files))));
        let mut chains: BTreeMap<ContentHash, (&Origin, &Files)> = chains.collect();
        for file in files {
            let Some((header, newest)) = file.header()? else { continue };
            let chain = header.chain.clone();
            match chains.get(&header.chain) {
                Some((Origin::Live, _)) => continue,
                Some((_, ended)) => {
                    ended.each(&mut |opened| checksums_of(opened, &mut known))?;
                    chains.remove(&header.chain);
                }
                None => {}
            }
            others.push(Segment { newest, chain, file });
        }
        others.sort_by_key(|segment| segment.newest);
        Ok((others, known))
    }
}

/// A segment with the chain that it is of, and when its newest entry was recorded.
#[derive(Debug)]
struct Segment {
    newest: Timestamp,
    chain: ContentHash,
    file: SegmentFile,
}

/// Segments by when their newest entry was recorded.
type Sealed = Vec<Segment>;

/// Entries that came already, by the first halves of their checksums, as the witness remembers them: there may be very
/// many.
#[derive(Debug, Default)]
struct Came(BTreeSet<u128>);

impl Came {
    /// Whether it did not come before; from now on it did.
    fn is_new(&mut self, checksum: &ContentHash) -> bool {
        let half = checksum.digits().get(..32).and_then(|half| u128::from_str_radix(half, 16).ok());
        half.is_none_or(|half| self.0.insert(half))
    }
}

fn checksums_of(opened: &Opened, known: &mut Came) -> Result<ControlFlow<()>, PortError> {
    let mut lines = opened.forwards()?;
    while let Some(line) = lines.next()? {
        let Line::Whole(line) = line else { continue };
        if let Ok(found) = read_ledger_line(line) {
            known.is_new(&found.checksum);
        }
    }
    Ok(ControlFlow::Continue(()))
}

fn genesis(files: &Files) -> Option<ContentHash> {
    read_ledger_line(&files.head().ok()??).ok().map(|line| line.checksum)
}

impl LedgerReader for FsLedgerReader {
    fn visit(&self, query: &LedgerQuery, visit: &mut Visit<'_>) -> Result<(), PortError> {
        let own = self.own()?;
        let sieve = &Sieve {
            glance: Glance::of(query),
            has_records: !query.without_records,
            here: crate::ledger::working_copy(&self.layout),
            asked: &self.asked,
            vouchers: match &self.asked {
                Asked::Nothing => None,
                Asked::All | Asked::Vouched(_) => Some(Vouchers::of(&self.layout)?),
            },
            chains: own
                .iter()
                .filter_map(|(origin, files)| Some((origin.clone(), genesis(files)?)))
                .collect(),
        };
        let (files, seen) = self.others(&own)?;
        let mut others = Others { files, current: None, seen, sieve, newest: None };
        let told = Told::new(self.progress.as_deref(), &own);
        match (query.order, &self.behind) {
            (Order::NewestFirst, None) => newest_first(Own::new(own, sieve, told), others, visit),
            (Order::NewestFirst, Some(behind)) => {
                others.newest = Some(behind.timestamp);
                newest_first(Own::new(own, sieve, told).behind(behind)?, others, visit)
            }
            (Order::OldestFirst, None) => oldest_first(&own, others, told, visit),
            (Order::OldestFirst, Some(_)) => {
                Err(PortError::Unavailable("what is behind an entry is read from the newest on".into()))
            }
        }
    }
}

/// Both by their timestamps, as far as each of them is in that order.
fn newest_first(mut own: Own<'_>, mut others: Others<'_>, visit: &mut Visit<'_>) -> Result<(), PortError> {
    let (mut ours, mut theirs) = (own.next()?, others.next()?);
    loop {
        let take_ours = match (&ours, &theirs) {
            (Some(ours), Some(theirs)) => ours.entry.timestamp >= theirs.entry.timestamp,
            (Some(_), None) => true,
            (None, _) => false,
        };
        let next = if take_ours {
            std::mem::replace(&mut ours, own.next()?)
        } else {
            std::mem::replace(&mut theirs, others.next()?)
        };
        let Some(stored) = next else { return Ok(()) };
        if visit(stored).is_break() {
            return Ok(());
        }
    }
}

/// What others wrote, then what was written here.
fn oldest_first(
    own: &[(Origin, Files)],
    others: Others<'_>,
    mut told: Told<'_>,
    visit: &mut Visit<'_>,
) -> Result<(), PortError> {
    let sieve = others.sieve;
    let mut flow = others.oldest_first(visit)?;
    for (origin, files) in own {
        files.each(&mut |opened| {
            let mut lines = opened.forwards()?;
            while flow.is_continue()
                && let Some(line) = lines.next()?
            {
                let Line::Whole(line) = line else { continue };
                told.line(line);
                flow = sieve.take(origin, None, line).map_or(flow, &mut *visit);
            }
            Ok(flow)
        })?;
    }
    Ok(())
}

/// How far the reading is told to be.
struct Told<'p> {
    progress: Option<&'p dyn Progress>,
    done: u64,
    of: u64,
    lines: u64,
}

impl<'p> Told<'p> {
    fn new(progress: Option<&'p dyn Progress>, chains: &[(Origin, Files)]) -> Self {
        let of = if progress.is_some() { chains.iter().map(|(_, files)| files.length()).sum() } else { 0 };
        Self { progress, done: 0, of, lines: 0 }
    }

    fn line(&mut self, line: &[u8]) {
        let Some(progress) = self.progress else { return };
        self.done += u64::try_from(line.len()).unwrap_or_default() + 1;
        self.lines += 1;
        if self.lines.is_multiple_of(LINES_A_STEP) {
            progress.at(self.done, Some(self.of));
        }
    }
}

/// This clone's own entries, the newest first.
struct Own<'q> {
    chains: Vec<(Origin, Files)>,
    current: Option<(Origin, ChainBackwards)>,
    /// The next lines of it, read while those before were understood.
    ahead: Option<Result<Batch, PortError>>,
    ready: Ready,
    /// How many lines are read next, and the memory for them.
    batch: usize,
    spare: Batch,
    /// How many threads there are for it.
    threads: usize,
    sieve: &'q Sieve<'q>,
    told: Told<'q>,
}

impl<'q> Own<'q> {
    fn new(chains: Vec<(Origin, Files)>, sieve: &'q Sieve<'q>, told: Told<'q>) -> Self {
        let (ready, spare) = (Ready::default(), Batch::default());
        // The system is asked once: it looks into several files to tell.
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { chains, current: None, ahead: None, ready, batch: FIRST_BATCH, spare, threads, sieve, told }
    }

    /// The same behind an entry of the newest chain.
    fn behind(mut self, behind: &Behind) -> Result<Self, PortError> {
        if let Some((origin, files)) = self.chains.pop() {
            let gone = || PortError::Unavailable("the ledger changed while it was read; ask again".into());
            let (_, lines) = files.at_place(behind.seq)?.ok_or_else(gone)?;
            self.current = Some((origin, lines));
        }
        Ok(self)
    }

    fn next(&mut self) -> Result<Option<StoredEntry>, PortError> {
        loop {
            if let Some(stored) = self.ready.next() {
                return Ok(Some(stored));
            }
            if let Some((origin, lines)) = &mut self.current {
                let mut read_on = || {
                    let read = std::mem::take(&mut self.spare).filled(lines, self.batch, &mut self.told);
                    self.batch = LARGEST_BATCH.min(self.batch * 2);
                    read
                };
                let batch = self.ahead.take().unwrap_or_else(&mut read_on)?;
                if !batch.places.is_empty() {
                    let (ready, ahead) =
                        understood_together(&batch, origin, self.sieve, self.threads, read_on);
                    (self.ready, self.ahead, self.spare) = (ready, Some(ahead), batch);
                    continue;
                }
            }
            let Some((origin, files)) = self.chains.pop() else { return Ok(None) };
            self.current = Some((origin, files.backwards()));
        }
    }
}

/// Entries in their order, as the threads left them: they are large, so each stays where it was understood.
#[derive(Default)]
struct Ready(VecDeque<std::vec::IntoIter<StoredEntry>>);

impl Ready {
    fn next(&mut self) -> Option<StoredEntry> {
        loop {
            if let Some(stored) = self.0.front_mut()?.next() {
                return Some(stored);
            }
            self.0.pop_front();
        }
    }
}

/// Lines one behind the other, in memory that is used again.
#[derive(Default)]
struct Batch {
    bytes: Vec<u8>,
    places: Vec<Range<usize>>,
}

impl Batch {
    /// The next lines, so many at most, in place of those that it had.
    fn filled(
        mut self,
        lines: &mut ChainBackwards,
        count: usize,
        told: &mut Told<'_>,
    ) -> Result<Self, PortError> {
        self.bytes.clear();
        self.places.clear();
        let mut start = 0;
        while self.places.len() < count && lines.next_into(&mut self.bytes)? {
            let place = start..self.bytes.len();
            start = place.end;
            told.line(self.line(&place));
            self.places.push(place);
        }
        Ok(self)
    }

    fn line(&self, place: &Range<usize>) -> &[u8] {
        self.bytes.get(place.clone()).unwrap_or_default()
    }
}

/// The entries of those lines that the query does not pass over, in their order, and what was done `meanwhile` in this
/// thread. Threads of their own take up the lines in pieces, as each has time.
fn understood_together<R>(
    lines: &Batch,
    origin: &Origin,
    sieve: &Sieve<'_>,
    threads: usize,
    meanwhile: impl FnOnce() -> R,
) -> (Ready, R) {
    let count = lines.places.len().div_ceil(LINES_FOR_A_THREAD);
    // Alone is quickest with one piece or one processor.
    let others = if count.min(threads) > 1 { count.min(threads) } else { 0 };
    let pieces = Mutex::new(lines.places.chunks(LINES_FOR_A_THREAD).enumerate());
    let next = || pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        let mut done: Vec<(usize, Vec<StoredEntry>)> = Vec::new();
        while let Some((nth, piece)) = next() {
            // Entries are large: none is moved because there are more than was thought.
            let mut entries = Vec::with_capacity(piece.len());
            entries.extend(piece.iter().filter_map(|at| sieve.take(origin, None, lines.line(at))));
            done.push((nth, entries));
        }
        done
    };
    let work = &work;
    std::thread::scope(|scope| {
        // Where no thread can be had this one does it all.
        let spawned = (0..others).map_while(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok());
        let spawned: Vec<_> = spawned.collect();
        let meanwhile = meanwhile();
        // This thread frees entries of others, so what it allocates may lie in their memory: they would wait for each other.
        let mut done = if spawned.is_empty() { work() } else { Vec::new() };
        for thread in spawned {
            done.extend(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done.sort_unstable_by_key(|(nth, _)| *nth);
        let pieces = done.into_iter().map(|(_, entries)| entries.into_iter());
        (Ready(pieces.collect()), meanwhile)
    })
}

/// The entries of other chains by their segments; segments may overlap, and an entry comes once.
struct Others<'q> {
    files: Sealed,
    current: Option<(Origin, ContentHash, Backwards)>,
    seen: Came,
    sieve: &'q Sieve<'q>,
    /// What is newer is passed over until something comes that is not.
    newest: Option<Timestamp>,
}

impl Others<'_> {
    /// The next one that is wanted.
    fn next(&mut self) -> Result<Option<StoredEntry>, PortError> {
        loop {
            let next = self.next_of_all()?;
            match (self.newest, &next) {
                (Some(newest), Some(stored)) if stored.entry.timestamp > newest => {}
                _ => {
                    self.newest = None;
                    return Ok(next);
                }
            }
        }
    }

    /// The next one of the newest segment.
    fn next_of_all(&mut self) -> Result<Option<StoredEntry>, PortError> {
        loop {
            if let Some((origin, chain, lines)) = &mut self.current {
                while let Some(line) = lines.next()? {
                    let stored = self.sieve.take(origin, Some(chain), &line);
                    if let Some(stored) = stored.filter(|stored| self.seen.is_new(&stored.checksum)) {
                        return Ok(Some(stored));
                    }
                }
            }
            let Some(Segment { chain, file, .. }) = self.files.pop() else { return Ok(None) };
            self.current = Some((Origin::Segment(file.name.clone()), chain, file.open()?.backwards()));
        }
    }

    /// All of them, the oldest segment first.
    fn oldest_first(mut self, visit: &mut Visit<'_>) -> Result<ControlFlow<()>, PortError> {
        for Segment { chain, file, .. } in self.files {
            let (origin, opened) = (Origin::Segment(file.name.clone()), file.open()?);
            let mut lines = opened.forwards()?;
            while let Some(line) = lines.next()? {
                let (Line::Whole(line) | Line::Torn(line)) = line;
                let stored = self.sieve.take(&origin, Some(&chain), line);
                let new = stored.filter(|stored| self.seen.is_new(&stored.checksum));
                if new.is_some_and(|stored| visit(stored).is_break()) {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Leaves what a query asks for, and understands it.
struct Sieve<'q> {
    glance: Glance<'q>,
    has_records: bool,
    /// What tells this working copy.
    here: String,
    asked: &'q Asked,
    vouchers: Option<Vouchers>,
    /// The first entries of this clone's own chains.
    chains: BTreeMap<Origin, ContentHash>,
}

impl Sieve<'_> {
    /// `chain` is that of a segment; the others are known.
    fn take(&self, origin: &Origin, chain: Option<&ContentHash>, line: &[u8]) -> Option<StoredEntry> {
        if !self.glance.may_be_wanted(line) {
            return None;
        }
        let found = read_ledger_line(line).ok()?;
        let chain = chain.or_else(|| self.chains.get(origin));
        let trust = self.vouchers.as_ref().map(|vouchers| vouchers.trust(chain, &found));
        if let (Asked::Vouched(passed_over), Some(Trust::Unvouched)) = (self.asked, &trust) {
            passed_over.store(true, Ordering::Relaxed);
            return None;
        }
        Some(StoredEntry {
            trust,
            is_from_here: found.working_copy.as_deref().is_none_or(|copy| copy == self.here),
            origin: origin.clone(),
            seq: found.seq,
            checksum: found.checksum,
            entry: found.entry,
            record: if self.has_records { str::from_utf8(line).ok()?.to_owned() } else { String::new() },
        })
    }
}
