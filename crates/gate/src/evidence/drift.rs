//! What changed without any record: files whose content no evidence explains. The definition is in
//! `docs/architecture.md`; this computes it from what is known.
//!
//! It names files, never anybody. Deliberately absent: reading files, the ledger's form, and asking version control.

use std::collections::BTreeMap;

use bailiwick_domain::{DecisionRecord, FileState, IntentId, PendingCall, RepoPath, StoredEntry, Timestamp};
use similar::DiffOp;

use crate::change::compared;

/// The last that the ledger knows of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastEntry {
    /// The entry's id.
    pub id: String,
    /// Its intent.
    pub intent: IntentId,
    /// When it was recorded.
    pub at: Timestamp,
    /// What its call found.
    pub before: FileState,
    /// What its call left.
    pub after: FileState,
    /// Whether a person took back what was there before.
    pub takes_back: bool,
}

/// What is known of one file.
#[derive(Clone, Debug, Default)]
struct Known {
    last: Option<LastEntry>,
    /// The newest state that an adoption or an amendment has seen there, and when.
    left: Option<(Timestamp, FileState)>,
    /// Whether a call that may change it is under way.
    is_open: bool,
}

/// How a file that is as it is now is explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explanation {
    /// As the newest entry left it, or as what ran behind a call or a human made of it then.
    Recorded,
    /// As it was before the newest change: somebody took that back, and nobody did so before.
    TakenBack,
    /// A call that may change it is under way; its outcome is found at the next event.
    Open,
    /// As version control stores it.
    Imported,
}

/// What version control says of a file as it is now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Versioned {
    /// It keeps this content; of a file that is gone: it knew the path, and tracks nothing there now.
    pub keeps: bool,
}

/// All that explains files of one working copy.
#[derive(Clone, Debug, Default)]
pub struct Knowledge(BTreeMap<RepoPath, Known>);

impl Knowledge {
    /// Takes an entry up, in any order. What another working copy recorded says nothing of this one's files.
    pub fn take_entry(&mut self, stored: &StoredEntry) {
        let entry = &stored.entry;
        for file in entry.files.iter().filter(|_| stored.is_from_here) {
            let known = self.0.entry(file.path.clone()).or_default();
            if known.last.as_ref().is_none_or(|last| last.at <= entry.timestamp) {
                known.last = Some(LastEntry {
                    id: entry.id.clone(),
                    intent: entry.context.intent.clone(),
                    at: entry.timestamp,
                    before: file.before.clone(),
                    after: file.after.clone(),
                    takes_back: entry.context.restores.is_some(),
                });
            }
        }
    }

    /// Takes up what a line of the decision log explains.
    pub fn take_decision(&mut self, record: &DecisionRecord) {
        for (path, state) in &record.left {
            let Ok(path) = RepoPath::new(path) else { continue };
            let known = self.0.entry(path).or_default();
            if known.left.as_ref().is_none_or(|(at, _)| *at <= record.at) {
                known.left = Some((record.at, state.clone()));
            }
        }
    }

    /// Takes up a call whose outcome is not known yet.
    pub fn take_pending(&mut self, pending: &PendingCall) {
        let named = pending.files.iter().map(|file| &file.path);
        for path in named.chain(pending.known.iter().map(|(path, _)| path)) {
            self.0.entry(path.clone()).or_default().is_open = true;
        }
    }

    /// Every file that something is known of.
    pub fn paths(&self) -> impl Iterator<Item = &RepoPath> {
        self.0.keys()
    }

    /// The newest entry of a file.
    pub fn last(&self, path: &RepoPath) -> Option<&LastEntry> {
        self.0.get(path)?.last.as_ref()
    }

    /// What explains that this is there now, if anything does. Version control is asked only where nothing else does.
    pub fn explain(
        &self,
        path: &RepoPath,
        now: &FileState,
        version_control: impl FnOnce() -> Versioned,
    ) -> Option<Explanation> {
        let by_record = self.0.get(path).and_then(|known| known.explain(now));
        by_record.or_else(|| version_control().keeps.then_some(Explanation::Imported))
    }
}

impl Known {
    /// An older state explains nothing: what a person took back does not vouch for the same again.
    fn explain(&self, now: &FileState) -> Option<Explanation> {
        let last = self.last.as_ref();
        let is_left =
            |(at, state): &(Timestamp, FileState)| state == now && last.is_none_or(|last| last.at <= *at);
        if self.is_open {
            Some(Explanation::Open)
        } else if last.is_some_and(|last| last.after == *now) || self.left.as_ref().is_some_and(is_left) {
            Some(Explanation::Recorded)
        } else {
            let is_before = |last: &LastEntry| last.before == *now && !last.takes_back;
            last.is_some_and(is_before).then_some(Explanation::TakenBack)
        }
    }
}

/// The runs of lines (1-based, inclusive) that are not as in `base` and that `is_recorded` does not know, counted from 0.
pub fn unexplained_lines(
    base: &[u8],
    now: &[u8],
    is_recorded: impl Fn(usize) -> bool,
) -> Vec<(usize, usize)> {
    let lines = |text: &'_ [u8]| -> Vec<Vec<u8>> {
        text.split_inclusive(|byte| *byte == b'\n').map(|line| line.trim_ascii_end().to_vec()).collect()
    };
    let (old, new) = (lines(base), lines(now));
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for op in compared(&old, &new) {
        if matches!(op, DiffOp::Equal { .. } | DiffOp::Delete { .. }) {
            continue;
        }
        for line in op.new_range().filter(|line| !is_recorded(*line)) {
            match runs.last_mut() {
                Some((_, end)) if *end == line => *end = line + 1,
                _ => runs.push((line + 1, line + 1)),
            }
        }
    }
    runs
}
