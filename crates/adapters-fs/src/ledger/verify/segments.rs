//! Checks the sealed segments of a working copy: each for itself, each against the one it follows, and those of this
//! clone's chain against the ledger.
//!
//! Git moves segments about: a branch is deleted, a commit is picked alone. So a segment that is somewhere else, or that
//! git once had, is a note; only what was sealed here, never was in git, and is needed here is gone.

use std::collections::BTreeMap;
use std::num::NonZeroU128;
use std::ops::ControlFlow;

use bailiwick_domain::{ContentHash, FindingKind, PortError, SegmentHistory, Severity};

use super::chain::{ChainWalk, Step, entries};
use super::hands::Hands;
use super::report::Report;
use super::signatures::Signatures;
use crate::Layout;
use crate::ledger::lines::Line;
use crate::ledger::parts::Chain;
use crate::ledger::record::read_ledger_line;
use crate::ledger::seal::SealedHere;
use crate::ledger::segment::{self, Header, SegmentFile};
use crate::ledger::sign::TraceKeys;
use crate::ledger::{ended, folder};

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
    /// Remembers the chain only where a segment of this working copy may need it: without one, verifying takes the same
    /// memory however long the ledger is.
    pub(super) fn for_segments_of(
        layout: &Layout,
        live: &Chain,
        is_new_place: bool,
    ) -> Result<Self, PortError> {
        let has_segments = segment::is_any(layout)?;
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

/// A segment that was looked at.
#[derive(Debug)]
struct Looked {
    header: Header,
    head: Option<ContentHash>,
    first_names: Option<ContentHash>,
}

/// Checks all of them; how many of the ledger's first entries they hold.
pub(super) fn check(
    layout: &Layout,
    own: &OwnChain,
    history: Option<&dyn SegmentHistory>,
    keys: &TraceKeys,
    report: &mut Report,
) -> Result<(u64, u64), PortError> {
    let mut present: BTreeMap<ContentHash, Looked> = BTreeMap::new();
    let (mut sealed, mut count) = (0, 0);
    let here = SealedHere::read(layout)?;
    let mut hands = Hands::default();
    for file in segment::all(layout)? {
        report.about(file.path.display().to_string());
        count += 1;
        if let Err(error) = file.open() {
            let message = format!("the segment cannot be read: {error}");
            report.push(Severity::Alarm, FindingKind::SegmentDiffers, None, None, message);
            continue;
        }
        if let Some(looked) = look(&file, own, &here, &mut hands, keys, report)? {
            if Some(&looked.header.chain) == own.genesis() {
                sealed = sealed.max(looked.header.end());
            }
            present.insert(file.name, looked);
        }
    }
    hands.finish(report);
    references(layout, &present, &here, history, report)?;
    let elsewhere =
        here.known.keys().filter(|name| !segment::file(&segment::folder(layout), name).exists()).count();
    if elsewhere > 0 {
        report.about(segment::folder(layout).display().to_string());
        let message = format!(
            "{elsewhere} segments that were sealed here are not in this working copy: on another ref, or withdrawn"
        );
        report.note(FindingKind::SegmentElsewhere, message);
    }
    Ok((sealed, count))
}

fn look(
    file: &SegmentFile,
    own: &OwnChain,
    here: &SealedHere,
    hands: &mut Hands,
    keys: &TraceKeys,
    report: &mut Report,
) -> Result<Option<Looked>, PortError> {
    let is_whole = file.is_whole()?;
    if !is_whole {
        let message = "the segment's bytes are not the ones that it is named by";
        report.push(Severity::Alarm, FindingKind::SegmentDiffers, None, None, message);
    }
    let Some((header, _)) = file.header()? else {
        report.alarm(FindingKind::Edited, Some(1), None, "line 1 is not the header of a segment");
        return Ok(None);
    };
    let mut chain = ChainWalk::starting_at(header.first);
    let mut signatures = Signatures::new(keys).of(&header.chain);
    let mut first_names = None;
    let ours = own.of(&header.chain);
    let is_from_here = here.known.contains_key(&file.name);
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
            if ours.is_none() {
                hands.entry(&header.chain, number, &line, keys, report);
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
    signatures.finish(report);
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
    Ok(is_whole.then(|| Looked { head: chain.head(), header, first_names }))
}

fn references(
    layout: &Layout,
    present: &BTreeMap<ContentHash, Looked>,
    here: &SealedHere,
    history: Option<&dyn SegmentHistory>,
    report: &mut Report,
) -> Result<(), PortError> {
    let folder = segment::folder(layout);
    let mut in_git = None;
    for (name, looked) in present {
        let Some(follows) = &looked.header.follows else { continue };
        report.about(segment::file(&folder, name).display().to_string());
        if let Some(before) = present.get(follows) {
            let fits = before.header.end() == looked.header.first
                && before.header.chain == looked.header.chain
                && before.head == looked.first_names;
            if !fits {
                report.alarm(
                    FindingKind::NotLinked,
                    Some(1),
                    Some(looked.header.first),
                    "the segment does not go on where the one ends that it follows",
                );
            }
            continue;
        }
        if segment::file(&folder, follows).exists() {
            continue;
        }
        if in_git.is_none() {
            in_git = Some(history.map(SegmentHistory::names).transpose()?.unwrap_or_default());
        }
        let known_to_git = in_git.as_ref().is_some_and(|names| names.contains(follows));
        let needed = follows.digits();
        match here.known.get(follows) {
            Some(known) if !known.in_git && !known_to_git => {
                let message =
                    format!("it follows the segment {needed}, which was sealed here and is nowhere any more");
                report.alarm(FindingKind::SegmentGone, Some(1), None, message);
            }
            _ => {
                let message = format!(
                    "it follows the segment {needed}, which is not in this working copy: on another ref, or withdrawn by git"
                );
                report.push(Severity::Note, FindingKind::SegmentElsewhere, Some(1), None, message);
            }
        }
    }
    Ok(())
}
