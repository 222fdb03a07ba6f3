//! Looks at the ledgers of others as their segments tell them together: one place has one entry, and a ledger goes on with
//! its own key alone.
//!
//! The key of a ledger is the one that signed its first entry, by which it is called; else the one of its keys that is known
//! here; else that of the head that was seen here before; else the first that signed anything. Deliberately absent: each
//! segment by itself (`segments`), and this clone's own ledger.

use std::collections::BTreeMap;
use std::num::NonZeroU128;
use std::sync::Arc;

use bailiwick_domain::{ContentHash, FindingKind, OtherLedger};

use super::halves::Halves;
use super::report::Report;
use crate::ledger::record::{LedgerLine, SignedBy, signed_by};
use crate::ledger::sign::{TraceKey, TraceKeys};
use crate::ledger::trust::seen::{Head, Seen};

/// The ledgers of others.
#[derive(Debug)]
pub(super) struct Hands<'s> {
    chains: BTreeMap<ContentHash, Hand>,
    /// The heads that were seen before; `None` where keys were named in place of those that are known here.
    seen: Option<&'s Seen>,
}

/// What is known of one.
#[derive(Debug, Default)]
struct Hand {
    /// The first half of the checksum at each place.
    halves: Halves,
    /// What each key signed, and what nobody did or nobody can be told from.
    by: BTreeMap<Option<TraceKey>, Signed>,
    /// The key that signed the entry by which the ledger is called.
    begun_by: Option<TraceKey>,
    /// Entries that nobody signed.
    unsigned: u64,
    /// Its segments: the first place, the one behind the last, and what the first entry names before it.
    pieces: Vec<(u64, u64, Option<NonZeroU128>)>,
}

/// From the first to the last entry of one hand.
#[derive(Clone, Debug)]
struct Signed {
    first: u64,
    last: u64,
    checksum: ContentHash,
    /// The file and the line that the last is in.
    file: Arc<str>,
    line: u64,
}

impl<'s> Hands<'s> {
    pub(super) fn new(seen: Option<&'s Seen>) -> Self {
        Self { chains: BTreeMap::new(), seen }
    }

    /// Looks at the entry in line `number` of a segment's file.
    pub(super) fn entry(
        &mut self,
        chain: &ContentHash,
        file: &Arc<str>,
        number: u64,
        line: &LedgerLine,
        report: &mut Report,
    ) {
        let hand = self.chains.entry(chain.clone()).or_default();
        let half = half(&line.checksum);
        match (hand.halves.get(line.seq), half) {
            (Some(known), Some(half)) if known != half => {
                let message = format!(
                    "line {} is entry {} of a ledger that another segment tells otherwise",
                    report.line(number),
                    line.seq
                );
                report.alarm(FindingKind::Rechained, Some(number), Some(line.seq), message);
                return;
            }
            (Some(_), _) => return,
            (None, Some(half)) => hand.halves.insert(line.seq, half),
            (None, None) => {}
        }
        let key = match signed_by(line) {
            SignedBy::Key(key) => Some(key),
            by => {
                hand.unsigned += u64::from(by == SignedBy::Nobody);
                None
            }
        };
        if line.seq == 0 && line.checksum == *chain {
            hand.begun_by.clone_from(&key);
        }
        hand.signed(key, line, file, number);
    }

    /// A whole segment was looked at: from which place to which it goes, and what its first entry names before it.
    pub(super) fn piece(&mut self, chain: &ContentHash, first: u64, end: u64, names: Option<&ContentHash>) {
        if let Some(hand) = self.chains.get_mut(chain) {
            hand.pieces.push((first, end, names.and_then(half)));
        }
    }

    /// Reports what is to say of each ledger as a whole, and how far each is there.
    pub(super) fn finish(self, keys: &TraceKeys, report: &mut Report) -> Vec<OtherLedger> {
        let mut ledgers = Vec::new();
        for (chain, mut hand) in self.chains {
            hand.pieces.sort_unstable();
            let entries = hand.rooted();
            let head = self.seen.and_then(|seen| seen.of(&chain));
            let certain = hand.begun_by.clone().or_else(|| hand.known(&chain, keys));
            // What was seen before does not count against the key that is known to be the right one.
            let head = head.filter(|head| certain.as_ref().is_none_or(|key| *key == head.key));
            let key = certain.or_else(|| head.as_ref().map(|head| head.key.clone())).or_else(|| hand.first());
            hand.judge(key.as_ref(), head.as_ref(), report);
            if let (Some(seen), Some(newest)) = (self.seen, hand.newest(key.as_ref(), entries)) {
                seen.remember(&chain, newest);
            }
            let signer = key.as_ref().and_then(|key| keys.whose(key, Some(&chain), entries).name());
            let signer = signer.map(str::to_owned);
            let seen = head.map(|head| head.seq.saturating_add(1)).filter(|seen| *seen > entries);
            ledgers.push(OtherLedger { chain, entries, seen, signer });
        }
        ledgers
    }
}

