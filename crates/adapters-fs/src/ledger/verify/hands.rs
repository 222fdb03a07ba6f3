//! Looks at the ledgers of others as their segments tell them together: one place has one entry, and a ledger that a known
//! key signed goes on with that key alone.
//!
//! Deliberately absent: each segment by itself (`segments`), and this clone's own ledger.

use std::collections::BTreeMap;
use std::num::NonZeroU128;

use bailiwick_domain::{ContentHash, FindingKind, Severity};

use super::report::Report;
use crate::ledger::record::LedgerLine;
use crate::ledger::sign::{SignedBy, TraceKey, TraceKeys, signed_by};

/// The ledgers of others.
#[derive(Debug, Default)]
pub(super) struct Hands {
    chains: BTreeMap<ContentHash, Hand>,
}

/// What is known of one.
#[derive(Debug, Default)]
struct Hand {
    /// The first half of the checksum at each place.
    halves: BTreeMap<u64, NonZeroU128>,
    /// The known key that signed it, and the first place that it signed.
    key: Option<(TraceKey, u64)>,
    /// The last place that another key signed, or nobody, with its file and line.
    other: Option<(u64, String, u64)>,
    /// Entries that nobody signed.
    unsigned: u64,
}

impl Hands {
    /// Looks at the entry in line `number` of a segment.
    pub(super) fn entry(
        &mut self,
        chain: &ContentHash,
        number: u64,
        line: &LedgerLine,
        keys: &TraceKeys,
        report: &mut Report,
    ) {
        let hand = self.chains.entry(chain.clone()).or_default();
        let half = half(&line.checksum);
        match (hand.halves.get(&line.seq), half) {
            (Some(known), Some(half)) if *known != half => {
                let message = format!(
                    "line {} is entry {} of a ledger that another segment tells otherwise",
                    report.line(number),
                    line.seq
                );
                report.alarm(FindingKind::Rechained, Some(number), Some(line.seq), message);
                return;
            }
            (Some(_), _) => return,
            (None, Some(half)) => drop(hand.halves.insert(line.seq, half)),
            (None, None) => {}
        }
        let is_known = |key: &TraceKey| keys.owner(key).is_some();
        match signed_by(line) {
            SignedBy::Key(key) if is_known(&key) && hand.key.as_ref().is_none_or(|(own, _)| *own == key) => {
                let first = hand.key.take().map_or(line.seq, |(_, first)| first.min(line.seq));
                hand.key = Some((key, first));
            }
            by => {
                hand.unsigned += u64::from(by == SignedBy::Nobody);
                if hand.other.as_ref().is_none_or(|(seq, ..)| *seq < line.seq) {
                    hand.other = Some((line.seq, report.file(number), number));
                }
            }
        }
    }

    /// Reports what is to say of each ledger as a whole.
    pub(super) fn finish(self, report: &mut Report) {
        for hand in self.chains.into_values() {
            let Some((seq, file, line)) = hand.other else { continue };
            report.about(file);
            match hand.key {
                Some((_, first)) if first < seq => {
                    let message = format!(
                        "line {line} (entry {seq}) goes on a ledger that a known key signed, without that key"
                    );
                    report.push(
                        Severity::Alarm,
                        FindingKind::OtherHand,
                        Some(line),
                        Some((seq, seq)),
                        message,
                    );
                }
                _ if hand.unsigned > 0 => {
                    let message = format!(
                        "nobody signed {} here: anybody could have written what they say",
                        entries_of(hand.unsigned)
                    );
                    report.note(FindingKind::Unvouched, message);
                }
                _ => {}
            }
        }
    }
}

fn entries_of(count: u64) -> String {
    if count == 1 { "one entry".to_owned() } else { format!("{count} entries") }
}

fn half(checksum: &ContentHash) -> Option<NonZeroU128> {
    NonZeroU128::new(u128::from_str_radix(checksum.digits().get(..32)?, 16).ok()?)
}
