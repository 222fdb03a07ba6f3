//! Walks the lines of a chain and finds every place where it is not what was written.
//!
//! A line is in order when it is well-formed, has the next place, and names the line before. What is not in order is
//! told apart: edited, missing, inserted, reordered. Deliberately absent: reading files, the witness, the view.

use bailiwick_domain::{ContentHash, FindingKind, Severity};

use super::report::Report;
use crate::ledger::record::{LedgerLine, read_ledger_line};

/// What is known of the line that stood before.
#[derive(Clone, Debug)]
enum Before {
    /// There is none, so the next line names none.
    Start,
    /// Its checksum.
    Known(ContentHash),
    /// It was not well-formed, or is missing.
    Unknown,
}

/// Lines that were not well-formed, one behind another, and where the chain stood before them.
#[derive(Debug)]
struct Damage {
    next: u64,
    before: Before,
    findings: Vec<usize>,
}

/// A line that claims the place of the line before it, with as much right.
#[derive(Debug)]
struct Rival {
    checksum: ContentHash,
    finding: usize,
}

/// The state of a walk.
#[derive(Debug)]
pub(super) struct ChainWalk {
    next: u64,
    before: Before,
    before_that: Before,
    damage: Option<Damage>,
    rival: Option<Rival>,
    missing: Vec<Gap>,
    placed: u64,
}

#[derive(Debug)]
struct Gap {
    first: u64,
    last: u64,
    line: u64,
}

/// What became of a line.
#[derive(Debug)]
pub(super) enum Step {
    /// It has its place in the chain.
    Placed(Box<LedgerLine>),
    /// It has its place, and takes it from the line before, which was inserted.
    Displaced(Box<LedgerLine>),
    /// It has none; the finding is reported.
    Misplaced,
}

impl ChainWalk {
    pub(super) fn new() -> Self {
        Self {
            next: 0,
            before: Before::Start,
            before_that: Before::Unknown,
            damage: None,
            rival: None,
            missing: Vec::new(),
            placed: 0,
        }
    }

    /// A walk through a piece of a chain, which begins at that place.
    pub(super) fn starting_at(place: u64) -> Self {
        let before = if place == 0 { Before::Start } else { Before::Unknown };
        Self { next: place, before, ..Self::new() }
    }

    /// The place behind the last line.
    pub(super) fn next_place(&self) -> u64 {
        self.next
    }

    /// How many entries have a place in the chain.
    pub(super) fn placed(&self) -> u64 {
        self.placed
    }

    /// The checksum of the last line.
    pub(super) fn head(&self) -> Option<ContentHash> {
        match &self.before {
            Before::Known(checksum) => Some(checksum.clone()),
            Before::Start | Before::Unknown => None,
        }
    }

    /// Whether a fragment at the end is a whole record that follows the last line.
    pub(super) fn would_follow(&self, fragment: &[u8]) -> bool {
        read_ledger_line(fragment)
            .is_ok_and(|line| line.seq == self.next && self.damage.is_none() && self.links(&line))
    }

    /// Looks at line `number` of the chain, counted from 1 through all of its files.
    pub(super) fn line(&mut self, number: u64, bytes: &[u8], report: &mut Report) -> Step {
        match read_ledger_line(bytes) {
            Ok(line) => self.well_formed(number, line, report),
            Err(fault) => {
                let message = format!("line {} was changed: {fault}", report.line(number));
                let finding = report.alarm(FindingKind::Edited, Some(number), Some(self.next), message);
                self.damaged(finding);
                Step::Misplaced
            }
        }
    }

    fn damaged(&mut self, finding: usize) {
        let (next, before) = (self.next, self.before.clone());
        let damage = self.damage.get_or_insert_with(|| Damage { next, before, findings: Vec::new() });
        damage.findings.push(finding);
        self.next += 1;
        self.before = Before::Unknown;
        self.rival = None;
    }

