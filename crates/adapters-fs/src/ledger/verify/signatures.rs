//! Checks how entries are signed. A signature that does not fit, or that was taken off, is an alarm; a
//! key that nobody named here, or a line that was not signed behind one that was, is a note.

use std::collections::BTreeMap;

use bailiwick_domain::{ContentHash, FindingKind, Severity, counted};

use super::report::Report;
use crate::ledger::record::{LedgerLine, SignedBy, signed_by};
use crate::ledger::sign::{TraceKey, TraceKeys};

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
    unsigned: Option<Span>,
    any: bool,
}

impl<'k> Signatures<'k> {
    pub(super) fn new(keys: &'k TraceKeys) -> Self {
        Self { keys, chain: None, believed: 0, unknown: BTreeMap::new(), unsigned: None, any: false }
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
            SignedBy::Key(key) if self.keys.owner_of(&key, self.chain.as_ref(), line.seq).is_some() => {
                self.believed += 1;
            }
            SignedBy::Key(key) => {
                let mut span = self.unknown.remove(&key);
                widen(&mut span, line.seq);
                self.unknown.extend(span.map(|span| (key, span)));
            }
        }
    }

    /// Reports what is a note in this clone's own chain.
    pub(super) fn finish_chain(&mut self, report: &mut Report) {
        if let Some((first, last, count)) = self.unsigned.take() {
            let entries = counted(count, "entry is", "entries are");
            let message = format!("{entries} not signed, behind one that is");
            report.push(Severity::Note, FindingKind::Unsigned, None, Some((first, last)), message);
        }
        self.finish(report);
    }

    /// Reports what is a note anywhere.
    pub(super) fn finish(&mut self, report: &mut Report) {
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

fn widen(span: &mut Option<Span>, seq: u64) {
    *span =
        Some(span.map_or((seq, seq, 1), |(first, last, count)| (first.min(seq), last.max(seq), count + 1)));
}
