//! Checks the sealed segments of a working copy: each for itself, each against the one it follows, and those of this
//! clone's chain against the ledger.
//!
//! What the history of the working copy's commit has besides is evidence too: it is looked at in the same way, and a note
//! names the commit. Deliberately absent: segments that are nowhere (`references`).

use std::collections::BTreeMap;
use std::num::NonZeroU128;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;

use bailiwick_domain::{ContentHash, Extent, FindingKind, PortError, SegmentHistory, Severity};

use super::chain::{ChainWalk, Step, entries};
use super::hands::Hands;
use super::references::{self, Looked};
use super::report::Report;
use super::signatures::Signatures;
use crate::Layout;
use crate::ledger::chain::ended;
use crate::ledger::chain::parts::Chain;
use crate::ledger::folder;
use crate::ledger::lines::Line;
use crate::ledger::record::read_ledger_line;
use crate::ledger::segment::kept::Past;
use crate::ledger::segment::sealed_here::SealedHere;
use crate::ledger::segment::{self, Header, SegmentFile};
use crate::ledger::sign::{TraceKey, TraceKeys};
use crate::ledger::transparency::{Frontier, leaf_of};
use crate::ledger::trust::seen::Seen;

/// The first halves of a chain's checksums by their place, as far as they are known.
type Halves = Vec<Option<NonZeroU128>>;

/// What the ledger's own chain is: the first checksum, and, where there is a segment to compare with, the first half of
/// each by its place. The same of the ledgers that it goes on from.
#[derive(Debug)]
pub(super) struct OwnChain {
    genesis: Option<ContentHash>,
    has_segments: bool,
    halves: Halves,
    /// Whether it may have gone on at another place.
    is_new_place: bool,
    before: BTreeMap<ContentHash, Halves>,
}

/// A chain that this clone has.
#[derive(Clone, Copy, Debug)]
struct Ours<'o> {
    halves: &'o Halves,
    goes_on_elsewhere: bool,
}

impl Ours<'_> {
    /// Whether it has that entry, or does not know of it because it was written at another place.
    fn has(&self, seq: u64, checksum: &ContentHash, is_from_here: bool) -> bool {
        let index = usize::try_from(seq).unwrap_or(usize::MAX);
        if self.goes_on_elsewhere && !is_from_here && index >= self.halves.len() {
            return true;
        }
        let known = self.halves.get(index).copied().flatten();
        known.is_some() && known == half(checksum)
    }
}

impl OwnChain {
    /// Remembers the chain only where a segment of this working copy or its history may need it: without one, verifying takes the same
    /// memory however long the ledger is.
    pub(super) fn for_segments_of(
        layout: &Layout,
        live: &Chain,
        is_new_place: bool,
        absent: &[Past],
    ) -> Result<Self, PortError> {
        let has_segments = !absent.is_empty() || segment::is_any(layout)?;
        let mut before = BTreeMap::new();
        if has_segments {
            for chain in ended::gone_on_from(&folder(layout), live)? {
                before.extend(halves_of(&chain)?);
            }
        }
        Ok(Self { genesis: None, has_segments, halves: Vec::new(), is_new_place, before })
    }

    pub(super) fn entry(&mut self, seq: u64, checksum: &ContentHash) {
        if seq == 0 {
            self.genesis = Some(checksum.clone());
        }
        if self.has_segments {
            remember(&mut self.halves, seq, checksum);
        }
    }

    fn genesis(&self) -> Option<&ContentHash> {
        self.genesis.as_ref()
    }

    fn of(&self, chain: &ContentHash) -> Option<Ours<'_>> {
        if self.genesis.as_ref() == Some(chain) {
            return Some(Ours { halves: &self.halves, goes_on_elsewhere: self.is_new_place });
        }
        self.before.get(chain).map(|halves| Ours { halves, goes_on_elsewhere: true })
    }
}

fn remember(halves: &mut Halves, seq: u64, checksum: &ContentHash) {
    let Ok(index) = usize::try_from(seq) else { return };
    if halves.len() <= index && index < halves.len() + (1 << 24) {
        halves.resize(index + 1, None);
    }
    if let Some(place) = halves.get_mut(index) {
        *place = half(checksum);
    }
}