    fn well_formed(&mut self, number: u64, line: LedgerLine, report: &mut Report) -> Step {
        if let Some(damage) = self.damage.take() {
            self.after_damage(&damage, &line, report);
        }
        if line.seq < self.next {
            return self.too_early(number, &line, report);
        }
        let rival = self.rival.take();
        if line.seq > self.next {
            self.missing.push(Gap { first: self.next, last: line.seq - 1, line: number });
            self.before = Before::Unknown;
        }
        let mut displaced = false;
        if !self.links(&line) {
            displaced = rival.is_some_and(|rival| {
                let is_it = line.prev.as_ref() == Some(&rival.checksum);
                if is_it {
                    report.move_back(rival.finding);
                }
                is_it
            });
            if !displaced {
                let message = format!(
                    "line {} (entry {}) does not name the line before it",
                    report.line(number),
                    line.seq
                );
                report.alarm(FindingKind::NotLinked, Some(number), Some(line.seq), message);
            }
        }
        self.place(&line);
        if displaced { Step::Displaced(Box::new(line)) } else { Step::Placed(Box::new(line)) }
    }

    fn place(&mut self, line: &LedgerLine) {
        self.next = line.seq + 1;
        self.before_that = std::mem::replace(&mut self.before, Before::Known(line.checksum.clone()));
        self.placed += 1;
    }

    fn links(&self, line: &LedgerLine) -> bool {
        links_to(&self.before, line)
    }

    /// Damaged lines stood for entries, unless the chain goes on without them: then they were put there.
    fn after_damage(&mut self, damage: &Damage, line: &LedgerLine, report: &mut Report) {
        if line.seq == damage.next && links_to(&damage.before, line) {
            for finding in &damage.findings {
                report.change(*finding, FindingKind::Inserted, "is not an entry and was added");
            }
            self.next = damage.next;
            self.before = damage.before.clone();
        }
    }

    /// A line whose place was passed: it fills a gap, or claims the place of the line before, or has none.
    fn too_early(&mut self, number: u64, line: &LedgerLine, report: &mut Report) -> Step {
        if self.fill(line.seq) {
            let message =
                format!("line {} (entry {}) comes after later entries", report.line(number), line.seq);
            report.alarm(FindingKind::Reordered, Some(number), Some(line.seq), message);
            self.placed += 1;
            return Step::Placed(Box::new(line.clone()));
        }
        let message = format!("line {} claims place {}, which is taken", report.line(number), line.seq);
        let finding = report.alarm(FindingKind::Inserted, Some(number), Some(line.seq), message);
        if line.seq + 1 == self.next && links_to(&self.before_that, line) {
            self.rival = Some(Rival { checksum: line.checksum.clone(), finding });
        }
        Step::Misplaced
    }

    /// Takes a place out of the gaps; whether it was in one.
    fn fill(&mut self, seq: u64) -> bool {
        let Some(index) = self.missing.iter().position(|gap| (gap.first..=gap.last).contains(&seq)) else {
            return false;
        };
        let gap = self.missing.swap_remove(index);
        if gap.first < seq {
            self.missing.push(Gap { first: gap.first, last: seq - 1, line: gap.line });
        }
        if seq < gap.last {
            self.missing.push(Gap { first: seq + 1, last: gap.last, line: gap.line });
        }
        true
    }

    /// Reports what stayed missing.
    pub(super) fn finish(&mut self, report: &mut Report) {
        for gap in std::mem::take(&mut self.missing) {
            let message =
                format!("{} missing before line {}", entries(gap.first, gap.last), report.line(gap.line));
            report.push(
                Severity::Alarm,
                FindingKind::Missing,
                Some(gap.line),
                Some((gap.first, gap.last)),
                message,
            );
        }
    }
}

fn links_to(before: &Before, line: &LedgerLine) -> bool {
    match before {
        Before::Start => line.prev.is_none(),
        Before::Known(checksum) => line.prev.as_ref() == Some(checksum),
        Before::Unknown => true,
    }
}

/// `entry 4 is` or `entries 4 to 7 are`.
pub(super) fn entries(first: u64, last: u64) -> String {
    if first == last { format!("entry {first} is") } else { format!("entries {first} to {last} are") }
}
