//! Checks how entries are signed. A signature that does not fit, or that was taken off, is an alarm; a
//! key that nobody named here, or a line that was not signed behind one that was, is a note. What a stolen key signed is an
//! alarm, but where the witness of this clone saw who wrote it.

use std::collections::BTreeMap;

use bailiwick_domain::{ContentHash, FindingKind, Severity, counted};

use super::report::Report;
use crate::ledger::record::{LedgerLine, SignedBy, signed_by};
use crate::ledger::sign::{TraceKey, TraceKeys, Whose};

/// From the first to the last entry of a kind, and how many they are.
type Span = (u64, u64, u64);

/// The signatures of the entries of one file.
#[derive(Debug)]
pub(super) struct Signatures<'k> {
    keys: &'k TraceKeys,
    /// The checksum of the first entry of the ledger.
    chain: Option<ContentHash>,
    believed: u64,
    unknown: BTreeMap<TraceKey, Span>,
    /// With whose key it was.
    stolen: BTreeMap<(TraceKey, String), Span>,
    unsigned: Option<Span>,
    any: bool,
}

impl<'k> Signatures<'k> {
    pub(super) fn new(keys: &'k TraceKeys) -> Self {
        let (unknown, stolen) = (BTreeMap::new(), BTreeMap::new());
        Self { keys, chain: None, believed: 0, unknown, stolen, unsigned: None, any: false }
    }

    /// The same for a part of the ledger with that first entry.
    pub(super) fn of(self, chain: &ContentHash) -> Self {
        Self { chain: Some(chain.clone()), ..self }
    }

    /// How many entries have a good signature by a key that is known here.
    pub(super) fn believed(&self) -> u64 {
        self.believed
    }

    /// Looks at the entry in line `number`, counted from 1.
    pub(super) fn entry(&mut self, number: u64, line: &LedgerLine, report: &mut Report) {
        let signed = signed_by(line);
        if line.seq == 0 {
            self.chain.get_or_insert_with(|| line.checksum.clone());
        }
        self.any |= signed != SignedBy::Nobody;
        if let Some(what) = signed.fault() {
            let kind = match signed {
                SignedBy::Missing => FindingKind::SignatureMissing,
                _ => FindingKind::BadSignature,
            };
            let message = format!("line {} (entry {}) {what}", report.line(number), line.seq);
            report.alarm(kind, Some(number), Some(line.seq), message);
        }
        match signed {
            SignedBy::Nobody if self.any => widen(&mut self.unsigned, line.seq),
            SignedBy::Nobody | SignedBy::Missing | SignedBy::Wrong => {}
            SignedBy::Key(key) => self.by_key(key, line.seq),
        }
    }

    fn by_key(&mut self, key: TraceKey, seq: u64) {
        match self.keys.whose(&key, self.chain.as_ref(), seq.saturating_add(1)) {
            Whose::You | Whose::Known(_) => self.believed += 1,
            Whose::Stolen(name) => widen_of(&mut self.stolen, (key, name.to_owned()), seq),
            Whose::Nobody => widen_of(&mut self.unknown, key, seq),
        }
    }

    /// Reports what is a note in this clone's own chain.
    pub(super) fn finish_chain(&mut self, report: &mut Report) {
        if let Some((first, last, count)) = self.unsigned.take() {
            let entries = counted(count, "entry is", "entries are");
            let message = format!("{entries} not signed, behind one that is");
            report.push(Severity::Note, FindingKind::Unsigned, None, Some((first, last)), message);
        }
        self.finish(true, report);
    }

    /// Reports what is told anywhere; `is_seen` where the witness of this clone knows who wrote it.
    pub(super) fn finish(&mut self, is_seen: bool, report: &mut Report) {
        let severity = if is_seen { Severity::Note } else { Severity::Alarm };
        for ((key, name), (first, last, count)) in std::mem::take(&mut self.stolen) {
            let message = format!(
                "{} signed with {key}, which was stolen from {name}: no checkpoint from before has them",
                counted(count, "entry is", "entries are")
            );
            report.push(severity, FindingKind::StolenKey, None, Some((first, last)), message);
        }
        for (key, (first, last, count)) in std::mem::take(&mut self.unknown) {
            let message = format!(
                "{} signed with {key}, which is not known on this machine: if you know whose it is, \
                 `bailiwick trace key trust {key} NAME`",
                counted(count, "entry is", "entries are")
            );
            report.push(Severity::Note, FindingKind::UnknownKey, None, Some((first, last)), message);
        }
    }
}

fn widen_of<K: Ord>(spans: &mut BTreeMap<K, Span>, of: K, seq: u64) {
    let mut span = spans.remove(&of);
    widen(&mut span, seq);
    spans.extend(span.map(|span| (of, span)));
}

fn widen(span: &mut Option<Span>, seq: u64) {
    *span =
        Some(span.map_or((seq, seq, 1), |(first, last, count)| (first.min(seq), last.max(seq), count + 1)));
}