/// Those of a chain that another goes on from, with the checksum of its first entry.
fn halves_of(chain: &Chain) -> Result<Option<(ContentHash, Halves)>, PortError> {
    let (mut genesis, mut halves) = (None, Halves::new());
    chain.open()?.each(&mut |opened| {
        let mut lines = opened.forwards()?;
        while let Some(Line::Whole(line) | Line::Torn(line)) = lines.next()? {
            let Ok(line) = read_ledger_line(line) else { continue };
            remember(&mut halves, line.seq, &line.checksum);
            genesis.get_or_insert(line.checksum);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(genesis.map(|genesis| (genesis, halves)))
}

/// The first half of a checksum, as the witness remembers it.
fn half(checksum: &ContentHash) -> Option<NonZeroU128> {
    let digits = checksum.digits().get(..32)?;
    NonZeroU128::new(u128::from_str_radix(digits, 16).ok()?)
}

/// What the segments are checked with.
#[derive(Clone, Copy)]
pub(super) struct With<'a> {
    pub(super) own: &'a OwnChain,
    pub(super) history: Option<&'a dyn SegmentHistory>,
    /// The segments that only the history has.
    pub(super) absent: &'a [Past],
    pub(super) keys: &'a TraceKeys,
    /// The heads that were seen here before.
    pub(super) seen: Option<&'a Seen>,
}

/// Checks all of them, those too that only the history has; how far they go is put into `extent`.
pub(super) fn check(
    layout: &Layout,
    with: With<'_>,
    extent: &mut Extent,
    report: &mut Report,
) -> Result<(), PortError> {
    let mut all = All {
        present: BTreeMap::new(),
        past: BTreeMap::new(),
        here: sealed_here(layout, report)?,
        hands: Hands::new(with.seen),
    };
    if segment::is_no_folder(layout) {
        report.about(segment::folder(layout).display().to_string());
        report.push(Severity::Alarm, FindingKind::SegmentDiffers, None, None, segment::NO_FOLDER);
    }
    for file in segment::all(layout)? {
        report.about(file.path.display().to_string());
        extent.segments += 1;
        if let Err(error) = file.open() {
            let message = match file.is_none() {
                Some(why) => {
                    format!("{why}, so it holds nothing: take it away, and out of the commit with `git rm`")
                }
                None => format!("the segment cannot be read: {error}"),
            };
            report.push(Severity::Alarm, FindingKind::SegmentDiffers, None, None, message);
            continue;
        }
        if let Some(looked) = look(&file, file.path.display().to_string(), with, &mut all, report)? {
            if Some(&looked.header.chain) == with.own.genesis() {
                extent.sealed = extent.sealed.max(looked.header.end());
            }
            all.present.insert(file.name, looked);
        }
    }
    past(layout, with.absent, with, &mut all, report)?;
    extent.ledgers = all.hands.finish(with.keys, report);
    references::check(layout, &all.present, &all.past, &all.here, with.history, report)?;
    references::elsewhere(layout, &all.here, with.absent, report);
    if let Some(seen) = with.seen {
        let known = |chain: &ContentHash| with.own.of(chain).is_some();
        references::gone(layout, seen, &extent.ledgers, &known, report)?;
    }
    Ok(())
}

/// What was sealed here; nothing where the list is damaged, which is reported.
fn sealed_here(layout: &Layout, report: &mut Report) -> Result<SealedHere, PortError> {
    let list = SealedHere::read_whole(layout)?;
    Ok(list.unwrap_or_else(|damaged| {
        report.about(damaged.display().to_string());
        let message =
            "the list of the segments that were sealed here is damaged, so one that is gone cannot be told";
        report.push(Severity::Alarm, FindingKind::SealedListDamaged, None, None, message);
        SealedHere::empty(layout)
    }))
}

/// All segments that were looked at.
struct All<'s> {
    present: BTreeMap<ContentHash, Looked>,
    /// Those that only the history has.
    past: BTreeMap<ContentHash, Looked>,
    here: SealedHere,
    hands: Hands<'s>,
}

/// Checks what a header says of the tree, for that tree behind the last entry and the key that this names.
fn edges(header: &Header, tree: Option<&Frontier>, newest_by: Option<&str>, report: &mut Report) {
    let key = newest_by.and_then(TraceKey::parse);
    let is_as_said = match tree {
        Some(tree) => header.has_checkpoint_of(tree, key.as_ref()),
        None => header.frontier.is_none() && header.checkpoint.is_none(),
    };
    if !is_as_said {
        let message = "what the header says of the tree, or the checkpoint in it, is not of these entries";
        report.alarm(FindingKind::CheckpointDiffers, Some(1), None, message);
    }
}

/// Looks at the segments that only the history has, and names the commits.
fn past(
    layout: &Layout,
    absent: &[Past],
    with: With<'_>,
    all: &mut All<'_>,
    report: &mut Report,
) -> Result<(), PortError> {
    let mut by_commit: BTreeMap<(&str, bool), Away> = BTreeMap::new();
    for one in absent {
        let commit = (one.kept.commit.as_str(), one.kept.is_taken);
        let away = by_commit.entry(commit).or_default();
        away.segments += 1;
        let Some(file) = &one.file else {
            away.unread += 1;
            continue;
        };
        let name = segment::file(Path::new(".orchestration/trace"), &file.name);
        let shown = format!("{}:{}", commit.0, name.display());
        report.about(shown.clone());
        if let Some(looked) = look(file, shown, with, all, report)? {
            away.add(&looked.header);
            all.past.insert(file.name.clone(), looked);
        }
    }
    report.about(segment::folder(layout).display().to_string());
    for ((commit, is_taken), away) in by_commit {
        let did = if is_taken { "took them away" } else { "has them" };
        let message =
            format!("segments that are not in this working copy: commit {commit} {did} ({})", away.said());
        report.note(FindingKind::SegmentElsewhere, message);
    }
    Ok(())
}

/// Segments that a commit has and the working copy has not.
#[derive(Debug, Default)]
struct Away {
    segments: u64,
    /// The places that they have in their ledgers. Several segments may have the same.
    places: BTreeMap<ContentHash, Vec<Range<u64>>>,
    unread: u64,
}

impl Away {
    fn add(&mut self, header: &Header) {
        self.places.entry(header.chain.clone()).or_default().push(header.first..header.end());
    }

    /// How many entries they have, each counted once.
    fn entries(&self) -> u64 {
        let of_ledger = |places: &Vec<Range<u64>>| {
            let mut places = places.clone();
            places.sort_by_key(|place| place.start);
            let (mut count, mut end) = (0, 0);
            for place in places {
                count += place.end.saturating_sub(place.start.max(end));
                end = place.end.max(end);
            }
            count
        };
        self.places.values().map(of_ledger).sum()
    }

    fn said(&self) -> String {
        let entries = match self.entries() {
            1 => "1 entry".to_owned(),
            entries => format!("{entries} entries"),
        };
        let unread = match self.unread {
            0 => String::new(),
            unread => format!(", {unread} of them not in this clone, or no segment"),
        };
        format!("{}, with {entries}{unread}", self.segments)
    }
}

fn look(
    file: &SegmentFile,
    shown: String,
    With { own, keys, .. }: With<'_>,
    all: &mut All<'_>,
    report: &mut Report,
) -> Result<Option<Looked>, PortError> {
    let shown: Arc<str> = shown.into();
    let is_whole = file.is_whole()?;
    if !is_whole {
        let message = "the segment's content does not match its name";
        report.push(Severity::Alarm, FindingKind::SegmentDiffers, None, None, message);
    }
    let Some((header, _)) = file.header()? else {
        report.alarm(FindingKind::Edited, Some(1), None, "line 1 is not the header of a segment");
        return Ok(None);
    };
    let mut chain = ChainWalk::starting_at(header.first);
    let mut signatures = Signatures::new(keys).of(&header.chain);
    let (mut first_names, mut tree, mut newest_by) = (None, header.tree(), None);
    let ours = own.of(&header.chain);
    let is_from_here = all.here.known.contains_key(&file.name);
    let opened = file.open()?;
    let mut lines = opened.forwards()?;
    let mut number = 0;
    while let Some(Line::Whole(bytes) | Line::Torn(bytes)) = lines.next()? {
        number += 1;
        if number == 1 {
            continue;
        }
        if let Step::Placed(line) | Step::Displaced(line) = chain.line(number, bytes, report) {
            signatures.entry(number, &line, report);
            tree.iter_mut().for_each(|tree| tree.push(leaf_of(&line.checksum), |_| ()));
            newest_by.clone_from(&line.signed_by);
            if ours.is_none() {
                all.hands.entry(&header.chain, &shown, number, &line, report);
            }
            if line.seq == header.first {
                first_names = line.prev.clone();
                if line.seq == 0 && line.checksum != header.chain {
                    let message = "line 1 names another chain than the one that line 2 begins";
                    report.alarm(FindingKind::NotLinked, Some(1), Some(0), message);
                }
            }
            if ours.is_some_and(|ours| !ours.has(line.seq, &line.checksum, is_from_here)) {
                let message = format!(
                    "line {number} is entry {} of this clone's chain, and the ledger has another one, or none",
                    line.seq
                );
                report.alarm(FindingKind::Rechained, Some(number), Some(line.seq), message);
            }
        }
    }
    chain.finish(report);
    signatures.finish(ours.is_some(), report);
    if chain.next_place() < header.end() {
        let message =
            format!("{} missing at the end of the segment", entries(chain.next_place(), header.end() - 1));
        let span = Some((chain.next_place(), header.end() - 1));
        report.push(Severity::Alarm, FindingKind::Cut, Some(number + 1), span, message);
    } else if chain.next_place() > header.end() {
        report.alarm(
            FindingKind::Inserted,
            Some(number),
            Some(header.end()),
            "the segment has more entries than its header says",
        );
    }
    edges(&header, tree.as_ref(), newest_by.as_deref(), report);
    if is_whole {
        all.hands.piece(&header.chain, header.first, chain.next_place(), first_names.as_ref());
    }
    Ok(is_whole.then(|| Looked { head: chain.head(), header, first_names, tree }))
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::ContentHash;

    use super::Away;

    #[test]
    fn an_entry_that_several_segments_have_is_counted_once() {
        let (one, other) = (ContentHash::of(b"one"), ContentHash::of(b"other"));
        let places =
            [(one.clone(), vec![2..3, 0..2, 0..2, 1..3]), (other, std::iter::once(4..5).collect())].into();
        let away = Away { segments: 5, places, unread: 0 };
        assert_eq!(away.said(), "5, with 4 entries");
        let away = Away { segments: 1, places: [(one, std::iter::once(7..8).collect())].into(), unread: 0 };
        assert_eq!(away.said(), "1, with 1 entry");
        assert_eq!(
            Away { segments: 1, unread: 1, ..Away::default() }.said(),
            "1, with 0 entries, 1 of them not in this clone, or no segment"
        );
    }
}
