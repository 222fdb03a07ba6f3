//! Which moments of a run are tried, and how many of each kind there were.

use std::collections::BTreeSet;
use std::fmt;

use super::fault::{Call, Fault, Injection};
use crate::stage::dice::Dice;

/// How many moments of a scene are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Depth {
    /// Every one.
    All,
    /// Some of those at which the disk is about to change, others in each scene.
    #[default]
    Sample,
}

/// One in so many of a kind is in a sample.
fn sampled(fault: Fault) -> usize {
    match fault {
        Fault::Kill | Fault::KillWithin(_) => 2,
        Fault::ErrorFrom(_) | Fault::Short(_) => 4,
        Fault::Error(_) => 10,
    }
}

/// The moments of a run that made these calls.
pub(super) fn of(calls: &[Call], depth: Depth, seed: u64) -> Vec<Injection> {
    let mut dice = Dice::of(seed);
    let mut points = Vec::new();
    for (at, call) in calls.iter().enumerate() {
        let mut faults = Vec::new();
        if depth == Depth::All || call.changes_the_disk() || at + 1 == calls.len() {
            faults.push(Fault::Kill);
        }
        faults.extend(call.errors().iter().map(|error| Fault::Error(*error)));
        if call.changes_the_disk() {
            faults.push(Fault::ErrorFrom(nix::libc::ENOSPC));
        }
        if call.is_write() {
            for length in lengths(call.length(), &mut dice) {
                // A write over what is there, within one page, is made as a whole or not at all.
                if !call.file.ends_with("state.json") {
                    faults.push(Fault::KillWithin(length));
                }
                faults.push(Fault::Short(length));
            }
        }
        points.extend(faults.into_iter().map(|fault| Injection { at, fault }));
    }
    if depth == Depth::Sample {
        points.retain(|point| dice.roll(sampled(point.fault)) == 0);
    }
    points
}

/// Where a write of that length may be cut.
fn lengths(length: u64, dice: &mut Dice) -> BTreeSet<u64> {
    let somewhere = u64::try_from(dice.roll(usize::try_from(length).unwrap_or_default())).unwrap_or_default();
    [0, 1, length / 2, somewhere, length.saturating_sub(1)].into_iter().filter(|cut| *cut < length).collect()
}

/// A call for people.
pub(super) fn describe(call: &Call) -> String {
    format!("call {} {:?} {}", call.number, call.arguments, call.file.display())
}

/// How many points of each kind were tried.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    kills: usize,
    kills_within: usize,
    errors: usize,
    full: usize,
    short: usize,
}

impl Tally {
    pub(super) fn add(&mut self, fault: Fault) {
        let kind = match fault {
            Fault::Kill => &mut self.kills,
            Fault::KillWithin(_) => &mut self.kills_within,
            Fault::Error(_) => &mut self.errors,
            Fault::ErrorFrom(_) => &mut self.full,
            Fault::Short(_) => &mut self.short,
        };
        *kind += 1;
    }

    pub(super) fn take(&mut self, other: &Self) {
        self.kills += other.kills;
        self.kills_within += other.kills_within;
        self.errors += other.errors;
        self.full += other.full;
        self.short += other.short;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kills, kills_within, errors, full, short } = self;
        let all = kills + kills_within + errors + full + short;
        write!(
            out,
            "{all} points: {kills} killed before a call of the system, {kills_within} within a write, {errors} calls that \
             failed, {full} times no room from there on, {short} short writes"
        )
    }
}