impl Hand {
    fn signed(&mut self, key: Option<TraceKey>, line: &LedgerLine, file: &Arc<str>, number: u64) {
        let seq = line.seq;
        let newest = |first| Signed {
            first,
            last: seq,
            checksum: line.checksum.clone(),
            file: file.clone(),
            line: number,
        };
        match self.by.get_mut(&key) {
            Some(signed) if seq < signed.last => signed.first = signed.first.min(seq),
            Some(signed) => *signed = newest(signed.first),
            None => drop(self.by.insert(key, newest(seq))),
        }
    }

    /// How many of the first entries are there, one behind another.
    fn rooted(&self) -> u64 {
        let mut end = 0;
        for (first, piece_end, names) in &self.pieces {
            let follows =
                *first == 0 || (*first <= end && names.is_some() && *names == self.halves.get(first - 1));
            if follows {
                end = end.max(*piece_end);
            }
        }
        end
    }

    /// The first key that signed any of it and is known here for that.
    fn known(&self, chain: &ContentHash, keys: &TraceKeys) -> Option<TraceKey> {
        self.first_of(|key, first| keys.whose(key, Some(chain), first.saturating_add(1)).name().is_some())
    }

    /// The first key that signed any of it.
    fn first(&self) -> Option<TraceKey> {
        self.first_of(|_, _| true)
    }

    fn first_of(&self, wanted: impl Fn(&TraceKey, u64) -> bool) -> Option<TraceKey> {
        let signed = self.by.iter().filter_map(|(key, signed)| Some((signed.first, key.as_ref()?)));
        signed.filter(|(first, key)| wanted(key, *first)).min().map(|(_, key)| key.clone())
    }

    /// The newest entry that the key of the ledger signed, among those that are there one behind another.
    fn newest(&self, key: Option<&TraceKey>, entries: u64) -> Option<Head> {
        let key = key?;
        let signed = self.by.get(&Some(key.clone()))?;
        let Signed { first, last, checksum, .. } = signed;
        let is_there = *last < entries;
        is_there.then(|| Head { key: key.clone(), first: *first, seq: *last, checksum: checksum.clone() })
    }

    fn judge(&self, key: Option<&TraceKey>, seen: Option<&Head>, report: &mut Report) {
        let own = key.and_then(|key| self.by.get(&Some(key.clone())));
        let first = own.map(|own| own.first).into_iter().chain(seen.map(|head| head.first)).min();
        let others = self.by.iter().filter(|(by, _)| by.as_ref() != key || key.is_none());
        let other = others.map(|(_, signed)| signed).max_by_key(|signed| signed.last);
        if let Some(Signed { last, file, line, .. }) = other {
            report.about(file.to_string());
            if first.is_some_and(|first| first < *last) {
                other_hand(*line, *last, report);
            } else if self.unsigned > 0 {
                let message = format!(
                    "nobody signed {} here: anybody could have written them",
                    entries_of(self.unsigned)
                );
                report.note(FindingKind::Unvouched, message);
            }
        }
        let Some(head) = seen else { return };
        let here = self.halves.get(head.seq);
        if here.is_some() && here != half(&head.checksum) {
            let file = self.by.values().map(|signed| signed.file.to_string()).next();
            report.about(file.unwrap_or_default());
            another_head(head.seq, report);
        }
    }
}

/// An entry goes on a ledger in another hand.
pub(super) fn other_hand(line: u64, seq: u64, report: &mut Report) {
    let message =
        format!("line {line} (entry {seq}) goes on a ledger that has one key, and is not signed with it");
    report.alarm(FindingKind::OtherHand, Some(line), Some(seq), message);
}

/// Where a head was seen there is another entry.
pub(super) fn another_head(seq: u64, report: &mut Report) {
    let message = format!("entry {seq} is not the one that was seen here before, signed");
    report.alarm(FindingKind::Rechained, None, Some(seq), message);
}

fn entries_of(count: u64) -> String {
    if count == 1 { "one entry".to_owned() } else { format!("{count} entries") }
}

fn half(checksum: &ContentHash) -> Option<NonZeroU128> {
    NonZeroU128::new(u128::from_str_radix(checksum.digits().get(..32)?, 16).ok()?)
}
